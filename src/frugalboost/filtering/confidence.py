"""Steps for trees that rate their confidence (Schapire, Singer 1999)."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from frugalboost._typing import Floats
from frugalboost.filtering.edges import (
    Edge,
    adaptive_mean,
    differences,
    step_for,
)
from frugalboost.filtering.filter import Filter
from frugalboost.filtering.margins import FilterRule, draw_rivals
from frugalboost.filtering.tap import Examples
from frugalboost.tree import FlatTree


def largest_difference(tree: FlatTree) -> float:
    """The most that a leaf can say for one class less what it says for another."""
    says = tree.value[tree.is_leaf]
    if says.shape[1] == 1:
        return float(np.abs(says).max())
    return float((says.max(axis=1) - says.min(axis=1)).max())


def adaptive_step(tree: FlatTree, filter_: Filter, confidence: float, tolerance: float) -> Edge:
    """getEdge for confidences: of the tree divided by its largest difference, so that ``|d| <= 1``.

    ``exp(-a d)`` lies below the line through its ends, so the exponential loss is at most that of
    a tree without confidences of the same mean difference, and lemmas 1 and 2 hold with that edge.
    """
    largest = largest_difference(tree)
    if largest == 0:
        return Edge(0.0, 0.0, 0)
    edge, n = adaptive_mean(tree, filter_, confidence, tolerance, scale=1 / largest)
    return Edge(edge, step_for(edge) / largest, n)


def weighted_step(tree: FlatTree, examples: Examples, rule: FilterRule) -> tuple[Edge, float]:
    """The step that minimises the exponential loss of weighted examples of the oracle.

    Returns the edge and the mean weight, which estimates the filter's acceptance rate.
    """
    n = len(examples)
    weights = rule.accept(examples.scores, examples.labels)
    rivals = draw_rivals(examples.scores, examples.labels, examples.coins)
    d = differences(tree.predict(examples.X), examples.labels, rivals)
    total, largest = float(weights.sum()), largest_difference(tree)
    if total == 0:  # weights of huge margins underflow
        return Edge(0.0, 0.0, n), 0.0
    edge = float((weights * d).sum()) / (2 * total * largest) if largest else 0.0
    return Edge(edge, best_step(weights / total, d), n), total / n


LARGEST_FACTOR = 2.0
"""Most by which confidences are multiplied: a sample on which a tree makes no error has no best
step."""


def best_step(shares: Floats, d: Floats) -> float:
    """Where ``sum of shares * exp(-a d)`` is least for a in [0, `LARGEST_FACTOR`].

    >>> round(best_step(np.array([0.75, 0.25]), np.array([1.0, -1.0])), 4)  # 1/2 ln 3
    0.5493
    """

    def slope(a: float) -> float:
        return float((shares * d * np.exp(-a * d)).sum())

    if slope(0.0) <= 0:
        return 0.0
    if slope(LARGEST_FACTOR) >= 0:
        return LARGEST_FACTOR
    return float(brentq(slope, 0.0, LARGEST_FACTOR))
