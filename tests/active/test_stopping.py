"""Each limit ends a run for itself; the target comes before the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugalboost.active.stopping import Limits, batches_without_gain


@pytest.mark.parametrize(
    ("limits", "n_labels", "errors", "reason"),
    [
        (Limits(), 10**9, [0.5] * 100, None),
        (Limits(budget=30), 29, [], None),
        (Limits(budget=30), 30, [], "budget"),
        (Limits(target_error=0.1), 5, [], None),
        (Limits(target_error=0.1), 5, [0.2, 0.1], "target"),
        (Limits(target_error=0.1), 5, [0.05, 0.2], None),
        (Limits(patience=2), 5, [0.2, 0.1, 0.1, 0.1], "patience"),
        (Limits(patience=2), 5, [0.2, 0.1, 0.3], None),
        (Limits(budget=5, target_error=0.1, patience=1), 5, [0.05, 0.1], "target"),
        (Limits(budget=5, patience=1), 5, [0.1, 0.1], "budget"),
    ],
)
def test_reasons(limits, n_labels, errors, reason):
    assert limits.reached(n_labels, errors) == reason


def test_utility():
    assert Limits(min_utility=2.0).is_too_low(1.9)
    assert not Limits(min_utility=2.0).is_too_low(2.0)
    assert not Limits().is_too_low(0.0)


@given(st.lists(st.integers(0, 5).map(float)))
def test_batches_without_gain_counts_from_the_first_minimum(errors):
    since, best = 0, float("inf")
    for error in errors:
        since, best = (0, error) if error < best else (since + 1, best)
    assert batches_without_gain(errors) == since
