"""Boosting by majority: what its proof says, on distributions small enough to compute it all."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugalboost.filtering.majority import Majority
from frugalboost.reference.boost_by_majority import number_of_votes, potential, weight

ROUNDING = 1e-12

shares = st.lists(st.integers(1, 50), min_size=1, max_size=8)


def mean(values, share):
    return float((np.array(values) * share).sum())


@given(st.data(), shares, st.integers(0, 4), st.floats(0.02, 0.4))
def test_a_vote_moves_the_potential_by_its_error(data, sizes, half, edge):
    """E[potential] changes by E[weight] (error - 1/2 + edge), so a good vote never raises it."""
    k = 2 * half + 1
    i = data.draw(st.integers(0, k - 1))
    n = len(sizes)
    share = np.array(sizes) / sum(sizes)
    right = data.draw(st.lists(st.integers(0, i), min_size=n, max_size=n))
    is_right = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    weights = np.array([weight(k, edge, i, r) for r in right])
    total = mean(weights, share)
    wrong = mean(weights * ~is_right, share)
    before = mean([potential(k, edge, i, r) for r in right], share)
    after = mean(
        [potential(k, edge, i + 1, r + int(c)) for r, c in zip(right, is_right, strict=True)], share
    )
    assert after - before == pytest.approx(wrong - (0.5 - edge) * total, abs=ROUNDING)


@given(st.floats(0.01, 0.5), st.floats(0.1, 0.45))
def test_votes_grow_with_the_logarithm_of_the_target(target, edge):
    """Hoeffding: k votes err with at most exp(-2 edge^2 k)."""
    k = number_of_votes(target, edge)
    assert k % 2 == 1
    assert k <= math.log(1 / target) / (2 * edge**2) + 2
    # At the end the potential is the error of the vote, at the beginning its bound.
    assert [potential(k, edge, k, r) for r in range(k + 1)] == [
        float(r <= k // 2) for r in range(k + 1)
    ]
    assert potential(k, edge, 0, 0) <= target


@given(st.floats(0.01, 0.9), st.floats(0.1, 0.45), st.data())
def test_the_library_weighs_as_the_reference(target, edge, data):
    majority = Majority.for_error(target, edge)
    k = majority.n_votes
    # Where the error of a vote is the target itself, rounding decides.
    assert k in {number_of_votes(target / 2 * share, edge) for share in (1 - 1e-9, 1 + 1e-9)}
    i = data.draw(st.integers(0, k - 1))
    expected = [weight(k, edge, i, r) for r in range(i + 1)]
    np.testing.assert_allclose(majority.weights(i), expected, rtol=1e-9, atol=1e-15)


@given(st.floats(0.01, 0.9), st.floats(0.1, 0.45))
def test_votes_left_out_cost_at_most_half_the_target(target, edge):
    """Any vote on as few examples as are accepted then, even one that is always wrong."""
    majority = Majority.for_error(target, edge)
    costs = [
        majority.least_acceptance(i) * majority.weights(i).max() * (0.5 + edge)
        for i in range(majority.n_votes)
    ]
    assert sum(costs) <= target / 2 * (1 + ROUNDING)


def test_edges_that_need_too_many_votes_are_refused():
    with pytest.raises(ValueError, match="so small that 1001 votes suffice; got 0"):
        Majority.for_error(0.05, 0.0001)
