"""Every parameter refuses what it cannot use, before anything is read, drawn or written."""

from __future__ import annotations

import re

import numpy as np
import pytest
from filterboost_helpers import Rows, small_model, sums_of_digits

from frugalboost import FilterBoostClassifier
from frugalboost.data import BinnedDataset

X, Y = sums_of_digits(60)
SHARES = [0, 1, 0.0, 1.0, -0.5, 1.5, np.nan, np.inf, "0.1", True, [0.1]]
BAD = {
    "rule": ["real", "", None, 1, ["log"]],
    "mode": ["fast", "", None, 1, b"practical"],
    "target_error": [*SHARES, None],
    "failure_probability": [*SHARES, None],
    "edge_tolerance": [*SHARES, None],
    "sample_constant": [0, -1.0, np.nan, np.inf, "300", None, True],
    "confidence_rated": [None, 0, 1, "yes", ["unit_step"]],
    "training": ["all", "", None, True, ["weighted"]],
    "max_rounds": [0, -1, 1.5, "10", None, True],
    "max_examples": [0, -1, 1.5, "10", True, np.inf],
    "max_depth": [0, -3, 2.5, "3", True, 2**31],
    "max_leaf_nodes": [1, 0, -1, 3.0, "4", True, 2**40],
    "min_samples_leaf": [0, -1, 0.5, "1", None, True],
    "criterion": ["fast", "", None, 1, ["gini"]],
    "pruning_fraction": SHARES,
    "max_bins": [0, 1, -1, 65536, 2.5, "256", None],
    "recycle": [None, 0, 1, "yes"],
    "checkpoint": [3, 1.5, ["a"], "/no/such/folder/file"],
    "checkpoint_rounds": [0, -1, 1.5, "10", True],
    "checkpoint_seconds": [-1.0, np.nan, "10", True],
    "memory_limit": [0, -1, 3e8, "300MB", True],
    "n_jobs": [0, 1.5, "2", True, np.nan],
    "random_state": ["seed", -1, 1.5, 2**33],
    "verbose": [-1, 0.5, "1", None],
}


def check_error(name, value, call):
    with pytest.raises((ValueError, TypeError)) as error:
        call(small_model(**{name: value}))
    pattern = rf"FilterBoostClassifier: {name} must .+; got {re.escape(repr(value))}\.$"
    assert re.match(pattern, str(error.value)), str(error.value)


@pytest.mark.parametrize("name", BAD)
def test_errors_name_owner_parameter_rule_and_value(name):
    for value in BAD[name]:
        check_error(name, value, lambda model: model.fit(X, Y))


# `recycle` says what fit does.
@pytest.mark.parametrize("name", sorted(BAD.keys() - {"recycle"}))
def test_nothing_is_drawn_from_an_oracle_before(name):
    oracle = Rows(X, Y)
    for value in BAD[name]:
        check_error(name, value, lambda model: model.fit_stream(oracle))
    assert oracle.at == 0


def test_every_parameter_has_bad_values_above():
    assert set(BAD) | {"categorical_features"} == set(FilterBoostClassifier().get_params())


@pytest.mark.parametrize("value", ["first", 0, [99], [-1], [0.5], ["a"], [True]])
def test_categorical_features(value):
    for call in ("fit", "partial_fit"):
        with pytest.raises(ValueError, match="FilterBoostClassifier: categorical_features must"):
            getattr(small_model(categorical_features=value), call)(X, Y)


def test_parameters_that_do_not_go_together():
    with pytest.raises(ValueError, match="must be True or False in certified mode"):
        small_model(mode="certified", confidence_rated="unit_step").fit(X, Y)
    with pytest.raises(ValueError, match="memory_limit must be None with training='weighted'; got"):
        small_model(training="weighted", memory_limit=10**9).fit(X, Y)


GOOD = [
    {"max_depth": np.int32(2), "max_rounds": np.int64(3)},
    {"max_depth": 2**30, "max_leaf_nodes": 2**30},
    {"min_samples_leaf": 10**9},
    {"sample_constant": 1e-9},
    {"sample_constant": np.float32(30)},
    {"max_bins": 2},
    {"max_bins": 65535},
    {"target_error": 1e-300},
    {"target_error": 1e-20},
    {"failure_probability": 1e-300},
    {"failure_probability": np.nextafter(1, 0)},
    {"pruning_fraction": 1e-9, "max_depth": 3},
    {"pruning_fraction": np.nextafter(1, 0), "max_depth": 3},
    {"checkpoint_rounds": 1, "checkpoint_seconds": None},
    {"n_jobs": -1000},
    {"confidence_rated": np.bool_(True)},
]


@pytest.mark.parametrize("options", GOOD, ids=lambda options: ", ".join(options))
def test_values_at_the_edge_work(options):
    """A target that no run can reach is none that the first call has reached."""
    model = small_model(**{"max_rounds": 3, **options}).fit(X, Y)
    assert (len(model.estimators_), model.stop_reason_) == (3, "rounds")
    assert not model.certificate_.holds


def test_what_fit_does_not_take():
    with pytest.raises(TypeError, match="sample_weight"):
        small_model().fit(X, Y, sample_weight=np.ones(60))
    binned = BinnedDataset.from_data(X)
    for call in ("fit", "partial_fit"):
        with pytest.raises(TypeError, match=r"X must hold raw values.*; got a BinnedDataset"):
            getattr(small_model(), call)(binned, Y)
    for resume in (None, 1, "yes"):
        with pytest.raises(TypeError, match=f"resume must be True or False; got {resume!r}"):
            small_model().fit(X, Y, resume=resume)
    with pytest.raises(ValueError, match="checkpoint must be a path to resume; got None"):
        small_model().fit(X, Y, resume=True)
