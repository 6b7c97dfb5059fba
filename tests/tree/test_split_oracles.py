"""A stump is the best of all splits: by brute force, and by scikit-learn's trees."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from frugalboost import BoostedTreesClassifier, BoostedTreesRegressor

SEEDS = range(6)


def cell_loss(criterion, w):
    """Loss of a leaf with class weights w, written as in the textbooks."""
    W = sum(w)
    p = [x / W for x in w if W > 0]
    if criterion == "error":
        return W - max(w)
    if criterion in ("gini", "variance"):
        return W * (1 - sum(x * x for x in p))
    if criterion == "entropy":
        return -W * sum(x * math.log(x) for x in p if x > 0)
    if len(w) == 2:
        return 2 * math.sqrt(w[0] * w[1])
    return sum(2 * math.sqrt(x * max(W - x, 0.0)) for x in w)


def split_loss(criterion, left, y, weights, n_classes):
    sides = (left, ~left)
    cells = [[weights[side & (y == k)].sum() for k in range(n_classes)] for side in sides]
    return sum(cell_loss(criterion, cell) for cell in cells)


def all_splits(X):
    """Every threshold of every column; missing values left, then right."""
    for column in X.T:
        for threshold in np.unique(column[~np.isnan(column)]):
            values_left = column <= threshold
            for left in (values_left, values_left | np.isnan(column)):
                if 0 < left.sum() < len(left):
                    yield left


def make_problem(seed, n_classes, missing):
    rng = np.random.default_rng(seed)
    X = rng.integers(6, size=(25, 3)).astype(float)
    if missing:
        X[rng.random(X.shape) < 0.2] = np.nan
    y = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=25 - n_classes)])
    return X, y, rng.random(25) + 0.01


@pytest.mark.parametrize("criterion", ["error", "gini", "entropy", "z", "variance"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_no_split_is_better_than_the_stump(criterion, n_classes, missing, seed):
    X, y, weights = make_problem(seed, n_classes, missing)
    model = BoostedTreesClassifier("adaboost", criterion=criterion, max_depth=1, n_estimators=1)
    leaves = model.fit(X, y, weights).apply(X)[:, 0]
    found = split_loss(criterion, leaves == leaves.min(), y, weights, n_classes)
    best = min(split_loss(criterion, left, y, weights, n_classes) for left in all_splits(X))
    assert found == pytest.approx(best, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_error_of_a_stump_is_the_least_over_thresholds_and_polarities(seed):
    X, y, weights = make_problem(seed, 2, missing=False)
    model = BoostedTreesClassifier("adaboost", max_depth=1, n_estimators=1).fit(X, y, weights)
    share = weights / weights.sum()
    errors = [share[left == (y == positive)].sum() for left in all_splits(X) for positive in (0, 1)]
    wrong = model.predict(X) != y
    assert share[wrong].sum() == pytest.approx(min(errors), abs=1e-12)
    assert model.estimator_errors_[0] == pytest.approx(min(errors), abs=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_impurity_is_that_of_scikit_learns_classification_stump(criterion, n_classes, seed):
    X, y, weights = make_problem(seed, n_classes, missing=False)
    ours = BoostedTreesClassifier("gentle", criterion=criterion, max_depth=1, n_estimators=1)
    leaves = ours.fit(X, y, weights).apply(X)[:, 0]
    theirs = DecisionTreeClassifier(criterion=criterion, max_depth=1).fit(X, y, weights).apply(X)
    found, expected = (
        split_loss(criterion, side == side.min(), y, weights, n_classes)
        for side in (leaves, theirs)
    )
    assert found == pytest.approx(expected, rel=1e-9)


def squares(leaves, y, weights):
    """Weighted squared error of the leaves' means."""
    total = 0.0
    for leaf in np.unique(leaves):
        inside = leaves == leaf
        mean = np.average(y[inside], weights=weights[inside])
        total += (weights[inside] * (y[inside] - mean) ** 2).sum()
    return total


@pytest.mark.parametrize("seed", SEEDS)
def test_variance_is_that_of_scikit_learns_regression_stump(seed):
    X, _, weights = make_problem(seed, 2, missing=False)
    y = X[:, 0] + np.random.default_rng(seed).normal(size=len(X))
    model = BoostedTreesRegressor(max_depth=1, n_estimators=1, learning_rate=1.0)
    model.fit(X, y, weights)
    oracle = DecisionTreeRegressor(max_depth=1).fit(X, y, weights)
    expected = squares(oracle.apply(X), y, weights)
    assert squares(model.apply(X)[:, 0], y, weights) == pytest.approx(expected, rel=1e-9)
    # With a full step the stump says the means of its leaves.
    assert (weights * (y - model.predict(X)) ** 2).sum() == pytest.approx(expected, rel=1e-9)
