"""The core's trees and shares are those of the twin, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from c45_tables import Twin, as_tuple, problem

from frugalboost.c45.coding import C45Plan, CodedTable
from frugalboost.reference.c45 import shares

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("first", range(0, 100, 20))
def test_trees_and_shares_are_those_of_the_twin(first):
    n_large = 0
    for seed in range(first, first + 20):
        given = problem(seed)
        table = CodedTable.of(given.X, given.n_categories)
        for confidence, min_cases in ((None, 2), (0.25, 2), (0.01, 2), (0.5, 1)):
            twin = Twin(given, min_cases)
            expected = twin.tree(confidence)
            plan = C45Plan(min_cases, confidence)
            tree = table.grow(given.labels, given.weights, given.n_classes, plan)
            # In their text, as == does not tell 0.0 from -0.0.
            assert repr(as_tuple(tree)) == repr(expected.as_tuple())
            rows = range(len(twin.rows))
            of_twin = [shares(expected, twin.attributes, row) for row in rows]
            assert repr(tree.shares(given.X[twin.rows]).tolist()) == repr(of_twin)
            n_large += tree.n_nodes > 10
    assert n_large >= 5


def test_pruning_does_all_that_it_can():
    """Among these trees are some with a raised branch, some that are cut, and some left alone."""
    found = set()
    for seed in range(60):
        twin = Twin(problem(seed))
        grown, pruned = twin.tree(None), twin.tree(0.25)
        if grown.as_tuple() == pruned.as_tuple():
            found.add("same")
        elif not paths(pruned) <= paths(grown):
            found.add("raised")
        elif pruned.split is None:
            found.add("leaf")
    assert found == {"same", "leaf", "raised"}


@pytest.mark.parametrize("share_missing", [0.0, 0.05])
def test_long_paths_are_pruned_as_by_the_twin(share_missing):
    """What pruning need not do again is a matter of time alone."""
    n = 160
    changed = 0
    for seed in range(4):
        random = np.random.default_rng(seed)
        column = np.arange(n) // 2 * 1.0
        X = np.column_stack([column, column[::-1], random.integers(0, 3, n)])
        X[random.random(X.shape) < share_missing] = np.nan
        labels = np.arange(n) // 2 % 2
        is_noise = random.random(n) < 0.05 * seed
        labels[is_noise] = random.integers(0, 2, is_noise.sum())
        weights = 1.05 ** np.arange(n, 0.0, -1.0)
        given = problem(0)._replace(
            X=X, n_categories=[0, 0, 3], labels=labels, n_classes=2, weights=weights
        )
        twin = Twin(given, 1.0)
        table = CodedTable.of(X, given.n_categories)
        tree = table.grow(labels, weights, 2, C45Plan(1, 0.25))
        assert as_tuple(tree) == twin.tree(0.25).as_tuple()
        assert tree.depth > 20
        changed += tree.n_nodes < table.grow(labels, weights, 2, C45Plan(1, None)).n_nodes
    assert changed > 0


def paths(node, above=()):
    """The tests on the way to each test, it included."""
    if node.split is None:
        return set()
    way = (*above, (node.split.attribute, str(node.split.cut)))
    return {way}.union(*(paths(branch, way) for branch in node.branches))


def test_many_values_are_found_among_the_cases():
    """A node of few cases in a column of many values sorts them."""
    random = np.random.default_rng(3)
    X = random.random((400, 2))
    labels = ((X > 0.5).sum(axis=1) + (random.random(400) < 0.3)).astype(int) % 3
    given = problem(0)._replace(
        X=X, n_categories=[0, 0], labels=labels, n_classes=3, weights=np.ones(400)
    )
    tree = CodedTable.of(X, [0, 0]).grow(labels, given.weights, 3, C45Plan())
    assert as_tuple(tree) == Twin(given).tree(0.25).as_tuple()
    assert tree.by_class.sum(axis=1).min() < 100  # fewer cases than a quarter of the values


@pytest.mark.parametrize("largest", [1e-300, 1e300, 1.7e308])
def test_values_at_the_ends_of_the_range(largest):
    """The middle of the largest two is infinite: the cut is still the lower of them."""
    X = np.array([[largest]] * 4 + [[largest * 0.99]] * 4 + [[-largest]] * 4)
    labels = np.array([0] * 4 + [1] * 4 + [0] * 4)
    tree = CodedTable.of(X, [0]).grow(labels, np.ones(12), 2, C45Plan(2, None))
    assert tree.shares(X).argmax(axis=1).tolist() == labels.tolist()


@pytest.mark.parametrize("zeros", [[-0.0, 0.0], [0.0, -0.0], [-0.0, -0.0]])
def test_a_threshold_of_zero_has_one_sign(zeros):
    X = np.array([*zeros * 2, 1.0, 2.0, 1.0, 2.0])[:, np.newaxis]
    labels = np.array([0] * 4 + [1] * 4)
    given = problem(0)._replace(
        X=X, n_categories=[0], labels=labels, n_classes=2, weights=np.ones(8)
    )
    tree = CodedTable.of(X, [0]).grow(labels, given.weights, 2, C45Plan())
    expected = "((0, 0.0), (0, 4.0, 0.0), (1, 0.0, 4.0))"
    assert repr(as_tuple(tree)) == repr(Twin(given).tree(0.25).as_tuple()) == expected


def test_infinite_values_are_values():
    X = np.array([[np.inf]] * 4 + [[0.0]] * 4 + [[-np.inf]] * 4)
    labels = np.array([0] * 4 + [1] * 4 + [0] * 4)
    tree = CodedTable.of(X, [0]).grow(labels, np.ones(12), 2, C45Plan(2, None))
    assert tree.shares(X).argmax(axis=1).tolist() == labels.tolist()


def test_a_path_ends_after_a_thousand_tests():
    """Each test cuts off two rows."""
    n = 4_000
    X = (np.arange(n) // 2).astype(float)[:, np.newaxis]
    labels = (np.arange(n) // 2 % 2).astype(int)
    weights = 1.02 ** np.arange(n, 0, -1)
    tree = CodedTable.of(X, [0]).grow(labels, weights, 2, C45Plan(1, None))
    depth = np.zeros(tree.n_nodes, dtype=int)
    for node in range(tree.n_nodes):
        depth[tree.branches(node)] = depth[node] + 1
    assert depth.max() == 1000
