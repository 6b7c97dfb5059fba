"""Bagged trees for classification."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from frugalboost._typing import Floats
from frugalboost.base.params import FitPlan
from frugalboost.boosted.boosted_trees import TableClassifier
from frugalboost.rules import Bagging


class BaggedTreesClassifier(TableClassifier):
    """Trees on bootstrap samples, one vote each (Breiman 1996); C4.5's pruned trees by default.

    Trees are grown as in `BoostedTreesClassifier`, each on another sample, for which rows are drawn
    in proportion to `sample_weight`.

    Parameters
    ----------
    n_estimators : int, default=50
    criterion : str, default="gain_ratio"
    pruning : "pessimistic" or None, default="pessimistic"
    confidence : float in (0, 0.5], default=0.25
    max_depth, max_leaf_nodes, min_samples_leaf, feature_fraction, max_bins, categorical_features, \
n_jobs, random_state, verbose, warm_start :
        As for BoostedTreesClassifier.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, estimators_, feature_importances_, ledger_, \
n_estimators_ : as for BoostedTreesClassifier
    estimator_weights_ : array of ones
    estimator_errors_ : array, share of the training rows (by weight) that each tree gets wrong

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BaggedTreesClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> model.predict_proba(X[50:51])  # shares of the ten votes
    array([[0., 1., 0.]])
    """

    # Parameters that bagging leaves no choice in, for the code that reads them.
    learning_rate = 1.0
    resample = True
    search = "auto"
    quick_mass, quick_steps = 0.9, 20
    sample_fraction = 1.0
    weight_trim = None
    early_stopping = False
    validation_fraction, n_iter_no_change, tol = 0.1, 10, 1e-4

    _has_equal_votes = True

    def __init__(
        self,
        n_estimators: int = 50,
        *,
        criterion: str = "gain_ratio",
        pruning: str | None = "pessimistic",
        confidence: float = 0.25,
        max_depth: int | None = None,
        max_leaf_nodes: int | str | None = "auto",
        min_samples_leaf: int | str = "auto",
        feature_fraction: float = 1.0,
        max_bins: int = 256,
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        warm_start: bool = False,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.pruning = pruning
        self.confidence = confidence
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.feature_fraction = feature_fraction
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    def _planner(self) -> Callable[[int], FitPlan]:
        return lambda n_classes: FitPlan.from_params(self, Bagging.name, n_classes)

    def decision_function(self, X: Any) -> Floats:
        """Return the shares of the votes.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        decision : (n_samples,) for two classes, the second's share minus the first's; else \
(n_samples, K)
        """
        return super().decision_function(X) / len(self._ensemble)

    @property
    def _n_shared(self) -> int:
        return len(self._ensemble)

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the shares of the votes after each tree."""
        for n, decision in enumerate(super().staged_decision_function(X), start=1):
            yield decision / n
