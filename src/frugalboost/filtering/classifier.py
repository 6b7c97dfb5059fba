"""Boosting by filtering: for streams, and for data larger than memory."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from frugalboost._checks import check_bool, level_of_caller
from frugalboost._typing import AnyArray
from frugalboost.base.callbacks import with_callbacks
from frugalboost.base.shap import Explained
from frugalboost.base.tree_estimators import TreesClassifier
from frugalboost.boosting import Ensemble, Ledger
from frugalboost.data import BinnedDataset, Schema
from frugalboost.data.targets import count_rows, encode_labels, read_labels, warn_if_rare
from frugalboost.filtering.checkpoint import Checkpoint, check_replaceable
from frugalboost.filtering.checkpoint_checks import check_writer, damage_named
from frugalboost.filtering.fitting import (
    FilterFit,
    FilterOutcome,
    as_numbers,
    filter_tasks,
    outcome_of,
    resumed,
)
from frugalboost.filtering.loop import FilterBooster
from frugalboost.filtering.plan import (
    check_same_classes,
    make_filter_plan,
    make_keeping,
)
from frugalboost.filtering.queue import Queue, appended
from frugalboost.filtering.reading import BatchReader, Opening, dense, discover
from frugalboost.filtering.stopping import Certificate
from frugalboost.streams import ArrayOracle, Oracle

NONE_WAIT = (None, None)


class FilterBoostClassifier(TreesClassifier, Explained):
    """Boosting that draws its examples and looks closely at the few it still gets wrong.

    Each round draws examples from an oracle, accepts each with a probability that falls with its
    margin, grows a tree on a few hundred accepted ones and estimates its weight on others.
    Neither time nor memory of a round depends on how much data there is.

    Parameters
    ----------
    rule : {"log", "mada"}, default="log"
        Acceptance ``1 / (1 + exp(y F))`` (FilterBoost) or ``min(1, exp(-y F))`` (MadaBoost).
    mode : {"practical", "certified"}, default="practical"
        "practical": ``sample_constant * ln(t + 1)`` examples in round t to train on, and as many,
        weighted, to estimate the edge. "certified": edges by adaptive sampling, as in the paper's
        figure 1; the guarantee below then holds, provided that examples are independent.
    target_error : float in (0, 1), default=0.05
        Boosting stops when the filter rejects so many examples in a row that the error is at most
        this, except with probability `failure_probability`.
    failure_probability : float in (0, 1), default=0.05
    edge_tolerance : float in (0, 1), default=0.5
        Certified mode: relative error allowed in the estimate of an edge.
    sample_constant : float, default=300
    confidence_rated : bool or "unit_step", default=False
        Whether leaves give confidences instead of naming a class. True: the whole tree is scaled
        by the factor that suits the examples that it is weighed on. "unit_step": leaves count as
        they are, as Schapire and Singer and the paper have it; this may overfit.
    training : {"filtered", "weighted"}, default="filtered"
        What a tree grows on: the accepted examples, or all that were drawn meanwhile, each weighted
        by its acceptance probability. The latter are several times as many.
    max_rounds : int, default=500
        Maximum number of trees.
    max_examples : int or None, default=None
        Maximum number of examples to draw.
    max_depth : int or None, default=3
    max_leaf_nodes : int or None, default=None
    min_samples_leaf : int, default=1
    criterion : str, default="auto"
        What a split minimises: "error", "gini", "entropy", "z" or "variance"; or "gain_ratio", as
        in C4.5. "auto" is "error", or "z", the exponential loss, for `confidence_rated`.
    pruning_fraction : float in (0, 1) or None, default=None
        Share of the examples held out from growing a tree and used to prune it; the paper's trees
        use a third, ``max_depth=None`` and ``criterion="entropy"``.
    max_bins : int, default=256
        Most bins per numeric feature, among a round's examples.
    recycle : bool, default=True
        In `fit`: start again with the first row after the last one.
    categorical_features : "from_dtype", None or list, default="from_dtype"
    checkpoint : path or None, default=None
        Where to save the run, so that it can resume after an interruption; see `fit_stream`. The
        checkpoint of an earlier run is overwritten, unless the fit resumes; other files are not.
    checkpoint_rounds, checkpoint_seconds : default=None and 60.0
        Write it after this many rounds or seconds, whichever comes first, and at the end.
    memory_limit : int or None, default=None
        Bytes of memory that the whole process may hold. The run divides what the process does
        not hold yet among examples, trees and the scores of recycled examples; too small a limit
        raises an error that says how much is needed. The model does not depend on it.
    n_jobs : int or None, default=None
        Number of threads; the model does not depend on it. None: every core that the process may
        use, unless `joblib.parallel_config` says otherwise; -2: all but one.
    random_state : int, RandomState or None, default=None
        A run that resumes needs the same number, or None or a RandomState, which then stand
        for the checkpoint's.
    verbose : int, default=0
        1 shows a progress bar.

    Attributes
    ----------
    classes_ : array of labels
    n_features_in_, feature_names_in_ : as in scikit-learn
    estimators_, estimator_weights_, estimator_errors_, feature_importances_ : of the trees
    ledger_ : Ledger
        What each round cost, with the columns ``examples``, ``accepted``, ``acceptance``, ``edge``
        and ``error_bound`` in addition to those of `Ledger`.
    n_examples_ : int
        Examples drawn.
    stop_reason_ : {"target", "rounds", "examples", "stream", "edge", "callback", "unfinished"}
        "unfinished" only after `from_checkpoint`, for a run that has not ended.
    certificate_ : Certificate
        Whether the target was reached, with the bounds of theorem 5.

    Examples
    --------
    >>> from frugalboost.datasets import make_majority
    >>> X, y = make_majority(5_000, n_features=20, n_relevant=5, noise=0.0, random_state=0)
    >>> model = FilterBoostClassifier(max_depth=1, max_rounds=50, random_state=0).fit(X, y)
    >>> model.stop_reason_, bool(model.score(X, y) > 0.9)
    ('rounds', True)
    """

    _seed: int
    _waiting: tuple[AnyArray | None, AnyArray | None]
    certificate_: Certificate
    _overwrites = False
    """Whether a user has said that `checkpoint` may overwrite any file."""

    def __init__(
        self,
        rule: str = "log",
        *,
        mode: str = "practical",
        target_error: float = 0.05,
        failure_probability: float = 0.05,
        edge_tolerance: float = 0.5,
        sample_constant: float = 300,
        confidence_rated: bool | str = False,
        training: str = "filtered",
        max_rounds: int = 500,
        max_examples: int | None = None,
        max_depth: int | None = 3,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int = 1,
        criterion: str = "auto",
        pruning_fraction: float | None = None,
        max_bins: int = 256,
        recycle: bool = True,
        categorical_features: Any = "from_dtype",
        checkpoint: Any = None,
        checkpoint_rounds: int | None = None,
        checkpoint_seconds: float | None = 60.0,
        memory_limit: int | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.rule = rule
        self.mode = mode
        self.target_error = target_error
        self.failure_probability = failure_probability
        self.edge_tolerance = edge_tolerance
        self.sample_constant = sample_constant
        self.confidence_rated = confidence_rated
        self.training = training
        self.max_rounds = max_rounds
        self.max_examples = max_examples
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.criterion = criterion
        self.pruning_fraction = pruning_fraction
        self.max_bins = max_bins
        self.recycle = recycle
        self.categorical_features = categorical_features
        self.checkpoint = checkpoint
        self.checkpoint_rounds = checkpoint_rounds
        self.checkpoint_seconds = checkpoint_seconds
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, *, resume: bool = False) -> FilterBoostClassifier:
        """Fit to the rows of a table, drawn in random order.

        Certified mode draws them with replacement: the certificate is then about these rows.

        Parameters
        ----------
        X : array, scipy.sparse matrix or data frame of shape (n_samples, n_features)
        y : labels of shape (n_samples,), of any hashable kind
        resume : bool
            Resume from `checkpoint` if it exists; this needs the same X, y and parameters.
        """
        with self._all_or_nothing():
            X = self._read_table(X)
            if isinstance(X, BinnedDataset):
                raise TypeError("X must hold raw values; got a BinnedDataset.")
            labels = read_labels(y)
            count_rows(X, labels)
            classes, codes = encode_labels(labels)
            warn_if_rare(classes, codes)
            setting = self._setting(classes)
            schema = Schema.from_data(X, self.categorical_features)
            numbers = as_numbers(X, schema)
            oracle = ArrayOracle(
                numbers,
                codes,
                recycle=check_bool(self.recycle, name="recycle"),
                replace=setting.plan.mode == "certified",
                random_state=setting.seed + 1,
            )
            is_encoded = not sparse.issparse(numbers)
            reader = BatchReader(schema, np.arange(len(classes)), is_encoded)
            self._run(setting, oracle, Opening(reader, [], {}), resume, X=X, y=labels)
        self._warn_unless_reached()
        return self

    def fit_stream(
        self, oracle: Oracle, *, classes: Any = None, resume: bool = False
    ) -> FilterBoostClassifier:
        """Fit to the examples of an oracle.

        Parameters
        ----------
        oracle : Oracle
            See `frugalboost.streams`; any object with ``draw``, ``state`` and ``restore``.
        classes : array of labels or None
            None: those that the oracle declares, or that occur in its first 10,000 examples.
        resume : bool
            Resume from `checkpoint` if it exists. The oracle must give the same examples as
            before; the model is then that of an uninterrupted run.
        """
        if not isinstance(oracle, Oracle):
            raise TypeError(
                "oracle must have the methods draw, state and restore; "
                f"got {type(oracle).__name__}."
            )
        with self._all_or_nothing():
            self._setting(np.arange(2), seed=0)  # report bad parameters before reading anything
            if (saved := self._saved_run(resume)) is not None:
                given = saved.classes if classes is None else read_labels(classes)
                self._go_on(oracle, saved, given, {})
            else:
                opening = discover(oracle, classes, self.categorical_features)
                self._run(self._setting(opening.reader.classes), oracle, opening, resume=False)
        self._warn_unless_reached()
        return self

    @classmethod
    def from_checkpoint(cls, path: Any) -> FilterBoostClassifier:
        """Return the model that a run has saved in its `checkpoint`, ready to predict.

        Parameters
        ----------
        path : checkpoint of a run that has ended, or of one still in progress
        """
        saved = Checkpoint.read(Path(path))
        check_writer(saved.stream, FilterBoostClassifier.__name__, path)
        with damage_named(path):
            model = cls(**saved.params, checkpoint=path)
            setting = model._setting(saved.classes)
            model._keep_run(setting, outcome_of(setting, saved))
        return model

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> FilterBoostClassifier:
        """Continue with new examples, each used once and in the order given.

        Rounds are added as long as the examples suffice for a whole one, regardless of
        `max_rounds`; the rest wait for the next call. So the trees do not depend on how the
        examples are divided among calls, unless the first call has too few for a round: it draws
        them repeatedly, as a model must be able to predict. No checkpoints are written.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : labels of shape (n_samples,)
        classes : array of labels or None
            All classes that will occur; None: those of the first call.
        """
        with self._all_or_nothing():
            labels = read_labels(y)
            if not hasattr(self, "_ensemble"):
                self._begin_partial(X, labels, classes)
            elif classes is not None:
                check_same_classes(read_labels(classes), self.classes_)
            X = self._check_table(X)
            count_rows(X, labels)
            reader = BatchReader(self._schema, self.classes_)
            queue = Queue(
                appended(self._waiting[0], np.array(reader.matrix(dense(X), 0))),
                appended(self._waiting[1], reader.codes(labels, 0)),
            )
            self._run_partial(queue)
        return self

    def _begin_partial(self, X: Any, labels: AnyArray, classes: Any) -> None:
        X = self._read_table(X)
        if isinstance(X, BinnedDataset):
            raise TypeError("X must hold raw values; got a BinnedDataset.")
        given = labels if classes is None else read_labels(classes)
        self.classes_, codes = encode_labels(given)
        if classes is None:
            warn_if_rare(self.classes_, codes)
        self._schema = Schema.from_data(X, self.categorical_features)
        plan = make_filter_plan(self, len(self.classes_))
        self._ensemble = Ensemble(self._schema.n_features, plan.rule.n_outputs)
        self.ledger_, self.n_examples_ = Ledger(), 0
        self._seed, self._waiting = self._setting(self.classes_).seed, NONE_WAIT

    def _run_partial(self, queue: Queue) -> None:
        setting = self._setting(self.classes_, self._seed)
        reader = BatchReader(self._schema, np.arange(len(self.classes_)), is_encoded=True)
        outcome, gone = setting.run_on(
            queue, reader, self._ensemble.copy(), self.ledger_.copy(), self.n_examples_
        )
        self._keep_run(setting, outcome)
        self._waiting = queue.X[gone:].copy(), queue.codes[gone:].copy()

    def _setting(self, classes: AnyArray, seed: int | None = None) -> FilterFit:
        return FilterFit.from_params(self, classes, seed)

    def _saved_run(self, resume: bool) -> Checkpoint | None:
        """Return the checkpoint to resume from, if requested and if there is one."""
        keeping = make_keeping(self)
        if not check_bool(resume, name="resume"):
            if keeping is not None and not self._overwrites:
                check_replaceable(keeping.path)
            return None
        if keeping is None:
            raise ValueError("checkpoint must be a path to resume; got None.")
        return Checkpoint.read(keeping.path) if keeping.path.exists() else None

    def _go_on(
        self, oracle: Oracle, saved: Checkpoint, classes: AnyArray, rows: dict[str, Any]
    ) -> None:
        check_writer(saved.stream, FilterBoostClassifier.__name__, self.checkpoint)
        check_same_classes(classes, saved.classes)
        setting = self._setting(saved.classes).as_in(saved)
        self._finish(setting, resumed(setting, oracle, saved, self.checkpoint), rows)

    def _run(
        self, setting: FilterFit, oracle: Oracle, opening: Opening, resume: bool, **rows: Any
    ) -> None:
        """`rows` are X and y of a table, to be shown to callbacks; a stream has none."""
        if (saved := self._saved_run(resume)) is not None:
            self._go_on(oracle, saved, setting.classes, rows)
        else:
            self._finish(setting, setting.start(oracle, opening), rows)

    @with_callbacks  # type: ignore[untyped-decorator]
    def _finish(self, setting: FilterFit, booster: FilterBooster, rows: dict[str, Any]) -> None:
        """Run to the end, notifying callbacks of each round, and keep the outcome."""
        tasks = filter_tasks(self, setting, booster, rows)
        self._keep_run(setting, setting.run(booster, tasks))
        if tasks is not None:
            tasks.close()

    def _keep_run(self, setting: FilterFit, outcome: FilterOutcome) -> None:
        self._seed, self._waiting = setting.seed, NONE_WAIT
        self._rule = setting.plan.rule
        self._ensemble, self._schema = outcome.ensemble, outcome.schema
        self.ledger_ = outcome.ledger
        self.classes_ = setting.classes
        self.n_features_in_ = outcome.schema.n_features
        if outcome.schema.feature_names is not None:
            self.feature_names_in_ = outcome.schema.feature_names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.n_estimators_ = len(outcome.ensemble)
        self.n_examples_ = outcome.n_examples
        self.stop_reason_ = outcome.reason
        self.certificate_ = outcome.certificate

    def _warn_unless_reached(self) -> None:
        if self.mode == "certified" and not self.certificate_.holds:
            warnings.warn(
                f"{type(self).__name__}: the target error was not reached ({self.stop_reason_}). "
                "See certificate_.",
                ConvergenceWarning,
                stacklevel=level_of_caller(),
            )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
