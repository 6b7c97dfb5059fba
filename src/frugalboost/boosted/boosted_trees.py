"""What boosted trees for classes and for real targets share: a fit, going on, keeping results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from frugalboost._threads import count_threads
from frugalboost._typing import AnyArray, Floats
from frugalboost.base.callbacks import round_tasks, with_callbacks
from frugalboost.base.estimator import TreesClassifier, TreesEstimator
from frugalboost.base.params import FitPlan
from frugalboost.base.shap import Explained
from frugalboost.base.targets import all_count, count_rows, read_weights
from frugalboost.boosted.fitting import Fitted, Sample, fit
from frugalboost.boosting import Committee, Ensemble, Ledger
from frugalboost.data.labels import encode_labels, read_labels, warn_if_rare


def says_something(so_far: Ensemble | Committee) -> bool:
    """Whether there is anything to go on from.

    A lone tree of step 0 is there because a model needs one: it was no better than guessing, and
    boosting ended. A fit from the start ends there again, or finds more in other rows.
    """
    return len(so_far) > 1 or so_far.steps[0] != 0


class BoostedTrees(TreesEstimator, Explained):
    """Fitting trees to a table; not public."""

    @with_callbacks  # type: ignore[untyped-decorator]
    def _fit(
        self, X: Any, labels: AnyArray, weights: Floats, plan: FitPlan, baseline: float
    ) -> None:
        previous = self._previous(plan)
        n_before = 0
        if previous is not None:
            baseline, n_before = previous.baseline, len(previous)
        tasks = round_tasks(
            self,
            plan.n_estimators - n_before,
            X,
            labels,
            weights,
            lambda fitted: self._kept(fitted, plan, n_before),
        )
        fitted = fit(
            plan,
            Sample(X, labels, weights).without_zero_weights(),
            baseline=baseline,
            binning={
                "max_bins": self.max_bins,
                "categorical_features": self.categorical_features,
                "n_jobs": self.n_jobs,
            },
            random_state=self.random_state,
            previous=None if previous is None else (previous, self._schema),
            tasks=tasks,
            owner=self._owner,
        )
        self.__dict__.update(self._kept(fitted, plan, n_before))
        if tasks is not None:
            tasks.close()

    def _labels_given(self, labels: AnyArray) -> AnyArray:
        """The user's labels of those that a fit has, for callbacks."""
        return labels

    def _previous(self, plan: FitPlan) -> Ensemble | None:
        """The ensemble to go on from, if asked and if there is one."""
        if not plan.warm_start or not hasattr(self, "_ensemble"):
            return None
        self._check_going_on(plan, self._ensemble)
        return self._ensemble if says_something(self._ensemble) else None

    def _check_going_on(self, plan: FitPlan, so_far: Ensemble | Committee) -> None:
        """Refuse to go on where the trees so far are of another kind."""
        if plan.rule.name != self._rule.name:
            raise ValueError(
                f"{self._owner}: rule must be {self._rule.name!r}, that of the trees fitted so "
                f"far, when warm_start=True; got {plan.rule.name!r}."
            )
        if plan.n_estimators < len(so_far):
            raise ValueError(
                f"{self._owner}: n_estimators must be at least {len(so_far)}, the trees "
                f"fitted so far, when warm_start=True; got {plan.n_estimators!r}."
            )
        if so_far.n_features != self.n_features_in_:
            raise ValueError(
                f"{self._owner}: X must have the {so_far.n_features} features of the "
                f"first fit when warm_start=True; got {self.n_features_in_}."
            )

    def _kept(self, fitted: Fitted, plan: FitPlan, n_before: int) -> dict[str, Any]:
        """The attributes that a fit leaves."""
        entries = self.ledger_.entries[:n_before] if n_before else []
        return {
            "_rule": plan.rule,
            "_ensemble": fitted.ensemble,
            "_schema": fitted.schema,
            "ledger_": Ledger([*entries, *fitted.ledger.entries]),
            "validation_losses_": fitted.validation_losses,
            "n_estimators_": len(fitted.ensemble),
        }


class TableClassifier(TreesClassifier, BoostedTrees):
    """Reading labels and weights; not public."""

    def _fit_classes(
        self, X: Any, y: Any, sample_weight: Any, plan_for: Callable[[int], FitPlan]
    ) -> None:
        """Fit to labelled rows; `plan_for` makes the plan for a number of classes."""
        owner = self._owner
        with self._all_or_nothing():
            X = self._read_table(X)
            labels = read_labels(y, owner)
            weights = read_weights(sample_weight, count_rows(X, labels, owner), owner)
            classes, codes = self._encode(labels, weights)
            self.classes_ = classes
            self._fit(X, codes, weights, plan_for(len(classes)), baseline=0.0)

    def _labels_given(self, labels: AnyArray) -> AnyArray:
        return np.asarray(self.classes_[labels])

    def _encode(self, labels: AnyArray, weights: Floats) -> tuple[AnyArray, AnyArray]:
        """Codes of the labels; classes that only rows of weight zero have do not count."""
        n_threads = count_threads(self.n_jobs, owner=self._owner)
        classes, codes = encode_counted(labels, weights, self._owner, n_threads)
        warn_if_rare(classes, codes, self._owner)
        if self.warm_start and hasattr(self, "classes_") and list(classes) != list(self.classes_):
            raise ValueError(
                f"{self._owner}: y must hold the classes of the first fit, "
                f"{self.classes_.tolist()!r}, when warm_start=True; got {classes.tolist()!r}."
            )
        return classes, codes


def encode_counted(
    labels: AnyArray, weights: Floats, owner: str, n_threads: int = 1
) -> tuple[AnyArray, AnyArray]:
    """Classes of the rows whose weight is above zero, and codes; 0 for the other rows."""
    if all_count(weights):
        return encode_labels(labels, owner, n_threads)
    counted = weights > 0
    classes, codes = encode_labels(labels[counted], owner, n_threads)
    codes_of_all = np.zeros(len(labels), dtype=codes.dtype)
    codes_of_all[counted] = codes
    return classes, codes_of_all
