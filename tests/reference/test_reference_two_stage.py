"""Rounded weights of some rows bound a feature's error, so the two-stage search is exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost.reference import Column, class_rows, exhaustive, make_arms, two_stage
from frugalboost.reference.two_stage import rounded_bounds
from strategies import TinyProblem, problems

pytestmark = pytest.mark.thorough

BITS = st.integers(1, 40)
SHARE = st.floats(0, 1)


def two_class_problems() -> st.SearchStrategy[TinyProblem]:
    found: st.SearchStrategy[TinyProblem] = problems(
        "classes", "error", n_outputs=2, categorical=None
    )
    return found


@settings(deadline=None, max_examples=80)
@given(two_class_problems(), BITS, SHARE)
def test_rounding_down_never_raises_a_bound(problem: TinyProblem, bits: int, share: float) -> None:
    arms = problem.arms()
    for bound, arm in zip(rounded_bounds(arms, bits, share), arms, strict=True):
        arm.assess(len(arm.node))
        assert bound <= arm.lower


@settings(deadline=None, max_examples=80)
@given(two_class_problems(), BITS, SHARE)
def test_two_stages_give_the_exhaustive_stump(
    problem: TinyProblem, bits: int, share: float
) -> None:
    assert two_stage(problem.arms(), bits, share) == exhaustive(problem.arms())


def test_what_was_bounded_away_is_not_assessed() -> None:
    labels, weights = np.array([0, 0, 1, 1, 1]), np.array([400, 300, 500, 200, 1])
    perfect, poor = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 0, 1, 1])
    columns = [Column(poor, n_bins=2), Column(perfect, n_bins=2), Column(poor[::-1], n_bins=2)]
    arms = make_arms(columns, class_rows("error", labels, weights, n_classes=2))
    stump = two_stage(arms, bits=8)
    assert stump is not None
    assert (stump.feature, stump.loss) == (1, 0)
    assert [arm.n_seen for arm in arms] == [0, 5, 0]
