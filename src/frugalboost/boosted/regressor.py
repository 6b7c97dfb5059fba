"""Boosted trees for regression."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin

from frugalboost._typing import Floats
from frugalboost.base.params import FitPlan
from frugalboost.base.tree_estimators import decide, decide_in_stages
from frugalboost.boosted.boosted_trees import BoostedTrees
from frugalboost.data.targets import count_rows, read_targets, read_weights


class BoostedTreesRegressor(RegressorMixin, BoostedTrees):  # type: ignore[misc]
    """Exact boosted regression trees by least squares (L2Boost).

    Parameters
    ----------
    n_estimators : int, default=100
    learning_rate : float or "auto", default="auto"
    max_depth, max_leaf_nodes, min_samples_leaf, quick_mass, quick_steps, max_bins, \
feature_fraction, sample_fraction, weight_trim, categorical_features, early_stopping, \
validation_fraction, n_iter_no_change, tol, n_jobs, random_state, verbose, warm_start :
        As for BoostedTreesClassifier.
    search : str, default="auto"
        As for BoostedTreesClassifier. "incremental" assembles the root's histograms from
        those of the last tree's leaves, if all rows have the same weight; "two_stage" is an
        exhaustive search here. "auto" chooses between "incremental" and "adaptive".
    criterion : str, default="auto"
        "variance" is the only criterion for real targets.

    Attributes
    ----------
    n_features_in_, feature_names_in_ : as in scikit-learn
    estimators_ : list of FlatTree
    estimator_weights_, estimator_errors_ : arrays, one entry per tree
    feature_importances_ : array
    expected_value_ : base value of `shap_values`: the prediction when no feature is known
    ledger_ : Ledger, what each round cost
    n_estimators_ : int, number of trees in the model
    validation_losses_ : list or None, early stopping's losses, the first before any tree

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = BoostedTreesRegressor(n_estimators=50, max_depth=2).fit(X, y)
    >>> round(model.score(X, y), 2)
    0.63
    """

    def __init__(
        self,
        *,
        n_estimators: int = 100,
        learning_rate: float | str = "auto",
        max_depth: int | None = None,
        max_leaf_nodes: int | str | None = "auto",
        min_samples_leaf: int | str = "auto",
        criterion: str = "auto",
        search: str = "auto",
        quick_mass: float = 0.9,
        quick_steps: int = 20,
        max_bins: int = 256,
        feature_fraction: float = 1.0,
        sample_fraction: float = 1.0,
        weight_trim: float | None = None,
        categorical_features: Any = "from_dtype",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-4,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.criterion = criterion
        self.search = search
        self.quick_mass = quick_mass
        self.quick_steps = quick_steps
        self.max_bins = max_bins
        self.feature_fraction = feature_fraction
        self.sample_fraction = sample_fraction
        self.weight_trim = weight_trim
        self.categorical_features = categorical_features
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BoostedTreesRegressor:
        """Fit trees to rows with real targets.

        Parameters
        ----------
        X : array, scipy.sparse matrix, data frame or BinnedDataset of shape (n_samples, n_features)
        y : real targets of shape (n_samples,)
        sample_weight : array of shape (n_samples,) or None
            Non-negative; rows of weight zero are left out.

        Returns
        -------
        self
        """
        with self._all_or_nothing():
            X = self._read_table(X)
            targets = read_targets(y)
            weights = read_weights(sample_weight, count_rows(X, targets))
            plan = FitPlan.from_params(self, "l2", 1)
            self._fit(X, targets, weights, plan, float(np.average(targets, weights=weights)))
        return self

    def predict(self, X: Any) -> Floats:
        """Return the predicted target of each row.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        targets : array of shape (n_samples,)
        """
        return decide(*self._ready(X))[:, 0]

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """Yield the prediction after each tree."""
        for decision in decide_in_stages(*self._ready(X)):
            yield decision[:, 0]
