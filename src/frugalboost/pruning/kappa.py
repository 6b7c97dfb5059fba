"""Kappa of every pair of members (section 3.3), from exact counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frugalboost._progress import OnShare, ignore_progress
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.pruning.backfitting import MAX_SWEEPS, backfit

UNITS = 2.0**50
"""Kappas are summed as integers in these units: the sums do not depend on the order."""


@dataclass(frozen=True, eq=False)
class PairTable:
    """Kappa of all pairs i < j, in the order (0, 1), (0, 2), ..., as exact fractions.

    For a pair that agrees on A of m rows, and by chance would agree on R / m of them, kappa is
    ``(m A - R) / (m^2 - R)``. If both members always predict the same single class, that is 0 / 0,
    and as they agree on every row, kappa is 1.

    Attributes
    ----------
    first, second : (n_pairs,), members
    numerators, denominators : (n_pairs,), integers; denominators above 0
    """

    first: Ints
    second: Ints
    numerators: Ints
    denominators: Ints

    @classmethod
    def from_votes(
        cls, votes: AnyArray, n_classes: int, on_share: OnShare = ignore_progress
    ) -> PairTable:
        """Count where members agree; `on_share` is called with the share of the pairs.

        >>> table = PairTable.from_votes(np.array([[0, 0, 1, 1], [0, 1, 1, 1], [1, 1, 0, 0]]), 2)
        >>> table.kappa
        array([ 0.5, -1. , -0.5])
        """
        n_members, m = votes.shape
        first, second = np.triu_indices(n_members, 1)
        class_counts = np.array(
            [np.bincount(vote, minlength=n_classes) for vote in votes], dtype=np.int64
        )
        by_chance = (class_counts @ class_counts.T)[first, second]
        numerators = m * agreements(votes, on_share) - by_chance
        denominators = m * m - by_chance
        is_undefined = denominators == 0
        numerators[is_undefined] = denominators[is_undefined] = 1
        return cls(first, second, numerators, denominators)

    @property
    def kappa(self) -> Floats:
        """Rounded once, so equal fractions are equal and the order is right.

        The integers divided are exact as long as there are fewer than 2^26 rows.
        """
        return np.asarray(self.numerators / self.denominators)


def agreements(votes: AnyArray, on_share: OnShare = ignore_progress) -> Ints:
    """Rows on which each pair agrees, in the order of `PairTable`."""
    n_pairs = max(1, len(votes) * (len(votes) - 1) // 2)
    counts: list[int] = []
    for member in range(len(votes)):
        # Comparing bytes and counting row by row takes a few microseconds per pair, whatever the
        # number of classes; a product of matrices of ones and zeros takes K times as long.
        agree = votes[member + 1 :] == votes[member]
        counts += [int(np.count_nonzero(row)) for row in agree]
        on_share(len(counts) / n_pairs)
    return np.array(counts, dtype=np.int64)


def kappa_order(table: PairTable, n_members: int) -> Ints:
    """Members by the lowest kappa of their pairs, the lower member of a pair first."""
    if n_members == 1:
        return np.zeros(1, dtype=np.int64)
    order = np.argsort(table.kappa, kind="stable")
    members = np.stack([table.first[order], table.second[order]], axis=1).ravel()
    _, at = np.unique(members, return_index=True)
    return np.asarray(members[np.sort(at)])


class KappaSums:
    """Sum of the kappas between a set of members and each member."""

    def __init__(self, table: PairTable, n_members: int) -> None:
        self._units = np.zeros((n_members, n_members), dtype=np.int64)
        units = np.rint(table.kappa * UNITS).astype(np.int64)
        self._units[table.first, table.second] = self._units[table.second, table.first] = units
        self._sums = np.zeros(n_members, dtype=np.int64)

    def add(self, member: int) -> None:
        self._sums += self._units[member]

    def remove(self, member: int) -> None:
        self._sums -= self._units[member]

    def costs(self) -> Ints:
        """The sum within the set is the same for all, so it may be left out."""
        return self._sums.copy()


def kappa_backfitting(
    table: PairTable,
    n_members: int,
    n_kept: int,
    max_sweeps: int = MAX_SWEEPS,
    on_share: OnShare = ignore_progress,
) -> list[Ints]:
    """Sets of each size with a small sum of kappas, starting with the pair of the lowest kappa."""
    start = kappa_order(table, n_members)[:2].tolist()
    return backfit(KappaSums(table, n_members), start, n_kept, max_sweeps, on_share)
