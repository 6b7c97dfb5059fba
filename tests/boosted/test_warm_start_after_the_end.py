"""Going on where boosting ended before the last round: the model of one fit all the same."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from frugalboost import (
    BaggedTreesClassifier,
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    GambleClassifier,
    digest,
)
from frugalboost.rules import CLASSIFIER_RULES, REGRESSOR_RULES, VOTING_RULES

pytestmark = pytest.mark.thorough

PARTS = (1, 3, 5, 5, 7)

N = 24
COLUMN = np.arange(N, dtype=np.float64)[:, np.newaxis]
NOISE = np.random.default_rng(0).normal(size=(N, 3)).round(1)
COPIED = np.repeat(np.arange(6.0), 4)[:, np.newaxis]

TABLES = {
    "two rows": (COLUMN[:2], np.array([0, 1])),
    "no error after one tree": (COLUMN, np.arange(N) // 8),
    "no error after some trees": (COLUMN, (np.arange(N) // 4) % 2),
    "no split": (np.zeros((N, 1)), np.arange(N) % 3),
    "no split, one class heavier": (np.zeros((N, 1)), (np.arange(N) > 3).astype(int)),
    "equal rows of two classes": (COPIED, np.arange(N) % 2),
    "nothing ends": (NOISE, np.random.default_rng(1).integers(3, size=N)),
}

SUBSETS = {
    "all rows": {},
    "features": {"feature_fraction": 0.4},
    "rows": {"sample_fraction": 0.5},
    "heavy rows": {"weight_trim": 0.9},
    "held out": {"pruning_fraction": 0.3},
}
COPIES = {"copies": {"resample": True}, "few copies": {"resample": 3}}


def makers():
    for rule in (*CLASSIFIER_RULES, *REGRESSOR_RULES, *VOTING_RULES):
        if rule in VOTING_RULES:
            kind, choices, options = BaggedTreesClassifier, {"copies": {}}, {}
        elif rule in REGRESSOR_RULES:
            kind, choices, options = BoostedTreesRegressor, SUBSETS, {"learning_rate": 1.0}
        else:
            real = rule in ("logit", "gentle")
            kind, choices = BoostedTreesClassifier, SUBSETS if real else SUBSETS | COPIES
            options = {"rule": rule, "learning_rate": 1.0}
        if rule in REGRESSOR_RULES:
            choices = {name: given for name, given in choices.items() if name != "held out"}
        for name, subset in choices.items():
            yield pytest.param(kind, {**options, **subset}, id=f"{rule}-{name}")


def in_parts(model, X, y):
    model.set_params(warm_start=True)
    for n_estimators in PARTS:
        model.set_params(n_estimators=n_estimators).fit(X, y)
    return model


@pytest.mark.filterwarnings("ignore:weight_trim")
@pytest.mark.parametrize(("kind", "options"), list(makers()))
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("max_depth", [1, 3])
def test_parts_are_one_fit(kind, options, table, max_depth):
    X, y = TABLES[table]
    options = {**options, "max_depth": max_depth, "random_state": 0}
    whole = kind(n_estimators=PARTS[-1], **options).fit(X, y)
    model = in_parts(kind(**options), X, y)
    assert model.n_estimators_ == whole.n_estimators_
    assert digest(model) == digest(whole)
    assert model.estimator_errors_.tolist() == whole.estimator_errors_.tolist()


@pytest.mark.parametrize("table", TABLES)
def test_regressors_in_parts_are_one_fit(table):
    X, y = TABLES[table]
    options = {"estimator": DecisionTreeRegressor(max_depth=3), "learning_rate": 1.0}
    whole = GambleClassifier(n_estimators=PARTS[-1], random_state=0, **options).fit(X, y)
    model = in_parts(GambleClassifier(random_state=0, **options), X, y)
    assert model.n_estimators_ == whole.n_estimators_
    assert (model.decision_function(X) == whole.decision_function(X)).all()


def test_rows_that_the_last_tree_gets_wrong_are_gone_on_with():
    X, y = TABLES["two rows"]
    model = BoostedTreesClassifier("adaboost", n_estimators=5, max_depth=1, warm_start=True)
    model.fit(X, y)
    assert model.n_estimators_ == 1
    assert model.fit(COLUMN[:3], [0, 1, 0]).n_estimators_ > 1


@pytest.mark.parametrize("rule", CLASSIFIER_RULES)
def test_a_tree_that_says_nothing_makes_room_when_rows_tell_more(rule):
    y = np.arange(N) % 2
    model = BoostedTreesClassifier(rule, n_estimators=3, max_depth=1, warm_start=True)
    model.fit(np.zeros((N, 1)), y)
    assert model.estimator_weights_.tolist() == [0.0]
    whole = BoostedTreesClassifier(rule, n_estimators=3, max_depth=1).fit(NOISE[:, :1], y)
    assert digest(model.fit(NOISE[:, :1], y)) == digest(whole)
