"""Greedy trees: the best stump at every node, the node of largest gain first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from frugalboost._typing import Ints
from frugalboost.reference.arms import assessments, make_arms, node_slack
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

    def route(self, columns: Sequence[Column], n_rows: int) -> Ints:
        """Number of the leaf, left to right, that each row ends in, whether grown on or not."""
        leaf_of_row = np.zeros(n_rows, dtype=np.int64)
        nodes: list[tuple[Node, Ints]] = [(self, np.arange(n_rows))]
        number = 0
        while nodes:
            node, rows = nodes.pop()
            if node.stump is None or node.left is None or node.right is None:
                leaf_of_row[rows] = number
                number += 1
                continue
            goes_left = node.stump.goes_left(columns[node.stump.feature])[rows]
            nodes += [(node.right, rows[~goes_left]), (node.left, rows[goes_left])]
        return leaf_of_row

    def as_tuple(self) -> tuple[object, ...]:
        """The tree as nested tuples, to compare with ``==``: a leaf is given by its exact sums."""
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
        queue: list[tuple[float, int, Node, Stump]] = []
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

    def _enqueue(self, queue: list[tuple[float, int, Node, Stump]], number: int, node: Node) -> int:
        stump = self._best_stump(node) if self._is_wanted(node) else None
        if stump is not None:
            # In floats, and not below zero, even by rounding: one rule for all criteria.
            gain = max(0.0, float(node.rows.leaf_loss) - float(stump.loss))
            heappush(queue, (-gain, number, node, stump))
        return number + 1

    def _is_wanted(self, node: Node) -> bool:
        too_deep = self.max_depth is not None and node.depth >= self.max_depth
        return (
            not too_deep and len(node.rows) >= 2 * self.min_samples_leaf and not self._is_pure(node)
        )

    def _is_pure(self, node: Node) -> bool:
        """A pure node has nothing to gain below it.

        Otherwise, even a split that gains nothing is made: under the error criterion its children
        may gain. Least squares of equal responses is not quite zero: the squares were rounded
        up, by less than one unit for each row and output.
        """
        rows = node.rows
        if rows.loss.layout != "real":
            return rows.leaf_loss == 0
        rounded_up = float(len(rows) * (len(rows.cell) // 2))
        squares = float(rows.cell[-1]) + rows.leaf_loss
        return squares <= rounded_up + node_slack(self.columns, rows)

    def _best_stump(self, node: Node) -> Stump | None:
        arms = make_arms(self.columns, node.rows, self.min_samples_leaf)
        stump = self.search(arms)
        self.assessments += assessments(arms)
        return stump

    def _split(self, node: Node, stump: Stump) -> None:
        column = self.columns[stump.feature]
        goes_left = stump.goes_left(column)[node.rows.index]
        codes = column.codes[node.rows.index]
        node.stump = stump.with_unknown(column, codes, int(goes_left.sum()))
        node.left = Node(node.rows.take(goes_left), node.depth + 1)
        node.right = Node(node.rows.take(~goes_left), node.depth + 1)
