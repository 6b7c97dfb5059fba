"""Residuals of least squares as integers: the next root's histogram from the last tree's leaves.

A tree subtracts one number from all rows of a leaf. In integers this is exact, so a sum over some
rows of a leaf falls by that number times their count, and no row need be read again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

Histogram: TypeAlias = dict[int, tuple[int, int]]
"""Code: how many rows have it, and the sum of their residuals."""


def rounded_step(value: float, exponent: int) -> int:
    """What a leaf of this value subtracts from each of its rows, in units of ``2**-exponent``.

    >>> rounded_step(0.75, 1), rounded_step(-0.75, 4)
    (2, -12)
    """
    return round(math.ldexp(value, exponent))


def histogram(codes: Sequence[int], residuals: Sequence[int], rows: Sequence[int]) -> Histogram:
    """Counts and sums by code.

    >>> histogram([0, 1, 1], [5, -2, 4], rows=[0, 1, 2])
    {0: (1, 5), 1: (2, 2)}
    """
    cells: Histogram = {}
    for row in rows:
        count, total = cells.get(codes[row], (0, 0))
        cells[codes[row]] = count + 1, total + residuals[row]
    return cells


def next_root(leaves: Sequence[Histogram], steps: Sequence[int]) -> Histogram:
    """The root's histogram once every residual has fallen by the step of its leaf.

    >>> next_root([{0: (1, 5), 1: (1, -2)}, {1: (1, 4)}], steps=[2, 1])
    {0: (1, 3), 1: (2, -1)}
    """
    root: Histogram = {}
    for cells, step in zip(leaves, steps, strict=True):
        for code, (count, total) in cells.items():
            seen, so_far = root.get(code, (0, 0))
            root[code] = seen + count, so_far + total - step * count
    return root
