"""How ``search="auto"`` chooses, from the concentration of the mass and the time of rounds."""

from __future__ import annotations

import numpy as np

from frugalboost.boosting.auto import AutoSearch, share_of_rows
from frugalboost.tree import FixedProblem


def problem(mass: list[int]) -> tuple[FixedProblem, np.ndarray]:
    masses = np.array(mass, dtype=np.int64)
    order = np.argsort(-masses, kind="stable").astype(np.uint32)
    return FixedProblem("classes", 2, masses[:, np.newaxis], masses, None, (0, 0)), order


EVEN = problem([1] * 100)
HEAVY = problem([1] * 90 + [1000] * 10)
HEAVIER = problem([1] * 98 + [10_000] * 2)


def test_share_of_rows_counts_the_heaviest_first() -> None:
    assert share_of_rows(*EVEN, mass=0.9) == 0.9
    assert share_of_rows(*HEAVY, mass=0.9) == 0.1
    assert share_of_rows(*HEAVIER, mass=0.9) == 0.02


def test_the_exhaustive_search_is_timed_first() -> None:
    auto = AutoSearch(read_share=1.0)
    assert auto.choose(*HEAVY) == "exhaustive"
    auto.learn("exhaustive", 1.0)
    assert auto.choose(*EVEN) == "exhaustive"
    assert auto.choose(*HEAVY) == "adaptive"


def test_a_slower_trial_is_not_repeated_until_the_mass_is_twice_as_concentrated() -> None:
    auto = AutoSearch(read_share=1.0)
    auto.choose(*HEAVY)
    auto.learn("exhaustive", 1.0)
    assert auto.choose(*HEAVY) == "adaptive"
    auto.learn("adaptive", 2.0)
    assert auto.choose(*HEAVY) == "exhaustive"
    assert auto.choose(*HEAVIER) == "adaptive"


def test_a_faster_trial_is_repeated() -> None:
    auto = AutoSearch(read_share=1.0)
    auto.choose(*HEAVY)
    auto.learn("exhaustive", 1.0)
    for _ in range(3):
        assert auto.choose(*HEAVY) == "adaptive"
        auto.learn("adaptive", 0.5)


def test_little_to_read_leaves_little_to_prune() -> None:
    auto = AutoSearch(read_share=0.2)
    auto.choose(*HEAVY)
    auto.learn("exhaustive", 1.0)
    assert auto.choose(*HEAVY) == "exhaustive"
