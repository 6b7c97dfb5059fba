"""Weights as integers: ``max(1, rint(w * 2^s))``, so that sums are exact in any order."""

from __future__ import annotations

import math

import numpy as np

from frugalboost._typing import Floats, Ints

TARGET_BITS = 50
FEWEST_BITS, MOST_BITS = 40, 60


def choose_shift(weights: Floats) -> int:
    """The ``s`` that brings the total to [2^49, 2^50).

    >>> choose_shift(np.array([0.5, 0.25]))
    50
    """
    # fsum is exact, so the shift does not depend on the order of the rows.
    return TARGET_BITS - math.frexp(math.fsum(weights.ravel()))[1]


def keep_shift(shift: int, weights: Floats) -> int:
    """Keep the shift while the total stays in [2^40, 2^60], so that an unchanged weight
    keeps its integer; choose anew otherwise."""
    bits = math.frexp(math.fsum(weights.ravel()))[1] + shift
    return shift if FEWEST_BITS < bits <= MOST_BITS else choose_shift(weights)


def fixed_point(weights: Floats, shift: int) -> Ints:
    """Round to units of ``2^-shift``; at least one unit, so that no row disappears.

    >>> fixed_point(np.array([0.5, 0.3, 1e-9]), 10)
    array([512, 307,   1])
    """
    return np.maximum(np.rint(np.ldexp(weights, shift)), 1).astype(np.int64)
