"""Rows in bins, and their means."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost._typing import Floats, Ints
from frugalboost.plots._checks import check_line


class Bins:
    """Rows grouped by bin; bins without rows, or without weight, are left out.

    Attributes
    ----------
    counts : rows in each bin
    masses : total weight of each bin
    """

    def __init__(self, number: Ints, weights: Floats) -> None:
        self._number, self._weights = number, weights
        totals: Floats = np.bincount(number, weights).astype(np.float64, copy=False)
        self._used = np.flatnonzero(totals)
        self.counts: Ints = np.bincount(number)[self._used]
        self.masses: Floats = totals[self._used]

    def mean(self, values: Any) -> Floats:
        """Weighted mean of the rows of each bin."""
        sums = np.bincount(self._number, self._weights * values)
        return np.asarray(sums[self._used] / self.masses)


def by_quantiles(values: Floats, n_bins: int) -> Ints:
    """Bins of rows with similar values, with about as many rows in each."""
    cuts = np.quantile(values, np.arange(1, n_bins) / n_bins)
    return np.searchsorted(cuts, values, side="left")


def check_weights(weights: Any, n: int, *, like: str) -> Floats:
    """Return weights of n rows: ones if `weights` is None."""
    if weights is None:
        return np.ones(n)
    numbers = check_line(weights, n, name="sample_weight", like=like)
    odd = numbers[~(np.isfinite(numbers) & (numbers >= 0))]
    if len(odd) or not numbers.any():
        raise ValueError(
            "sample_weight must be finite, at least 0, and not all 0; "
            f"got {odd[0] if len(odd) else 0.0}."
        )
    return numbers
