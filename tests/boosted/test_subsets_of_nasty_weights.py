"""Every combination of subset parameters fits rows whose weights differ as far as floats allow."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from frugalboost import BoostedTreesClassifier, BoostedTreesRegressor
from frugalboost.rules import RULES

pytestmark = pytest.mark.thorough

X = np.arange(8.0)[:, np.newaxis]
Y = np.array([0, 1, 0, 1, 1, 0, 2, 0])

WEIGHTS = {
    "two that count": [1.0, 1.0, *[1e-30] * 6],
    "one that counts": [1.0, *[1e-300] * 7],
    "spread": np.logspace(-300, 300, 8),
    "tiny": [1e-307] * 8,
    "smallest": [5e-324] * 8,
    "huge": [1e300] * 8,
    "some zero": [0.0, 1.0, 1e-30, 0.0, 1e30, 1.0, 1e-5, 1e-30],
}

ROWS = [
    {"feature_fraction": features, "sample_fraction": rows, "weight_trim": share}
    for features, rows, share in product([1.0, 0.5], [1.0, 0.6, 0.2], [None, 0.99, 0.3])
]
SPLITS = [{}, {"pruning_fraction": 0.4}]
COPIES = [{"resample": True}, {"resample": 2}]
UNDRAWN = ["logit"]
"""Rules that no copies of rows can be drawn for."""


def fits(model, y, weights):
    model.set_params(n_estimators=4, max_depth=2, random_state=0).fit(X, y, weights)
    return np.isfinite(model.predict(X)).all() and model.n_estimators_ >= 1


@pytest.mark.filterwarnings("ignore:weight_trim")
@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("rule", RULES)
def test_classifiers(rule, n_classes, weights):
    y = np.minimum(Y, n_classes - 1)
    copies = [] if rule in UNDRAWN else COPIES
    for subset, split in product(ROWS + copies, SPLITS):
        assert fits(BoostedTreesClassifier(rule, **subset, **split), y, weights), subset | split


@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
def test_regressors(weights):
    for subset in ROWS:
        assert fits(BoostedTreesRegressor(**subset), Y, weights), subset


def test_rows_that_are_fitted_already_are_not_trimmed():
    """Nothing is left of their residuals, so none of them is heavier than another."""
    model = BoostedTreesRegressor(n_estimators=3, learning_rate=1.0, max_depth=1, weight_trim=0.9)
    model.fit(X[:2], [0.0, 1.0])
    assert model.predict(X[:2]).tolist() == [0.0, 1.0]
    assert model.n_estimators_ == 1
