"""Pessimistic pruning (C4.5, error-based): the rows a tree grew on decide which subtrees to keep.

Those rows flatter the tree, the more so the fewer of them a leaf has. So a leaf's error rate is
taken to be the upper limit of a confidence interval, and a subtree is cut if a leaf in its place
is not expected to be wrong more often: `reduced_error.cut_nodes` decides with these numbers.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import betaincinv

from frugalboost._typing import AnyArray, Floats


def error_limit(wrong: AnyArray, right: AnyArray, confidence: float) -> Floats:
    """The error rate at which `wrong` or fewer wrong answers have the probability `confidence`.

    Parameters
    ----------
    wrong, right : (n,)
        Numbers of answers, not necessarily whole; `right` is above 0.
    confidence : float in (0, 1)

    Returns
    -------
    limit : (n,)
        The p with ``P(Binomial(wrong + right, p) <= wrong) = confidence``: U_CF(E, N) in the book,
        whose program uses a normal approximation for one wrong answer or more.

    >>> error_limit(np.array([0, 0, 1]), np.array([6, 1, 15]), 0.25).round(3)
    array([0.206, 0.75 , 0.16 ])
    """
    limit = -np.expm1(math.log(confidence) / right)  # where none is wrong, as with most leaves
    some = np.flatnonzero(wrong)
    limit[some] = betaincinv(wrong[some] + 1.0, right[some], 1.0 - confidence)
    return np.asarray(limit)


def expected_errors(sums: AnyArray, example: float, confidence: float) -> Floats:
    """How many examples each node would get wrong as a leaf that names its heaviest class.

    Parameters
    ----------
    sums : (n_nodes, K) weights of the classes, some above 0 in each node
    example : float
        Weight of an average example, in the same units.
    confidence : float in (0, 1)

    >>> expected_errors(np.array([[6, 0], [15, 1]]), 1.0, 0.25).round(3)
    array([1.238, 2.554])
    """
    total, most = sums.sum(axis=1), sums.max(axis=1)
    wrong = (total - most) / example  # of integers: 0 means no wrong answer at all
    return np.asarray(total / example * error_limit(wrong, most / example, confidence))
