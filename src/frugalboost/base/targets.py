"""Labels, targets and weights as users pass them."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
from sklearn.utils import check_array, check_consistent_length, column_or_1d

from frugalboost._typing import AnyArray, Floats
from frugalboost.data import BinnedDataset
from frugalboost.rules.weights import each_once


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


def read_targets(y: Any, owner: str) -> Floats:
    """Return real targets as floats, finite and of a size that can be squared."""
    if y is None:
        raise ValueError(
            f"{owner}: y must hold a target for each row; got None. This estimator "
            "requires y to be passed, but the target y is None."
        )
    targets = check_array(
        column_or_1d(y, warn=True),
        dtype=np.float64,
        ensure_2d=False,
        input_name="y",
        estimator=owner,
    )
    largest = float(np.abs(targets).max(initial=0.0))
    if largest > 1e100:
        raise ValueError(
            f"{owner}: y must be within -1e100 and 1e100, so that squares do not overflow; "
            f"got {largest:g}."
        )
    return np.asarray(targets, dtype=np.float64)


def read_weights(sample_weight: Any, n_rows: int, owner: str) -> Floats:
    """Return sample weights as floats; None stands for ones."""
    rule = f"{owner}: sample_weight must be one finite number >= 0 for each row, not all zero"
    if sample_weight is None:
        return np.broadcast_to(1.0, n_rows)  # one number, read n_rows times
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{rule}; {error}.") from None
    if weights.ndim == 0:
        weights = np.full(n_rows, weights)
    if weights.ndim != 1:
        raise ValueError(f"{rule}; Sample weights must be 1D array or scalar, got {weights.ndim}D.")
    if len(weights) != n_rows:
        raise ValueError(f"{rule}; got {len(weights)} weights for {n_rows} rows.")
    if not np.isfinite(weights).all():
        kind = "NaN" if np.isnan(weights).any() else "infinity"
        raise ValueError(f"{rule}; got {kind}.")
    if (weights < 0).any():
        raise ValueError(f"{rule}; got {float(weights.min())!r}.")
    if not weights.any():
        raise ValueError(f"{rule}; got only zeros.")
    return of_ordinary_size(weights)


def all_count(weights: Floats) -> bool:
    """Whether no weight is zero.

    >>> all_count(np.broadcast_to(1.0, 3)), all_count(np.array([1.0, 0.0]))
    (True, False)
    """
    return bool(each_once(weights).all())


def of_ordinary_size(weights: Floats) -> Floats:
    """Scale extreme weights by a power of two, hence exactly, so that no sum over- or underflows.

    Positive weights stay positive; those beyond 2^100 count as so many repetitions at most.

    >>> of_ordinary_size(np.array([0.0, 3.0 * 2.0**-200, 2.0**-198]))
    array([0.   , 0.375, 0.5  ])
    """
    exponent = math.frexp(float(weights.max()))[1]
    if abs(exponent) <= 100:
        return weights
    scaled = np.ldexp(weights, (100 if exponent > 100 else 0) - exponent)
    return np.where(weights > 0, np.maximum(scaled, sys.float_info.min), 0.0)
