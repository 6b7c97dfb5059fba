"""Weight functions, losses, and the weights of the trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_helpers import EVERY_RULE, each_rule, make_regression, played

from frugalboost.rules import losses, weights
from frugalboost.rules.pairs import pair_margins

WEIGHT_OF_LOSS = [
    (losses.exponential_loss, weights.exponential),
    (losses.truncated_loss, weights.truncated),
    (losses.logistic_loss, weights.logistic),
]


@pytest.mark.parametrize(("loss", "weight"), WEIGHT_OF_LOSS)
@given(margin=st.floats(-20, 20).filter(lambda margin: abs(margin) > 1e-3))
@settings(deadline=None, max_examples=50)
def test_a_weight_is_minus_the_derivative_of_its_loss(loss, weight, margin):
    step = 1e-5
    ahead, behind = loss(np.array([margin + step])), loss(np.array([margin - step]))
    slope = (ahead - behind) / (2 * step)
    assert weight(np.array([margin])) == pytest.approx(-slope, rel=1e-5, abs=1e-9)


@pytest.mark.parametrize("kind", weights.WEIGHT_FUNCTIONS)
@pytest.mark.parametrize("n_classes", [2, 3, 8])
@pytest.mark.parametrize("n_rows", [1, 7, 2000])
def test_weights_of_pairs_are_the_weight_function_of_their_margins(kind, n_classes, n_rows):
    random = np.random.default_rng(0)
    labels = random.integers(0, n_classes, n_rows)
    shape = n_rows if n_classes == 2 else (n_rows, n_classes)
    scores, sample_weight = random.normal(scale=5.0, size=shape), random.random(n_rows) + 0.5
    actual = weights.pair_weights(kind, scores, labels, sample_weight)
    by_margin = getattr(weights, kind)(pair_margins(scores, labels))
    expected = weights.per_output(weights.unit_scaled(sample_weight), scores) * by_margin
    assert actual == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("kind", weights.WEIGHT_FUNCTIONS)
@given(far=st.floats(300.0, 1e5))
@settings(deadline=None, max_examples=30)
def test_pairs_that_are_all_far_from_the_boundary_keep_their_proportions(kind, far):
    scores = np.array([far, far + 1.0, far + 2.0])
    actual = weights.pair_weights(kind, scores, np.ones(3, dtype=int), np.ones(3))
    assert actual[1:] / actual[0] == pytest.approx(np.exp([-1.0, -2.0]), rel=1e-9)


@pytest.mark.parametrize("kind", ["truncated", "logistic"])
def test_hopeless_pairs_weigh_at_most_one(kind):
    actual = weights.pair_weights(kind, np.array([-1e300, -1e4, 0.0, 1e4]), np.ones(4), np.ones(4))
    assert actual[:2].tolist() == [1.0, 1.0]
    assert actual[2] >= 0.5
    assert 0 < actual[3] < 1e-300


@pytest.mark.parametrize("function", [f for pair in WEIGHT_OF_LOSS for f in pair])
def test_hopeless_and_certain_margins_stay_finite_and_fall(function):
    values = function(np.array([-1e300, -1e4, -1.0, 0.0, 1.0, 1e4, 1e300]))
    assert np.isfinite(values).all()
    assert (np.diff(values) <= 0).all()
    assert values[2] >= values[3] > values[4] > values[5] >= 0


@given(
    log_weight=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20),
    magnitude=st.floats(-300, 300),
)
@settings(deadline=None)
def test_tree_weights_are_positive_finite_and_in_proportion(log_weight, magnitude):
    exponent = np.array(log_weight)
    actual = weights.tree_weights(exponent, np.full(len(exponent), 10.0**magnitude))
    assert (actual >= np.finfo(float).tiny).all()
    assert np.isfinite(actual.sum())
    resolved = exponent > exponent.max() - 400
    expected = exponent[resolved] - exponent.max()
    assert np.log(actual[resolved] / actual.max()) == pytest.approx(expected, abs=1e-9)


def test_without_boosting_tree_weights_are_the_sample_weights_exactly():
    sample_weight = np.array([1.0, 3.0, 7.0, 1e-3])
    assert (weights.tree_weights(np.zeros(4), sample_weight) * 4 == sample_weight).all()
    ones = np.ones(3)
    assert (weights.tree_weights(np.zeros(3), ones) == ones).all()


def test_ratio_of_sample_weights_beyond_the_float_range():
    actual = weights.tree_weights(np.zeros(3), np.array([1e-300, 1.0, 1e300]))
    assert actual[2] / actual[1] == pytest.approx(1e300)
    assert actual[0] == np.finfo(float).tiny


def test_the_base_stays_within_a_band_and_moves_beyond_it():
    ones = np.ones(3)
    before = weights.tree_weights(np.array([0.0, 1.0, 2.0]), ones)
    within = weights.tree_weights(np.array([0.0, 1.0, 200.0]), ones)
    beyond = weights.tree_weights(np.array([0.0, 1.0, 2000.0]), ones)
    assert (before[:2] == within[:2]).all()
    assert (before[:2] != beyond[:2]).all()


# LogitBoost's weights are curvatures; its numerators are the slopes (test_rule_newton).
@each_rule([(name, K) for name, K in EVERY_RULE if name != "logit"])
def test_tree_weights_are_minus_the_slope_of_the_loss_in_the_margins(name, n_classes):
    booster = played(name, n_classes)
    actual = booster.problem().weights
    slopes = np.array([-margin_slope(booster, *pair) for pair in np.ndindex(actual.shape)])
    ratio = slopes / actual.ravel()
    assert ratio == pytest.approx(np.full(len(ratio), ratio.mean()), rel=1e-4)
    assert actual.max() > 1.5 * actual.min()


def margin_slope(booster, row: int, column: int | None = None, step: float = 1e-4) -> float:
    """Derivative of the loss along the direction that raises the margin of a row or pair."""
    direction = np.zeros_like(booster.decision)
    label = booster.labels[row]
    if direction.ndim == 1:
        direction[row] = 1.0 if label == 1 else -1.0
    elif column is None:
        direction[row] = np.where(np.arange(direction.shape[1]) == label, 1.0, 0.0)
    else:
        direction[row, column] = 1.0 if column == label else -1.0
    ahead = booster.loss(booster.decision + step * direction)
    behind = booster.loss(booster.decision - step * direction)
    return (ahead - behind) / (2 * step)


def test_l2_numerators_are_minus_half_the_slope_of_the_loss():
    booster = make_regression(np.random.default_rng(0))
    booster.play(np.arange(50) % 3)
    slopes = []
    for row in range(50):
        direction = np.eye(50)[row] * 1e-4
        slopes.append(
            booster.loss(booster.state + direction) - booster.loss(booster.state - direction)
        )
    ratio = -np.array(slopes) / booster.problem().numerators.ravel()
    assert ratio == pytest.approx(np.full(50, ratio[0]), rel=1e-4)


def test_weighted_mean_weighs_rows_and_averages_outputs():
    table = np.array([[1.0, 3.0], [5.0, 7.0]])
    assert losses.weighted_mean(table, np.array([3.0, 1.0])) == 0.75 * 2 + 0.25 * 6


def test_weighted_mean_of_the_largest_losses_is_finite():
    hopeless = losses.exponential_loss(np.full(1000, -1e5))
    assert losses.weighted_mean(hopeless, np.full(1000, 1e305)) == pytest.approx(hopeless[0])


def test_ones_that_are_one_number_are_written_out_once():
    """The core would copy them in every call, and call want of memory a wrong argument."""
    scaled = weights.unit_scaled(np.broadcast_to(1.0, 5))
    assert scaled.flags.c_contiguous
    assert scaled.tolist() == [1.0] * 5
