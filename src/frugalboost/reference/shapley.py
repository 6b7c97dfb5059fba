"""Shapley values of one tree for one row, from their definition: a sum over all subsets.

A subset of the features is known. The tree's expectation (Lundberg et al. 2018, algorithm 1) then
follows the row where a split is on a known feature, and otherwise is the mean of both sides,
weighted by the training rows that went there. All in fractions, so that nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import factorial

GoesLeft = Callable[[int], bool]
"""Whether the row goes left at a node."""


@dataclass(frozen=True)
class CountedTree:
    """A tree by its nodes, of which 0 is the root.

    Attributes
    ----------
    feature : feature that a node splits on, -1 at a leaf
    left, right : children of a node
    n_samples : training rows in a node
    value : value of a leaf
    """

    feature: Sequence[int]
    left: Sequence[int]
    right: Sequence[int]
    n_samples: Sequence[int]
    value: Sequence[float]


def expected(
    tree: CountedTree, goes_left: GoesLeft, known: frozenset[int], node: int = 0
) -> Fraction:
    """The tree's expectation for a row of which only the features in `known` are known.

    >>> stump = CountedTree([4, -1, -1], [1, 0, 0], [2, 0, 0], [10, 9, 1], [0.0, 0.0, 1.0])
    >>> [expected(stump, lambda node: False, frozenset(known)) for known in ([], [4])]
    [Fraction(1, 10), Fraction(1, 1)]
    """
    if tree.feature[node] < 0:
        return Fraction(tree.value[node])
    left, right = tree.left[node], tree.right[node]
    if tree.feature[node] in known:
        return expected(tree, goes_left, known, left if goes_left(node) else right)
    n_left, n_right = tree.n_samples[left], tree.n_samples[right]
    below = [expected(tree, goes_left, known, child) for child in (left, right)]
    return (n_left * below[0] + n_right * below[1]) / (n_left + n_right)


def shapley_values(tree: CountedTree, goes_left: GoesLeft, n_features: int) -> list[Fraction]:
    """What each feature adds on average when features become known in random order.

    >>> stump = CountedTree([1, -1, -1], [1, 0, 0], [2, 0, 0], [10, 9, 1], [0.0, 0.0, 1.0])
    >>> shapley_values(stump, lambda node: False, n_features=2)
    [Fraction(0, 1), Fraction(9, 10)]
    """
    used = sorted({feature for feature in tree.feature if feature >= 0})
    values = [Fraction(0)] * n_features  # a feature that no node splits on adds nothing
    for feature in used:
        others = [other for other in used if other != feature]
        for size in range(len(used)):
            share = Fraction(factorial(size) * factorial(len(others) - size), factorial(len(used)))
            for known in map(frozenset, combinations(others, size)):
                without = expected(tree, goes_left, known)
                values[feature] += share * (expected(tree, goes_left, known | {feature}) - without)
    return values
