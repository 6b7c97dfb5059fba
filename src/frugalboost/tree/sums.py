"""Sums over rows by leaf, in integers: exact however many rows and whatever their order."""

from __future__ import annotations

import numpy as np

from frugalboost._typing import AnyArray, Ints, Rows
from frugalboost.tree.fixed_point import AnyProblem, Scale


def class_sums(
    node_of_row: AnyArray, labels: AnyArray, weights: AnyArray, shape: tuple[int, int]
) -> AnyArray:
    """Weight of each class in each node (or leaf), of `shape`; exact for integers.

    >>> class_sums(np.array([2, 0, 2]), np.array([1, 0, 1]), np.array([5, 1, 2]), (3, 2))
    array([[1, 0],
           [0, 0],
           [0, 7]])
    """
    cell = node_of_row.astype(np.int64) * shape[1] + labels
    return sums_by(cell, weights, shape[0] * shape[1]).reshape(shape)


def sums_by(cell: AnyArray, weights: AnyArray, n_cells: int) -> AnyArray:
    """Sum of the weights in each cell; `np.bincount` would add them as floats."""
    sums = np.zeros(n_cells, dtype=weights.dtype)
    np.add.at(sums, cell, weights)
    return sums


def sums_by_leaf(
    problem: AnyProblem, leaf_of_row: AnyArray, n_leaves: int, rows: Rows | None = None
) -> Ints:
    """What a tree's leaf sums would be if it had grown on `rows`, (n_leaves, channels).

    Parameters
    ----------
    problem : of the layouts "classes", "votes" or "real"
    leaf_of_row : (n,) leaf that each row of the table ends in
    n_leaves : int
    rows : numbers of rows; None: all
    """
    weights, labels = problem.weights, problem.labels
    if rows is not None:
        weights, leaf_of_row = weights[rows], leaf_of_row[rows]
        labels = None if labels is None else labels[rows]
    if labels is None:
        return _totals(weights, leaf_of_row, n_leaves)
    shape = n_leaves, problem.scale.n_outputs
    if problem.scale.layout == "classes":
        return class_sums(leaf_of_row, labels, weights[:, 0], shape)
    own = np.take_along_axis(weights, labels.astype(np.int64)[:, np.newaxis], axis=1)[:, 0]
    plus = class_sums(leaf_of_row, labels, own, shape)
    return np.hstack([_totals(weights, leaf_of_row, n_leaves), plus])


def _totals(weights: Ints, leaf_of_row: AnyArray, n_leaves: int) -> Ints:
    # Column by column: NumPy adds single numbers by index ten times as fast as rows.
    return np.column_stack([sums_by(leaf_of_row, column, n_leaves) for column in weights.T])


def total_weight(scale: Scale, sums: Ints) -> float:
    """Weight of all rows, in integers, from sums by leaf."""
    return float(sums[:, : scale.n_outputs].sum())
