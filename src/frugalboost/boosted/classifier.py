"""Boosted trees for classification."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frugalboost._checks import check_choice
from frugalboost.base.params import FitPlan
from frugalboost.boosted.boosted_trees import TableClassifier
from frugalboost.rules import RULES


class BoostedTreesClassifier(TableClassifier):
    """Exact boosted trees, with searches that look only where the answer can change.

    Parameters
    ----------
    rule : str, default="logit"
        How weights, leaf values and steps are chosen: "adaboost" (SAMME for more than two
        classes), "adaboost_m1", "mh", "real", "log", "real_log", "mada", "logit" or "gentle".
    n_estimators : int, default=100
        Maximum number of trees; fewer if nothing is left to learn or early stopping ends the fit.
    learning_rate : float or "auto", default="auto"
        Multiplies every step; "auto" is the rule's default, 1.0 for the discrete rules.
    max_depth : int or None, default=None
    max_leaf_nodes : int, None or "auto", default="auto"
        With a number, trees grow best first. "auto" is 31, or None if `max_depth` is given or
        splits are by gain ratio.
    min_samples_leaf : int or "auto", default="auto"
        "auto" is 1 if `max_depth` is given. Otherwise it is 20, or 2 for criterion "gain_ratio" (1
        with `resample`, as C4.5's two cases may be copies of one row).
    criterion : str, default="auto"
        What a split minimises: "error", "gini", "entropy", "z" or "variance"; or "gain_ratio", the
        largest gain ratio among splits of at least average gain, as in C4.5. "auto" is the rule's
        own. Rule "logit" supports only "variance".
    search : str, default="auto"
        How splits are searched for: "exhaustive", "incremental" (the root from last round's sums
        and the rows whose weight changed), "two_stage" (all features on the heaviest rows, then
        those that may still win), "quick" (Quick Boost's), "adaptive" (AP-Boost's, best first),
        "ap_boost" (AP-Boost's as printed), or "auto", which chooses in each round by measured
        time. The model is the same, bit for bit; the work differs. With criterion "gain_ratio"
        nothing can be pruned, and all are exhaustive.
    quick_mass, quick_steps : float and int, default=0.9 and 20
        Quick search: share of the weight on which all features are first assessed, and number of
        further subsets.
    max_bins : int, default=256
        Most bins per numeric feature, up to 65535. A feature with fewer distinct values is exact.
    feature_fraction : float in (0, 1], default=1.0
        Share of the features, drawn anew for each round, that a tree may use (LazyBoost).
    sample_fraction : float in (0, 1], default=1.0
        Share of the rows, drawn anew for each round, that a tree grows on (StochasticBoost).
    weight_trim : float in (0, 1] or None, default=None
        A tree grows only on the fewest, heaviest rows that hold this share of the weight
        (Weight-Trimming). With any of these three, steps and weights still use all rows.
    resample : bool or int, default=False
        A tree grows on copies of rows, drawn anew for each round with replacement and with
        probabilities proportional to their weights: as many as there are rows, or with an integer
        C, ``C log(t + 1)`` in round t. Steps and weights still use all rows. Cannot be combined
        with rule "logit", `sample_fraction` or `weight_trim`.
    pruning_fraction : float in (0, 1) or None, default=None
        Share of a tree's rows, drawn anew for each round, that is held out to prune it: a node
        becomes a leaf if that loses no more on them (reduced-error pruning).
    pruning : "pessimistic" or None, default=None
        "pessimistic" prunes a tree by the rows that it grew on, as C4.5 does: a node becomes a leaf
        if that is not expected to raise its errors, where each leaf's error rate is taken to be an
        upper confidence limit. For the rules "adaboost" and "adaboost_m1".
    confidence : float in (0, 0.5], default=0.25
        Confidence of that limit; a smaller value prunes more.
    categorical_features : "from_dtype", None or list, default="from_dtype"
    early_stopping : bool, default=False
        Hold out `validation_fraction` of the rows and stop when the loss on them has not fallen
        by `tol` in `n_iter_no_change` rounds; the model keeps the rounds up to the best one.
    validation_fraction, n_iter_no_change, tol : default=0.1, 10 and 1e-4
    n_jobs : int or None, default=None
        Number of threads; the model does not depend on it. None: every core that the process may
        use, unless `joblib.parallel_config` says otherwise; -2: all but one.
    random_state : int, RandomState or None, default=None
        Controls which rows and features are drawn.
    verbose : int, default=0
        1 shows a progress bar.
    warm_start : bool, default=False
        Continue from the trees of the last fit; on the same rows, this gives the same model as one
        fit.

    Attributes
    ----------
    classes_ : array of labels
    n_features_in_, feature_names_in_ : as in scikit-learn
    estimators_ : list of FlatTree
    estimator_weights_, estimator_errors_ : arrays, one entry per tree
    feature_importances_ : array
    expected_value_ : base value of `shap_values`: the decision when no feature is known
    ledger_ : Ledger, what each round cost
    n_estimators_ : int, number of trees in the model
    validation_losses_ : list or None, early stopping's losses, the first before any tree

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = BoostedTreesClassifier(rule="adaboost", max_depth=2, n_estimators=20).fit(X, y)
    >>> round(model.score(X, y), 3)
    1.0
    """

    def __init__(
        self,
        rule: str = "logit",
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
        resample: bool | int = False,
        pruning_fraction: float | None = None,
        pruning: str | None = None,
        confidence: float = 0.25,
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
        self.rule = rule
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
        self.resample = resample
        self.pruning_fraction = pruning_fraction
        self.pruning = pruning
        self.confidence = confidence
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
        rule = check_choice(self.rule, RULES, name="rule")
        return lambda n_classes: FitPlan.from_params(self, rule, n_classes)
