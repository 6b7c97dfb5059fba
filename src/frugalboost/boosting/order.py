"""The rows in decreasing order of mass, for the searches that read the heaviest first."""

from __future__ import annotations

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Rows
from frugalboost.tree import AnyProblem, GrownTree

ORDERED = ("quick", "adaptive")
"""Searches that want their rows in this order."""


class WeightOrder:
    """Sorts once and merges from then on.

    A round moves all rows of one leaf and class alike, so each such group stays in order. After
    rounds that asked for no order, the last one is stale; merging then finds more runs.
    """

    def __init__(self, n_classes: int, n_threads: int = 1) -> None:
        self._n_classes = n_classes
        self._n_threads = n_threads
        self._rows: Rows | None = None
        self._last: GrownTree | None = None

    def note(self, grown: GrownTree) -> None:
        """Remember the tree that the next weights will be due to."""
        self._last = grown

    def rows(self, problem: AnyProblem) -> Rows:
        """All rows, heaviest first."""
        if self._rows is None or self._last is None:  # a merge of whatever is in order by itself
            rows = np.arange(problem.n_rows, dtype=np.uint32)
            group, n_groups = np.zeros(problem.n_rows, dtype=np.int32), 1
        else:
            rows, (group, n_groups) = self._rows, self._groups(self._last, problem)
        self._rows = native.merge_by_mass(rows, problem.mass, group, n_groups, self._n_threads)
        return self._rows

    def _groups(self, last: GrownTree, problem: AnyProblem) -> tuple[AnyArray, int]:
        """Which rows a tree moves alike, and how many groups there are."""
        group, n_groups = last.leaf_of_row, last.nodes.n_leaves
        if problem.labels is None:
            return group, n_groups
        group *= self._n_classes
        group += problem.labels.astype(np.int32)
        return group, n_groups * self._n_classes
