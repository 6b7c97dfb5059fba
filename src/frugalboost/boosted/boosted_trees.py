"""What boosted classifiers and regressors share: one fit, warm starts, storing results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from scipy import sparse

from frugalboost._progress import rounds_bar, stages
from frugalboost._threads import count_threads
from frugalboost._typing import AnyArray, Floats
from frugalboost.base.callbacks import RoundTasks, round_tasks, with_callbacks
from frugalboost.base.params import FitPlan
from frugalboost.base.shap import Explained
from frugalboost.base.tree_estimators import (
    TreesClassifier,
    TreesEstimator,
    decide,
    find_leaves,
    tree_values,
)
from frugalboost.boosting import (
    Booster,
    Committee,
    EarlyStopping,
    Ensemble,
    Ledger,
    TrainingData,
    boost,
)
from frugalboost.data import BinnedDataset, Schema, bin_table, take_rows
from frugalboost.data.targets import (
    count_rows,
    encode_labels,
    read_labels,
    read_weights,
    warn_if_rare,
)
from frugalboost.rules.weights import all_count
from frugalboost.tree import FlatTree

Classifier = TypeVar("Classifier", bound="TableClassifier")


def is_worth_continuing(so_far: Ensemble | Committee) -> bool:
    """Whether there is anything to continue from.

    A lone tree with step 0 is there because a model needs one: it was no better than guessing, and
    boosting ended. A fit from scratch ends there again, or finds more in other rows.
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
        tasks = None
        if self._has_callbacks:
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
        )
        self.__dict__.update(self._kept(fitted, plan, n_before))
        if tasks is not None:
            tasks.close()

    def _labels_given(self, labels: AnyArray) -> AnyArray:
        """The user's labels for the codes of a fit, for callbacks."""
        return labels

    def _previous(self, plan: FitPlan) -> Ensemble | None:
        """The ensemble to continue from, if requested and if there is one."""
        if not plan.warm_start or not hasattr(self, "_ensemble"):
            return None
        self._check_can_continue(plan, self._ensemble)
        return self._ensemble if is_worth_continuing(self._ensemble) else None

    def _check_can_continue(self, plan: FitPlan, so_far: Ensemble | Committee) -> None:
        """Reject a warm start if the trees so far are of another kind."""
        if plan.rule.name != self._rule.name:
            raise ValueError(
                f"rule must be {self._rule.name!r}, as for the trees fitted so "
                f"far, when warm_start=True; got {plan.rule.name!r}."
            )
        if plan.n_estimators < len(so_far):
            raise ValueError(
                f"n_estimators must be at least {len(so_far)}, the number of trees "
                f"fitted so far, when warm_start=True; got {plan.n_estimators!r}."
            )
        if so_far.n_features != self.n_features_in_:
            raise ValueError(
                f"X must have the {so_far.n_features} features of the "
                f"first fit when warm_start=True; got {self.n_features_in_}."
            )

    def _kept(self, fitted: Fitted, plan: FitPlan, n_before: int) -> dict[str, Any]:
        """The attributes that a fit sets."""
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

    def fit(self: Classifier, X: Any, y: Any, sample_weight: Any = None) -> Classifier:
        """Fit to labelled rows.

        Parameters
        ----------
        X : array, scipy.sparse matrix, data frame or BinnedDataset of shape (n_samples, n_features)
        y : labels of shape (n_samples,), of any hashable type
        sample_weight : array of shape (n_samples,) or None
            Non-negative; rows of weight zero are left out.

        Returns
        -------
        self
        """
        plan_for = self._planner()
        with self._all_or_nothing():
            X = self._read_table(X)
            labels = read_labels(y)
            weights = read_weights(sample_weight, count_rows(X, labels))
            classes, codes = self._encode(labels, weights)
            self.classes_ = classes
            self._fit(X, codes, weights, plan_for(len(classes)), baseline=0.0)
        return self

    def _planner(self) -> Callable[[int], FitPlan]:
        """What makes the plan for a number of classes, after checks that need no rows."""
        raise NotImplementedError

    def _labels_given(self, labels: AnyArray) -> AnyArray:
        return np.asarray(self.classes_[labels])

    def _encode(self, labels: AnyArray, weights: Floats) -> tuple[AnyArray, AnyArray]:
        """Codes of the labels; classes found only in rows of weight zero do not count."""
        n_threads = count_threads(self.n_jobs)
        classes, codes = encode_counted(labels, weights, n_threads)
        warn_if_rare(classes, codes)
        if self.warm_start and hasattr(self, "classes_") and list(classes) != list(self.classes_):
            raise ValueError(
                "y must hold the classes of the first fit, "
                f"{self.classes_.tolist()!r}, when warm_start=True; got {classes.tolist()!r}."
            )
        return classes, codes


def encode_counted(
    labels: AnyArray, weights: Floats, n_threads: int = 1
) -> tuple[AnyArray, AnyArray]:
    """Classes of the rows whose weight is above zero, and codes; 0 for the other rows."""
    if all_count(weights):
        return encode_labels(labels, n_threads)
    counted = weights > 0
    classes, codes = encode_labels(labels[counted], n_threads)
    codes_of_all = np.zeros(len(labels), dtype=codes.dtype)
    codes_of_all[counted] = codes
    return classes, codes_of_all


@dataclass(frozen=True)
class Sample:
    """Rows of a user's table with labels (codes or targets) and weights."""

    X: Any
    labels: AnyArray
    weights: Floats

    def take(self, rows: AnyArray) -> Sample:
        X = self.X.take_rows(rows) if isinstance(self.X, BinnedDataset) else take_rows(self.X, rows)
        return Sample(X, self.labels[rows], self.weights[rows])

    def without_zero_weights(self) -> Sample:
        """Drop the rows of weight zero: they must not even move a threshold."""
        if all_count(self.weights):
            return self
        return self.take(np.flatnonzero(self.weights))


@dataclass(frozen=True)
class Fitted:
    """The results of a fit."""

    ensemble: Ensemble
    ledger: Ledger
    schema: Schema
    validation_losses: list[float] | None


def hold_out(
    sample: Sample, fraction: float | None, stratify: bool, random_state: Any
) -> tuple[Sample, Sample | None]:
    """Split off the rows that early stopping watches."""
    if fraction is None:
        return sample, None
    if isinstance(sample.X, BinnedDataset):
        raise ValueError(
            "early_stopping must be False when X is a BinnedDataset; got True. "
            "Held-out rows need their raw values: pass the table itself."
        )
    n = len(sample.labels)
    if n < 2:
        raise ValueError("early_stopping must be False with one row; got True.")
    # Each class must be in both parts; where that is impossible, the split is not stratified.
    can_stratify = stratify and np.bincount(sample.labels).min() >= 2
    n_held = int(np.clip(round(fraction * n), 1, n - 1))
    if can_stratify and min(n_held, n - n_held) < len(np.unique(sample.labels)):
        can_stratify = False
    from sklearn.model_selection import train_test_split  # takes long to import

    kept, held = train_test_split(
        np.arange(n),
        test_size=n_held,
        random_state=random_state,
        stratify=sample.labels if can_stratify else None,
    )
    return sample.take(np.sort(kept)), sample.take(np.sort(held))


def fit(
    plan: FitPlan,
    sample: Sample,
    *,
    baseline: float,
    binning: dict[str, Any],
    random_state: Any,
    previous: tuple[Ensemble, Schema] | None,
    tasks: RoundTasks | None,
) -> Fitted:
    """Bin the rows and boost; `previous` is the ensemble to continue from, and its schema."""
    stratify = plan.rule.n_classes > 1
    with stages(plan.verbose)(f"{plan.title}: binning") as on_share:
        train, held = hold_out(sample, plan.validation_fraction, stratify, random_state)
        dataset = bin_rows(train.X, {**binning, "on_share": on_share})
    schema = dataset.schema
    data = TrainingData(dataset, train.labels, train.weights)
    booster = Booster(data, plan.rule, plan.tree, baseline, plan.subset)
    ensemble = Ensemble(dataset.n_features, plan.rule.n_outputs, baseline)
    if previous is not None:
        ensemble = previous[0].copy()
        check_same_categories(previous[1], schema)
        booster.replay(ensemble, training_leaves(ensemble, train.X, schema, plan))
    stopping = None if held is None else watch(plan, held, ensemble, schema)
    n_before = len(ensemble)
    if tasks is not None:
        tasks.snapshot = lambda trees, ledger: Fitted(trees.copy(), ledger, schema, None)
    with rounds_bar(plan.verbose, plan.n_estimators, n_before, plan.title) as on_round:
        ensemble, ledger = boost(
            booster,
            ensemble,
            plan.rule,
            plan.n_estimators - n_before,
            stopping=stopping,
            on_round=on_round,
            watcher=tasks,
        )
    losses = None
    if stopping is not None:
        losses = stopping.losses
        ensemble = ensemble.head(max(1, n_before + stopping.best_round))
    return Fitted(ensemble, ledger, schema, losses)


def check_same_categories(first: Schema, now: Schema) -> None:
    """Reject a warm start if the codes in the trees would stand for other categories."""
    for feature, (was, is_) in enumerate(zip(first.categories, now.categories, strict=True)):
        old, new = (None if each is None else each.tolist() for each in (was, is_))
        if old != new:
            raise ValueError(
                f"column {feature} of X must have the categories of the first fit, "
                f"{old!r}, when warm_start=True; got {new!r}."
            )


def training_leaves(ensemble: Ensemble, X: Any, schema: Schema, plan: FitPlan) -> AnyArray:
    """Node that each training row ends in, (n, n_trees)."""
    n_threads = plan.tree.n_threads
    if isinstance(X, BinnedDataset):
        return find_binned_leaves(ensemble, X, n_threads)
    return find_leaves(ensemble, schema, X, n_threads)


def find_binned_leaves(ensemble: Ensemble, dataset: BinnedDataset, n_threads: int) -> AnyArray:
    """Node that each binned row ends in, (n, n_trees), for trees that split between these bins."""
    features = ensemble.used_features.tolist()
    for feature in features:
        for tree in ensemble.trees:
            cuts = tree.threshold[(tree.feature == feature) & np.isfinite(tree.threshold)]
            if not np.isin(cuts, dataset.thresholds[feature]).all():
                raise ValueError(
                    "X must have the bins of the first fit when warm_start=True; "
                    f"got a BinnedDataset with other thresholds for column {feature}."
                )
    block = np.empty((dataset.n_rows, len(features)))
    for at, feature in enumerate(features):
        block[:, at] = value_by_code(dataset, feature)[dataset.column_codes(feature)]
    return ensemble.apply(block, n_threads)


def value_by_code(dataset: BinnedDataset, feature: int) -> Floats:
    """A value in each bin of a feature (its upper end), then NaN, as prediction reads them."""
    if dataset.is_categorical[feature]:
        return np.append(np.arange(float(dataset.n_bins[feature])), np.nan)
    return np.append(dataset.thresholds[feature], [np.inf, np.nan])


def bin_rows(X: Any, binning: dict[str, Any]) -> BinnedDataset:
    """Bin X unless it is binned already."""
    return X if isinstance(X, BinnedDataset) else bin_table(X, **binning)


def held_values(X: Any, schema: Schema, n_threads: int) -> Callable[[FlatTree], Floats]:
    """A function that returns a tree's values for the held-out rows.

    Dense tables are read once for all rounds. A sparse one would become too large, so the few
    columns that a tree uses are read each time.
    """
    if sparse.issparse(X):
        return lambda tree: tree_values(tree, schema, X, n_threads)
    encoded = schema.encode(X)
    return lambda tree: tree.predict(encoded, n_threads)


def watch(plan: FitPlan, held: Sample, ensemble: Ensemble, schema: Schema) -> EarlyStopping:
    """Set up early stopping on the held-out rows."""
    n_threads = plan.tree.n_threads
    stopping = EarlyStopping(
        values_of=held_values(held.X, schema, n_threads),
        labels=held.labels,
        sample_weight=held.weights,
        n_iter_no_change=plan.n_iter_no_change,
        tol=plan.tol,
    )
    if len(ensemble):
        decision = decide(ensemble, schema, held.X, n_threads)
    else:
        decision = np.full((len(held.labels), ensemble.n_outputs), ensemble.baseline)
    stopping.start(plan.rule, decision)
    return stopping
