"""Many rounds, perfect trees and useless ones: the loop ends with finite numbers."""

from __future__ import annotations

import numpy as np
import pytest
from boosting_helpers import noisy_table

from frugalboost import BoostedTreesClassifier, BoostedTreesRegressor, digest
from frugalboost.rules import RULES


def with_rounds(rules):
    """GentleBoost's scores pass those whose exponential is finite after 3,000 rounds only."""
    return [
        *((rule, 10_000 if rule == "gentle" else 1_000) for rule in rules),
        *(pytest.param(rule, 10_000, marks=pytest.mark.slow) for rule in rules if rule != "gentle"),
    ]


def assert_sound(model, X):
    probability = model.predict_proba(X)
    assert np.isfinite(model.decision_function(X)).all()
    assert np.isfinite(probability).all()
    assert probability.sum(axis=1) == pytest.approx(np.ones(len(X)), abs=1e-9)
    assert np.isfinite(model.estimator_weights_).all()
    assert np.isfinite(model.estimator_errors_).all()


@pytest.mark.thorough
@pytest.mark.parametrize(("rule", "n_rounds"), with_rounds(RULES))
@pytest.mark.parametrize("n_classes", [2, 3])
def test_many_rounds_on_labels_that_cannot_be_learned(rule, n_classes, n_rounds):
    X, y = noisy_table(n_rows=12, n_classes=n_classes)
    model = BoostedTreesClassifier(rule, n_estimators=n_rounds, max_depth=1, search="exhaustive")
    model.fit(X, y)
    assert 1 <= len(model.estimators_) <= n_rounds
    assert_sound(model, X)


@pytest.mark.thorough
@pytest.mark.parametrize(("rule", "n_rounds"), with_rounds(["real", "gentle", "logit", "log"]))
def test_many_rounds_on_labels_that_are_learned_at_once(rule, n_rounds):
    X, y = np.arange(6.0)[:, np.newaxis], np.array([0, 0, 0, 1, 1, 1])
    model = BoostedTreesClassifier(rule, n_estimators=n_rounds, max_depth=1, search="exhaustive")
    assert_sound(model.fit(X, y), X)
    assert (model.predict(X) == y).all()


def test_ten_thousand_rounds_of_least_squares():
    X, y = noisy_table(n_rows=12)
    model = BoostedTreesRegressor(n_estimators=10_000, max_depth=1, learning_rate=1.0)
    residuals = 1e6 * y - model.fit(X, 1e6 * y).predict(X)
    for column in X.T:
        for threshold in np.unique(column[~np.isnan(column)]):
            for missing_left in (False, True):
                left = np.where(np.isnan(column), missing_left, column <= threshold)
                for side in (left, ~left):  # no stump has anything left to say
                    assert residuals[side].sum() == pytest.approx(0, abs=0.1)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_perfect_tree_has_a_finite_step_and_is_right(rule, n_classes):
    X = np.arange(12.0)[:, np.newaxis]
    y = np.repeat(np.arange(n_classes), 12 // n_classes)
    model = BoostedTreesClassifier(rule, n_estimators=50, max_depth=3, learning_rate=1.0)
    model.fit(X, y)
    assert_sound(model, X)
    assert (model.predict(X) == y).all()
    if rule != "logit":  # a Newton step is short: it goes on
        assert len(model.estimators_) == 1


@pytest.mark.parametrize("rule", RULES)
def test_nothing_to_learn_leaves_one_tree_with_step_zero(rule):
    X, y = np.ones((8, 2)), np.arange(8) % 2
    model = BoostedTreesClassifier(rule, n_estimators=50).fit(X, y)
    assert len(model.estimators_) == len(model.ledger_) == 1
    assert model.estimator_weights_.tolist() == [0.0]
    assert (model.predict_proba(X) == 0.5).all()


def test_a_tree_no_better_than_chance_ends_adaboost():
    # One column that is wrong on a quarter of the rows: after one round it is right on half.
    X = np.array([[0.0], [0.0], [0.0], [0.0], [1.0], [1.0], [1.0], [1.0]])
    y = np.array([0, 0, 0, 1, 1, 1, 1, 0])
    model = BoostedTreesClassifier("adaboost", n_estimators=50, max_depth=1).fit(X, y)
    assert len(model.estimators_) == 1
    assert model.estimator_weights_[0] == pytest.approx(0.5 * np.log(3))


def restarting_model(n_estimators=60):
    X, y = noisy_table(n_rows=24, n_classes=3, seed=5)
    model = BoostedTreesClassifier("adaboost_m1", n_estimators=n_estimators, max_depth=2)
    return model.fit(X, y), X, y


def test_adaboost_m1_restarts_from_the_first_weights():
    model, X, _ = restarting_model()
    restarts = np.flatnonzero(model._ensemble.restarts)
    assert len(restarts) > 0
    first = model.estimators_[0]
    for t in restarts:
        assert (model.estimators_[t].value == first.value).all()
        assert model.estimator_weights_[t] == model.estimator_weights_[0]
    assert_sound(model, X)


def test_dropped_trees_do_not_count():
    model, _, _ = restarting_model()
    assert len(model.estimators_) == len(model.ledger_) == 60
    assert (model.estimator_errors_ < 0.5).all()


def test_going_on_after_a_restart_is_going_on():
    whole, X, y = restarting_model(40)
    for n in (1, *np.flatnonzero(whole._ensemble.restarts)[:2].tolist(), 33):
        part = BoostedTreesClassifier(
            "adaboost_m1", n_estimators=n, max_depth=2, warm_start=True
        ).fit(X, y)
        assert digest(part.set_params(n_estimators=40).fit(X, y)) == digest(whole)


@pytest.mark.parametrize("n_rows", [1, 5])
def test_constant_targets_need_one_tree(n_rows):
    X = np.arange(float(n_rows))[:, np.newaxis]
    model = BoostedTreesRegressor(n_estimators=50).fit(X, np.full(n_rows, 3.25))
    assert len(model.estimators_) == 1
    assert (model.predict(X) == 3.25).all()
