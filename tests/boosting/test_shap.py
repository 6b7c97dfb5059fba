"""TreeSHAP in the core is the sum over all subsets of features that defines it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counted_trees import N_FEATURES, counted, flat_trees, rows, side_of
from frugalboost import native
from frugalboost.boosting import Ensemble, Explainer
from frugalboost.reference import shapley_values
from frugalboost.reference.shapley import expected

LARGEST = 100.0
"""No leaf of these trees says more."""


def ensemble_of(trees, steps, n_outputs: int, baseline: float = 0.0) -> Ensemble:
    ensemble = Ensemble(N_FEATURES, n_outputs, baseline)
    for tree, step in zip(trees, steps, strict=True):
        ensemble.append(tree, step, restarted=False)
    return ensemble


@pytest.mark.thorough
@settings(max_examples=150, deadline=None)
@given(flat_trees(), rows())
def test_the_core_says_what_the_twin_says(tree, row):
    explainer = Explainer(ensemble_of([tree], [1.0], 1))
    exact = shapley_values(counted(tree), side_of(tree, row), N_FEATURES)
    found = explainer.values(row[np.newaxis])[0, :, 0]
    assert np.abs(found - [float(value) for value in exact]).max() <= 1e-12 * LARGEST
    mean = float(expected(counted(tree), side_of(tree, row), frozenset()))
    assert abs(explainer.expected[0] - mean) <= 1e-12 * LARGEST


@settings(max_examples=50, deadline=None)
@given(st.data(), st.integers(1, 3))
def test_values_and_what_is_expected_sum_to_the_decision(data, n_outputs):
    trees = [data.draw(flat_trees(n_outputs, 12)) for _ in range(3)]
    ensemble = ensemble_of(trees, [0.5, -1.0, 2.0], n_outputs, baseline=7.0)
    X = np.array(data.draw(st.lists(rows(), min_size=1, max_size=9)))
    explainer = Explainer(ensemble)
    values = explainer.values(X)
    assert values.shape == (len(X), N_FEATURES, n_outputs)
    total = values.sum(axis=1) + explainer.expected
    assert np.abs(total - ensemble.decision(X)).max() <= 1e-12 * (7.0 + 3.5 * LARGEST)


@settings(max_examples=50, deadline=None)
@given(st.lists(flat_trees(), min_size=1, max_size=3), rows())
def test_a_feature_that_no_tree_uses_adds_exactly_nothing(trees, row):
    ensemble = ensemble_of(trees, [1.0] * len(trees), 1)
    values = Explainer(ensemble).values(row[np.newaxis])[0, :, 0]
    used = set(ensemble.used_features.tolist())
    assert all(values[feature] == 0.0 for feature in range(N_FEATURES) if feature not in used)


@pytest.fixture(scope="module")
def many():
    """Trees of the size that models have, and rows that fill several blocks and not the last."""
    draws = np.random.default_rng(0)
    X = draws.normal(size=(333, N_FEATURES)).round(1)
    X[:, 3] = draws.integers(0, 3, len(X))
    X[draws.random(X.shape) < 0.1] = np.nan
    trees = [random_tree(draws, n_outputs=2) for _ in range(20)]
    return ensemble_of(trees, draws.normal(size=20).tolist(), 2), X


def random_tree(draws, n_outputs: int):
    """A numeric tree of depth 7 or less on the first three features."""
    from frugalboost.tree import FlatTree

    feature, left, right, depth = [-1], [-1], [-1], [0]
    for node in range(400):
        if node == len(feature) or depth[node] == 7:
            break
        if draws.random() < 0.2 and node:
            continue
        feature[node], left[node], right[node] = draws.integers(3), len(feature), len(feature) + 1
        for array in (feature, left, right):
            array += [-1, -1]
        depth += [depth[node] + 1] * 2
    n = len(feature)
    return FlatTree(
        feature=np.array(feature, np.int32),
        threshold=np.where(np.array(feature) < 0, np.nan, draws.normal(size=n).round(1)),
        left=np.array(left, np.int32),
        right=np.array(right, np.int32),
        missing_left=draws.integers(0, 2, n).astype(np.uint8),
        category_start=np.full(n, -1, np.int32),
        n_categories=np.zeros(n, np.int32),
        category_words=np.zeros(0, np.uint64),
        value=draws.normal(size=(n, n_outputs)) * (np.array(feature) < 0)[:, np.newaxis],
        gain=np.zeros(n),
        n_samples=draws.integers(1, 1000, n),
        n_features=N_FEATURES,
    )


def test_threads_and_neighbours_change_no_bit(many):
    ensemble, X = many
    explainer = Explainer(ensemble)
    values = explainer.values(X)
    assert (explainer.values(X, 2) == values).all()
    assert (explainer.values(X, 5) == values).all()
    alone = [explainer.values(X[i : i + 1])[0] for i in range(0, len(X), 10)]
    assert (np.array(alone) == values[::10]).all()


@pytest.mark.parametrize("dtype", ["float32", "int8", "int64", "uint16"])
def test_tables_of_all_types_are_read_as_prediction_reads_them(many, dtype):
    ensemble, X = many
    table = np.nan_to_num(X * 3).astype(dtype)
    explainer = Explainer(ensemble)
    total = explainer.values(table).sum(axis=1) + explainer.expected
    assert np.allclose(total, ensemble.decision(table), rtol=0, atol=1e-10)
    assert (explainer.values(np.asfortranarray(table)) == explainer.values(table)).all()


def test_a_matrix_of_the_used_features_is_enough(many):
    ensemble, X = many
    explainer = Explainer(ensemble)
    assert ensemble.used_features.tolist() == [0, 1, 2]
    narrow = np.ascontiguousarray(X[:, :3])
    assert (explainer.values(narrow) == explainer.values(X)).all()


def test_no_trees_add_nothing():
    explainer = Explainer(Ensemble(3, 2, baseline=0.5))
    assert explainer.expected.tolist() == [0.5, 0.5]
    assert (explainer.values(np.zeros((4, 3))) == np.zeros((4, 3, 2))).all()


def test_nodes_without_training_rows_are_refused(many):
    ensemble, X = many
    forest = ensemble.forest
    n_nodes = sum(tree.n_nodes for tree in ensemble.trees)
    for counts, message in [
        (np.zeros(n_nodes, np.int64), "must be positive"),
        (np.ones(n_nodes - 1, np.int64), "one entry per node"),
    ]:
        with pytest.raises(ValueError, match=message):
            native.ShapForest(forest, counts)
    with pytest.raises(ValueError, match="do not fit the forest"):
        native.ShapForest(forest, np.ones(n_nodes, np.int64)).values(X[:, :2], 1)
