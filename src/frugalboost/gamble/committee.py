"""A classifier built either from the library's trees or from a scikit-learn regressor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from frugalboost._checks import check_int, check_real, optional_int
from frugalboost._typing import AnyArray, Floats
from frugalboost.base.callbacks import round_tasks, with_callbacks
from frugalboost.base.params import FitPlan
from frugalboost.boosted.boosted_trees import Sample, TableClassifier, is_worth_continuing
from frugalboost.boosting import Committee, Ensemble, Ledger, as_rule_sees
from frugalboost.data import BinnedDataset
from frugalboost.gamble.committee_fit import FittedCommittee, fit_committee
from frugalboost.gamble.regressors import regressors_of


def has_trees(model: Any) -> bool:
    """Whether a classifier is made of the library's trees."""
    return bool(model.estimator is None)


class CommitteeClassifier(TableClassifier):
    """What differs if `estimator` is a regressor; not public."""

    _committee: Committee | None = None

    def _fit(
        self, X: Any, labels: AnyArray, weights: Floats, plan: FitPlan, baseline: float
    ) -> None:
        self._check_same_kind(plan)
        if self.estimator is None:
            super()._fit(X, labels, weights, plan, baseline)
            self._committee = None
            return
        if isinstance(X, BinnedDataset):
            raise TypeError("X must hold raw values with an estimator; got a BinnedDataset.")
        self._fit_regressors(X, labels, weights, plan)

    @with_callbacks  # type: ignore[untyped-decorator]
    def _fit_regressors(self, X: Any, labels: AnyArray, weights: Floats, plan: FitPlan) -> None:
        previous = self._committee if plan.warm_start else None
        n_before = 0
        if previous is not None:
            self._check_can_continue(plan, previous)
            previous = previous if is_worth_continuing(previous) else None
        if previous is not None:
            n_before = len(previous)
        tasks = None
        if self._has_callbacks:
            tasks = round_tasks(
                self,
                plan.n_estimators - n_before,
                X,
                labels,
                weights,
                lambda fitted: self._kept_committee(fitted, plan, n_before),
            )
        fitted = fit_committee(
            plan,
            Sample(as_table(X), labels, weights).without_zero_weights(),
            self.estimator,
            n_features=self.n_features_in_,
            n_jobs=self.n_jobs,
            random_state=self.random_state,
            previous=previous,
            tasks=tasks,
        )
        for name in ("_ensemble", "_schema"):
            self.__dict__.pop(name, None)
        self.__dict__.update(self._kept_committee(fitted, plan, n_before))
        if tasks is not None:
            tasks.close()

    def _check_same_kind(self, plan: FitPlan) -> None:
        """A warm start cannot switch between trees and regressors."""
        if not plan.warm_start or not self.__sklearn_is_fitted__():
            return
        had_trees = self._committee is None
        if had_trees != has_trees(self):
            first = "None, for trees as in" if had_trees else "a regressor, as in"
            raise ValueError(
                f"estimator must be {first} the first fit, when warm_start=True; "
                f"got {self.estimator!r}."
            )

    def _kept_committee(
        self, fitted: FittedCommittee, plan: FitPlan, n_before: int
    ) -> dict[str, Any]:
        """The attributes that a fit of regressors sets."""
        entries = self.ledger_.entries[:n_before] if n_before else []
        return {
            "_rule": plan.rule,
            "_committee": fitted.committee,
            "ledger_": Ledger([*entries, *fitted.ledger.entries]),
            "validation_losses_": fitted.validation_losses,
            "n_estimators_": len(fitted.committee),
        }

    def decision_function(self, X: Any) -> Floats:
        if self._committee is None:
            return super().decision_function(X)
        return as_rule_sees(self._committee.decision(self._raw(X)))

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the decision after each round."""
        if self._committee is None:
            yield from super().staged_decision_function(X)
        else:
            for decision in self._committee.staged_decision(self._raw(X)):
                yield as_rule_sees(decision)

    def _raw(self, X: Any) -> Any:
        """X for the regressors, which use the values themselves."""
        return as_table(self._check_table(X))

    @property
    def estimators_(self) -> list[Any]:
        """The trees; or a tuple of regressors per round: for the codes, and for their squares."""
        check_is_fitted(self)
        if self._committee is None:
            return super().estimators_
        return [regressors_of(member) for member in self._committee.members]

    @property
    def estimator_weights_(self) -> Floats:
        """Step of each round."""
        check_is_fitted(self)
        if self._committee is None:
            return super().estimator_weights_
        return np.array(self._committee.steps)

    @property
    def estimator_errors_(self) -> Floats:
        """Mean squared error of each round's codes, relative to that of guessing."""
        check_is_fitted(self)
        return self.ledger_.error[: self.n_estimators_]

    @property
    def feature_importances_(self) -> Floats:
        """Share of the gain that each feature contributed; for trees only."""
        check_is_fitted(self)
        if self._committee is not None:
            raise AttributeError(
                "feature_importances_ is available only for trees (estimator=None); "
                f"this model was fitted with {self.estimator!r}."
            )
        return super().feature_importances_

    @available_if(has_trees)  # type: ignore[untyped-decorator]
    def apply(self, X: Any) -> AnyArray:
        """Return the leaf, as a node number, that each row ends in; for trees only.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        leaves : int array of shape (n_samples, n_trees)
        """
        return super().apply(X)

    @available_if(has_trees)  # type: ignore[untyped-decorator]
    def shap_values(self, X: Any) -> Floats:
        """Return what each feature adds to the decision; for trees only.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        values : (n_samples, n_features), or (n_samples, n_features, n_classes) for more than two \
classes
        """
        return super().shap_values(X)

    @available_if(has_trees)  # type: ignore[untyped-decorator]
    def shap_explanation(self, X: Any) -> Any:
        """Return `shap_values` as a ``shap.Explanation``; for trees only."""
        return super().shap_explanation(X)

    @property
    def expected_value_(self) -> Any:
        """Decision when no feature is known; for trees only."""
        check_is_fitted(self)
        if self._committee is not None:
            raise AttributeError(
                "expected_value_ is available only for trees (estimator=None); "
                f"this model was fitted with {self.estimator!r}."
            )
        return super().expected_value_

    def _digest_parts(self) -> tuple[Ensemble, bytes]:
        check_is_fitted(self)
        if self._committee is not None:
            raise TypeError(
                "digest: model must be made of the library's trees; got a "
                f"{type(self).__name__} of {self.estimator!r}."
            )
        return super()._digest_parts()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__") and not isinstance(self.estimator, type):
            tags.input_tags = get_tags(self.estimator).input_tags
        return tags


def as_table(X: Any) -> Any:
    """Lists as arrays, so that rows can be counted and selected."""
    return np.asarray(X) if isinstance(X, (list, tuple)) else X


def make_plan(estimator: Any, n_classes: int) -> FitPlan:
    """Check the parameters; only the search may be ``"auto"``."""
    check_real(estimator.learning_rate, name="learning_rate", low=0.0, closed="neither")
    optional_int(estimator.max_leaf_nodes, "max_leaf_nodes", low=2)
    check_int(estimator.min_samples_leaf, name="min_samples_leaf", low=1)
    plan = FitPlan.from_params(estimator, "gentle", n_classes)
    if n_classes > 2:
        return plan
    # For two classes the rule's leaf values are g, as in Gentle AdaBoost. GAMBLE's are f = 2 g: the
    # diagonal of the Hessian holds half of the curvature along (-1, 1), so steps are twice as long.
    return replace(plan, rule=replace(plan.rule, learning_rate=2 * plan.rule.learning_rate))
