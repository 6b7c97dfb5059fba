"""Keeping rows in decreasing order of mass by merging."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from frugalboost import native


def is_decreasing(mass: NDArray[np.int64], order: NDArray[np.uint32]) -> bool:
    return bool((np.diff(mass[order]) <= 0).all())


@settings(deadline=None)
@given(
    mass=st.lists(st.integers(0, 2**60) | st.integers(0, 3), min_size=1, max_size=80),
    n_groups=st.integers(1, 6),
    seed=st.integers(0, 2**32 - 1),
)
def test_any_order_is_put_right(mass: list[int], n_groups: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    masses = np.array(mass, dtype=np.int64)
    group = random.integers(0, n_groups, len(masses)).astype(np.int32)
    order = random.permutation(len(masses)).astype(np.uint32)
    merged = native.merge_by_mass(order, masses, group, n_groups)
    assert is_decreasing(masses, merged)
    assert np.array_equal(np.sort(merged), np.arange(len(masses)))


@settings(deadline=None)
@given(seed=st.integers(0, 2**32 - 1), factors=st.lists(st.integers(1, 50), min_size=1, max_size=6))
def test_a_boosting_round_keeps_ties_in_place(seed: int, factors: list[int]) -> None:
    """Within a group all weights change alike, so rows of a group never overtake each other."""
    random = np.random.default_rng(seed)
    n = 100
    old = random.integers(1, 20, n)
    order = np.argsort(-old, kind="stable").astype(np.uint32)
    group = random.integers(0, len(factors), n).astype(np.int32)
    new = old * np.array(factors)[group]
    merged = native.merge_by_mass(order, new, group, len(factors))
    assert is_decreasing(new, merged)
    for g in range(len(factors)):
        inside = group[order] == g
        assert np.array_equal(merged[group[merged] == g], order[inside])


def test_rows_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="must be in range"):
        native.merge_by_mass(
            np.array([0, 5], np.uint32), np.ones(2, np.int64), np.zeros(2, np.int32), 1
        )
