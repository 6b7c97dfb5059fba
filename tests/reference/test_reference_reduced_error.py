"""Reduced-error pruning finds the best of all prunings, and the smallest of those."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost.reference import all_prunings, best_pruning
from frugalboost.tree.reduced_error import cut_nodes, group_of_leaf, kept_nodes


@st.composite
def trees(draw, max_splits=7):
    """Children of each node, in the order of depth-first or any other growth."""
    left, right, leaves = [-1], [-1], [0]
    for _ in range(draw(st.integers(0, max_splits))):
        node = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        left[node], right[node] = len(left), len(left) + 1
        leaves += [left[node], right[node]]
        left += [-1, -1]
        right += [-1, -1]
    return left, right


@st.composite
def judged_trees(draw, max_splits=7):
    """With what each node loses as a leaf: integers tie often, or are beyond what floats hold."""
    left, right = draw(trees(max_splits))
    sizes = st.sampled_from([st.integers(0, 3), st.integers(0, 40), st.integers(2**60, 2**60 + 9)])
    losses = draw(sizes.flatmap(lambda s: st.lists(s, min_size=len(left), max_size=len(left))))
    return left, right, losses


@settings(deadline=None, max_examples=200)
@given(judged_trees())
def test_theorem_no_pruning_loses_less_and_none_that_loses_the_same_has_fewer_leaves(judged):
    left, right, losses = judged
    loss, leaves = best_pruning(*judged)
    of_all = [(sum(losses[node] for node in each), len(each)) for each in all_prunings(left, right)]
    assert (loss, len(leaves)) == min(of_all)
    assert leaves in set(all_prunings(left, right))


@settings(deadline=None, max_examples=200)
@given(judged_trees(max_splits=30))
def test_cut_nodes_leave_the_reference_pruning(judged):
    left, right, losses = (np.array(each) for each in judged)
    cut = cut_nodes(left, right, losses)
    leaves = np.flatnonzero(kept_nodes(left, right, cut) & ((left < 0) | cut))
    assert tuple(leaves.tolist()) == tuple(sorted(best_pruning(*judged)[1]))
    assert not cut[left < 0].any()


@settings(deadline=None, max_examples=100)
@given(judged_trees(max_splits=30))
def test_every_old_leaf_is_in_the_group_of_the_new_leaf_above_it(judged):
    left, right, losses = (np.array(each) for each in judged)
    cut = cut_nodes(left, right, losses)
    new_leaves = sorted(best_pruning(*judged)[1])
    expected = [new_leaves.index(ancestor_in(new_leaves, leaf, judged)) for leaf in leaves_of(left)]
    assert group_of_leaf(left, right, cut).tolist() == expected


def leaves_of(left):
    return [node for node, child in enumerate(left) if child < 0]


def ancestor_in(nodes, node, judged):
    left, right, _ = judged
    while node not in nodes:
        node = next(at for at in range(node) if node in (left[at], right[at]))
    return node
