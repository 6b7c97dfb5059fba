"""What rounding weights to integers costs, and that sums of them fit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost import native
from frugalboost.rules import TreeProblem
from frugalboost.tree import FixedPoint
from frugalboost.tree.fixed_point import kept_exponent, to_fixed

positive = st.one_of(
    st.just(1.0),
    st.floats(1e-300, 1e100),
    st.sampled_from([2.3e-308, 1e-300, 1.0, 1e100]),
    st.integers(-200, 200).map(lambda bits: 2.0**bits),
)
some_weights = st.lists(positive, min_size=1, max_size=30).map(np.array)
moderate = settings(deadline=None, max_examples=100)


def convert(weights, layout="classes", numerators=None, fixed=None):
    labels = None if layout == "real" else np.zeros(len(weights), dtype=np.uint32)
    problem = TreeProblem(layout, weights, numerators)
    n_outputs = 2 if weights.ndim == 1 else weights.shape[1]
    return (fixed or FixedPoint()).convert(problem, labels, n_outputs)


@given(some_weights)
@moderate
def test_rounding_moves_a_weight_by_at_most_one_unit(weights):
    fixed = convert(weights)
    unit = Fraction(2) ** -fixed.scale.exponents[0]
    for integer, weight in zip(fixed.weights[:, 0].tolist(), weights.tolist(), strict=True):
        assert abs(integer * unit - Fraction(weight)) <= unit


@given(some_weights)
@moderate
def test_no_weight_is_zero_and_the_first_total_is_about_2_to_the_50(weights):
    fixed = convert(weights)
    total = sum(fixed.weights[:, 0].tolist())
    assert fixed.weights.min() >= 1
    assert 2**49 - len(weights) <= total <= 2**50 + len(weights)


@given(st.lists(st.lists(positive, min_size=3, max_size=3), min_size=1, max_size=12).map(np.array))
@moderate
def test_votes_weigh_as_much_as_their_row(weights):
    fixed = convert(weights, "votes")
    assert fixed.weights.min() >= 1
    assert fixed.mass.tolist() == fixed.weights.sum(axis=1).tolist()
    assert fixed.weights.sum() <= 2**50 + weights.size


@given(st.floats(1e-300, 1e300), st.lists(st.floats(0.01, 100.0), max_size=60))
@moderate
def test_the_scale_is_kept_while_the_total_is_in_range(first, factors):
    total, exponent = first, kept_exponent(first, None)
    assert 2**49 <= Fraction(total) * Fraction(2) ** exponent < 2**50
    for factor in factors:
        total = min(max(total * factor, 1e-300), 1e300)
        before = Fraction(total) * Fraction(2) ** exponent
        last, exponent = exponent, kept_exponent(total, exponent)
        assert 2**40 <= Fraction(total) * Fraction(2) ** exponent < 2**60
        if 2**40 <= before < 2**60:
            assert exponent == last


def test_an_unchanged_weight_keeps_its_integer_while_others_grow():
    fixed = FixedPoint()
    weights = np.array([0.3, 0.1, 0.6])
    first = convert(weights, fixed=fixed).weights[0, 0]
    for factor in (2.0, 30.0, 500.0):
        assert convert(weights * [1.0, factor, 1.0], fixed=fixed).weights[0, 0] == first


def test_a_total_out_of_range_is_scaled_anew():
    fixed = FixedPoint()
    weights = np.array([0.3, 0.7])
    before = convert(weights, fixed=fixed).scale.exponents[0]
    assert convert(weights * 2.0**12, fixed=fixed).scale.exponents[0] < before
    assert convert(weights * 2.0**-30, fixed=fixed).scale.exponents[0] > before


def test_the_smallest_weights_become_one_unit():
    assert to_fixed(np.array([5e-324, 0.4, 0.5, 1.5, 2.5]), 0).tolist() == [1, 1, 1, 2, 2]


@given(
    st.lists(
        st.tuples(st.integers(-(2**62), 2**62), st.integers(1, 2**61)), min_size=1, max_size=20
    ).filter(lambda pairs: all(p * p // w < 2**60 for p, w in pairs))
)
@moderate
def test_squares_are_never_below_the_exact_fractions(pairs):
    p, w = (column.copy() for column in np.hsplit(np.array(pairs, dtype=np.float64), 2))
    fixed, squares = native.real_to_fixed(w, p, 0, 0)
    for found, (weight, numerator) in zip(squares.tolist(), fixed.tolist(), strict=True):
        exact = Fraction(numerator**2, weight)
        assert exact <= found <= exact * (1 + Fraction(1, 2**48)) + 1


def squares_at_least(numerators, weights):
    """What the core does in one pass, in NumPy."""
    p = numerators.astype(np.float64)
    correction = np.where(np.abs(p) <= 2.0**26, 1.0, 1.0 + 2.0**-50)
    return np.ceil((p * p / weights) * correction).astype(np.int64).sum(axis=1)


def convert_real(weights, numerators, exponents):
    """What `FixedPoint` does to a real-valued problem with these exponents, in NumPy."""
    fixed_weights = np.maximum(np.rint(np.ldexp(weights, exponents[0])).astype(np.int64), 1)
    fixed = np.rint(np.ldexp(numerators, exponents[1])).astype(np.int64)
    return np.hstack([fixed_weights, fixed]), squares_at_least(fixed, fixed_weights)


@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.sampled_from([1, 5, 70, 1100]),
    n_outputs=st.integers(1, 9),
    size=st.sampled_from([0.0, 1e-290, 1e-140, 1e-30, 1.0, 1e30, 1e100, 1e200]),
    spread=st.sampled_from([0.0, 1.0, 30.0]),
)
@moderate
def test_real_problems_are_rounded_as_numpy_rounds_them(seed, n_rows, n_outputs, size, spread):
    random = np.random.default_rng(seed)
    weights = np.exp(spread * random.normal(size=(n_rows, n_outputs)))
    numerators = weights * random.normal(size=weights.shape) * size
    numerators[random.random(weights.shape) < 0.2] = 0.0
    actual = convert(weights, "real", numerators)
    expected, mass = convert_real(weights, numerators, actual.scale.exponents)
    assert np.array_equal(actual.weights, expected)
    assert np.array_equal(actual.mass, mass)
    # As fine as they can be: twice as much would not fit into a packed number.
    largest_weight = max(sum(column) for column in expected[:, :n_outputs].T.tolist())
    largest_size = max(sum(map(abs, column)) for column in expected[:, n_outputs:].T.tolist())
    assert 2**31 - 2 * n_rows <= largest_weight < 2**32
    assert largest_size < 2**31
    if size > 0.0 and numerators.any():
        assert largest_size >= 2**30 - 2 * n_rows


@given(
    st.lists(st.floats(-1.0, 1.0), min_size=1, max_size=20),
    st.sampled_from([1e-250, 1e-140, 1e-30, 1.0, 1e30, 1e100]),
    st.sampled_from(["even", "extreme"]),
)
@moderate
def test_real_targets_of_any_size_fit(responses, size, kind):
    n = len(responses)
    weights = np.ones(n) if kind == "even" else np.where(np.arange(n) % 2, 1.0, 1e-200)
    numerators = weights * np.array(responses) * size
    fixed = convert(weights[:, np.newaxis], "real", numerators[:, np.newaxis])
    integers = fixed.weights.tolist()
    assert all(w >= 1 for w, _ in integers)
    assert sum(abs(p) for _, p in integers) < 2**62
    assert sum(fixed.mass.tolist()) < 2**62
    unit = Fraction(2) ** -fixed.scale.exponents[1]
    for (_, p), exact in zip(integers, numerators.tolist(), strict=True):
        assert abs(p * unit - Fraction(exact)) <= unit / 2


def test_leaf_sums_are_the_weights_again():
    weights = np.array([0.25, 0.5, 3.0])
    fixed = convert(weights)
    sums = np.array([[fixed.weights[0, 0], fixed.weights[1, 0]], [0, fixed.weights[2, 0]]])
    assert fixed.scale.leaf_sums(sums, 3, 3.0).sums == pytest.approx(
        np.array([[0.25, 0.5], [0.0, 3.0]])
    )


def test_leaf_sums_of_real_targets_have_two_scales():
    weights, numerators = np.array([[1.0], [2.0]]), np.array([[1e-6], [3e-6]])
    fixed = convert(weights, "real", numerators)
    sums = fixed.scale.leaf_sums(fixed.weights.sum(axis=0, keepdims=True), 2, 2.0).sums
    assert sums.shape == (1, 2, 1)
    assert sums.ravel() == pytest.approx([3.0, 4e-6], rel=1e-12)
