"""Reduced-error pruning: rows held out from growing decide which subtrees are worth their leaves.

The loss of each node as a leaf on the held-out rows is all that the decision needs (`cut_nodes`);
`rules.held_out` has the losses. Trees are given by their children, as in the arrays of `FlatTree`
and of the core's grown nodes: children come after their parent, -1 at a leaf. Leaves, old and new,
are numbered in the order of their nodes.
"""

from __future__ import annotations

import numpy as np

from frugalboost._typing import AnyArray, Bools, Floats, Ints
from frugalboost.tree.flat import FlatTree


def cut_nodes(left: AnyArray, right: AnyArray, loss_as_leaf: AnyArray) -> Bools:
    """Inner nodes that lose no more as a leaf than the best pruning of the subtree below them.

    Cutting these gives the pruning with the least loss, and the smallest of those. Nodes below a
    cut one may be marked as well.

    >>> cut_nodes(np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1]),
    ...           np.array([9, 1, 5, 2, 3]))
    array([False, False,  True, False, False])
    """
    cut = np.zeros(len(left), dtype=bool)
    loss = loss_as_leaf.tolist()  # Python's integers do not overflow, and lists loop faster
    children = list(zip(left.tolist(), right.tolist(), strict=True))
    for node in np.flatnonzero(left >= 0)[::-1].tolist():
        first, second = children[node]
        below = loss[first] + loss[second]
        cut[node] = loss[node] <= below
        loss[node] = min(loss[node], below)
    return cut


def sums_by_node(left: AnyArray, right: AnyArray, leaf_sums: AnyArray) -> AnyArray:
    """Sums over the rows of every node from those of the leaves, (n_leaves, ...).

    >>> sums_by_node(np.array([1, -1, -1]), np.array([2, -1, -1]), np.array([3, 4]))
    array([7, 3, 4])
    """
    sums = np.zeros((len(left), *leaf_sums.shape[1:]), dtype=leaf_sums.dtype)
    sums[left < 0] = leaf_sums
    for nodes in reversed(inner_by_depth(left, right)):
        sums[nodes] = sums[left[nodes]] + sums[right[nodes]]
    return sums


def inner_by_depth(left: AnyArray, right: AnyArray) -> list[Ints]:
    """Inner nodes of each depth: those of one depth can be processed at once.

    >>> inner_by_depth(np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1]))
    [array([0]), array([2])]
    """
    levels: list[Ints] = []
    nodes = np.flatnonzero(left[:1] >= 0)
    while len(nodes):
        levels.append(nodes)
        below = np.concatenate([left[nodes], right[nodes]])
        nodes = below[left[below] >= 0]
    return levels


def kept_nodes(left: AnyArray, right: AnyArray, cut: Bools) -> Bools:
    """Nodes of the pruned tree."""
    kept = np.zeros(len(left), dtype=bool)
    kept[0] = True
    for nodes in inner_by_depth(left, right):
        kept[left[nodes]] = kept[right[nodes]] = kept[nodes] & ~cut[nodes]
    return kept


def group_of_leaf(left: AnyArray, right: AnyArray, cut: Bools) -> Ints:
    """Number of the new leaf that each old leaf has become part of, (n_leaves,).

    >>> group_of_leaf(np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1]),
    ...               np.array([False, False, True, False, False]))
    array([0, 1, 1])
    """
    is_new_leaf = kept_nodes(left, right, cut) & ((left < 0) | cut)
    group = np.cumsum(is_new_leaf) - 1
    ends = is_new_leaf.copy()  # nodes in or below a new leaf: their group is known
    for nodes in inner_by_depth(left, right):
        above = nodes[ends[nodes]]
        for children in (left[above], right[above]):
            group[children], ends[children] = group[above], True
    return np.asarray(group[left < 0], dtype=np.int64)


def collapse(tree: FlatTree, cut: Bools, values: Floats | None = None) -> FlatTree:
    """The tree whose `cut` nodes are leaves; nodes keep their order.

    Parameters
    ----------
    tree : FlatTree
    cut : (n_nodes,) inner nodes to cut; those below a cut one have no effect
    values : (n_new_leaves, n_outputs) or None
        Values of the new leaves; None: those that `tree.value` has at their nodes.
    """
    kept = kept_nodes(tree.left, tree.right, cut)
    is_leaf = (tree.is_leaf | cut)[kept]
    number = np.cumsum(kept) - 1

    def at_inner(array: AnyArray, at_leaf: float) -> AnyArray:
        return np.where(is_leaf, at_leaf, array[kept]).astype(array.dtype)

    def renumbered(children: AnyArray) -> AnyArray:
        return np.where(is_leaf, -1, number[children[kept]]).astype(children.dtype)

    if values is None:
        values = tree.value[kept][is_leaf]
    value = np.zeros((len(is_leaf), values.shape[1]))
    value[is_leaf] = values
    n_categories = at_inner(tree.n_categories, 0)
    start, words = _packed_words(tree, at_inner(tree.category_start, -1), n_categories)
    return FlatTree(
        feature=at_inner(tree.feature, -1),
        threshold=at_inner(tree.threshold, np.nan),
        left=renumbered(tree.left),
        right=renumbered(tree.right),
        missing_left=at_inner(tree.missing_left, 0),
        category_start=start,
        n_categories=n_categories,
        category_words=words,
        value=value,
        gain=at_inner(tree.gain, 0.0),
        n_samples=tree.n_samples[kept],
        n_features=tree.n_features,
    )


def _packed_words(
    tree: FlatTree, start: AnyArray, n_categories: AnyArray
) -> tuple[AnyArray, AnyArray]:
    """The category words that are still used, in their old order, and where each node's begin."""
    packed, words = start.copy(), [tree.category_words[:0]]
    n_words = 0
    for node in np.argsort(start)[np.sum(start < 0) :]:
        own = tree.category_words[start[node] :][: -(-n_categories[node] // 64)]
        packed[node] = n_words
        words.append(own)
        n_words += len(own)
    return packed, np.concatenate(words)
