"""Utilities are what their formulas say, at ties and infinities too."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.stats import entropy as scipy_entropy

from frugalboost.active.utilities import (
    UTILITIES,
    count_votes,
    disagreement,
    entropy,
    explain,
    first_two,
    leads,
    margin,
)

SCORES = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6),
    elements=st.one_of(
        st.integers(-3, 3).map(float),
        st.sampled_from([np.inf, -np.inf]),
        st.floats(allow_nan=False),
    ),
)


@given(SCORES)
def test_margin_is_the_reciprocal_of_best_minus_second_best(scores):
    for row, utility in zip(scores, margin(scores), strict=True):
        second, best = sorted(row.tolist())[-2:]
        with np.errstate(divide="ignore", over="ignore"):
            lead = np.float64(best) - np.float64(second) if best > second else np.float64(0.0)
            assert utility == 1.0 / lead


@given(SCORES)
def test_utilities_are_never_nan_and_smallest_for_the_largest_lead(scores):
    found = margin(scores)
    assert not np.isnan(found).any()
    in_order = found[np.argsort(leads(scores), kind="stable")]
    assert (in_order[:-1] >= in_order[1:]).all()


def test_two_equal_infinities_tie_and_one_alone_is_sure():
    scores = np.array([[np.inf, np.inf, 0.0], [np.inf, 1.0, 0.0], [-np.inf, -np.inf, -np.inf]])
    assert margin(scores).tolist() == [np.inf, 0.0, np.inf]


def test_a_decision_of_two_classes_is_its_own_lead():
    assert margin(np.array([-2.0, 0.5, 0.0])).tolist() == [0.5, 2.0, np.inf]


def test_a_lead_too_small_to_invert_is_a_tie():
    assert margin(np.array([[5e-324, 0.0]])).tolist() == [np.inf]


@given(st.integers(0, 2**32 - 1), st.integers(2, 8))
def test_entropy_is_that_of_scipy(seed, n_classes):
    shares = np.random.default_rng(seed).dirichlet(np.full(n_classes, 0.3), size=5)
    shares[0] = np.eye(n_classes)[0]
    assert entropy(shares) == pytest.approx(scipy_entropy(shares, axis=1))
    assert entropy(shares)[0] == 0.0


def test_disagreement_is_zero_when_all_agree_and_largest_when_votes_are_even():
    votes = np.array([[6.0, 0.0, 0.0], [5.0, 1.0, 0.0], [3.0, 3.0, 0.0], [2.0, 2.0, 2.0]])
    found = disagreement(votes)
    assert found[0] == 0.0
    assert (np.diff(found) > 0).all()
    assert found[3] == pytest.approx(np.log(3))


def test_votes_are_counted_tree_by_tree():
    leaves = np.array([[0, 1], [1, 1], [1, 0]])
    votes = [np.array([2, 0]), np.array([2, 1])]
    assert count_votes(leaves, votes, 3).tolist() == [[0, 1, 1], [1, 1, 0], [1, 0, 1]]


@given(SCORES)
def test_the_first_two_classes_differ_and_hold_the_highest_scores(scores):
    for row, first, second in zip(scores, *first_two(scores), strict=True):
        assert first != second
        assert [row[second], row[first]] == sorted(row.tolist())[-2:]


def test_first_two_of_a_decision():
    assert [codes.tolist() for codes in first_two(np.array([-1.0, 2.0]))] == [[0, 1], [1, 0]]


@pytest.mark.parametrize("name", UTILITIES)
def test_every_utility_explains_itself_with_its_figure_and_both_classes(name):
    scores = np.array([[0.25, 0.0, 0.75]])
    assert explain(name, scores, ["ant", "bee", "cat"])[0].startswith(f"{name} 0.5")
    assert explain(name, scores, ["ant", "bee", "cat"])[0].endswith("between cat and ant")
