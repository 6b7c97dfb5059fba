"""Error-based pruning of C4.5 (Quinlan 1993, chapter 4), from counts of cases.

`best_pruning` (reduced_error.py) takes the numbers of `predicted_errors` as losses: it replaces a
subtree by a leaf where that does not raise the predicted errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, fsum


def at_most(errors: int, cases: int, rate: float) -> float:
    """Probability of at most this many errors among the cases, each an error at this rate.

    >>> at_most(0, 2, 0.5), at_most(1, 2, 0.5)
    (0.25, 0.75)
    """
    return fsum(
        comb(cases, k) * rate**k * (1 - rate) ** (cases - k) for k in range(min(errors, cases) + 1)
    )


def upper_limit(errors: int, cases: int, confidence: float) -> float:
    """``U_CF(E, N)``: the rate at which at most E errors in N cases have probability CF.

    >>> round(upper_limit(0, 6, 0.25), 3), round(upper_limit(1, 16, 0.25), 3)
    (0.206, 0.16)
    """
    low, high = 0.0, 1.0
    for _ in range(60):  # the probability falls as the rate rises
        middle = (low + high) / 2
        if at_most(errors, cases, middle) > confidence:
            low = middle
        else:
            high = middle
    return high


def predicted_errors(cases_by_class: Sequence[int], confidence: float) -> float:
    """``N * U_CF(E, N)`` of a leaf that names its most frequent class."""
    cases = sum(cases_by_class)
    return cases * upper_limit(cases - max(cases_by_class), cases, confidence)
