"""Lemmas 1 and 2 and the bounds of AP-Boost's appendix B."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugalboost.reference.information_gain import (
    bernoulli_divergence,
    entropy_lower,
    entropy_mass,
    entropy_upper,
)

WEIGHT = st.floats(0, 100).map(lambda weight: round(weight, 3))
POSITIVE = st.floats(0.001, 100)
ROUNDING = 1e-9


@st.composite
def half_seen_leaves(draw: st.DrawFn) -> tuple[list[list[float]], list[list[float]]]:
    """Seen and unseen weight by leaf and label."""
    n_labels = draw(st.integers(2, 4))
    n_leaves = draw(st.integers(1, 3))
    leaf = st.lists(WEIGHT, min_size=n_labels, max_size=n_labels)
    leaves = st.lists(leaf, min_size=n_leaves, max_size=n_leaves)
    return draw(leaves), draw(leaves)


@given(a=st.floats(0, 100), b=st.floats(0, 100), alpha=POSITIVE, beta=POSITIVE)
def test_lemma_2(a: float, b: float, alpha: float, beta: float) -> None:
    def term(x: float, y: float) -> float:
        return x * math.log2(x / y) if x > 1e-300 else 0.0

    left = term(a + b, alpha + beta)
    right = term(a, alpha) + term(b, beta)
    if a + b > 1e-300:
        right -= (a + b) * bernoulli_divergence(a / (a + b), alpha / (alpha + beta))
    assert left == pytest.approx(right, rel=1e-9, abs=1e-9 * (1 + a + b))


@given(half_seen_leaves())
def test_lemma_1(leaves: tuple[list[list[float]], list[list[float]]]) -> None:
    seen, unseen = leaves
    rest = math.fsum(map(math.fsum, unseen))
    for leaf, more in zip(seen, unseen, strict=True):
        total, total_more = math.fsum(leaf), math.fsum(more)
        for weight, other in zip(leaf, more, strict=True):
            if weight == 0:
                continue
            divergence = bernoulli_divergence(
                weight / (weight + other), total / (total + total_more)
            )
            assert divergence <= math.log2((total + rest) / weight) + ROUNDING


@given(half_seen_leaves())
def test_the_entropy_of_all_rows_is_between_the_bounds(
    leaves: tuple[list[list[float]], list[list[float]]],
) -> None:
    seen, unseen = leaves
    whole = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(seen, unseen, strict=True)]
    truth = math.fsum(map(entropy_mass, whole))
    by_label = [math.fsum(label) for label in zip(*unseen, strict=True)]
    slack = ROUNDING * (1 + math.fsum(map(math.fsum, whole)))
    assert entropy_lower(seen) <= truth + slack
    assert truth <= entropy_upper(seen, by_label) + slack


def test_the_upper_bound_is_infinite_until_every_label_was_seen() -> None:
    assert entropy_upper([[1.0, 0.0], [1.0, 1.0]], [0.0, 0.0]) == math.inf
    assert entropy_upper([[1.0, 1.0], [1.0, 1.0]], [0.0, 0.0]) < math.inf
