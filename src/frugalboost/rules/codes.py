"""Class codes: class k as the vector with 1 at k and -1 / (K - 1) elsewhere.

The codes sum to zero, as do decisions built from them, and the multi-class exponential loss is
``exp(-y . F / K)``. For two classes the decision is the second component alone: with
``F = (-f, f)`` the loss is the usual ``exp(-y f)``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import is_rounding, perfect_log_odds
from frugalboost.rules.problem import LeafSums


class ClassTally(NamedTuple):
    """The classes that a tree's leaves name, each its heaviest, and the weight of their answers.

    >>> tally = ClassTally.from_leaves(LeafSums(np.array([[3.0, 1.0, 0.0]]), n_rows=4))
    >>> tally.codes, tally.right, tally.wrong
    (array([[ 1. , -0.5, -0.5]]), 3.0, 1.0)
    """

    codes: Floats  # of the classes named, ties to the lowest: (n_leaves, 1) of -1 and 1, or K
    right: float
    wrong: float
    n_rows: int
    n_examples: float

    @classmethod
    def from_leaves(cls, leaves: LeafSums) -> ClassTally:
        """Count the answers. `wrong` is a sum over the other classes, never a difference, so it
        is 0 only if no row is wrong."""
        codes, right, wrong = native.name_classes(leaves.telling)
        if leaves.grown is not None:
            right, wrong = weigh_answers(codes, leaves.sums)
        return cls(codes, right, wrong, leaves.n_rows, leaves.size)

    @property
    def error(self) -> float:
        """Weighted share of wrong answers."""
        return self.wrong / (self.right + self.wrong)

    @property
    def is_perfect(self) -> bool:
        """No training row is wrong."""
        return self.wrong == 0

    @property
    def log_odds(self) -> float:
        """``ln((1 - err) / err)``, finite for a perfect tree as well."""
        if self.is_perfect:
            return perfect_log_odds(self.n_examples)
        return math.log(self.right) - math.log(self.wrong)

    def is_chance(self, guess: float) -> bool:
        """Right no more often than a guess that is right with probability `guess`."""
        return is_rounding(self.right / (self.right + self.wrong) - guess, self.n_rows)

    def is_worse(self, guess: float) -> bool:
        """Right less often than that, by more than rounding."""
        return not is_rounding(guess - self.right / (self.right + self.wrong), self.n_rows)


def class_codes(labels: AnyArray, n_classes: int) -> Floats:
    """The codes of labels, (n, K); for two classes their second component alone, (n, 1).

    >>> class_codes(np.array([0, 2]), 3)
    array([[ 1. , -0.5, -0.5],
           [-0.5, -0.5,  1. ]])
    >>> class_codes(np.array([0, 1]), 2)
    array([[-1.],
           [ 1.]])
    """
    is_own = labels[:, np.newaxis] == np.arange(n_classes)
    codes = np.where(is_own, 1.0, -1 / (n_classes - 1))
    return codes[:, 1:] if n_classes == 2 else codes


def weigh_answers(codes: Floats, sums: Floats) -> tuple[float, float]:
    """Weight of right and of wrong answers where leaves name these classes.

    >>> weigh_answers(np.array([[1.0], [-1.0]]), np.array([[3.0, 1.0], [2.0, 0.0]]))
    (3.0, 3.0)
    """
    if codes.shape[1] == 1:
        codes = np.hstack([-codes, codes])
    is_named = codes == 1
    return float(sums[is_named].sum()), float(sums[~is_named].sum())


def rise_of_misses(values: Floats, amount: float) -> Floats:
    """`amount` for each leaf and label it gets wrong, else 0: (n_leaves, K).

    `values` are multiples of codes. Adding the zeros to a state leaves it the same bit for bit.

    >>> rise_of_misses(np.array([[-0.5, 1.0, -0.5]]), 2.0)
    array([[2., 0., 2.]])
    """
    return native.raise_misses(values, amount)


def code_margin(decision: Floats, labels: AnyArray) -> Floats:
    """``y . F / K``, for two classes ``y f``: (n,).

    >>> code_margin(np.array([[2.0, -1.0, -1.0]]), np.array([0]))
    array([1.])
    """
    if decision.ndim == 1:
        return np.asarray((2 * labels - 1) * decision)
    n_classes = decision.shape[1]
    own = decision[np.arange(len(decision)), labels]
    # y . F = F_own - (sum F - F_own) / (K - 1); F need not be centred to the last bit.
    return np.asarray((own - decision.sum(axis=1) / n_classes) / (n_classes - 1))
