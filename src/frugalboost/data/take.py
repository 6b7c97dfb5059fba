"""Rows of a user's table, in the table's own kind."""

from __future__ import annotations

from typing import Any, cast

import narwhals as nw
import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray
from frugalboost.data import frames


def take_rows(X: Any, rows: AnyArray) -> Any:
    """Return the given rows of an array, list, sparse matrix or data frame.

    >>> take_rows([[1, 2], [3, 4], [5, 6]], np.array([2, 0]))
    array([[5, 6],
           [1, 2]])
    """
    if frames.is_frame(X):
        return nw.from_native(X, eager_only=True)[rows].to_native()
    if sparse.issparse(X):
        return cast(Any, X).tocsr()[rows]
    return np.asarray(X)[rows]


def gather_rows(X: Any, rows: AnyArray) -> Any:
    """Return the given rows; those of an array as a C-contiguous one of the same dtype.

    >>> gather_rows(np.array([[1, 2], [3, 4]], dtype=np.int8), np.array([1, 1]))
    array([[3, 4],
           [3, 4]], dtype=int8)
    """
    if not isinstance(X, np.ndarray):
        return take_rows(X, rows)
    if X.flags.c_contiguous:
        return X.take(rows, axis=0)
    return np.ascontiguousarray(X[rows])  # `take` would first copy all of X


def cut_rows(X: Any, start: int, stop: int) -> Any:
    """Return the rows from ``start`` to before ``stop``, without a copy where X allows that."""
    if isinstance(X, np.ndarray) or sparse.issparse(X) or not frames.is_frame(X):
        return X[start:stop]
    return nw.from_native(X, eager_only=True)[start:stop].to_native()
