"""Features as arms of a bandit: each look at more rows narrows the interval of its loss."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np

from frugalboost.reference.losses import LossValue
from frugalboost.reference.rows import WeightedRows
from frugalboost.reference.splits import (
    Candidate,
    Column,
    Stump,
    categorical_candidates,
    numeric_candidates,
    prefix_is_best,
)


class FeatureArm:
    """One feature at one node, assessed on the heaviest `n_seen` rows.

    `lower` and `upper` enclose the loss of the feature's best stump on all rows: L_m and U_m
    of AP-Boost. Once the arm is complete both are that loss, infinite if no split is valid.
    """

    def __init__(
        self,
        feature: int,
        column: Column,
        node: WeightedRows,
        min_samples_leaf: int,
        slack: LossValue,
    ) -> None:
        self.feature = feature
        self.column = column
        self.node = node
        self.min_samples_leaf = min_samples_leaf
        self.codes = np.asarray(column.codes)[node.index]
        self.n_seen = 0
        self.lower: LossValue = node.loss.unseen(node.total_mass)
        self.upper: LossValue = math.inf
        self.slack = slack
        self._sums = np.zeros((column.n_codes, node.cells.shape[1]), dtype=np.int64)
        self._counts = np.zeros(column.n_codes, dtype=np.int64)
        self._best: Stump | None = None

    @property
    def is_complete(self) -> bool:
        return self.n_seen == len(self.node)

    @property
    def seen_weight(self) -> int:
        return self.node.seen_masses[self.n_seen]

    @property
    def unseen_weight(self) -> int:
        return self.node.total_mass - self.seen_weight

    def assess(self, n: int) -> None:
        """Look at the heaviest `n` rows; those already seen cost nothing."""
        if n <= self.n_seen:
            return
        new = slice(self.n_seen, n)
        # Integer weights: addition commutes, so a chunked, threaded or distributed sum is the
        # same number. With floats, tied features would be ranked by the order of the rows.
        np.add.at(self._sums, self.codes[new], self.node.cells[new])
        np.add.at(self._counts, self.codes[new], 1)
        self.n_seen = n
        self._tighten()

    def assess_weight(self, weight: LossValue) -> None:
        """Look at the fewest further rows that together weigh at least `weight`."""
        if weight >= self.unseen_weight:  # also when the rows left weigh nothing
            self.assess(len(self.node))
        elif weight > 0:
            target = self.seen_weight + math.ceil(weight)
            self.assess(bisect_left(self.node.seen_masses, target))

    def best_stump(self) -> Stump | None:
        """The best valid stump on the rows seen; the first in tie order, or None."""
        return self._best

    def _candidates(self) -> Iterator[Candidate]:
        if self.column.is_categorical:
            layout = self.node.loss.layout
            return categorical_candidates(self.column, self._sums, self._counts, layout)
        return numeric_candidates(self.column, self._sums, self._counts)

    def _is_valid(self, candidate: Candidate) -> bool:
        smaller = min(candidate.n_left, self.n_seen - candidate.n_left)
        return smaller >= max(self.min_samples_leaf, 1)

    def _tighten(self) -> None:
        seen = self._sums.sum(axis=0)
        self._best = None
        lowest: LossValue = math.inf
        for candidate in self._candidates():
            right = (seen - candidate.left).tolist()
            loss = self.node.loss.split(candidate.left, right)
            # All splits count for the lower bound: one that is not yet valid may become so.
            lowest = min(lowest, loss)
            if self._is_valid(candidate) and (self._best is None or loss < self._best.loss):
                self._best = Stump(
                    loss,
                    self.feature,
                    candidate.bin,
                    candidate.categories,
                    candidate.missing_left,
                )
        self.lower, self.upper = self._bounds(lowest)

    def _bounds(self, lowest: LossValue) -> tuple[LossValue, LossValue]:
        best = math.inf if self._best is None else self._best.loss
        if self.is_complete:
            return best, best
        if bounds_by_finest(self.column, self.node):
            # Another order of the categories may be scanned later, so the current splits
            # bound nothing; the finest partition does.
            lowest = self.node.loss.finest(self._sums.tolist())
        lowest += self.node.loss.unseen(self.unseen_weight)
        if self.column.is_categorical or self._best is None:
            return lowest, math.inf
        # A threshold valid on some rows is valid on all.
        return lowest, self.node.loss.grown(best, self.unseen_weight)


def make_arms(
    columns: Sequence[Column], node: WeightedRows, min_samples_leaf: int = 1
) -> list[FeatureArm]:
    """Return an arm for every feature with two or more codes; the others can never split."""
    slack = node_slack(columns, node)
    return [
        FeatureArm(feature, column, node, min_samples_leaf, slack)
        for feature, column in enumerate(columns)
        if column.n_codes > 1
    ]


def bounds_by_finest(column: Column, node: WeightedRows) -> bool:
    """Whether only the finest partition of the categories bounds the loss of the splits tried."""
    return column.is_categorical and not prefix_is_best(node.loss.layout, node.cells.shape[1])


def node_slack(columns: Sequence[Column], node: WeightedRows) -> LossValue:
    """How far rounding can put a lower bound at this node above the loss that it bounds."""
    finest = [column.n_codes for column in columns if bounds_by_finest(column, node)]
    return node.loss.slack(node.cell, max(finest, default=0))


def assessments(arms: Sequence[FeatureArm]) -> int:
    """Example-feature pairs looked at, the papers' unit of work."""
    return sum(arm.n_seen for arm in arms)
