"""A pruned tree sends rows to the leaves that its cut nodes have become."""

from __future__ import annotations

import numpy as np
import pytest
from tree_helpers import random_rows, random_tree, walk

from frugalboost.tree.fixed_point import class_sums
from frugalboost.tree.reduced_error import (
    collapse,
    cut_nodes,
    group_of_leaf,
    sums_by_node,
)
from held_out_pruning import prune_with

SEEDS = range(20)


def random_cut(rng, tree):
    return (rng.random(tree.n_nodes) < 0.3) & ~tree.is_leaf


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_end_in_the_group_of_their_old_leaf(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=12)
    cut = random_cut(rng, tree)
    group = group_of_leaf(tree.left, tree.right, cut)
    values = rng.normal(size=(group.max() + 1, 1))
    small = collapse(tree, cut, values)
    X = random_rows(rng, 200)
    number_of_old = np.cumsum(tree.is_leaf) - 1
    number_of_new = np.cumsum(small.is_leaf) - 1
    assert (number_of_new[small.apply(X)] == group[number_of_old[tree.apply(X)]]).all()
    assert (small.predict(X) == values[number_of_new[small.apply(X)]]).all()
    assert small.apply(X).tolist() == [walk(small, row) for row in X]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_collapsed_tree_is_consistent(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=12, n_outputs=2)
    cut = random_cut(rng, tree)
    small = collapse(tree, cut)
    inner = np.flatnonzero(~small.is_leaf)
    assert (small.left[inner] > inner).all()
    assert (small.right[inner] > inner).all()
    assert sorted([0, *small.left[inner], *small.right[inner]]) == list(range(small.n_nodes))
    at_leaf = small.is_leaf
    assert (small.left[at_leaf] == -1).all()
    assert np.isnan(small.threshold[at_leaf]).all()
    assert (small.category_start[at_leaf] == -1).all()
    assert (small.gain[at_leaf] == 0).all()
    used = -(-small.n_categories // 64)
    assert used.sum() == len(small.category_words)
    for name, array in tree.arrays().items():
        assert small.arrays()[name].dtype == array.dtype


def test_nothing_cut_is_the_same_tree():
    tree = random_tree(np.random.default_rng(4), n_splits=12)
    same = collapse(tree, np.zeros(tree.n_nodes, dtype=bool))
    for name, array in tree.arrays().items():
        assert np.array_equal(array, same.arrays()[name], equal_nan=array.dtype.kind == "f")


def test_a_cut_root_is_a_single_leaf():
    tree = random_tree(np.random.default_rng(4))
    root = collapse(tree, np.arange(tree.n_nodes) == 0, np.array([[3.0]]))
    assert (root.n_nodes, root.value.tolist()) == (1, [[3.0]])


def test_losses_beyond_int64_in_sum_are_compared_right():
    left, right = np.array([1, -1, -1]), np.array([2, -1, -1])
    losses = np.array([2**63 - 1, 2**62, 2**62])
    assert cut_nodes(left, right, losses)[0]  # 2^63 - 1 < 2^63


@pytest.mark.parametrize("seed", SEEDS)
def test_sums_of_a_node_are_over_all_rows_that_pass_it(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng)
    X, labels = random_rows(rng, 100), rng.integers(3, size=100)
    weights = rng.integers(1, 2**55, size=100)
    at_leaf = class_sums(tree.apply(X), labels, weights, (tree.n_nodes, 3))[tree.is_leaf]
    sums = sums_by_node(tree.left, tree.right, at_leaf)
    for node in range(tree.n_nodes):
        passes = np.array([passes_node(tree, row, node) for row in X])
        expected = [weights[passes & (labels == k)].sum() for k in range(3)]
        assert sums[node].tolist() == expected


def passes_node(tree, row, node):
    end = walk(tree, row)
    while end > node:
        end = int(np.flatnonzero((tree.left == end) | (tree.right == end))[0])
    return end == node


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_pruning_never_raises_the_held_out_error(seed, n_classes):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=12)
    growing = rng.integers(1, 20, size=(tree.n_leaves, n_classes))
    X, labels = random_rows(rng, 60), rng.integers(n_classes, size=60)
    weights = rng.integers(1, 9, size=60)
    pruned = prune_with(tree, X, labels, weights, growing, named)
    whole = collapse(tree, np.zeros(tree.n_nodes, dtype=bool), named(growing))

    def errors(each):
        return weights[each.predict(X)[:, 0] != labels].sum()

    assert errors(pruned) <= errors(whole)
    assert pruned.n_leaves <= whole.n_leaves


def named(sums):
    return sums.argmax(axis=1)[:, np.newaxis].astype(float)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_pruning_by_the_exponential_loss_lowers_it(n_classes):
    rng = np.random.default_rng(0)
    tree = random_tree(rng, n_splits=12)
    growing = rng.integers(1, 20, size=(tree.n_leaves, n_classes))
    X, labels = random_rows(rng, 60), rng.integers(n_classes, size=60)
    ones = np.ones(60, dtype=np.int64)
    pruned = prune_with(tree, X, labels, ones, growing, log_odds, loss="exponential")
    whole = collapse(tree, np.zeros(tree.n_nodes, dtype=bool), log_odds(growing))
    assert pruned.n_leaves < whole.n_leaves
    assert exponential(pruned.predict(X), labels) <= exponential(whole.predict(X), labels)


def log_odds(sums):
    """As rule "real" has it: one number for two classes, else one a class."""
    plus = sums[:, 1:] if sums.shape[1] == 2 else sums
    return np.log(plus / (sums.sum(axis=1, keepdims=True) - plus)) / 2


def exponential(values, labels):
    if values.shape[1] == 1:
        return np.exp(-(2 * labels - 1) * values[:, 0]).sum()
    is_own = labels[:, np.newaxis] == np.arange(values.shape[1])
    return np.exp(np.where(is_own, -values, values)).sum()
