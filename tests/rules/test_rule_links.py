"""Probabilities: they sum to one, rise with the decision and are even at zero."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_helpers import EVERY_RULE, each_rule, every_classifier_rule
from scipy.optimize import minimize

from frugalboost.rules import L2Boost, make_rule
from frugalboost.rules.base import one_against_rest, sigmoid, symmetric

decisions = st.lists(st.floats(-1e5, 1e5), min_size=5, max_size=5)


def decision_of(row, n_classes):
    return np.array(row[:1]) if n_classes == 2 else np.array([row[:n_classes]])


@every_classifier_rule
@given(row=decisions)
@settings(deadline=None, max_examples=30)
def test_probabilities_sum_to_one_and_follow_the_decision(name, n_classes, row):
    decision = decision_of(row, n_classes)
    probability = make_rule(name, n_classes, 1.0).probabilities(decision)
    assert probability.shape == (1, n_classes)
    assert ((probability >= 0) & (probability <= 1)).all()
    assert probability.sum() == pytest.approx(1.0, abs=1e-12)
    scores = np.array([-decision[0], decision[0]]) if n_classes == 2 else decision[0]
    assert (np.diff(probability[0, np.argsort(scores)]) >= 0).all()


@every_classifier_rule
@given(row=st.lists(st.floats(-8, 8), min_size=5, max_size=5), rise=st.floats(0.01, 2.0))
@settings(deadline=None, max_examples=30)
def test_a_class_gains_probability_when_its_decision_rises(name, n_classes, row, rise):
    rule = make_rule(name, n_classes, 1.0)
    decision = decision_of(row, n_classes)
    raised = decision.copy()
    raised[..., -1] += rise
    assert rule.probabilities(raised)[0, -1] > rule.probabilities(decision)[0, -1]


@every_classifier_rule
def test_no_decision_means_even_odds(name, n_classes):
    decision = np.zeros(1) if n_classes == 2 else np.zeros((1, n_classes))
    probability = make_rule(name, n_classes, 1.0).probabilities(decision)
    assert probability == pytest.approx(np.full((1, n_classes), 1 / n_classes), abs=1e-15)


# One against rest is exact for each class before normalising; two classes show that.
SYMMETRIC = ("adaboost", "adaboost_m1", "gentle", "logit")


@pytest.mark.thorough
@each_rule([(name, K) for name, K in EVERY_RULE if K == 2 or name in SYMMETRIC])
@given(share=st.floats(0.05, 0.95))
@settings(deadline=None, max_examples=20)
def test_the_link_inverts_the_population_minimiser(name, n_classes, share):
    """The decision that minimises the expected loss gives back the probabilities it came from."""
    rule = make_rule(name, n_classes, 1.0)
    shares = np.array([1 - share] + [share / (n_classes - 1)] * (n_classes - 1))
    labels = np.arange(n_classes)

    def expected_loss(free):
        decision = free[0] if n_classes == 2 else np.append(free, -free.sum())
        copies = np.repeat(np.atleast_2d(decision), n_classes, axis=0)
        return rule.loss(labels, copies[:, 0] if n_classes == 2 else copies, shares)

    best = minimize(expected_loss, np.full(n_classes - 1, 0.1), tol=1e-10).x
    decision = best[:1] if n_classes == 2 else np.append(best, -best.sum())[np.newaxis]
    assert rule.probabilities(decision)[0] == pytest.approx(shares, abs=1e-3)


def test_small_probabilities_are_not_lost():
    assert sigmoid(np.array([100.0]), 1.0)[0, 0] == pytest.approx(np.exp(-100.0), rel=1e-12, abs=0)
    certain = symmetric(np.array([[100.0, 0.0, 0.0]]), 1.0)
    assert certain[0, 1] == pytest.approx(np.exp(-100.0), rel=1e-12, abs=0)


def test_one_against_rest_is_the_normalised_sigmoid():
    decision = np.array([[1.0, -2.0, 0.5]])
    raw = 1 / (1 + np.exp(-2 * decision))
    assert one_against_rest(decision, 2.0) == pytest.approx(raw / raw.sum(), rel=1e-12)


def test_regression_has_no_probabilities():
    with pytest.raises(TypeError, match="L2Boost: probabilities need classes"):
        L2Boost().probabilities(np.zeros(3))
