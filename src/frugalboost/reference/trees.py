"""Greedy trees: the best stump at every node, the most gaining node first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from frugalboost.reference.arms import assessments, make_arms
from frugalboost.reference.losses import LossValue
from frugalboost.reference.rows import WeightedRows
from frugalboost.reference.searches import Search, exhaustive
from frugalboost.reference.splits import Column, Stump


@dataclass
class Node:
    """A leaf, until it is given a stump and children."""

    rows: WeightedRows
    depth: int
    stump: Stump | None = None
    left: Node | None = None
    right: Node | None = None

    def leaves(self) -> Iterator[Node]:
        """Leaves from left to right."""
        if self.left is None or self.right is None:
            yield self
        else:
            yield from self.left.leaves()
            yield from self.right.leaves()

    def as_tuple(self) -> tuple[object, ...]:
        """The tree as nested tuples, to compare with ``==``: a leaf is its exact sums."""
        if self.stump is None or self.left is None or self.right is None:
            return tuple(self.rows.cell)
        return self.stump, self.left.as_tuple(), self.right.as_tuple()


@dataclass
class TreeGrower:
    """Grows one tree and counts the assessments it took.

    Parameters
    ----------
    max_depth, max_leaf_nodes : int or None
        None: no limit.
    """

    columns: Sequence[Column]
    search: Search = exhaustive
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_leaf: int = 1
    assessments: int = 0

    def grow(self, rows: WeightedRows) -> Node:
        """Split the node with the largest gain, ties to the oldest node, until none is left.

        Without `max_leaf_nodes` the order does not matter, and this is the plain greedy tree.
        """
        root = Node(rows, depth=0)
        queue: list[tuple[LossValue, int, Node, Stump]] = []
        n_nodes = self._enqueue(queue, 0, root)
        n_leaves, most_leaves = 1, self.max_leaf_nodes or math.inf
        while queue and n_leaves < most_leaves:
            _, _, node, stump = heappop(queue)
            self._split(node, stump)
            for child in (node.left, node.right):
                if child is not None:
                    n_nodes = self._enqueue(queue, n_nodes, child)
            n_leaves += 1
        return root

    def _enqueue(
        self, queue: list[tuple[LossValue, int, Node, Stump]], number: int, node: Node
    ) -> int:
        stump = self._best_stump(node)
        if stump is not None:
            loss_change = stump.loss - node.rows.leaf_loss
            heappush(queue, (loss_change, number, node, stump))
        return number + 1

    def _best_stump(self, node: Node) -> Stump | None:
        # A pure node has nothing to gain below it. A split that gains nothing is kept
        # otherwise: under the error criterion its children may gain.
        if node.rows.leaf_loss <= 0 or (
            self.max_depth is not None and node.depth >= self.max_depth
        ):
            return None
        arms = make_arms(self.columns, node.rows, self.min_samples_leaf)
        stump = self.search(arms)
        self.assessments += assessments(arms)
        return stump

    def _split(self, node: Node, stump: Stump) -> None:
        goes_left = stump.goes_left(self.columns[stump.feature])[node.rows.index]
        node.stump = stump
        node.left = Node(node.rows.take(goes_left), node.depth + 1)
        node.right = Node(node.rows.take(~goes_left), node.depth + 1)
