"""Trees that share arrays: each is what the core grew, and none can change."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from frugalboost import native
from frugalboost.data import BinnedDataset
from frugalboost.tree.flat import ARRAYS, NodeArena
from frugalboost.tree.grow import TreeGrower, TreePlan


def grown_trees(n_trees: int, *, categorical: bool):
    """Trees of several sizes on random labels, each with values of its own."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 9, (60, 3)).astype(float)
    dataset = BinnedDataset.from_data(X, categorical_features=[0, 1] if categorical else None)
    for i in range(n_trees):
        labels = rng.integers(0, 2, 60).astype(np.uint32)
        weights = native.GrowingWeights(labels, None, 2)
        plan = TreePlan("gini", search="exhaustive", max_depth=1 + i % 5)
        native_grower = TreeGrower(dataset, plan)._grower("exhaustive")
        nodes = native_grower.grow_on(weights, np.arange(3, dtype=np.uint32))
        yield nodes, rng.normal(size=(nodes.n_leaves, 1))


@pytest.mark.parametrize("categorical", [False, True])
def test_trees_are_those_that_were_grown(categorical):
    arena = NodeArena(n_features=3)
    kept = [(arena.finish(*grown), *grown) for grown in grown_trees(200, categorical=categorical)]
    assert any(len(tree.category_words) for tree, _, _ in kept) == categorical
    for tree, nodes, values in kept:  # all of them, after the last was added
        expected = nodes.arrays()
        for name in set(ARRAYS) - {"value"}:
            assert getattr(tree, name).dtype == expected[name].dtype
            assert getattr(tree, name).tobytes() == expected[name].tobytes()
        assert tree.value[tree.is_leaf].tolist() == values.tolist()
        assert not tree.value[~tree.is_leaf].any()
        assert tree.n_features == 3


def test_trees_cannot_be_written_to():
    arena = NodeArena(n_features=3)
    tree = arena.finish(*next(grown_trees(1, categorical=False)))
    for name, array in tree.arrays().items():
        assert not array.flags.writeable, name


def test_a_pickled_tree_holds_itself_alone():
    arena = NodeArena(n_features=3)
    trees = [arena.finish(*grown) for grown in grown_trees(50, categorical=False)]
    again = pickle.loads(pickle.dumps(trees[7]))
    for name, array in trees[7].arrays().items():
        assert again.arrays()[name].tobytes() == array.tobytes()
    assert len(pickle.dumps(trees[7])) < 50 * trees[7].n_nodes + 2500


def test_values_must_fit_the_tree():
    nodes, values = next(grown_trees(1, categorical=False))
    with pytest.raises(ValueError, match="a row for each leaf and a column for each output"):
        nodes.add_to(native.NodeTable(100, 10, 2), values)
    with pytest.raises(ValueError, match="a row for each leaf and a column for each output"):
        nodes.add_to(native.NodeTable(100, 10, 1), values[1:])
    assert nodes.add_to(native.NodeTable(nodes.n_nodes - 1, 10, 1), values) is None
