"""The rows in decreasing order of mass, for the searches that read the heaviest first."""

from __future__ import annotations

import numpy as np

from frugalboost import native
from frugalboost._typing import Rows
from frugalboost.tree import AnyProblem, GrownTree

ORDERED = ("quick", "adaptive")
"""Searches that want their rows in this order."""


class WeightOrder:
    """Sorts once and merges from then on.

    A round moves all rows of one leaf and class alike, so each such group stays in order. After
    rounds that asked for no order, the last one is stale; merging then finds more runs.
    """

    def __init__(self, n_classes: int) -> None:
        self._n_classes = n_classes
        self._rows: Rows | None = None
        self._last: GrownTree | None = None

    def note(self, grown: GrownTree) -> None:
        """Remember the tree that the next weights will be due to."""
        self._last = grown

    def rows(self, problem: AnyProblem) -> Rows:
        """All rows, heaviest first."""
        if self._rows is None or self._last is None:
            self._rows = np.argsort(-problem.mass, kind="stable").astype(np.uint32)
        else:
            self._rows = self._merged(self._rows, self._last, problem)
        return self._rows

    def _merged(self, rows: Rows, last: GrownTree, problem: AnyProblem) -> Rows:
        group = last.leaf_of_row
        n_groups = last.nodes.n_leaves
        if problem.labels is not None:
            group = group * self._n_classes + problem.labels.astype(np.int32)
            n_groups *= self._n_classes
        return np.asarray(native.merge_by_mass(rows, problem.mass, group, n_groups))
