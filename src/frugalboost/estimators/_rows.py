"""How many rows there are, and whether X and y agree on it."""

from __future__ import annotations

from typing import Any

from sklearn.utils import check_consistent_length

from frugalboost._typing import AnyArray
from frugalboost.data import BinnedDataset


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
    return len(y)
