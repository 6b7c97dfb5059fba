"""The shape of X: two dimensions, at least one row, as many rows as y."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_array, check_consistent_length

from frugalboost._typing import AnyArray
from frugalboost.data import BinnedDataset, check_kind


def count_rows(X: Any, y: AnyArray, owner: str) -> int:
    """Return the number of rows, or say that X and y differ."""
    if isinstance(X, BinnedDataset):
        if X.n_rows != len(y):
            raise ValueError(
                f"{owner}: y must have one entry for each of the {X.n_rows} rows of X; "
                f"got {len(y)}."
            )
        return X.n_rows
    check_consistent_length(X, y)
    if len(y) == 0:
        raise ValueError(
            f"Found array with 0 sample(s) while a minimum of 1 is required by {owner}."
        )
    return len(y)


def check_shape(X: Any, owner: str) -> None:
    """Say what is wrong with the kind or shape of X, before anything counts features."""
    check_kind(X, owner=owner)
    if getattr(X, "ndim", None) == 1 or (isinstance(X, list) and (not X or np.ndim(X[0]) == 0)):
        check_array(X, dtype=None, ensure_all_finite=False, estimator=owner, input_name="X")
