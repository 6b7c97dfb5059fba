"""Pruning a grown tree before the rule judges it: by rows held out from it, or by its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frugalboost._typing import AnyArray, Bools, Floats, Ints, Rows
from frugalboost.rules import Rule
from frugalboost.tree import AnyProblem, FlatTree, GrownTree, Scale
from frugalboost.tree.fixed_point import sums_by_leaf
from frugalboost.tree.pessimistic import expected_errors
from frugalboost.tree.reduced_error import collapse, cut_nodes, group_of_leaf, sums_by_node


@dataclass(frozen=True, eq=False)
class Pruning:
    """Which nodes of a tree become leaves, and which of its leaves those join.

    The core continues with the tree as grown: leaves that were joined have the same values.

    Attributes
    ----------
    cut : (n_nodes,)
    group_of_leaf : (n_leaves,), new leaf of each leaf of the grown tree
    """

    cut: Bools
    group_of_leaf: Ints

    @property
    def n_leaves(self) -> int:
        """Number of remaining leaves."""
        return int(self.group_of_leaf.max()) + 1

    def join(self, sums: Ints) -> Ints:
        """Sums over the new leaves."""
        joined = np.zeros((self.n_leaves, sums.shape[1]), dtype=sums.dtype)
        np.add.at(joined, self.group_of_leaf, sums)
        return joined

    def spread(self, values: Floats) -> Floats:
        """Values of the grown tree's leaves when those of the new ones are `values`."""
        return np.asarray(values[self.group_of_leaf])

    def collapse(self, tree: FlatTree, values: Floats) -> FlatTree:
        """The grown tree with the new leaves, whose values are `values`."""
        return collapse(tree, self.cut, values)


def prune_with_held_out(
    rule: Rule, problem: AnyProblem, grown: GrownTree, held: Rows, example: float
) -> Pruning:
    """Find the pruning with the least loss on the held-out rows, by the rule's own loss.

    Parameters
    ----------
    problem : the tree was grown on some of its rows
    held : others of its rows
    example : weight of an average example, in units of the problem
    """
    left, right = _children(grown)

    def by_node(leaf_sums: Ints) -> AnyArray:
        return _as_rule_sees(problem.scale, sums_by_node(left, right, leaf_sums))

    held_sums = sums_by_leaf(problem, grown.leaf_of_row, grown.nodes.n_leaves, held)
    losses = rule.held_out_loss(by_node(grown.sums), by_node(held_sums), example)
    return _least(left, right, losses)


def prune_pessimistically(grown: GrownTree, example: float, confidence: float) -> Pruning:
    """Find the pruning with the fewest expected errors, by the rows that the tree grew on.

    Parameters
    ----------
    grown : tree that separates classes
    example : weight of an average example, in units of its sums
    confidence : of the upper limits taken as expected errors
    """
    left, right = _children(grown)
    sums = sums_by_node(left, right, grown.sums)
    return _least(left, right, expected_errors(sums, example, confidence))


def _children(grown: GrownTree) -> tuple[AnyArray, AnyArray]:
    nodes = grown.nodes.arrays()
    return nodes["left"], nodes["right"]


def _least(left: AnyArray, right: AnyArray, losses: AnyArray) -> Pruning:
    cut = cut_nodes(left, right, losses)
    return Pruning(cut, group_of_leaf(left, right, cut))


def _as_rule_sees(scale: Scale, sums: AnyArray) -> AnyArray:
    """Integers where only their ratios matter, so that ties are exact; otherwise floats."""
    if scale.layout == "real":
        return scale.numbers(sums)
    return sums if scale.layout == "classes" else sums.reshape(len(sums), 2, -1)
