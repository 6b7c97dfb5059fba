"""The filter: examples are drawn until one is accepted, or theorem 4 ends the run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.filtering.scored_stream import (
    LARGEST_CHUNK,
    Examples,
    ScoredStream,
    joined_rows,
)
from frugalboost.filtering.stopping import Stopped, first_beyond_limit
from frugalboost.rules.base import Link
from frugalboost.rules.weights import logistic, truncated

ACCEPT: dict[str, Callable[[Floats], Floats]] = {"log": logistic, "mada": truncated}
"""Weight functions of the margin that are probabilities, by the name of the rule."""


@dataclass(frozen=True)
class FilterRule:
    """How an example's margin gives its acceptance probability, and scores class probabilities.

    >>> rule = FilterRule("log", n_classes=2)
    >>> rule.accept(np.array([[0.0], [2.0]]), np.array([1, 1])).round(3)
    array([0.5  , 0.119])
    """

    name: str
    n_classes: int

    @property
    def n_outputs(self) -> int:
        """Number of values that a tree predicts for an example."""
        return 1 if self.n_classes == 2 else self.n_classes

    def accept(self, scores: Floats, labels: AnyArray) -> Floats:
        """Probability that the filter accepts each example: the paper's ``q_t(x, y)``."""
        return ACCEPT[self.name](margins(scores, labels))

    @property
    def error_factor(self) -> float:
        """The error is at most so many times the acceptance rate ``p_t`` (theorem 2).

        Where the model errs, an example is accepted with probability 1/2 at least, with
        truncated weights always.
        """
        return 1.0 if self.name == "mada" else 2.0

    @property
    def budget(self) -> float:
        """Mean loss of a model without trees, times `error_factor`: what rounds can take away.

        >>> FilterRule("log", 2).budget == 2 * math.log(2), FilterRule("mada", 2).budget
        (True, 1.0)
        """
        if self.name == "mada":
            return 1 + math.log(self.n_classes - 1)
        return 2 * math.log(self.n_classes)

    @property
    def link(self) -> Link:
        """How a decision turns into probabilities."""
        return Link("symmetric", 0.5 if self.n_classes == 2 else 1.0)

    def probabilities(self, decision: Floats) -> Floats:
        """Class probabilities of a decision, (n,) for two classes, else (n, K)."""
        return self.link(decision)


class AnyRule(Protocol):
    """What the filter needs to know of a rule."""

    @property
    def error_factor(self) -> float: ...

    def accept(self, scores: Floats, labels: AnyArray) -> Floats: ...


def margins(scores: Floats, labels: AnyArray) -> Floats:
    """Log odds of the label.

    >>> margins(np.array([[1.0], [1.0]]), np.array([0, 1]))
    array([-1.,  1.])
    >>> margins(np.log([[1.0, 2.0, 5.0]]), np.array([2])).round(3)  # ln(5 / 3)
    array([0.511])
    """
    if scores.shape[1] == 1:
        return np.where(labels == 1, scores[:, 0], -scores[:, 0])
    others, top = without_label(scores, labels)
    rest = top + np.log(np.exp(others - top[:, np.newaxis]).sum(axis=1))
    return np.asarray(scores[np.arange(len(scores)), labels] - rest)


def without_label(scores: Floats, labels: AnyArray) -> tuple[Floats, Floats]:
    """Scores with minus infinity for the label's class, and the largest of the others."""
    others = scores.copy()
    others[np.arange(len(scores)), labels] = -np.inf
    return others, others.max(axis=1)


def rival_shares(scores: Floats, labels: AnyArray) -> Floats:
    """How the probability not given to the label is shared by the other classes, (n, K).

    >>> rival_shares(np.log([[1.0, 2.0, 5.0]]), np.array([2]))
    array([[0.33333333, 0.66666667, 0.        ]])
    """
    if scores.shape[1] == 1:
        return np.asarray(np.eye(2)[1 - labels])
    others, top = without_label(scores, labels)
    shares = np.exp(others - top[:, np.newaxis])
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def draw_rivals(scores: Floats, labels: AnyArray, coins: Floats) -> Ints:
    """One of the other classes for each example, drawn by `rival_shares` with a number in [0, 1).

    >>> draw_rivals(np.log([[1.0, 2.0, 5.0]] * 2), np.array([2, 2]), np.array([0.3, 0.4]))
    array([0, 1])
    """
    if scores.shape[1] == 1:
        return np.asarray(1 - labels, dtype=np.int64)
    shares = rival_shares(scores, labels)
    drawn = (np.cumsum(shares, axis=1) <= coins[:, np.newaxis]).sum(axis=1)
    # A sum may round to just below one, and a coin may exceed it: then take the likeliest rival.
    is_rival = (drawn < shares.shape[1]) & (drawn != labels)
    return np.asarray(np.where(is_rival, drawn, shares.argmax(axis=1)), dtype=np.int64)


MARGIN = 1.25
"""Looks are this much longer than is needed on average to find the missing examples."""


@dataclass
class Sample:
    """Examples to train on, each with the rival class to tell it from (see `draw_rivals`).

    Attributes
    ----------
    X, labels, rivals : arrays of one length
    weights : array or None
        None: the examples were accepted, and weigh 1 each.
    rows : row numbers in a fixed data set, None if unknown
    """

    X: AnyArray
    labels: Ints
    rivals: Ints
    weights: Floats | None = None
    rows: Ints | None = None

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def of(cls, parts: list[Sample]) -> Sample:
        if len(parts) == 1:
            return parts[0]
        X, labels, rivals = (
            np.concatenate([getattr(part, name) for part in parts]) for name in FIELDS
        )
        return cls(X, labels, rivals, rows=joined_rows([part.rows for part in parts]))

    def cut(self, start: int, stop: int) -> Sample:
        """Return the examples from `start` up to, but not including, `stop`."""
        weights = None if self.weights is None else self.weights[start:stop]
        here = slice(start, stop)
        return Sample(self.X[here], self.labels[here], self.rivals[here], weights)


FIELDS = ("X", "labels", "rivals")


class Filter:
    """The calls of one round; a call draws examples until one is accepted.

    An example is accepted if its coin is below ``q_t(x, y)``. Calls are made for many examples at
    a time: `look` finds the next accepted ones, `use` takes the first n of them. Rows that were
    set aside are skipped, as if the data did not hold them.
    """

    def __init__(
        self,
        stream: ScoredStream,
        rule: AnyRule,
        confidence: float,
        target_error: float,
        aside: Ints | None = None,
    ) -> None:
        self._stream, self._rule = stream, rule
        self._aside = None if aside is None else np.sort(aside)
        self._confidence, self._target_error = confidence, target_error
        self.n_rejected = 0  # in the current call
        self._passed: list[Examples] | None = None
        self._ends: Ints = np.empty(0, dtype=np.int64)
        self.n_calls = self.n_drawn = 0
        self.rate = 0.5

    def begin_again(self, n_calls: int, n_rejected: int) -> None:
        """Continue as if so many calls had come back, and this one had rejected so many."""
        self.n_calls, self.n_rejected = n_calls, n_rejected

    def take(self, n: int) -> Sample:
        """Return the examples of n calls."""
        parts: list[Sample] = []
        missing = n
        while missing:
            parts.append(self.look(missing))
            self.use(len(parts[-1]))
            missing -= len(parts[-1])
        return Sample.of(parts)

    def take_weighted(self, n: int) -> Sample:
        """Return all examples drawn in n calls, weighted by the probability to be accepted.

        They tell more than the n that are accepted, of the same distribution.
        """
        self._passed = []
        self.take(n)
        drawn, self._passed = Examples.of(self._passed), None
        rivals = draw_rivals(drawn.scores, drawn.labels, drawn.coins)
        weights = self._rule.accept(drawn.scores, drawn.labels)
        return Sample(drawn.X, drawn.labels, rivals, weights)

    def look(self, n: int) -> Sample:
        """Return the examples of the next calls: at least one, at most n.

        Raises `Stopped` when a call rejects so many that the error is at most the target.
        """
        while True:
            wanted = math.ceil(MARGIN * n / self.rate) + 16
            looked = self._stream.look(min(wanted, LARGEST_CHUNK))
            places = self._places(looked)
            examples = looked if len(places) == len(looked) else looked[places]
            q = self._rule.accept(examples.scores, examples.labels)
            accepted = np.flatnonzero(examples.coins < q)
            self._note_rate(len(accepted), len(looked))
            accepted = self._within_limits(accepted, places)[:n]
            if len(accepted):
                self._ends = places[accepted] + 1
                return self._sample(examples, accepted, q)
            self._draw(len(looked))
            self.n_rejected += len(examples)

    def use(self, n: int) -> None:
        """Take the first n of the examples that `look` last returned."""
        if n:
            self._draw(int(self._ends[n - 1]))
            self.n_calls += n
            self.n_rejected = 0

    def _places(self, looked: Examples) -> Ints:
        """Return the positions of the examples that the filter may take."""
        if self._aside is None or looked.rows is None:
            return np.arange(len(looked))
        at = np.minimum(np.searchsorted(self._aside, looked.rows), len(self._aside) - 1)
        return np.flatnonzero(self._aside[at] != looked.rows)

    def _sample(self, examples: Examples, accepted: Ints, q: Floats) -> Sample:
        # Given that it was accepted, a coin's share of q is uniform again.
        shares = examples.coins[accepted] / q[accepted]
        labels = examples.labels[accepted]
        rivals = draw_rivals(examples.scores[accepted], labels, shares)
        rows = None if examples.rows is None else examples.rows[accepted]
        return Sample(examples.X[accepted], labels, rivals, rows=rows)

    def _within_limits(self, accepted: Ints, places: Ints) -> Ints:
        """Return the accepted examples before the first call that rejects too many."""
        # Rejections before each accepted example and after the last, those of the current call too.
        rejections = np.diff(accepted, prepend=-1, append=len(places)) - 1
        rejections[0] += self.n_rejected
        first, limit = first_beyond_limit(
            rejections,
            self.n_calls + 1,
            self._confidence,
            self._target_error,
            self._rule.error_factor,
        )
        if first == 0:
            self._draw(int(places[limit - self.n_rejected - 1]) + 1)
            raise Stopped("target")
        return accepted[:first]

    def _draw(self, n: int) -> None:
        if self._passed is not None:
            drawn = self._stream.look(n)
            self._passed.append(drawn[self._places(drawn)])
        self._stream.use(n)
        self.n_drawn += n

    def _note_rate(self, n_accepted: int, n: int) -> None:
        """Estimate the rate that sizes the next look; what is accepted does not depend on it."""
        rate = (n_accepted + 1) / (n + 2)
        self.rate = max(rate if n >= 64 else (self.rate + rate) / 2, 1e-6)
