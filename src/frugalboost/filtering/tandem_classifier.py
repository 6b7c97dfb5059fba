"""Boosting tandems: several FilterBoost models that vote."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from frugalboost._checks import check_bool, check_real
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.base.joint import JointClassifier
from frugalboost.base.tree_estimators import decide
from frugalboost.data import BinnedDataset, Schema
from frugalboost.data.targets import count_rows, encode_labels, read_labels, warn_if_rare
from frugalboost.filtering.checkpoint import Checkpoint, check_same_params
from frugalboost.filtering.checkpoint_checks import damage_named
from frugalboost.filtering.classifier import FilterBoostClassifier
from frugalboost.filtering.fitting import FilterFit, as_numbers
from frugalboost.filtering.loop import FilterBooster
from frugalboost.filtering.majority import Majority
from frugalboost.filtering.plan import check_same_classes
from frugalboost.filtering.reading import BatchReader, Opening, discover
from frugalboost.filtering.scored_stream import ScoredStream
from frugalboost.filtering.stopping import Certificate
from frugalboost.filtering.tandem import (
    Tandem,
    TandemFit,
    check_restartable,
    check_restarts,
    probabilities_of,
    resumed,
    run_tandem,
)
from frugalboost.filtering.tandem_checkpoint import (
    TandemWriter,
    check_of_tandem,
    check_tandem,
    member_as_in,
    own_params,
    told_names,
)
from frugalboost.filtering.votes import MajorityOracle, VoteForest
from frugalboost.streams import ArrayOracle, Oracle

# The second sentence is what scikit-learn's checks look for.
TWO_CLASSES = (
    "y must hold two classes for a tandem; got {}. Only binary classification is supported."
)


class TandemBoostClassifier(JointClassifier):
    """FilterBoost as the weak learner of boosting by majority (Freund 1995), for two classes.

    Section 2.4 of the FilterBoost paper: a member is boosted to a constant error on examples that
    the votes of the members before leave open. The number of rounds then grows with the logarithm
    of ``1 / target_error`` only, if members reach their error. With noisy labels they do not.

    Parameters
    ----------
    estimator : FilterBoostClassifier or None, default=None
        The members; its `target_error`, below 1/2, is the error that each is boosted to, and its
        `max_rounds` the most trees of each. `max_examples` is about all members together. None:
        ``FilterBoostClassifier(target_error=0.25, max_rounds=100)``.
    target_error : float in (0, 1), default=0.05
        Decides how many members vote.
    failure_probability : float in (0, 1), default=0.05
        Of the whole; that of the estimator is not used.
    random_state : int, RandomState or None, default=None
        A run that resumes needs the same number, or None or a RandomState, which then stand
        for the checkpoint's.

    Attributes
    ----------
    classes_ : array of labels
    estimators_ : list of FilterBoostClassifier
    vote_counts_ : list of int arrays of shape (j + 1, 2)
        After j members: examples by the votes for the second class, and by class. Probabilities
        are estimated from them.
    member_examples_ : int array
        Examples drawn until each member had voted.
    n_examples_ : int
        Examples drawn in all.
    stop_reason_ : {"target", "rounds", "examples", "stream", "edge"}
        "target": all have voted, each with its error reached or with hardly any examples left to
        decide, where its own `stop_reason_` is "stream"; "rounds" or "edge": all have voted, but
        one of them ended for this reason.
    certificate_ : Certificate
    n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> from frugalboost.datasets import make_majority
    >>> X, y = make_majority(4_000, n_features=11, n_relevant=5, noise=0.0, random_state=0)
    >>> model = TandemBoostClassifier(target_error=0.1, random_state=0).fit(X, y)
    >>> len(model.estimators_), model.stop_reason_, bool(model.score(X, y) > 0.9)
    (9, 'target', True)
    """

    estimators_: list[FilterBoostClassifier]
    certificate_: Certificate
    _counts: Ints

    def __init__(
        self,
        estimator: Any = None,
        *,
        target_error: float = 0.05,
        failure_probability: float = 0.05,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.target_error = target_error
        self.failure_probability = failure_probability
        self.random_state = random_state

    def fit(self, X: Any, y: Any, *, resume: bool = False) -> TandemBoostClassifier:
        """Fit to the rows of a table, drawn in random order.

        Parameters
        ----------
        X : array, scipy.sparse matrix or data frame of shape (n_samples, n_features)
        y : labels of shape (n_samples,), of two classes
        resume : bool
            Resume from the estimator's `checkpoint` if it exists.
        """
        with self._all_or_nothing():
            X = self._read_table(X)
            if isinstance(X, BinnedDataset):
                raise TypeError("X must hold raw values; got a BinnedDataset.")
            labels = read_labels(y)
            count_rows(X, labels)
            classes, codes = encode_labels(labels)
            setting = self._setting(classes)
            warn_if_rare(classes, codes)
            schema = Schema.from_data(X, self._prototype().categorical_features)
            numbers = as_numbers(X, schema)
            oracle = ArrayOracle(
                numbers,
                codes,
                recycle=check_bool(self._prototype().recycle, name="recycle"),
                replace=setting.member.plan.mode == "certified",
                random_state=setting.member.seed + 1,
            )
            reader = BatchReader(schema, np.arange(2), is_encoded=isinstance(numbers, np.ndarray))
            self._run(setting, oracle, Opening(reader, [], {}), resume)
        return self

    def fit_stream(
        self, oracle: Oracle, *, classes: Any = None, resume: bool = False
    ) -> TandemBoostClassifier:
        """Fit to the examples of an oracle.

        Parameters
        ----------
        oracle : Oracle
            See `frugalboost.streams`. It must be restartable: a generator is not.
        classes : array of labels or None
            None: those that the oracle declares, or that occur in its first 10,000 examples.
        resume : bool
            Resume from the estimator's `checkpoint` if it exists.
        """
        if not isinstance(oracle, Oracle):
            raise TypeError(
                "oracle must have the methods draw, state and restore; "
                f"got {type(oracle).__name__}."
            )
        with self._all_or_nothing():
            self._setting(np.arange(2), seed=0)  # report bad parameters before reading anything
            check_restartable(oracle)
            if (saved := self._saved_run(resume)) is not None:
                given = saved.classes if classes is None else read_labels(classes)
                check_same_classes(given, saved.classes)
                self._go_on(self._setting(saved.classes), oracle, saved)
            else:
                features = self._prototype().categorical_features
                opening = discover(oracle, classes, features)
                check_restarts(oracle)
                self._run(self._setting(opening.reader.classes), oracle, opening, resume=False)
        return self

    def _prototype(self) -> FilterBoostClassifier:
        if self.estimator is None:
            return FilterBoostClassifier(target_error=0.25, max_rounds=100)
        if type(self.estimator) is not FilterBoostClassifier:
            raise TypeError(
                f"estimator must be None or a FilterBoostClassifier; got {self.estimator!r}."
            )
        return self.estimator

    def _setting(self, classes: AnyArray, seed: int | None = None) -> TandemFit:
        if len(classes) != 2:
            raise ValueError(TWO_CLASSES.format(f"{len(classes)}, {classes.tolist()[:10]!r}"))
        prototype = clone(self._prototype()).set_params(random_state=self.random_state)
        checked = FilterFit.from_params(prototype, classes, seed)
        if checked.memory_limit is not None:
            raise ValueError(
                f"memory_limit of the estimator must be None; got {checked.memory_limit}."
            )
        majority = self._majority(prototype.target_error)
        failure = self._share("failure_probability")
        plan = replace(checked.plan, failure_probability=failure / (2 * majority.n_votes))
        own = own_params(target_error=majority.target_error, failure_probability=failure)
        params = {**checked.params, "max_rounds": plan.max_rounds, **own}
        title = type(self).__name__
        return TandemFit(replace(checked, plan=plan, params=params, title=title), majority, failure)

    def _majority(self, member_error: float) -> Majority:
        target = self._share("target_error")
        if member_error >= 0.5:
            raise ValueError(
                f"target_error of the estimator must be less than 0.5; got {member_error}."
            )
        return Majority.for_error(target, 0.5 - member_error)

    def _share(self, name: str) -> float:
        return check_real(getattr(self, name), name=name, low=0.0, high=1.0, closed="neither")

    def _saved_run(self, resume: bool) -> Checkpoint | None:
        """Return the checkpoint to resume from, if requested and if there is one of a tandem."""
        prototype = self._prototype()
        if (saved := prototype._saved_run(resume)) is not None:
            check_of_tandem(saved, prototype.checkpoint)
        return saved

    def _run(self, setting: TandemFit, oracle: Oracle, opening: Opening, resume: bool) -> None:
        if (saved := self._saved_run(resume)) is not None:
            check_same_classes(setting.member.classes, saved.classes)
            self._go_on(setting, oracle, saved)
            return
        tandem = Tandem(setting, self._stream(setting, oracle, opening.reader))
        if opening.batches:
            tandem.stream.begin_with(opening.batches, opening.state)
        self._finish(tandem, None)

    def _stream(self, setting: TandemFit, oracle: Oracle, reader: BatchReader) -> ScoredStream:
        member = setting.member
        return ScoredStream(
            oracle,
            reader,
            VoteForest(),
            1,
            member.seed,
            max_examples=member.max_examples,
            n_threads=member.plan.tree.n_threads,
        )

    def _go_on(self, setting: TandemFit, oracle: Oracle, saved: Checkpoint) -> None:
        check_same_params(setting.member.params, saved.params, told_names(setting.member.params))
        path = self._prototype().checkpoint
        with damage_named(path):
            check_tandem(saved, setting)
        setting = replace(setting, member=member_as_in(saved, setting.member))
        tandem = Tandem(setting, self._stream(setting, oracle, saved.reader))
        self._finish(tandem, resumed(tandem, saved, path))

    def _finish(self, tandem: Tandem, begun: tuple[FilterBooster, MajorityOracle] | None) -> None:
        member, keeper = tandem.fit.member, None
        if (keep := member.keeping) is not None:
            keeper = TandemWriter(
                keep.path,
                member.params,
                member.classes,
                keep.every_rounds,
                keep.every_seconds,
                tandem=tandem,
            )
        reason = run_tandem(tandem, begun, keeper)
        self.classes_ = member.classes
        self.estimators_ = [self._member(tandem, i) for i in range(len(tandem.members))]
        self._counts = np.concatenate([counts.ravel() for counts in tandem.counts])
        self.member_examples_ = np.array(tandem.used, dtype=np.int64)
        schema = tandem.stream.reader.schema
        self.n_features_in_ = schema.n_features
        if schema.feature_names is not None:
            self.feature_names_in_ = schema.feature_names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.n_examples_ = tandem.stream.n_used
        self.stop_reason_ = reason
        self.certificate_ = tandem.fit.certificate(tandem, reason)

    def _member(self, tandem: Tandem, i: int) -> FilterBoostClassifier:
        model: FilterBoostClassifier = clone(self._prototype())
        model._keep_run(
            replace(tandem.fit.member, seed=tandem.fit.member.seed + 2 + i), tandem.members[i]
        )
        return model

    @property
    def vote_counts_(self) -> list[Ints]:
        """After j members: examples by the votes for the second class, and by class."""
        check_is_fitted(self)
        ends = np.cumsum([2 * (j + 2) for j in range(len(self.estimators_))])[:-1]
        return [part.reshape(-1, 2) for part in np.split(self._counts, ends)]

    def decision_function(self, X: Any) -> Floats:
        """Return the votes for the second class less those for the first.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        decision : (n_samples,), positive for the second class; 0, a tie, names the first
        """
        *_, last = self.staged_decision_function(X)
        return last

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield the decision after each member."""
        check_is_fitted(self)
        X = self._check_table(X)
        total: Any = 0.0
        for member in self.estimators_:
            # By its own method, an error would name the member, which the user has not called.
            decision = decide(*member._ready(X))[:, 0]
            total = total + np.where(decision > 0, 1.0, -1.0)
            yield total

    def predict_proba(self, X: Any) -> Floats:
        """Return class probabilities: how often so many votes were right in the stream.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        probabilities : (n_samples, 2), columns in the order of ``classes_``
        """
        *_, last = self.staged_predict_proba(X)
        return last

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """Yield the probabilities after each member."""
        decisions = self.staged_decision_function(X)
        for counts, decision in zip(self.vote_counts_, decisions, strict=True):
            votes = ((decision + len(counts) - 1) / 2).astype(np.int64)
            second = probabilities_of(counts)[votes]
            yield np.column_stack([1 - second, second])

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimators_")

    def _digest_extra(self) -> bytes:
        return self._counts.tobytes()

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
