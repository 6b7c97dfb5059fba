"""Adding the leaf values of a tree to the state, row by row."""

from __future__ import annotations

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.weights import by_row


def add_by_leaf(
    state: Floats, table: Floats, leaf_of_row: AnyArray, labels: AnyArray, n_threads: int = 1
) -> None:
    """``state += table[leaf_of_row, labels]`` in one pass.

    >>> state = np.zeros(2)
    >>> add_by_leaf(state, np.array([[0.0, 1.0], [2.0, 0.0]]), np.array([1, 0]), np.array([0, 1]))
    >>> state
    array([2., 1.])
    """
    native.add_by_leaf(state, table, _leaves(leaf_of_row), _labels(labels), n_threads)


def add_rows_by_leaf(
    state: Floats, table: Floats, leaf_of_row: AnyArray, n_threads: int = 1
) -> None:
    """``state += table[leaf_of_row]`` in one pass; the state is (n, V), or (n,) for V = 1.

    >>> state = np.zeros((2, 2))
    >>> add_rows_by_leaf(state, np.array([[0.0, 1.0], [2.0, 0.0]]), np.array([1, 0]))
    >>> state
    array([[2., 0.],
           [0., 1.]])
    """
    native.add_rows_by_leaf(by_row(state), table, _leaves(leaf_of_row), n_threads)


def add_rows_by_leaf_and_label(
    state: Floats, table: Floats, leaf_of_row: AnyArray, labels: AnyArray, n_threads: int = 1
) -> None:
    """``state += table[leaf_of_row, labels]`` in one pass, the table being (n_leaves, K, V).

    >>> state = np.zeros((1, 2))
    >>> table = np.array([[[1.0, 2.0], [3.0, 4.0]]])
    >>> add_rows_by_leaf_and_label(state, table, np.array([0]), np.array([1]))
    >>> state
    array([[3., 4.]])
    """
    native.add_rows_by_leaf_and_label(
        state, table, _leaves(leaf_of_row), _labels(labels), n_threads
    )


def _leaves(leaf_of_row: AnyArray) -> AnyArray:
    return leaf_of_row.astype(np.int32, copy=False)


def _labels(labels: AnyArray) -> AnyArray:
    return labels.astype(np.int64, copy=False)
