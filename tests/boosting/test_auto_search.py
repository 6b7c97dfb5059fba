"""How ``search="auto"`` chooses, from the concentration of the mass and the time of rounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost import native
from frugalboost.boosting.auto import AutoSearch
from frugalboost.tree import FixedProblem, Scale


def problem(mass: list[int]) -> FixedProblem:
    masses = np.array(mass, dtype=np.int64)
    return FixedProblem(Scale("classes", 2, (0, 0)), masses[:, np.newaxis], masses, None)


EVEN = problem([1] * 100)
HEAVY = problem([1] * 90 + [1000] * 10)
HEAVIER = problem([1] * 98 + [10_000] * 2)


def test_share_of_rows_counts_the_heaviest_first() -> None:
    assert native.share_of_rows(EVEN.mass, 0.9) == pytest.approx(0.9)
    assert native.share_of_rows(HEAVY.mass, 0.9) == pytest.approx(0.1, rel=0.1)
    assert native.share_of_rows(HEAVIER.mass, 0.9) == pytest.approx(0.02, rel=0.1)


@settings(deadline=None)
@given(mass=st.lists(st.integers(0, 2**60) | st.integers(0, 9), min_size=1, max_size=60))
def test_share_of_rows_is_close_to_sorting(mass: list[int]) -> None:
    if sum(mass) == 0 or sum(mass) > 2**62:
        return
    heaviest_first = np.sort(np.array(mass, dtype=np.int64))[::-1]
    seen = np.cumsum(heaviest_first)
    exact = (np.searchsorted(seen, 0.9 * seen[-1]) + 1) / len(mass)
    # Rows of one bucket differ by a sixteenth, and a row may count in part.
    assert native.share_of_rows(heaviest_first, 0.9) <= exact * (1 + 1 / 16) + 1 / len(mass)
    assert native.share_of_rows(heaviest_first, 0.9) >= exact * (1 - 1 / 16) - 1 / len(mass)


def test_the_exhaustive_search_is_timed_first() -> None:
    auto = AutoSearch(read_share=1.0)
    assert auto.choose(HEAVY) == "exhaustive"
    auto.learn("exhaustive", 1.0)
    assert auto.choose(EVEN) == "exhaustive"
    assert auto.choose(HEAVY) == "adaptive"


def test_a_slower_trial_is_not_repeated_until_the_mass_is_twice_as_concentrated() -> None:
    auto = AutoSearch(read_share=1.0)
    auto.choose(HEAVY)
    auto.learn("exhaustive", 1.0)
    assert auto.choose(HEAVY) == "adaptive"
    auto.learn("adaptive", 2.0)
    assert auto.choose(HEAVY) == "exhaustive"
    assert auto.choose(HEAVIER) == "adaptive"


def test_a_faster_trial_is_repeated() -> None:
    auto = AutoSearch(read_share=1.0)
    auto.choose(HEAVY)
    auto.learn("exhaustive", 1.0)
    for _ in range(3):
        assert auto.choose(HEAVY) == "adaptive"
        auto.learn("adaptive", 0.5)


def test_little_to_read_leaves_little_to_prune() -> None:
    auto = AutoSearch(read_share=0.2)
    auto.choose(HEAVY)
    auto.learn("exhaustive", 1.0)
    assert auto.choose(HEAVY) == "exhaustive"
