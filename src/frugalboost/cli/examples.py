"""Rows to learn from or to test on, in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.data import take_rows


@dataclass(frozen=True, eq=False)
class Examples:
    """Rows with labels and, perhaps, weights."""

    X: Any
    y: AnyArray
    weights: Floats | None = None

    def take(self, rows: Ints) -> Examples:
        weights = None if self.weights is None else self.weights[rows]
        return Examples(take_rows(self.X, rows), self.y[rows], weights)

    def blocks(self, n_rows: int) -> Iterator[Examples]:
        """All rows in their order, so many at a time."""
        if len(self) <= n_rows:
            yield self
            return
        for start in range(0, len(self), n_rows):
            yield self.take(np.arange(start, min(start + n_rows, len(self))))

    def __len__(self) -> int:
        return len(self.y)
