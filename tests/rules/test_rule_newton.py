"""Gentle AdaBoost and GAMBLE, LogitBoost, L2Boost: leaves that are Newton steps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from rule_helpers import (
    N_CLASSES,
    Booster,
    compact,
    informative_leaves,
    leaf_sums,
    make_regression,
    played,
)
from scipy.special import softmax

from frugalboost.rules import Action, GentleBoost, L2Boost, LeafSums, LogitBoost, logit
from frugalboost.rules.gentle import gamble_values
from frugalboost.rules.logit import LARGEST_RESPONSE, PRIOR_ROWS

every_number_of_classes = pytest.mark.parametrize("n_classes", N_CLASSES)


def class_sums(n_classes):
    weights = st.one_of(st.just(0.0), st.floats(1e-12, 1e12))
    leaf = hnp.arrays(float, (3, n_classes), elements=weights)
    return leaf.filter(lambda sums: (sums.sum(axis=1) > 0).all())


def mean_codes(sums):
    n_classes = sums.shape[1]
    shares = sums / sums.sum(axis=1, keepdims=True)
    return (n_classes * shares - 1) / (n_classes - 1)


@pytest.mark.parametrize("n_classes", [3, 5, 20])
@given(data=st.data())
@settings(deadline=None, max_examples=40)
def test_results_2_and_3_of_gamble(n_classes, data):
    sums = data.draw(class_sums(n_classes))
    K = n_classes
    mean_code = mean_codes(sums)
    slack = 1e-9 * K**2
    assert np.abs(mean_code.sum(axis=1)).max() < slack
    assert mean_code.min() >= -1 / (K - 1) - slack
    assert mean_code.max() <= 1 + slack
    values = GentleBoost(K, 1.0).judge(LeafSums(sums, 99), False, False).values
    assert values == pytest.approx(gamble_values(mean_code), abs=slack)
    assert np.abs(values.sum(axis=1)).max() < slack
    assert np.abs(values).max() <= K * (K - 1) + slack


def test_the_bounds_of_result_3_are_reached():
    pure = gamble_values(mean_codes(np.eye(4)))
    assert pure.max() == pytest.approx(4 * 3)
    assert pure[0, 1:] == pytest.approx([-4.0] * 3)


@pytest.mark.parametrize("n_classes", [3, 5])
def test_algorithm_2_is_algorithm_1(n_classes):
    """The ratio of two regressions, of the code and of its square, then centred."""
    rng = np.random.default_rng(0)
    labels, weights = rng.integers(n_classes, size=40), rng.random(40)
    code = np.where(np.arange(n_classes) == labels[:, np.newaxis], 1.0, -1 / (n_classes - 1))
    g = np.average(code, axis=0, weights=weights)
    h = np.average(code**2, axis=0, weights=weights)
    ratio = n_classes * g / h
    sums = np.bincount(labels, weights, n_classes)[np.newaxis]
    values = GentleBoost(n_classes, 1.0).judge(LeafSums(sums, 40), False, False).values
    assert values[0] == pytest.approx(ratio - ratio.mean(), rel=1e-12)


@every_number_of_classes
def test_a_gentle_leaf_is_a_newton_step_in_each_component(n_classes):
    """First over second derivative of the loss, component by component, before centring."""
    booster = played("gentle", n_classes, n_rounds=3)
    leaf_of_row = compact(informative_leaves(np.random.default_rng(7), booster.labels))
    verdict = booster.judge(leaf_of_row)
    for leaf in range(leaf_of_row.max() + 1):
        newton = [
            newton_step(booster, leaf_of_row == leaf, k) for k in range(verdict.values.shape[1])
        ]
        newton = np.array(newton)
        if n_classes > 2:
            newton = newton - newton.mean()
        assert verdict.values[leaf] == pytest.approx(newton, rel=1e-4, abs=1e-4)


def newton_step(booster, rows, k, step=1e-3):
    direction = np.zeros_like(booster.decision)
    direction[rows if direction.ndim == 1 else (rows, k)] = step
    here = booster.loss()
    ahead, behind = (booster.loss(booster.decision + s * direction) for s in (1, -1))
    return -(ahead - behind) / 2 / (ahead - 2 * here + behind) * step


@given(sums=class_sums(2))
@settings(deadline=None, max_examples=50)
def test_with_two_classes_a_gentle_leaf_says_the_mean_label(sums):
    verdict = GentleBoost(2, 1.0).judge(LeafSums(sums, 99), True, True)
    expected = (sums[:, 1] - sums[:, 0]) / sums.sum(axis=1)
    assert verdict.values[:, 0] == pytest.approx(expected, abs=1e-12)


@every_number_of_classes
def test_the_gentle_state_is_the_exponent_of_the_loss(n_classes):
    booster = played("gentle", n_classes, n_rounds=10)
    loss = np.average(np.exp(booster.state), weights=booster.sample_weight)
    assert loss == pytest.approx(booster.loss(), rel=1e-9)
    assert booster.state.std() > 0.05


@every_number_of_classes
def test_the_gentle_error_is_the_unexplained_share_of_the_codes(n_classes):
    rng = np.random.default_rng(0)
    labels, weights = rng.integers(n_classes, size=80), rng.random(80)
    halves = np.split(np.arange(80), 2)  # two leaves
    code = np.where(np.arange(n_classes) == labels[:, np.newaxis], 1.0, -1 / (n_classes - 1))
    missed = 0.0
    for rows in halves:
        fit = np.average(code[rows], axis=0, weights=weights[rows])
        missed += (weights[rows, np.newaxis] * (code[rows] - fit) ** 2).sum()
    sums = np.array([np.bincount(labels[rows], weights[rows], n_classes) for rows in halves])
    verdict = GentleBoost(n_classes, 1.0).judge(LeafSums(sums, 80), False, False)
    guessing = weights.sum() * (code[0] ** 2).sum()
    assert verdict.error == pytest.approx(missed / guessing, rel=1e-9)


@every_number_of_classes
@pytest.mark.parametrize("is_first", [True, False])
def test_gentle_stops_at_pure_and_at_undecided_leaves(n_classes, is_first):
    rule = GentleBoost(n_classes, 1.0)
    pure = rule.judge(LeafSums(np.eye(n_classes), 9), is_first, is_first)
    assert (pure.action, pure.error, pure.step) == (Action.KEEP_AND_STOP, 0, 1.0)
    shrunken = GentleBoost(n_classes, 0.1).judge(LeafSums(np.eye(n_classes), 9), False, False)
    assert (shrunken.action, shrunken.step) == (Action.KEEP, 0.1)
    even = rule.judge(LeafSums(np.full((2, n_classes), 0.7), 9), is_first, is_first)
    assert even.action is (Action.KEEP_AND_STOP if is_first else Action.DROP_AND_STOP)
    assert even.step == 0
    assert even.error == pytest.approx(1.0)


# LogitBoost


@every_number_of_classes
def test_logit_numerators_are_minus_the_slope_of_the_loss(n_classes):
    booster = played("logit", n_classes)
    numerators = booster.problem().numerators
    slopes = np.empty_like(numerators)
    for row, k in np.ndindex(numerators.shape):
        direction = np.zeros_like(booster.decision)
        direction[row if n_classes == 2 else (row, k)] = 1e-4
        slopes[row, k] = booster.loss(booster.decision - direction) - booster.loss(
            booster.decision + direction
        )
    ratio = (slopes / numerators).ravel()
    assert ratio == pytest.approx(np.full(len(ratio), ratio[0]), rel=1e-4)


@every_number_of_classes
def test_a_logit_leaf_is_a_newton_step(n_classes, monkeypatch):
    """One step only: every probability is near 1 / K, far from where z_max acts."""
    monkeypatch.setattr(logit, "PRIOR_ROWS", 0.0)
    booster = played("logit", n_classes, n_rounds=1, learning_rate=0.1)
    leaf_of_row = compact(informative_leaves(np.random.default_rng(7), booster.labels))
    verdict = booster.judge(leaf_of_row)
    if n_classes == 5:  # 1 - 1/5 over 1/5 * 4/5 is 5, beyond z_max already
        assert np.abs(booster.problem().numerators / booster.problem().weights).max() <= 4 + 1e-12
        return
    for leaf in range(leaf_of_row.max() + 1):
        rows = leaf_of_row == leaf
        newton = np.array([newton_step(booster, rows, k) for k in range(verdict.values.shape[1])])
        if n_classes > 2:
            newton = (n_classes - 1) / n_classes * (newton - newton.mean())
        assert verdict.values[leaf] == pytest.approx(newton, rel=1e-3, abs=1e-4)


@every_number_of_classes
def test_the_prior_of_a_logit_leaf_is_that_many_undecided_rows(n_classes):
    """With the rows really added, residual 0 and probability 1 / K each, no prior is needed."""
    n_outputs = 1 if n_classes == 2 else n_classes
    rng = np.random.default_rng(0)
    weight, numerator = rng.random((4, n_outputs)), rng.normal(size=(4, n_outputs))
    verdict = LogitBoost(n_classes, 1.0).judge(
        LeafSums(np.stack([weight, numerator], axis=1), 50), False, False
    )
    undecided = 1 / n_classes * (1 - 1 / n_classes)
    steps = numerator / (weight + PRIOR_ROWS * undecided)
    steps = np.clip(steps, -LARGEST_RESPONSE, LARGEST_RESPONSE)
    if n_classes > 2:
        steps = (n_classes - 1) / n_classes * (steps - steps.mean(axis=1, keepdims=True))
    assert verdict.values == pytest.approx(steps)


def test_repeating_every_row_halves_the_share_of_the_prior():
    """A weight of 2 is a repeated row; weights that someone has normalised change nothing."""
    rng = np.random.default_rng(0)
    labels, state = rng.integers(2, size=40), rng.normal(size=40)
    rule, ones = LogitBoost(2, 1.0), np.ones(40)

    def says(labels, state, sample_weight):
        problem = rule.problem(state, labels, sample_weight)
        sums = np.array([[problem.weights.sum(axis=0), problem.numerators.sum(axis=0)]])
        return rule.judge(LeafSums(sums, len(labels)), False, False).values[0, 0]

    twice = says(np.tile(labels, 2), np.tile(state, 2), np.ones(80))
    assert says(labels, state, 2 * ones) == pytest.approx(twice)
    assert abs(twice) > 1.01 * abs(says(labels, state, ones))
    assert says(labels, state, ones / 40) == pytest.approx(says(labels, state, ones))


@every_number_of_classes
def test_no_row_of_logit_asks_for_more_than_z_max_and_small_requests_are_untouched(n_classes):
    rule = LogitBoost(n_classes, 1.0)
    rng = np.random.default_rng(0)
    labels = rng.integers(n_classes, size=500)
    shape = 500 if n_classes == 2 else (500, n_classes)
    state = rng.normal(scale=4.0, size=shape)
    problem = rule.problem(state, labels, np.ones(500))
    request = problem.numerators / problem.weights
    assert np.abs(request).max() == pytest.approx(LARGEST_RESPONSE, rel=1e-12)
    probability = rule.probabilities(state)
    target = labels[:, np.newaxis] == np.arange(n_classes)
    if n_classes == 2:
        probability, target = probability[:, 1:], target[:, 1:]
    residual = target - probability
    assert problem.numerators == pytest.approx(residual, abs=1e-12)
    curvature = probability * (1 - probability)
    free = np.abs(residual) < LARGEST_RESPONSE * curvature
    assert free.any()
    assert problem.weights[free] == pytest.approx(curvature[free], rel=1e-6)
    assert (problem.weights >= curvature * (1 - 1e-9)).all()


def test_logit_residuals_keep_their_digits_near_certainty():
    labels = np.array([0, 2])
    state = np.array([[60.0, 0.0, 0.0], [0.0, 0.0, 60.0]])
    numerators = LogitBoost(3, 1.0).problem(state, labels, np.ones(2)).numerators
    assert numerators[0, 0] == pytest.approx(2 * np.exp(-60.0), rel=1e-9, abs=0)
    two = LogitBoost(2, 1.0).problem(np.array([60.0]), np.array([1]), np.ones(1)).numerators
    assert two[0, 0] == pytest.approx(np.exp(-60.0), rel=1e-9, abs=0)


@every_number_of_classes
def test_a_perfect_tree_again_and_again_stops_moving_logit(n_classes, monkeypatch):
    """Without a least curvature the decision would grow by about 1 a round, for ever.

    The prior would slow it down much earlier.
    """
    monkeypatch.setattr(logit, "PRIOR_ROWS", 0.0)
    labels = np.repeat(np.arange(n_classes), 5)
    booster = Booster(LogitBoost(n_classes, 1.0), labels)
    for _ in range(300):
        verdict = booster.play(labels)
    assert np.abs(verdict.values).max() < 0.1
    assert 25 < np.abs(booster.decision).max() < 50
    assert booster.problem().weights.min() == np.finfo(float).eps


def test_logit_loss_is_the_log_likelihood():
    rng = np.random.default_rng(0)
    decision, labels = rng.normal(size=(30, 4)), rng.integers(4, size=30)
    expected = -np.log(softmax(decision, axis=1)[np.arange(30), labels]).mean()
    assert LogitBoost(4, 1.0).loss(labels, decision, np.ones(30)) == pytest.approx(expected)


@pytest.mark.parametrize("is_first", [True, False])
def test_logit_stops_when_nothing_is_left(is_first):
    sums = np.array([[[2.0], [1e-16]], [[3.0], [0.0]]])
    verdict = LogitBoost(2, 0.1).judge(LeafSums(sums, 10), is_first, is_first)
    assert verdict.action is (Action.KEEP_AND_STOP if is_first else Action.DROP_AND_STOP)
    sums[0, 1] = 1e-3
    verdict = LogitBoost(2, 0.1).judge(LeafSums(sums, 10), is_first, is_first)
    assert (verdict.action, verdict.step) == (Action.KEEP, 0.1)


# L2Boost


def test_an_l2_leaf_says_the_weighted_mean_residual():
    booster = make_regression(np.random.default_rng(0))
    leaf_of_row = np.arange(50) % 4
    booster.play(np.arange(50) // 9)
    verdict = booster.judge(leaf_of_row)
    residual = booster.labels - booster.decision
    for leaf in range(4):
        rows = leaf_of_row == leaf
        expected = np.average(residual[rows], weights=booster.sample_weight[rows])
        assert verdict.values[leaf, 0] == pytest.approx(expected, rel=1e-9)


def test_a_full_l2_step_lowers_the_loss_by_the_verdict():
    rng = np.random.default_rng(1)
    booster = Booster(L2Boost(1, 1.0), rng.normal(size=40), rng.uniform(0.5, 2, size=40))
    before = booster.loss()
    verdict = booster.play(rng.integers(5, size=40))
    assert before - booster.loss() == pytest.approx(verdict.error, rel=1e-9)


def test_l2_starts_at_the_baseline_and_stops_at_a_perfect_fit():
    rule = L2Boost(1, 0.5)
    state = rule.start(3, baseline=7.0)
    assert (state == [7.0, 7.0, 7.0]).all()
    problem = rule.problem(state, np.array([7.0, 7.0, 8.0]), np.ones(3))
    assert (problem.numerators[:, 0] == [0, 0, 1]).all()
    assert problem.weights.shape == (3, 1)
    fitted = leaf_sums(
        rule.problem(state, state, np.ones(3)), np.array([0, 0, 1]), state, n_classes=1
    )
    assert rule.judge(fitted, True, True).action is Action.KEEP_AND_STOP
    assert rule.judge(fitted, False, False).action is Action.DROP_AND_STOP
