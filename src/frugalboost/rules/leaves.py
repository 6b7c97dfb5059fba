"""What the leaves of a tree say, added to the state row by row."""

from __future__ import annotations

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.weights import by_row


def add_by_leaf(state: Floats, table: Floats, leaf_of_row: AnyArray, labels: AnyArray) -> None:
    """``state += table[leaf_of_row, labels]`` in one pass.

    >>> state = np.zeros(2)
    >>> add_by_leaf(state, np.array([[0.0, 1.0], [2.0, 0.0]]), np.array([1, 0]), np.array([0, 1]))
    >>> state
    array([2., 1.])
    """
    native.add_by_leaf(
        state, table, leaf_of_row.astype(np.int32, copy=False), labels.astype(np.int64, copy=False)
    )


def add_rows_by_leaf(state: Floats, table: Floats, leaf_of_row: AnyArray) -> None:
    """``state += table[leaf_of_row]`` in one pass; the state is (n, V), or (n,) for V = 1.

    >>> state = np.zeros((2, 2))
    >>> add_rows_by_leaf(state, np.array([[0.0, 1.0], [2.0, 0.0]]), np.array([1, 0]))
    >>> state
    array([[2., 0.],
           [0., 1.]])
    """
    native.add_rows_by_leaf(by_row(state), table, leaf_of_row.astype(np.int32, copy=False))
