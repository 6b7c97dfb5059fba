"""How ``search="auto"`` chooses, from the concentration of the mass and the time of rounds."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost import native
from frugalboost.boosting.auto import ROUNDS_OF_A_TRIAL, AutoSearch, search_clock
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


@pytest.mark.parametrize(("n_threads", "counts"), [(1, False), (2, True), (64, True)])
def test_sleep_of_the_caller_counts_where_others_may_work(n_threads: int, counts: bool) -> None:
    clock = search_clock(n_threads)
    before = clock()
    time.sleep(0.05)
    assert (clock() - before >= 0.05) == counts


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


FEW, MANY = 10.0, 100.0  # reads of a row
THOROUGH, PRUNING = SEARCHES = ("incremental", "two_stage")


def run(auto: AutoSearch, given: FixedProblem, rounds: int, seconds: dict[str, float]) -> list[str]:
    """Searches of some rounds, each taking as long as `seconds` says."""
    chosen = []
    for _ in range(rounds):
        chosen.append(auto.choose(given))
        auto.learn(chosen[-1], seconds[chosen[-1]])
    return chosen


def test_the_thorough_search_is_timed_first() -> None:
    auto = AutoSearch(SEARCHES, FEW)
    chosen = run(auto, HEAVY, 5, {THOROUGH: 2.0, PRUNING: 1.0})
    assert chosen == [THOROUGH] * 3 + [PRUNING] * 2


def test_evenly_spread_mass_is_not_pruned() -> None:
    auto = AutoSearch(SEARCHES, FEW)
    assert set(run(auto, EVEN, 30, {THOROUGH: 2.0, PRUNING: 1.0})) == {THOROUGH}


def test_where_rows_have_many_entries_even_mass_is_worth_a_trial() -> None:
    auto = AutoSearch(SEARCHES, MANY)
    assert set(run(auto, EVEN, 30, {THOROUGH: 2.0, PRUNING: 1.0})[3:]) == {PRUNING}


def test_a_slower_trial_is_not_repeated_until_the_mass_is_more_concentrated() -> None:
    auto = AutoSearch(SEARCHES, FEW)
    slower = {THOROUGH: 1.0, PRUNING: 1.2}
    assert run(auto, HEAVY, 60, slower).count(PRUNING) == ROUNDS_OF_A_TRIAL
    assert run(auto, HEAVIER, 60, slower).count(PRUNING) == ROUNDS_OF_A_TRIAL


def test_a_hopeless_trial_ends_after_two_rounds() -> None:
    auto = AutoSearch(SEARCHES, FEW)
    assert run(auto, HEAVY, 60, {THOROUGH: 1.0, PRUNING: 2.0}).count(PRUNING) == 2


def test_a_trial_is_judged_again_by_the_rounds_after_it() -> None:
    auto = AutoSearch(SEARCHES, FEW)
    run(auto, HEAVY, 3, {THOROUGH: 1.0, PRUNING: 1.0})
    # Trees have grown: both searches take longer now, and the pruning one is the faster.
    later = run(auto, HEAVY, 20, {THOROUGH: 2.0, PRUNING: 1.5})
    assert later == [PRUNING] * 2 + [THOROUGH] * 3 + [PRUNING] * 15


def test_one_slow_round_ends_nothing() -> None:
    auto = AutoSearch(SEARCHES, FEW)
    faster = {THOROUGH: 2.0, PRUNING: 1.0}
    run(auto, HEAVY, 5, faster)
    assert auto.choose(HEAVY) == PRUNING
    auto.learn(PRUNING, 100.0)
    assert set(run(auto, HEAVY, 20, faster)) == {PRUNING}


def test_the_adaptive_search_is_tried_late() -> None:
    auto = AutoSearch(("exhaustive", "adaptive"), MANY)
    equal = {"exhaustive": 1.0, "adaptive": 1.0}
    assert set(run(auto, HEAVY, 20, equal)) == {"exhaustive"}
    assert run(auto, HEAVIER, 20, equal)[-1] == "adaptive"
