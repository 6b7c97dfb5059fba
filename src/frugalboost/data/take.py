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
