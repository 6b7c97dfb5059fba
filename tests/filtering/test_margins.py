"""More than two classes: what becomes of the paper's formulas, and that two are its own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from small_worlds import worlds

from frugalboost.filtering import FilterRule
from frugalboost.filtering.filter import draw_rivals, margins, rival_shares
from frugalboost.filtering.weak_learner import differences, votes


@st.composite
def binary(draw):
    n = draw(st.integers(1, 30))
    scores = draw(hnp.arrays(np.float64, (n, 1), elements=st.floats(-30, 30)))
    labels = draw(hnp.arrays(np.int64, n, elements=st.integers(0, 1)))
    return scores, labels


@pytest.mark.thorough
@given(binary(), st.floats(-20, 20))
def test_two_scores_are_one(problem, shift):
    """Scores (c, c + F) of two classes are the paper's F."""
    scores, labels = problem
    two = np.hstack([np.full_like(scores, shift), scores + shift])
    np.testing.assert_allclose(margins(two, labels), margins(scores, labels), atol=1e-12)
    assert (draw_rivals(two, labels, np.full(len(labels), 0.7)) == 1 - labels).all()
    assert (rival_shares(two, labels) == rival_shares(scores, labels)).all()
    for name in ("log", "mada"):
        many, one = (FilterRule(name, k).accept(s, labels) for k, s in ((3, two), (2, scores)))
        np.testing.assert_allclose(many, one, rtol=1e-11)
    probabilities = FilterRule("log", 3).probabilities(two)
    np.testing.assert_allclose(
        probabilities, FilterRule("log", 2).probabilities(scores[:, 0]), rtol=1e-11
    )


@given(worlds())
def test_acceptance_is_what_the_label_lacks_to_certainty(world):
    rule = FilterRule("log", world.n_classes)
    shown = world.scores[:, 0] if world.n_classes == 2 else world.scores
    own = rule.probabilities(shown)[np.arange(len(world.labels)), world.labels]
    np.testing.assert_allclose(rule.accept(world.scores, world.labels), 1 - own, atol=1e-15)
    mada = FilterRule("mada", world.n_classes).accept(world.scores, world.labels)
    np.testing.assert_allclose(
        mada, np.minimum(1, np.exp(-margins(world.scores, world.labels))), rtol=1e-12
    )
    assert (mada[own <= 0.5 - 1e-12] == 1).all()


@given(worlds(classes=(3, 4)))
def test_rivals_are_never_the_label_and_share_its_doubt(world):
    shares = rival_shares(world.scores, world.labels)
    rows = np.arange(len(world.labels))
    assert (shares[rows, world.labels] == 0).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=1e-14)
    odds = np.exp(world.scores)
    odds[rows, world.labels] = 0
    np.testing.assert_allclose(shares, odds / odds.sum(axis=1, keepdims=True), rtol=1e-12)


@given(worlds(classes=(3, 4)))
def test_rivals_are_drawn_in_proportion(world):
    """Coins at the middle of a thousand equal parts: counts are exact but for the ends."""
    n_coins = 1_000
    coins = (np.arange(n_coins) + 0.5) / n_coins
    shares = rival_shares(world.scores, world.labels)
    for scores, label, share in zip(world.scores, world.labels, shares, strict=True):
        drawn = draw_rivals(np.tile(scores, (n_coins, 1)), np.full(n_coins, label), coins)
        counts = np.bincount(drawn, minlength=len(share))
        assert counts[label] == 0
        assert (np.abs(counts - n_coins * share) <= 1).all()


@pytest.mark.parametrize("coin", [0.0, 1 - 2**-53])
def test_the_last_coins_name_a_rival_too(coin):
    random = np.random.default_rng(0)
    scores = random.normal(scale=30, size=(2_000, 7))
    labels = random.integers(0, 7, 2_000)
    drawn = draw_rivals(scores, labels, np.full(2_000, coin))
    assert (drawn != labels).all()
    assert (rival_shares(scores, labels)[np.arange(2_000), drawn] > 0).all()


@given(worlds(classes=(3, 4)), st.data())
def test_votes_are_the_mean_of_differences_over_rivals(world, data):
    n, k = world.scores.shape
    named = data.draw(hnp.arrays(np.int64, n, elements=st.integers(0, k - 1)))
    says = np.eye(k)[named]
    right, wrong = votes(says, world.scores, world.labels)
    np.testing.assert_allclose(right - wrong, world.differences(says), atol=1e-14)


@given(binary())
def test_differences_of_two_classes_are_those_of_two_scores(problem):
    says, labels = problem
    twice = differences(np.hstack([-says, says]), labels, 1 - labels)
    assert (2 * differences(says, labels, 1 - labels) == twice).all()


def test_large_scores_neither_overflow_nor_lose_a_class():
    scores = np.array([[800.0, -800.0, 0.0], [-1e300, 0.0, 1e300]])
    with np.errstate(over="raise", invalid="raise"):
        found = margins(scores, np.array([0, 0]))
        assert found.tolist() == [800.0, -2e300]
        assert FilterRule("log", 3).accept(scores, np.array([0, 0])).tolist() == [
            FilterRule("log", 2).accept(np.array([[800.0]]), np.array([1]))[0],
            1.0,
        ]
