"""How much better than chance a weak hypothesis is, and how far to step for it.

What a hypothesis says about an example counts by its *difference* ``d``: what it says for the
label less what it says for the rival, from -1 to 1. For two classes and h in {-1, +1} that is
``y h(x)``. The edge is half the mean of d over D_t, ``Pr[h(x) = y] - 1/2`` for two classes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.filtering.certificate import most_edge_examples
from frugalboost.filtering.filter import Filter
from frugalboost.filtering.margins import FilterRule, rival_shares
from frugalboost.filtering.stops import Stopped
from frugalboost.filtering.tap import Examples
from frugalboost.rules.base import perfect_log_odds
from frugalboost.tree import FlatTree

BLOCK = 256
"""Examples by which adaptive sampling asks for more, at least; it uses only those it needs."""


SMALLEST_EDGE = 0.005
"""Adaptive sampling gives up after the examples that an edge of this size would need: without an
edge it would go on for ever."""


class Edge(NamedTuple):
    """An estimate: the edge, the step that follows from it, and examples used for it."""

    edge: float
    step: float
    n: int


def differences(says: Floats, labels: AnyArray, rivals: AnyArray) -> Floats:
    """What is said for the label less what is said for the rival.

    >>> differences(np.array([[1.0], [-1.0]]), np.array([1, 1]), np.array([0, 0]))
    array([ 1., -1.])
    >>> differences(np.array([[0.0, 1.0, 0.0]]), np.array([2]), np.array([1]))
    array([-1.])
    """
    if says.shape[1] == 1:
        return np.where(labels == 1, says[:, 0], -says[:, 0])
    row = np.arange(len(says))
    return np.asarray(says[row, labels] - says[row, rivals])


def step_for(edge: float) -> float:
    """Figure 1's ``alpha = 1/2 ln((1/2 + edge) / (1/2 - edge))``.

    >>> round(step_for(0.25), 4)
    0.5493
    """
    return math.atanh(2 * edge)


def required_deviation(n: Floats, confidence: float, tolerance: float) -> Floats:
    """Where adaptive sampling stops: ``sqrt(ln(n (n + 1) / delta) / (2 n)) (1 + 1 / tau)``."""
    deviation = np.sqrt(np.log(n * (n + 1) / confidence) / (2 * n))
    return np.asarray(deviation * (1 + 1 / tolerance))


def adaptive_edge(tree: FlatTree, filter_: Filter, confidence: float, tolerance: float) -> Edge:
    """Figure 1's getEdge for a tree that names classes, with the step that follows."""
    edge, n = adaptive_mean(tree, filter_, confidence, tolerance)
    return Edge(edge, step_for(edge), n)


def adaptive_mean(
    tree: FlatTree, filter_: Filter, confidence: float, tolerance: float, scale: float = 1.0
) -> tuple[float, int]:
    """Nonmonotonic adaptive sampling of half the mean difference, then divided by ``1 + tau``.

    Draws from the filter until the mean deviates from chance clearly enough: with probability
    ``1 - confidence`` it is then within the relative tolerance of the edge. Returns the edge and
    the number of examples.
    """
    total, n = 0.0, 0
    most = most_edge_examples(SMALLEST_EDGE, confidence, tolerance)
    while True:
        sample = filter_.look(max(BLOCK, n // 4))
        d = scale * differences(tree.predict(sample.X), sample.labels, sample.rivals)
        sums = np.cumsum(np.append(total, d))[1:]  # one by one, whatever the blocks
        count = n + np.arange(1.0, len(d) + 1)
        deviation = np.abs(sums / (2 * count))
        enough = np.flatnonzero(deviation >= required_deviation(count, confidence, tolerance))
        taken = int(enough[0]) + 1 if len(enough) else len(d)
        filter_.use(taken)
        total, n = float(sums[taken - 1]), n + taken
        if len(enough):
            return total / (2 * n) / (1 + tolerance), n
        if n > most:
            raise Stopped("edge")


def weighted_edge(tree: FlatTree, examples: Examples, rule: FilterRule) -> tuple[Edge, float]:
    """Section 3's estimate: examples of the oracle, weighted rather than filtered.

    Returns the edge and the mean weight, which estimates the filter's acceptance rate.
    """
    n = len(examples)
    weights = rule.accept(examples.scores, examples.labels)
    said = votes(tree.predict(examples.X), examples.scores, examples.labels)
    right, wrong = (float((weights * share).sum()) for share in said)
    total = float(weights.sum())
    edge = (right - wrong) / (2 * total) if total else 0.0  # weights of huge margins underflow
    return Edge(edge, bounded_log_odds(right, wrong, n) / 2, n), total / n


def votes(says: Floats, scores: Floats, labels: AnyArray) -> tuple[Floats, Floats]:
    """How much of an example's weight is told right and wrong by a hypothesis that names a class.

    With more than two classes a wrong answer counts by the share of its class among the rivals.
    """
    named = (says[:, 0] > 0).astype(np.int64) if says.shape[1] == 1 else says.argmax(axis=1)
    is_right = named == labels
    shares = rival_shares(scores, labels)[np.arange(len(labels)), named]
    return is_right.astype(np.float64), np.where(is_right, 0.0, shares)


def bounded_log_odds(right: float, wrong: float, n: int) -> float:
    """``ln(right / wrong)``, no further from 0 than that of half an example in n wrong.

    >>> bounded_log_odds(3.0, 1.0, 100) == math.log(3.0)
    True
    >>> bounded_log_odds(3.0, 0.0, 100) == perfect_log_odds(100)
    True
    """
    most = perfect_log_odds(n)
    if wrong <= 0 or right <= 0:
        return 0.0 if right == wrong else math.copysign(most, right - wrong)
    return min(max(math.log(right) - math.log(wrong), -most), most)
