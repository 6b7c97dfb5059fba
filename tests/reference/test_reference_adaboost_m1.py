"""Table 1: what its lines imply for the weights, whatever the trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost.reference import Column, TreeGrower, adaboost_m1, gain_ratio

M = 16


class Draws:
    """Samples with replacement by weight; remembers what it was asked."""

    def __init__(self, seed):
        self.seed, self.asked = seed, []

    def __call__(self, trial, attempt, weights):
        self.asked.append((trial, attempt, weights))
        random = np.random.default_rng([self.seed, trial, attempt])
        drawn = random.choice(len(weights), len(weights), p=weights / weights.sum())
        return np.bincount(drawn, minlength=len(weights))


def run(seed, n_classes, n_trials=8):
    rng = np.random.default_rng(seed)
    columns = [Column(rng.integers(4, size=M).astype(np.uint8), 4) for _ in range(3)]
    labels = rng.integers(n_classes, size=M)
    draws = Draws(seed)
    grower = TreeGrower(columns, gain_ratio, max_depth=2)
    rounds = adaboost_m1(columns, labels, n_classes, n_trials, draws, grower)
    return rounds, draws, labels


@given(st.integers(0, 10_000), st.sampled_from([2, 3, 4]))
@settings(deadline=None, max_examples=40)
def test_the_last_tree_errs_on_half_of_the_new_weight(seed, n_classes):
    """[10] and [11] make its error one half: the next tree must learn something else."""
    rounds, draws, labels = run(seed, n_classes)
    first_of_trial = {trial: weights for trial, attempt, weights in draws.asked if attempt == 0}
    for number, kept in enumerate(rounds[:-1]):
        weights = first_of_trial[number + 1]
        wrong = np.array(kept.said) != labels
        if wrong.any():
            assert weights[wrong].sum() / weights.sum() == pytest.approx(0.5, abs=1e-9)


@given(st.integers(0, 10_000))
@settings(deadline=None, max_examples=40)
def test_weights_are_uniform_at_first_and_after_a_restart(seed):
    rounds, draws, _ = run(seed, n_classes=4)
    for trial, attempt, weights in draws.asked:
        if trial == 0 or attempt > 0:
            assert (weights == weights[0]).all()
    assert all(kept.error <= 0.5 + 1e-9 and kept.step >= 0 for kept in rounds)


def test_some_of_these_runs_restart_and_go_on():
    runs = [run(seed, n_classes=4) for seed in range(20)]
    restarts = [any(attempt for _, attempt, _ in draws.asked) for _, draws, _ in runs]
    assert sum(restarts) > 5
    assert any(
        len(rounds) == 8 for (rounds, _, _), again in zip(runs, restarts, strict=True) if again
    )


def test_trials_end_where_no_sample_gives_a_tree():
    """Four classes that nothing tells apart: every tree errs on three quarters."""
    columns = [Column(np.zeros(M, np.uint8), 1)]
    draws = Draws(0)
    grower = TreeGrower(columns, gain_ratio)
    assert adaboost_m1(columns, np.arange(M) % 4, 4, 5, draws, grower) == []
    assert [attempt for _, attempt, _ in draws.asked] == list(range(10))
