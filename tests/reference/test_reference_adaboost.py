"""AdaBoost on the reference trees: known values, and theorems about weights and training error."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost.reference import SEARCHES, Column, Round, adaboost
from frugalboost.reference.adaboost import decision

LINE = [Column(np.arange(6), n_bins=6)]


def model(rounds: list[Round]) -> list[object]:
    return [(round_.tree.as_tuple(), round_.leaf_classes, round_.step) for round_ in rounds]


def random_table(seed: int, n_rows: int, n_classes: int) -> tuple[list[Column], np.ndarray]:
    rng = np.random.default_rng(seed)
    columns = [Column(rng.integers(0, 4, n_rows), 3, has_missing=True) for _ in range(4)]
    noisy = columns[0].codes + columns[1].codes + rng.integers(0, 2, n_rows)
    return columns, (noisy % n_classes).astype(np.int64)


def test_first_steps_by_hand() -> None:
    # 0 0 1 0 1 1: the best stump is wrong on one row of six, so its log odds are ln 5.
    labels = np.array([0, 0, 1, 0, 1, 1])
    first, second = adaboost(LINE, labels, 2, n_rounds=2)
    assert first.step == pytest.approx(math.log(5) / 2)
    assert first.tree.stump.bin == 1
    assert first.error == pytest.approx(1 / 6)
    # Row 3 now weighs 5. Leaving it on the right costs 1 (row 2), everything else costs more.
    assert second.tree.stump.bin == 3
    assert second.error == pytest.approx(1 / 10)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("criterion", ["error", "gini", "entropy", "z"])
def test_every_search_boosts_the_same_model(n_classes: int, criterion: str) -> None:
    columns, labels = random_table(n_classes, 60, n_classes)
    models = [
        model(adaboost(columns, labels, n_classes, 5, None, criterion, search, max_depth=2))
        for search in SEARCHES.values()
    ]
    assert len(models[0]) == 5
    assert all(other == models[0] for other in models)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.integers(1, 2))
def test_training_error_is_below_the_product_of_normalisers(seed: int, max_depth: int) -> None:
    """Freund and Schapire: error <= product of 2 sqrt(err (1 - err)) over the rounds."""
    columns, labels = random_table(seed, 40, 2)
    rounds = adaboost(columns, labels, 2, 8, max_depth=max_depth)
    wrong = ((decision(rounds, 40, 2) > 0) != (labels == 1)).mean()
    product = math.prod(2 * math.sqrt(r.error * (1 - r.error)) for r in rounds if r.error > 0)
    if all(r.error > 0 for r in rounds):
        # Each of 40 weights is off by at most one unit of 2^-49 of the total, in each round.
        assert wrong <= product * (1 + 1e-12)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from([2, 3, 4]))
def test_the_last_tree_is_at_chance_under_its_own_weights(seed: int, n_classes: int) -> None:
    """The weight update makes the wrong rows weigh K - 1 times the right ones."""
    columns, labels = random_table(seed, 40, n_classes)
    rounds = adaboost(columns, labels, n_classes, 3)
    log_weight = np.zeros(40)
    for round_ in rounds:
        is_wrong = np.array(round_.said) != labels
        if not is_wrong.any():
            return
        log_weight[is_wrong] += round_.step * (2 if n_classes == 2 else 1)
        weights = np.exp(log_weight)
        ratio = weights[is_wrong].sum() / weights[~is_wrong].sum()
        assert ratio == pytest.approx(n_classes - 1, rel=1e-9)


def test_a_perfect_tree_stops_with_a_finite_step() -> None:
    (only,) = adaboost(LINE, np.array([0, 0, 0, 1, 1, 1]), 2, n_rounds=10)
    assert only.error == 0
    assert only.step == pytest.approx(math.log(11) / 2)


def test_a_tree_at_chance_stops() -> None:
    assert adaboost([Column(np.array([0, 0, 1, 1]), 2)], np.array([0, 1, 0, 1]), 2, 10) == []


def test_a_row_of_weight_two_is_two_rows() -> None:
    labels = np.array([0, 0, 1, 0, 1, 1])
    doubled = [Column(np.array([0, 1, 2, 3, 4, 5, 2]), n_bins=6)]
    weighted = adaboost(LINE, labels, 2, 4, np.array([1.0, 1, 2, 1, 1, 1]))
    repeated = adaboost(doubled, np.append(labels, 1), 2, 4)
    assert [r.tree.stump.bin for r in weighted] == [r.tree.stump.bin for r in repeated]
    assert [r.step for r in weighted] == pytest.approx([r.step for r in repeated], rel=1e-12)
