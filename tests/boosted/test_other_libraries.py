"""scikit-learn's boosting where the definitions agree: the same models."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingRegressor
from sklearn.tree import DecisionTreeClassifier

from frugalboost import BoostedTreesClassifier, BoostedTreesRegressor

pytestmark = pytest.mark.thorough

N_ROWS = 200

ROUNDING = 1e-6
"""Residuals are rounded, to a ten-millionth of their size or so on few rows."""


def table_without_ties(seed, n_features=4):
    """Numbers of 32 bits, as scikit-learn's trees read them, all different in a column."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, n_features)).astype(np.float32)
    assert all(len(np.unique(column)) == N_ROWS for column in X.T)
    return X, rng


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("max_depth", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_samme_with_gini_trees(n_classes, max_depth, weighted, seed):
    X, rng = table_without_ties(seed)
    score = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=N_ROWS)
    y = np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)
    weights = rng.random(N_ROWS) if weighted else None
    tree = DecisionTreeClassifier(criterion="gini", max_depth=max_depth)
    theirs = AdaBoostClassifier(tree, n_estimators=12, random_state=0).fit(X, y, weights)
    ours = BoostedTreesClassifier(
        "adaboost", criterion="gini", max_depth=max_depth, n_estimators=12
    ).fit(X, y, weights)
    # Theirs is ln((1 - err) / err) + ln(K - 1); ours (K - 1)^2 / K times that.
    factor = n_classes / (n_classes - 1) ** 2
    assert factor * ours.estimator_weights_ == pytest.approx(theirs.estimator_weights_, rel=1e-9)
    assert ours.estimator_errors_ == pytest.approx(theirs.estimator_errors_, rel=1e-9)
    for mine, other in zip(ours.staged_predict(X), theirs.staged_predict(X), strict=True):
        assert (mine == other).all()


@pytest.mark.parametrize("max_depth", [1, 3])
@pytest.mark.parametrize("learning_rate", [0.1, 1.0])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_least_squares(max_depth, learning_rate, weighted, seed):
    X, rng = table_without_ties(seed)
    y = 10 + X[:, 0] * X[:, 1] + np.abs(X[:, 2]) + 0.1 * rng.normal(size=N_ROWS)
    weights = 0.5 + rng.random(N_ROWS) if weighted else None
    options = {
        "n_estimators": 25,
        "max_depth": max_depth,
        "learning_rate": learning_rate,
        "min_samples_leaf": 5,  # in tiny nodes two columns may offer the same split
    }
    theirs = GradientBoostingRegressor(random_state=0, **options).fit(X, y, weights)
    ours = BoostedTreesRegressor(**options).fit(X, y, weights)
    assert ours.predict(X) == pytest.approx(theirs.predict(X), rel=ROUNDING)
    for mine, other in zip(ours.staged_predict(X), theirs.staged_predict(X), strict=True):
        assert mine == pytest.approx(other, rel=ROUNDING)
    if max_depth > 1:
        return  # below the root their thresholds lie between the node's rows, ours between bins
    fresh = np.random.default_rng(99).normal(size=(500, X.shape[1])).astype(np.float32)
    assert ours.predict(fresh) == pytest.approx(theirs.predict(fresh), rel=ROUNDING)
