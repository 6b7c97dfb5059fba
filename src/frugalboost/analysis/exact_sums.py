"""Sums of integer weights by cell, exact although `numpy.bincount` adds in float64."""

from __future__ import annotations

import numpy as np

from frugalboost._typing import Floats, Ints

FLOAT_BITS = 53
HALF_BITS = 30
# Low halves are below 2^30, so the sum of this many of them is below 2^53.
BLOCK_ROWS = 1 << (FLOAT_BITS - HALF_BITS)


class ExactWeights:
    """Non-negative weights with a total below 2^62, to be summed by cell.

    Sums of integers are exact in float64 while they stay below 2^53, in whatever order they are
    added. Weights with a smaller total are added as they are; others in two halves, the lower 30
    bits and the rest, whose sums stay small enough for blocks of 2^23 rows.

    >>> weights = ExactWeights(np.array([2**60, 1, 1]))
    >>> weights.by_cell(np.array([0, 0, 1]), 0, 3, n_cells=2) == [2**60 + 1, 1]
    array([ True,  True])
    """

    def __init__(self, weights: Ints) -> None:
        self._parts: list[tuple[Floats, int]]
        if int(weights.sum()) < 1 << FLOAT_BITS:
            self._parts = [(weights.astype(np.float64), 0)]
        else:
            low = weights & ((1 << HALF_BITS) - 1)
            high = weights >> HALF_BITS
            self._parts = [(low.astype(np.float64), 0), (high.astype(np.float64), HALF_BITS)]

    def by_cell(self, cells: Ints, start: int, stop: int, n_cells: int) -> Ints:
        """Return the sum of each cell over rows `start` to `stop`; `cells` holds all rows."""
        sums = np.zeros(n_cells, dtype=np.int64)
        for begin in range(start, stop, BLOCK_ROWS):
            block = slice(begin, min(begin + BLOCK_ROWS, stop))
            for weights, bits in self._parts:
                block_sums = np.bincount(cells[block], weights[block], n_cells)
                sums += block_sums.astype(np.int64) << bits
        return sums
