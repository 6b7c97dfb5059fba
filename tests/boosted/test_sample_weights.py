"""What sample weights mean."""

from __future__ import annotations

import numpy as np
import pytest

from estimator_helpers import classifier, mixed_table, noisy_labels, noisy_targets, regressor
from frugalboost import digest
from frugalboost.rules import RULES


@pytest.fixture(scope="module", name="X")
def table():
    return mixed_table()


@pytest.fixture(scope="module")
def y(X):
    return noisy_labels(X, 3)


def half_and_half(n, seed=0):
    """Weights of which about a third are zero."""
    return np.random.default_rng(seed).integers(3, size=n) / 2


@pytest.mark.parametrize("rule", RULES)
def test_a_row_of_weight_zero_is_no_row(rule, X, y):
    weights = half_and_half(len(y))
    kept = weights > 0
    model = classifier(rule).fit(X, y, weights)
    assert digest(model) == digest(classifier(rule).fit(X[kept], y[kept], weights[kept]))


def test_a_row_of_weight_zero_does_not_move_a_mean(X):
    y = noisy_targets(X)
    weights = half_and_half(len(y))
    kept = weights > 0
    model = regressor().fit(X, np.where(kept, y, 1e9), weights)
    assert digest(model) == digest(regressor().fit(X[kept], y[kept], weights[kept]))


@pytest.mark.parametrize("rule", RULES)
def test_one_number_for_all_rows_is_as_good_as_an_array_of_them(rule, X, y):
    once, written_out = np.broadcast_to(1.1, len(y)), np.full(len(y), 1.1)
    model = classifier(rule).fit(X, y, once)
    assert digest(model) == digest(classifier(rule).fit(X, y, written_out))


def test_a_class_without_weight_is_no_class(X, y):
    model = classifier().fit(X, y, np.where(y == 1, 0.0, 1.0))
    assert model.classes_.tolist() == [0, 2]


@pytest.mark.parametrize("rule", RULES)
def test_weights_of_two_are_rows_that_come_twice(rule, X, y):
    counts = np.random.default_rng(1).integers(1, 3, size=len(y))
    weighted = classifier(rule).fit(X, y, counts)
    repeated = classifier(rule).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    for mine, other in zip(weighted.estimators_, repeated.estimators_, strict=True):
        assert (mine.feature == other.feature).all()
        assert np.array_equal(mine.threshold, other.threshold, equal_nan=True)
    expected = repeated.decision_function(X)
    rounding = 1e-6 if rule == "logit" else 1e-9  # of its targets, as packed numbers
    assert weighted.decision_function(X) == pytest.approx(expected, rel=rounding, abs=rounding)


def test_weighted_targets_are_repeated_targets(X):
    y = noisy_targets(X)
    counts = np.random.default_rng(1).integers(1, 4, size=len(y))
    weighted = regressor().fit(X, y, counts)
    repeated = regressor().fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.predict(X) == pytest.approx(repeated.predict(X), rel=1e-6)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("factor", [2.0**-3, 2.0**-40, 2.0**-1000])
def test_scaling_down_by_a_power_of_two_changes_no_bit(rule, factor, X, y):
    """The sum stays below the number of rows, so smoothing is by rows in both fits."""
    weights = np.random.default_rng(2).random(len(y))
    model = classifier(rule).fit(X, y, weights * factor)
    assert digest(model) == digest(classifier(rule).fit(X, y, weights))


@pytest.mark.parametrize("factor", [2.0**-1000, 2.0**-7, 2.0**20, 2.0**1000])
def test_scaling_least_squares_changes_no_bit_of_the_trees(factor, X):
    y = noisy_targets(X)
    weights = np.random.default_rng(2).random(len(y))
    model, expected = regressor().fit(X, y, weights * factor), regressor().fit(X, y, weights)
    assert digest(model) == digest(expected)


@pytest.mark.parametrize("rule", ["adaboost", "adaboost_m1", "mh", "gentle"])
@pytest.mark.parametrize("factor", [2.0**20, 2.0**1000])
def test_discrete_rules_do_not_care_about_the_size_of_large_weights(rule, factor, X, y):
    weights = np.random.default_rng(2).random(len(y)) + 0.5
    model, expected = classifier(rule).fit(X, y, weights * factor), classifier(rule)
    assert digest(model) == digest(expected.fit(X, y, weights))


def test_ones_are_the_default_and_a_number_stands_for_all_rows(X, y):
    expected = digest(classifier().fit(X, y))
    assert digest(classifier().fit(X, y, np.ones(len(y)))) == expected
    assert digest(classifier().fit(X, y, 1)) == expected
    assert digest(classifier().fit(X, y, [1] * len(y))) == expected


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e300, 1.7e308])
def test_weights_at_the_ends_of_the_range_give_finite_models(rule, size, X, y):
    for weights in (np.full(len(y), size), np.where(np.arange(len(y)) % 2, size, 1.0)):
        model = classifier(rule).fit(X, y, weights)
        assert np.isfinite(model.decision_function(X)).all()
        assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e300, 1.7e308])
def test_large_targets_with_weights_at_the_ends_of_the_range(size, X):
    y = noisy_targets(X) * 1e99
    model = regressor(n_estimators=50).fit(X, y, np.full(len(y), size))
    expected = regressor(n_estimators=50).fit(X, y)
    assert model.predict(X) == pytest.approx(expected.predict(X), rel=1e-6)
