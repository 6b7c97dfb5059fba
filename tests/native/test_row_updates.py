"""The passes over all rows, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
