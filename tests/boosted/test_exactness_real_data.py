"""The same model from every search on real tables; a published table to compare with."""

from __future__ import annotations

import numpy as np
import pytest

import needs
from estimator_helpers import digests
from frugalboost import BoostedTreesClassifier, digest, load_dataset

pytestmark = pytest.mark.thorough

CASES = [
    ("a6a", "adaboost", "error"),
    ("a6a", "real", "z"),
    ("a6a", "log", "gini"),
    ("satimage", "adaboost", "entropy"),
    ("satimage", "mh", "error"),
    ("satimage", "gentle", "gini"),
    ("satimage", "logit", "variance"),
    ("adult", "real", "z"),
    ("adult", "adaboost_m1", "error"),
    ("adult", "mada", "entropy"),
    ("covtype", "real", "z"),
    ("covtype", "adaboost", "gini"),
]


def load(name):
    try:
        return load_dataset(name)
    except FileNotFoundError:
        pytest.skip(needs.REAL_DATA)


def training_part(name, n_rows=5_000):
    data = load(name)
    X, y = (data.X, data.y) if data.n_train is None else (data.X_train, data.y_train)
    return X[:n_rows], y[:n_rows], list(data.categorical) or "from_dtype"


@pytest.mark.parametrize(("name", "rule", "criterion"), CASES)
def test_every_search_gives_the_same_model(name, rule, criterion):
    X, y, categorical = training_part(name)
    model = BoostedTreesClassifier(
        rule,
        criterion=criterion,
        n_estimators=4,
        max_depth=4,
        categorical_features=categorical,
    )
    assert len(digests(model, X, y, n_jobs=(1, 2))) == 1
    assert model.score(X, y) > 0.6


def test_late_rounds_where_pruning_pays():
    X, y, _ = training_part("a6a", 3000)
    models = {
        search: BoostedTreesClassifier(
            "adaboost", n_estimators=150, max_depth=2, search=search
        ).fit(X, y)
        for search in ("exhaustive", "quick", "adaptive")
    }
    assert len({digest(model) for model in models.values()}) == 1
    shares = {search: model.ledger_.share for search, model in models.items()}
    assert shares["adaptive"] < shares["quick"] < shares["exhaustive"] == 1.0


def test_a6a_errors_are_those_of_table_4():
    """Adaptive pruning paper: 100 rounds, depth 3."""
    data = load("a6a")
    model = BoostedTreesClassifier("adaboost", criterion="error", max_depth=3, n_estimators=100)
    model.fit(data.X_train, data.y_train)
    train = np.mean(model.predict(data.X_train) != data.y_train)
    test = np.mean(model.predict(data.X_test) != data.y_test)
    assert train == pytest.approx(0.142, abs=0.001)
    assert test == pytest.approx(0.155, abs=0.001)
