"""A flat tree sends every row where its arrays say."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from tree_helpers import random_rows, random_tree, walk

from frugalboost.tree import FlatTree

SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_threads", [1, 2])
def test_apply_is_the_slow_walk(seed, n_threads):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_splits=int(rng.integers(12)))
    X = random_rows(rng, 200)
    assert tree.apply(X, n_threads).tolist() == [walk(tree, row) for row in X]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_outputs", [1, 3])
def test_predict_is_the_value_of_the_leaf(seed, n_outputs):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, n_outputs=n_outputs)
    X = random_rows(rng, 100)
    expected = np.array([tree.value[walk(tree, row)] for row in X])
    assert (tree.predict(X) == expected).all()


def test_predict_reads_float32_as_the_numbers_they_are():
    rng = np.random.default_rng(1)
    tree = random_tree(rng)
    X = random_rows(rng, 100)  # all of them numbers of 32 bits
    assert (tree.predict(X.astype(np.float32)) == tree.predict(X)).all()


@pytest.mark.parametrize("missing_left", [0, 1])
def test_threshold_infinity_leaves_only_missing_values_to_the_right(missing_left):
    tree = stump(threshold=np.inf, missing_left=missing_left)
    X = np.array([[-np.inf], [1e308], [np.inf], [np.nan]])
    assert tree.apply(X).tolist() == [1, 1, 1, 1 if missing_left else 2]


def test_a_value_on_the_threshold_goes_left_and_the_next_one_right():
    tree = stump(threshold=0.1, missing_left=0)
    X = np.array([[0.1], [np.nextafter(0.1, 1.0)]])
    assert tree.apply(X).tolist() == [1, 2]


def test_a_tree_of_one_leaf_says_its_value_everywhere():
    tree = random_tree(np.random.default_rng(0), n_splits=0)
    assert (tree.n_leaves, tree.depth) == (1, 0)
    assert (tree.predict(np.full((3, 4), np.nan)) == tree.value[0]).all()


def test_arrays_are_read_only_also_after_pickling():
    tree = random_tree(np.random.default_rng(3))
    for each in (tree, pickle.loads(pickle.dumps(tree))):
        for array in each.arrays().values():
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0


def test_pickling_keeps_every_array():
    rng = np.random.default_rng(3)
    tree = random_tree(rng, n_outputs=2)
    again = pickle.loads(pickle.dumps(tree))
    for name, array in tree.arrays().items():
        assert again.arrays()[name].dtype == array.dtype
        assert np.array_equal(again.arrays()[name], array, equal_nan=array.dtype.kind == "f")
    X = random_rows(rng, 50)
    assert (again.predict(X) == tree.predict(X)).all()
    assert again.n_features == tree.n_features


@pytest.mark.parametrize("seed", SEEDS)
def test_counts_and_depth(seed):
    rng = np.random.default_rng(seed)
    n_splits = int(rng.integers(12))
    tree = random_tree(rng, n_splits=n_splits)

    def depth(node):
        if tree.feature[node] < 0:
            return 0
        return 1 + max(depth(tree.left[node]), depth(tree.right[node]))

    assert tree.n_nodes == 2 * n_splits + 1
    assert tree.n_leaves == n_splits + 1
    assert tree.depth == depth(0)
    assert repr(tree) == f"FlatTree(n_leaves={n_splits + 1}, depth={depth(0)})"


def test_gain_by_feature_adds_up_the_nodes():
    tree = random_tree(np.random.default_rng(5), n_splits=9)
    expected = np.zeros(4)
    for feature, gain in zip(tree.feature, tree.gain, strict=True):
        if feature >= 0:
            expected[feature] += gain
    assert tree.gain_by_feature() == pytest.approx(expected)


def stump(threshold, missing_left):
    return FlatTree(
        feature=np.array([0, -1, -1], dtype=np.int32),
        threshold=np.array([threshold, np.nan, np.nan]),
        left=np.array([1, -1, -1], dtype=np.int32),
        right=np.array([2, -1, -1], dtype=np.int32),
        missing_left=np.array([missing_left, 0, 0], dtype=np.uint8),
        category_start=np.full(3, -1, dtype=np.int32),
        n_categories=np.zeros(3, dtype=np.int32),
        category_words=np.empty(0, dtype=np.uint64),
        value=np.array([[0.0], [-1.0], [1.0]]),
        gain=np.array([1.0, 0.0, 0.0]),
        n_samples=np.array([2, 1, 1]),
        n_features=1,
    )
