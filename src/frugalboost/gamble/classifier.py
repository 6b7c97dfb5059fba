"""GAMBLE: one tree per round for all classes, or any regressor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frugalboost.base.params import FitPlan
from frugalboost.gamble.committee import CommitteeClassifier, make_plan
from frugalboost.gamble.regressors import check_regressor


class GambleClassifier(CommitteeClassifier):
    """Gentle AdaBoost for any number of classes, with one weak learner per round for all of them.

    Parameters
    ----------
    estimator : scikit-learn regressor or None, default=None
        None: trees, grown by the library's exact searches (the paper's Algorithm 2). A regressor
        is fitted twice per round, to the codes of the classes and to their squares (Algorithm 1);
        once if it is a scikit-learn tree, or for two classes. One that does not accept
        `sample_weight` gets rows drawn by weight; one that does not support several outputs is
        fitted to one class at a time. Parameters of trees and searches then have no effect.
    n_estimators : int, default=100
        Maximum number of rounds; fewer if nothing is left to learn or early stopping ends the fit.
    learning_rate : float, default=1.0
        Multiplies every step. 1.0 is the algorithm as published; for two classes 0.5 is Gentle
        AdaBoost as published.
    max_depth : int or None, default=None
    max_leaf_nodes : int or None, default=15
        With a number, trees grow best first.
    min_samples_leaf : int, default=1
    search, quick_mass, quick_steps, max_bins, feature_fraction, sample_fraction, weight_trim, \
resample, pruning_fraction, categorical_features :
        As for BoostedTreesClassifier.
    early_stopping, validation_fraction, n_iter_no_change, tol :
        As for BoostedTreesClassifier.
    n_jobs : int or None, default=None
        Number of threads; the model does not depend on it. None: every core that the process may
        use, unless `joblib.parallel_config` says otherwise; -2: all but one.
    random_state : int, RandomState or None, default=None
        Controls which rows and features are drawn, and every random_state of the regressor.
    verbose : int, default=0
        1 shows a progress bar.
    warm_start : bool, default=False
        Continue from the rounds of the last fit; on the same rows, this gives the same model as one
        fit.

    Attributes
    ----------
    classes_ : array of labels
    n_features_in_, feature_names_in_ : as in scikit-learn
    estimators_ : list of FlatTree, or of tuples of fitted regressors
    estimator_weights_, estimator_errors_ : arrays, one entry per round
    feature_importances_ : array, for trees only
    ledger_ : Ledger, what each round cost; for regressors only seconds and errors are known
    n_estimators_ : int, number of rounds in the model
    validation_losses_ : list or None, early stopping's losses, the first before any round

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GambleClassifier(n_estimators=10, max_leaf_nodes=4).fit(X, y)
    >>> round(model.score(X, y), 3)
    1.0

    >>> from sklearn.kernel_ridge import KernelRidge
    >>> model = GambleClassifier(KernelRidge(kernel="rbf"), n_estimators=10).fit(X, y)
    >>> round(model.score(X, y), 3)
    0.987
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 100,
        learning_rate: float = 1.0,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = 15,
        min_samples_leaf: int = 1,
        search: str = "auto",
        quick_mass: float = 0.9,
        quick_steps: int = 20,
        max_bins: int = 256,
        feature_fraction: float = 1.0,
        sample_fraction: float = 1.0,
        weight_trim: float | None = None,
        resample: bool | int = False,
        pruning_fraction: float | None = None,
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
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.search = search
        self.quick_mass = quick_mass
        self.quick_steps = quick_steps
        self.max_bins = max_bins
        self.feature_fraction = feature_fraction
        self.sample_fraction = sample_fraction
        self.weight_trim = weight_trim
        self.resample = resample
        self.pruning_fraction = pruning_fraction
        self.categorical_features = categorical_features
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start

    def _planner(self) -> Callable[[int], FitPlan]:
        check_regressor(self.estimator)
        return lambda n_classes: make_plan(self, n_classes)
