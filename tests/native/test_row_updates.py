"""The passes over all rows, against NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import softmax

from frugalboost import native


@settings(deadline=None)
@given(
    weights=st.lists(st.floats(0.0, 2.0**60) | st.floats(0.0, 4.0), min_size=1, max_size=30),
    exponent=st.integers(-1100, 0),
)
def test_weights_are_rounded_as_numpy_rounds_them(weights: list[float], exponent: int) -> None:
    column = np.array(weights)[:, np.newaxis]
    expected = np.maximum(np.rint(np.ldexp(column, exponent)).astype(np.int64), 1)
    assert np.array_equal(native.to_fixed(column, exponent), expected)


@settings(deadline=None)
@given(weights=st.lists(st.floats(0.0, 1.0), min_size=1, max_size=30), more=st.integers(0, 1100))
def test_tiny_weights_are_scaled_up(weights: list[float], more: int) -> None:
    """Powers of two beyond the floats: the weights themselves are as tiny."""
    tiny = np.ldexp(np.array(weights), -more)[:, np.newaxis]
    expected = np.maximum(np.rint(np.ldexp(tiny, 50 + more)).astype(np.int64), 1)
    assert np.array_equal(native.to_fixed(tiny, 50 + more), expected)


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n_leaves=st.integers(1, 6), n_labels=st.integers(2, 4))
def test_rows_gain_what_their_leaf_says(seed: int, n_leaves: int, n_labels: int) -> None:
    random = np.random.default_rng(seed)
    table = random.normal(size=(n_leaves, n_labels))
    leaf = random.integers(0, n_leaves, 50).astype(np.int32)
    label = random.integers(0, n_labels, 50)
    state = random.normal(size=50)
    expected = state + table[leaf, label]
    native.add_by_leaf(state, table, leaf, label)
    assert np.array_equal(state, expected)


@pytest.mark.parametrize(("leaf", "label"), [([-1, 0], [0, 0]), ([0, 2], [0, 0]), ([0, 0], [0, 3])])
def test_leaves_and_labels_outside_the_table_are_refused(leaf: list[int], label: list[int]) -> None:
    state = np.zeros(2)
    with pytest.raises(ValueError, match="in range of the table"):
        native.add_by_leaf(
            state, np.ones((2, 3)), np.array(leaf, np.int32), np.array(label, np.int64)
        )
    assert not state.any()


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n_leaves=st.integers(1, 6), n_outputs=st.integers(1, 9))
def test_rows_gain_the_vector_of_their_leaf(seed: int, n_leaves: int, n_outputs: int) -> None:
    random = np.random.default_rng(seed)
    table = random.normal(size=(n_leaves, n_outputs))
    leaf = random.integers(0, n_leaves, 50).astype(np.int32)
    state = random.normal(size=(50, n_outputs))
    expected = state + table[leaf]
    native.add_rows_by_leaf(state, table, leaf)
    assert np.array_equal(state, expected)


def test_rows_gain_the_vector_of_their_leaf_and_label() -> None:
    random = np.random.default_rng(0)
    table, state = random.normal(size=(3, 4, 4)), random.normal(size=(20_000, 4))
    leaf, label = random.integers(0, 3, 20_000), random.integers(0, 4, 20_000)
    expected = state + table[leaf, label]
    native.add_rows_by_leaf_and_label(state, table, leaf.astype(np.int32), label, 3)
    assert np.array_equal(state, expected)
    with pytest.raises(ValueError, match="in range of the table"):
        native.add_rows_by_leaf_and_label(state, table, leaf.astype(np.int32), label + 1)
    assert np.array_equal(state, expected)


@pytest.mark.parametrize("leaf", [[-1, 0], [0, 2]])
def test_leaves_outside_a_table_of_vectors_are_refused(leaf: list[int]) -> None:
    state = np.zeros((2, 3))
    with pytest.raises(ValueError, match="in range of the table"):
        native.add_rows_by_leaf(state, np.ones((2, 3)), np.array(leaf, np.int32))
    assert not state.any()


@settings(deadline=None)
@given(
    rows=st.integers(1, 6).flatmap(
        lambda n_outputs: st.lists(
            st.lists(st.floats(0.0, 2.0**58), min_size=n_outputs, max_size=n_outputs),
            min_size=1,
            max_size=20,
        )
    ),
    exponent=st.integers(-1100, 2),
)
def test_votes_are_rounded_and_summed_as_numpy_does(rows: list[list[float]], exponent: int) -> None:
    weights = np.array(rows)
    fixed, mass = native.votes_to_fixed(weights, exponent)
    expected = np.maximum(np.rint(np.ldexp(weights, exponent)).astype(np.int64), 1)
    assert np.array_equal(fixed, expected)
    assert np.array_equal(mass, expected.sum(axis=1))


def test_memory_that_is_used_again_is_that_of_dead_arrays_only() -> None:
    weights = np.arange(1.0, 4001.0)[:, np.newaxis]
    kept = native.KeptArrays()
    alive = []
    for exponent in range(5):
        native.to_fixed(weights, 20)  # dies at once
        alive.append(native.to_fixed(weights, exponent))
    del kept
    native.to_fixed(weights, 20)
    for exponent, fixed in enumerate(alive):
        assert np.array_equal(fixed, weights * 2**exponent)


@pytest.mark.parametrize("n", [1, 7, 8, 1001])
def test_totals_are_those_of_exact_sums(n: int) -> None:
    values = np.random.default_rng(n).random((n, 1))
    assert native.total(values) == pytest.approx(math.fsum(values[:, 0]), rel=1e-14)
    assert native.largest(values[:, 0].copy()) == values.max()


def largest_exponent(total: float, bits: int, spare: float) -> int:
    """The largest e for which ``total * 2**e`` stays below ``2**bits``, by the share `spare`."""
    share, magnitude = math.frexp(total)
    exponent = bits - magnitude
    while share > (1.0 - 2.0**-20) * max(1.0 - spare, 2.0**-6):
        share, exponent = share / 2, exponent - 1
    return exponent


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("n", [1, 5000, 30_000])
@pytest.mark.parametrize("unit", [1e-300, 1.0, 1e300])
def test_exponents_are_those_of_sums_row_by_row(n_threads: int, n: int, unit: float) -> None:
    random = np.random.default_rng(n)
    weights, numerators = random.random((n, 2)), unit * random.normal(size=(n, 2))
    shift = math.frexp(np.abs(numerators).max())[1]
    sizes = np.ldexp(np.abs(numerators), -shift)
    spare = n * 2.0**-30
    for factor in (1.0, 0.9999, 1 / weights.sum(axis=0).max()):
        found = native.real_exponents(weights * factor, numerators, n_threads)
        total = np.cumsum(weights * factor, axis=0)[-1].max()  # one after the other
        assert found[0] == largest_exponent(total, 32, spare)
        assert found[1] + shift == largest_exponent(
            np.cumsum(sizes, axis=0)[-1].max(), 31, 2 * spare
        )


@pytest.mark.parametrize("n_classes", [2, 3, 7])
@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1), spread=st.floats(0.01, 30.0))
def test_logit_rows_are_the_derivatives_of_the_likelihood(
    n_classes: int, seed: int, spread: float
) -> None:
    random = np.random.default_rng(seed)
    decision = random.normal(scale=spread, size=(30, 1 if n_classes == 2 else n_classes))
    labels, scales = random.integers(0, n_classes, 30), random.random(30) + 0.5
    weights, numerators = native.logit_rows(decision, labels, scales, np.inf, 0.0)
    scores = np.hstack([np.zeros((30, 1)), decision]) if n_classes == 2 else decision
    shares = softmax(scores, axis=1)
    target = labels[:, np.newaxis] == np.arange(n_classes)
    first = 1 if n_classes == 2 else 0
    residual = (target - shares)[:, first:]
    curvature = (shares * (1 - shares))[:, first:]
    assert numerators == pytest.approx(scales[:, np.newaxis] * residual, abs=1e-12)
    assert weights == pytest.approx(scales[:, np.newaxis] * curvature, abs=1e-12)


def test_residual_rows_are_those_of_numpy() -> None:
    random = np.random.default_rng(0)
    prediction, targets = random.normal(size=(2, 1001))
    scales = np.where(random.random(1001) < 0.1, 0.0, random.random(1001))
    weights, numerators = native.residual_rows(prediction, targets, scales)
    expected = np.maximum(scales, np.finfo(float).tiny)
    assert np.array_equal(weights[:, 0], expected)
    assert np.array_equal(numerators[:, 0], expected * (targets - prediction))


@pytest.mark.parametrize("labels", [[0, 2], [-1, 0]])
def test_logit_rows_refuse_labels_without_a_class(labels: list[int]) -> None:
    with pytest.raises(ValueError, match="below the number of classes"):
        native.logit_rows(np.zeros((2, 1)), np.array(labels), np.ones(2), 4.0, 0.0)
