"""The state of an active learner: its answers, its log, and the model trained on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils import Tags, column_or_1d, get_tags
from sklearn.utils.metaestimators import available_if

from frugalboost._checks import NamesItself
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.active.answers import Answers, is_skip, label_array, plain_label
from frugalboost.active.committee_scores import CommitteeScores
from frugalboost.active.log import Log
from frugalboost.active.loop import Questions
from frugalboost.active.params import ActivePlan
from frugalboost.active.query import ask, default_committee, train
from frugalboost.active.replay import Entry
from frugalboost.active.rows import by_rows, count_rows
from frugalboost.active.stopping import BatchEntry, StopReason
from frugalboost.base.tree_estimators import check_shape
from frugalboost.data.targets import read_labels
from frugalboost.streams.oracle import seed_of

NO_ANSWERS, EMPTY_LOG = Answers(), Log()

STATE = ("model_", "questions_", "history_", "stop_reason_", "_answers", "_log", "_drawn_seed")
"""Everything a learner knows apart from its parameters."""


def estimator_has(name: str) -> Callable[[Any], bool]:
    return lambda learner: learner.estimator is None or hasattr(learner.estimator, name)


def read_answers(y: Any) -> list[Any]:
    """Return the labels as a list; unlike training labels, some may be missing."""
    if y is None:
        read_labels(y)  # raises an error that explains the problem
    if isinstance(y, (list, tuple)):
        return list(y)
    return list(column_or_1d(y, warn=True))


class AnsweredRows(NamesItself, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Base class: answers, the model trained on them, and what to ask next. Not public."""

    estimator: Any
    random_state: Any
    model_: Any
    questions_: Questions
    history_: list[BatchEntry]
    stop_reason_: StopReason
    _answers: Answers
    _log: Log
    _drawn_seed: int

    def predict(self, X: Any) -> AnyArray:
        """Return the predicted label of each row."""
        return np.asarray(self._fitted().predict(X))

    @available_if(estimator_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Floats:
        """Return the model's probabilities, columns in the order of ``classes_``."""
        return np.asarray(self._fitted().predict_proba(X))

    @available_if(estimator_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Floats:
        """Return the model's decision function."""
        return np.asarray(self._fitted().decision_function(X))

    @property
    def classes_(self) -> AnyArray:
        """The labels that the model knows."""
        return np.asarray(self._fitted().classes_)

    @property
    def n_labels_(self) -> int:
        """Number of answers, without the withdrawn ones."""
        return len(self._known.live)

    @property
    def numbers_(self) -> Ints:
        """Numbers of the answers that have not been withdrawn."""
        return self._known.live

    @property
    def X_(self) -> Any:  # noqa: N802 - scikit-learn's name for a table
        """The labelled rows, without withdrawn answers; None before the first answer."""
        return None if self._known.table is None else self._known.rows()

    @property
    def y_(self) -> AnyArray:
        """The labels of the rows in `X_`."""
        return label_array(self._known.standing_labels())

    @property
    def n_features_in_(self) -> int:
        return int(self._fitted().n_features_in_)

    @property
    def feature_names_in_(self) -> AnyArray:
        return np.asarray(self._fitted().feature_names_in_)

    @property
    def _known(self) -> Answers:
        known: Answers = self.__dict__.get("_answers", NO_ANSWERS)
        return known

    @property
    def log_(self) -> list[Entry]:
        """Every question, with its reason, and every answer, in order."""
        return list(self._noted.entries)

    @property
    def _noted(self) -> Log:
        noted: Log = self.__dict__.get("_log", EMPTY_LOG)
        return noted

    @property
    def _seed(self) -> int:
        """The seed of all random draws: drawn when first needed, or read from a session file."""
        if "_drawn_seed" not in self.__dict__:
            self._drawn_seed = seed_of(self.random_state)
        return self._drawn_seed

    def _ask(self, X_pool: Any, n: int, plan: ActivePlan, at_random: bool = False) -> Questions:
        self._check_pool(X_pool)
        committee = None
        if hasattr(self, "model_") and plan.utility != "random" and not at_random:
            committee = CommitteeScores(self.model_, plan.utility)
        return ask(committee, X_pool, n, self._known, plan, self._seed)

    def _check_pool(self, X_pool: Any) -> None:
        check_shape(X_pool)
        if count_rows(X_pool) == 0:
            raise ValueError("X_pool must have at least one row; got 0.")
        self._known.check_fits(X_pool, "X_pool")

    def _read_answers(self, X: Any, y: Any, plan: ActivePlan) -> tuple[Any, list[Any]]:
        """Return the rows and one answer for each; errors are raised before anything changes."""
        check_shape(X)
        X, answers = by_rows(X), read_answers(y)
        if count_rows(X) != len(answers):
            raise ValueError(
                f"y must hold one answer for each of the {count_rows(X)} rows of X; "
                f"got {len(answers)}."
            )
        for answer in answers:
            if not is_skip(answer):
                plan.check_label(plain_label(answer))
        return X, answers

    def _learn(self, answers: Answers, plan: ActivePlan, *, is_growth: bool) -> None:
        """Train on these answers; they are kept only if training succeeds."""
        labels = answers.standing_labels()
        model = None
        n_classes = len(set(labels))
        if n_classes > 1:
            template = self.estimator
            if template is None:
                template = default_committee(self._seed, n_classes)
            last = self.__dict__.get("model_") if is_growth else None
            model = train(template, answers.rows(), label_array(labels), last, plan)
        self._answers = answers
        if model is not None:
            self.model_ = model
        elif hasattr(self, "model_"):
            del self.model_

    def _take_over(self, other: AnsweredRows) -> None:
        """Replace all state by that of another learner with the same parameters."""
        for name in STATE:
            self.__dict__.pop(name, None)
            if name in other.__dict__:
                self.__dict__[name] = other.__dict__[name]

    def _fitted(self) -> Any:
        if not hasattr(self, "model_"):
            known = sorted(set(map(str, self._known.standing_labels())))
            raise NotFittedError(
                "this instance is not fitted yet: labels of at least two classes "
                f"must be taught first; got {', '.join(known) or 'none'}."
            )
        return self.model_

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = default_committee(0, 2) if self.estimator is None else self.estimator
        tags.input_tags = get_tags(inner).input_tags
        return tags
