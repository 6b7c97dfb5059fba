"""Rows of tables of any kind: how many, and some of them."""

from __future__ import annotations

from typing import Any, cast

import narwhals as nw
import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray
from frugalboost.data import check_kind, take_rows
from frugalboost.data.frames import feature_names, is_frame


def as_table(X: Any, *, owner: str) -> Any:
    """Return X as something with rows to take: an array, a matrix by rows, or a frame as it is.

    >>> as_table([[1, 2], [3, 4]], owner="Oracle").shape
    (2, 2)
    """
    check_kind(X, owner=owner)
    if is_frame(X):
        return X
    if sparse.issparse(X):
        return cast(Any, X).tocsr()
    table = _as_array(X, owner)
    if table.ndim != 2:
        raise ValueError(f"{owner}: X must have two dimensions; got {table.ndim}.")
    return table


def names_of(X: Any) -> AnyArray | None:
    """Return the names of a frame's columns if all are strings; other tables have none."""
    if not is_frame(X):
        return None
    return feature_names(nw.from_native(X, eager_only=True).columns)


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
    if isinstance(X, np.ndarray) or sparse.issparse(X) or not is_frame(X):
        return X[start:stop]
    return nw.from_native(X, eager_only=True)[start:stop].to_native()


def _as_array(X: Any, owner: str) -> AnyArray:
    try:
        return np.asarray(X)
    except ValueError as error:
        raise ValueError(f"{owner}: X must have rows of one length; {error}.") from None
