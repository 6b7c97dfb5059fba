"""GAMBLE (Huang, Ertekin, Song, Zha, Giles 2007), algorithms 1 and 2, in the paper's words.

Classes are numbered from 0. A response vector y has 1 at the class and ``-1 / (K - 1)`` elsewhere,
and ``z = y^2``, component by component.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from frugalboost._typing import Floats, Ints
from frugalboost.reference.fixed_point import choose_shift, fixed_point, keep_shift
from frugalboost.reference.rows import class_rows
from frugalboost.reference.searches import Search, exhaustive
from frugalboost.reference.splits import Column
from frugalboost.reference.trees import Node, TreeGrower

FittedValues = Floats
Regression = Callable[[Floats, Floats], FittedValues]
"""Maps responses (N, K) and weights (N,) to a weighted regression's values for the same rows."""


def response_vectors(labels: Ints, n_classes: int) -> Floats:
    """Section 3: the K-class encoding, (N, K); each row sums to zero.

    >>> response_vectors(np.array([2]), 3)
    array([[-0.5, -0.5,  1. ]])
    """
    y = np.full((len(labels), n_classes), -1 / (n_classes - 1))
    y[np.arange(len(labels)), labels] = 1.0
    return y


def squared_response(g: Floats) -> Floats:
    """Corollary 3.1: the values of the regression on z, from those of the one on y.

    >>> squared_response(np.array([[1.0, -0.5, -0.5]]))
    array([[1.  , 0.25, 0.25]])
    """
    K = g.shape[1]
    return np.asarray((K - 2) / (K - 1) * g + 1 / (K - 1))


def weak_learner(g: Floats, h: Floats) -> Floats:
    """Steps 2 (b) and (c): ``f`` from the two regressions, each (N, K)."""
    K = g.shape[1]
    r = K * g / h
    return np.asarray(r - r.mean(axis=1, keepdims=True))


def gamble(regress: Regression, labels: Ints, n_classes: int, n_rounds: int) -> list[Floats]:
    """Algorithm 1 with any regression: ``f(x_i)`` of each round, (N, K), for the training rows.

    A round fits y and z, each with the same weights; g and h are kept within the ranges of y and z,
    which weighted means never leave (Result 3) but other regressions do.
    """
    K = n_classes
    y = response_vectors(labels, K)
    z = y**2
    w = np.full(len(labels), 1 / len(labels))
    rounds: list[Floats] = []
    for _ in range(n_rounds):
        g = np.clip(regress(y, w), -1 / (K - 1), 1)
        h = np.clip(regress(z, w), 1 / (K - 1) ** 2, 1)
        f = weak_learner(g, h)
        rounds.append(f)
        w = w * np.exp(-(y * f).sum(axis=1) / K)
        w = w / w.sum()
    return rounds


@dataclass(frozen=True)
class TreeRound:
    """A tree, and the values of the weak learner f in its leaves, left to right, (n_leaves, K)."""

    tree: Node
    leaf_values: Floats


def gamble_trees(
    columns: Sequence[Column],
    labels: Ints,
    n_classes: int,
    n_rounds: int,
    sample_weight: Floats | None = None,
    search: Search = exhaustive,
    learning_rate: float = 1.0,
    max_depth: int | None = None,
    max_leaf_nodes: int | None = 15,
    min_samples_leaf: int = 1,
) -> list[TreeRound]:
    """Algorithm 2: one weighted regression tree a round.

    Least squares on y is Gini up to the factor ``(K / (K - 1))^2``, so Gini is the criterion.
    After a full step of a tree with only pure leaves, all weights have fallen alike and the next
    tree would be the same: the algorithm stops there, with one of these trees.
    """
    y = response_vectors(labels, n_classes)
    first_weight = np.ones(len(labels)) if sample_weight is None else sample_weight
    exponent = np.zeros(len(labels))
    shift = choose_shift(first_weight)
    rounds: list[TreeRound] = []
    for _ in range(n_rounds):
        w = first_weight * np.exp(exponent)
        shift = keep_shift(shift, w)
        rows = class_rows("gini", labels, fixed_point(w, shift), n_classes)
        grower = TreeGrower(columns, search, max_depth, max_leaf_nodes, min_samples_leaf)
        tree = grower.grow(rows)
        g = np.array([mean_response(leaf) for leaf in tree.leaves()])
        f = learning_rate * weak_learner(g, squared_response(g))
        rounds.append(TreeRound(tree, f))
        is_pure = all(max(leaf.rows.cell) == sum(leaf.rows.cell) for leaf in tree.leaves())
        if is_pure and learning_rate >= (1 if n_classes > 2 else 0.5):
            break
        leaf_of_row = tree.route(columns, len(labels))
        exponent -= (y * f[leaf_of_row]).sum(axis=1) / n_classes
    return rounds


def mean_response(leaf: Node) -> Floats:
    """Equation (3.4): the weighted mean of the response vectors in a leaf."""
    K, total = len(leaf.rows.cell), sum(leaf.rows.cell)
    shares = np.array([weight / total for weight in leaf.rows.cell])
    return np.asarray((K * shares - 1) / (K - 1))


def decision(rounds: Sequence[TreeRound], columns: Sequence[Column], n_rows: int) -> Floats:
    """The committee ``F`` on the training rows, (N, K)."""
    values = [each.leaf_values[each.tree.route(columns, n_rows)] for each in rounds]
    return np.asarray(np.sum(values, axis=0))
