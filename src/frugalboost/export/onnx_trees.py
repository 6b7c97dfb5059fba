"""Trees as the attributes of ONNX's TreeEnsemble (ai.onnx.ml, version 5)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.export.description import Description, left_codes
from frugalboost.tree import FlatTree

BRANCH_LEQ, BRANCH_LT, BRANCH_MEMBER = 0, 1, 6
SUM, NO_TRANSFORM = 1, 0


@dataclass(frozen=True)
class Children:
    """A tree's children on one side: numbers of its inner nodes, or of its leaves."""

    number: AnyArray
    is_leaf: AnyArray

    def shifted(self, n_nodes: int, n_leaves: int) -> AnyArray:
        """The numbers when this many nodes and leaves of other trees come first."""
        return self.number + np.where(self.is_leaf, n_leaves, n_nodes)


@dataclass(frozen=True)
class Nodes:
    """The inner nodes of a tree as columns, and the members of those that split by a set."""

    feature: AnyArray
    mode: AnyArray
    split: Floats
    if_true: Children
    if_false: Children
    missing_is_true: AnyArray
    members: list[Floats]

    def __len__(self) -> int:
        return len(self.feature)


def one_leaf() -> Nodes:
    """A tree without a split: a node whose branches both lead to its leaf."""
    zero = np.zeros(1, dtype=np.int64)
    only = Children(zero, np.ones(1, dtype=bool))
    return Nodes(zero, zero, np.zeros(1), only, only, zero, [])


def nodes_of(tree: FlatTree) -> Nodes:
    """The inner nodes of a tree."""
    inner = np.flatnonzero(~tree.is_leaf)
    if len(inner) == 0:
        return one_leaf()
    left, right = tree.left[inner], tree.right[inner]
    is_set = tree.category_start[inner] >= 0
    # Categories unknown to a node follow the missing values. So where these go left, the members
    # are those that go right: whatever is not a member then goes left, as it should.
    is_swapped = is_set & (tree.missing_left[inner] != 0)
    sets = zip(inner[is_set].tolist(), is_swapped[is_set].tolist(), strict=True)
    members = [np.flatnonzero(left_codes(tree, at) != swapped) for at, swapped in sets]
    mode = np.where(is_set, BRANCH_MEMBER, BRANCH_LEQ)
    split = np.where(is_set, 0.0, tree.threshold[inner])
    for at, known in zip(np.flatnonzero(is_set).tolist(), members, strict=True):
        if len(known) == 0:  # true for no value, like a set without members
            mode[at], split[at] = BRANCH_LT, -np.inf
    return Nodes(
        feature=tree.feature[inner],
        mode=mode,
        split=split,
        if_true=children(tree, np.where(is_swapped, right, left)),
        if_false=children(tree, np.where(is_swapped, left, right)),
        missing_is_true=np.where(is_set, 0, tree.missing_left[inner]),
        members=[known.astype(np.float64) for known in members if len(known)],
    )


def children(tree: FlatTree, nodes: AnyArray) -> Children:
    """Nodes of a tree, numbered as in ONNX: inner nodes and leaves separately."""
    number = np.where(tree.is_leaf, np.cumsum(tree.is_leaf), np.cumsum(~tree.is_leaf)) - 1
    return Children(number[nodes], tree.is_leaf[nodes])


@dataclass
class Attributes:
    """The trees so far, joined. A leaf holds one number, so each output has trees of its own."""

    columns: dict[str, list[AnyArray]] = field(default_factory=dict)
    roots: list[int] = field(default_factory=list)
    n_nodes: int = 0
    n_leaves: int = 0

    def add(self, nodes: Nodes, weights: Floats, output: int) -> None:
        """Add a tree whose leaves, in their order, have the values `weights`."""
        if self._root_looks_like_a_leaf(nodes):
            self._add_leaves(np.zeros(1), 0)
        self.roots.append(self.n_nodes)
        self._put(
            nodes_featureids=nodes.feature,
            nodes_modes=nodes.mode,
            nodes_splits=nodes.split,
            nodes_truenodeids=nodes.if_true.shifted(self.n_nodes, self.n_leaves),
            nodes_trueleafs=nodes.if_true.is_leaf,
            nodes_falsenodeids=nodes.if_false.shifted(self.n_nodes, self.n_leaves),
            nodes_falseleafs=nodes.if_false.is_leaf,
            nodes_missing_value_tracks_true=nodes.missing_is_true,
        )
        for known in nodes.members:
            self._put(membership_values=np.append(known, np.nan))
        self.n_nodes += len(nodes)
        self._add_leaves(weights, output)

    def _root_looks_like_a_leaf(self, nodes: Nodes) -> bool:
        """Whether one of the root's children is a node, the other a leaf, with the same number.

        Some versions of onnxruntime take such a tree for a leaf (their issue 24679). Adding a leaf
        to which nothing leads makes the numbers differ.
        """
        ends = [
            side.shifted(self.n_nodes, self.n_leaves)[0] for side in (nodes.if_true, nodes.if_false)
        ]
        return bool(ends[0] == ends[1] and nodes.if_true.is_leaf[0] != nodes.if_false.is_leaf[0])

    def _add_leaves(self, weights: Floats, output: int) -> None:
        self._put(leaf_weights=weights, leaf_targetids=np.full(len(weights), output))
        self.n_leaves += len(weights)

    def _put(self, **columns: AnyArray) -> None:
        for name, column in columns.items():
            self.columns.setdefault(name, []).append(column)


TENSORS = {
    "nodes_modes": np.uint8,
    "nodes_splits": np.float64,
    "leaf_weights": np.float64,
    "membership_values": np.float64,
}
"""Attributes that are tensors; the others are lists of integers."""


def tree_columns(model: Description) -> dict[str, AnyArray]:
    """All trees of a model. The baseline is a tree of its own, from which the sum starts."""
    attributes = Attributes()
    if model.baseline != 0:
        attributes.add(one_leaf(), np.array([model.baseline]), 0)
    for tree in model.trees:
        nodes, leaf_values = nodes_of(tree.splits), tree.values[tree.splits.is_leaf]
        for at in range(leaf_values.shape[1]):
            attributes.add(nodes, leaf_values[:, at], tree.first_output + at)
    joined = {name: np.concatenate(parts) for name, parts in attributes.columns.items()}
    return {"tree_roots": np.array(attributes.roots), **joined}
