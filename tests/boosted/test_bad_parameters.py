"""Every parameter refuses what it cannot use, and says whose it is, what it allows, what it got."""

from __future__ import annotations

import re

import numpy as np
import pytest

from frugalboost import BoostedTreesClassifier, BoostedTreesRegressor

X = np.arange(20.0).reshape(10, 2)
Y = np.arange(10) % 2

WORDS = {
    "criterion": ["fast", "", None, 1, ["gini"]],
    "search": ["fast", "Quick", None, 3, b"quick"],
    "learning_rate": ["fast", None, 0, 0.0, -0.1, np.nan, np.inf, True, [0.1]],
}
NUMBERS = {
    "n_estimators": [0, -1, 1.5, "10", None, True, np.nan],
    "max_depth": [0, -3, 2.5, "3", True, 2**31],
    "max_leaf_nodes": [1, 0, -1, 3.0, "4", True, 2**40],
    "min_samples_leaf": [0, -1, 0.5, "1", None, True],
    "quick_mass": [0, -0.5, 1.5, np.nan, "0.9", None, True],
    "quick_steps": [0, -1, 2.5, 10_001, "20", None],
    "max_bins": [0, 1, -1, 65536, 10**9, 2.5, "256", None],
    "feature_fraction": [0, 0.0, -0.5, 1.5, np.nan, np.inf, "0.5", None, True],
    "sample_fraction": [0, 0.0, -0.5, 1.0001, np.nan, "all", None, True],
    "weight_trim": [0, 0.0, -0.9, 1.01, np.nan, "0.9", True],
    "validation_fraction": [0, 1, 0.0, 1.0, -0.1, 1.1, np.nan, "0.1", None],
    "n_iter_no_change": [0, -1, 1.5, "10", None],
    "tol": [-1e-9, np.nan, np.inf, "0", None],
    "verbose": [-1, 0.5, "1", None],
    "n_jobs": [0, 1.5, "2", True, np.nan],
    "random_state": ["seed", -1, 1.5, 2**33],
}
FLAGS = {
    "early_stopping": [None, 0, 1, "auto", "yes"],
    "warm_start": [None, 0, 1, "yes"],
}
BAD = WORDS | NUMBERS | FLAGS
OF_CLASSIFIERS = {
    "resample": [None, 0, -1, 0.5, 300.0, np.nan, "yes", 2**31, [1]],
    "pruning_fraction": [0, 1, 0.0, 1.0, -0.3, 1.5, np.nan, "1/3", True],
    "pruning": ["optimistic", True, False, 0, 0.25, ["pessimistic"]],
    "confidence": [0, 0.0, -0.25, 0.51, 1, np.nan, "0.25", None, True],
}


def check_error(kind, name, value):
    with pytest.raises((ValueError, TypeError)) as error:
        kind(**{"n_estimators": 2, name: value}).fit(X, Y)
    pattern = rf"{kind.__name__}: {name} must .+; got {re.escape(repr(value))}\.$"
    assert re.match(pattern, str(error.value)), str(error.value)


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("kind", [BoostedTreesClassifier, BoostedTreesRegressor])
def test_errors_name_owner_parameter_rule_and_value(kind, name):
    for value in BAD[name]:
        check_error(kind, name, value)


@pytest.mark.parametrize("name", OF_CLASSIFIERS)
def test_so_do_errors_of_parameters_that_only_classifiers_have(name):
    for value in OF_CLASSIFIERS[name]:
        check_error(BoostedTreesClassifier, name, value)


def test_every_parameter_has_bad_values_above():
    elsewhere = {"rule", "categorical_features"}
    parameters = set(BoostedTreesClassifier().get_params())
    assert parameters == {*BAD, *OF_CLASSIFIERS} | elsewhere


@pytest.mark.parametrize("resample", [True, 300])
@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("sample_fraction", 0.5, "1.0"),
        ("weight_trim", 0.9, "None"),
        (
            "rule",
            "logit",
            "one of 'adaboost', 'adaboost_m1', 'mh', 'real', 'log', 'real_log', 'mada', 'gentle'",
        ),
    ],
)
def test_what_resampling_does_not_go_with(name, value, allowed, resample):
    model = BoostedTreesClassifier(**{"rule": "adaboost", "resample": resample, name: value})
    start = f"BoostedTreesClassifier: {name} must be {allowed} with resample={resample!r}, "
    with pytest.raises(ValueError, match=f"^{re.escape(start)}.+; got {value!r}\\.$"):
        model.fit(X, Y)


@pytest.mark.parametrize("rule", ["ada", "l2", "", None, 1, ["real"], BoostedTreesClassifier])
def test_rules(rule):
    with pytest.raises(ValueError, match="BoostedTreesClassifier: rule must be one of 'adaboost'"):
        BoostedTreesClassifier(rule).fit(X, Y)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("first", "must be 'from_dtype', None, or a list"),
        (0, "must be 'from_dtype', None, or a list"),
        ([2], "must hold indices from 0 to 1; got 2"),
        ([-1], "must hold indices from 0 to 1; got -1"),
        ([0.5], "must be 'from_dtype', None, or a list"),
        (["a"], "must hold indices when X has no column names; got 'a'"),
        ([True], "must have one entry for each of the 2 features when it is a mask; got 1"),
    ],
)
def test_categorical_features(value, message):
    with pytest.raises(ValueError, match=f"BoostedTreesClassifier: categorical_features {message}"):
        BoostedTreesClassifier(categorical_features=value).fit(X, Y)


def test_a_criterion_must_fit_its_rule():
    with pytest.raises(ValueError, match="criterion must be one of 'auto', 'variance'; got 'gini'"):
        BoostedTreesClassifier("logit", criterion="gini").fit(X, Y)
    with pytest.raises(ValueError, match="criterion must be one of 'auto', 'variance'; got 'gini'"):
        BoostedTreesRegressor(criterion="gini").fit(X, Y)


GOOD = [
    {"max_depth": np.int32(2)},
    {"max_depth": 2**30, "max_leaf_nodes": 2**30},
    {"max_depth": None, "max_leaf_nodes": None},
    {"min_samples_leaf": 10**9},
    {"learning_rate": np.float32(0.5)},
    {"quick_mass": 1, "quick_steps": 10_000, "search": "quick"},
    {"quick_mass": 1e-300, "quick_steps": 1, "search": "quick"},
    {"max_bins": 2},
    {"max_bins": 65535},
    {"n_jobs": -1},
    {"n_jobs": -1000},
    {"early_stopping": np.bool_(False), "warm_start": np.bool_(True)},
    {"random_state": np.random.RandomState(0), "early_stopping": True},
    {"tol": 0, "n_iter_no_change": 1, "early_stopping": True},
    {"categorical_features": []},
    {"categorical_features": [True, False]},
    {"categorical_features": np.array([1])},
]


@pytest.mark.parametrize("options", GOOD, ids=lambda options: ", ".join(options))
@pytest.mark.parametrize("kind", [BoostedTreesClassifier, BoostedTreesRegressor])
def test_values_at_the_edge_work(kind, options):
    assert len(kind(n_estimators=3, **options).fit(X, Y).predict(X)) == 10


def test_leaves_too_small_for_any_split_leave_the_tree_whole():
    model = BoostedTreesClassifier(min_samples_leaf=6).fit(X, Y)
    assert model.estimators_[0].n_leaves == 1


def test_parameters_are_checked_by_fit_and_not_before():
    model = BoostedTreesClassifier(n_estimators=-1)
    assert model.set_params(max_depth="deep").get_params()["max_depth"] == "deep"
