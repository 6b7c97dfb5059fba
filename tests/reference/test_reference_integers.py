"""Why weights are integers, and what turning them into integers costs."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost.reference import (
    Column,
    choose_shift,
    class_rows,
    exhaustive,
    fixed_point,
    keep_shift,
    make_arms,
)

# Both features are wrong on one row of weight 0.1, one of 0.2 and one of 0.3: a tie.
WRONG_WEIGHTS = np.array([0.1, 0.2, 0.3, 0.3, 0.2, 0.1, 4.0, 4.0])
LABELS = np.array([0, 0, 0, 0, 0, 0, 0, 1])
WRONG = [np.array([0, 1, 2]), np.array([3, 4, 5])]


def tied_columns() -> list[Column]:
    """Feature k says class 1 for the rows WRONG[k] and for the last one."""
    columns = []
    for wrong in WRONG:
        codes = np.zeros(8, dtype=np.uint8)
        codes[[*wrong, 7]] = 1
        columns.append(Column(codes, n_bins=2))
    return columns


def float_choice(order: list[int]) -> int:
    """The feature of least error when float weights are added in the given order of the rows."""
    errors = []
    for wrong in WRONG:
        error = 0.0
        for row in order:
            if row in wrong:
                error += WRONG_WEIGHTS[row]
        errors.append(error)
    return int(np.argmin(errors))


def test_with_floats_the_order_of_tied_rows_chooses_the_feature() -> None:
    forwards = list(range(8))
    assert {float_choice(forwards), float_choice(forwards[::-1])} == {0, 1}


def test_with_integers_every_order_chooses_the_lowest_feature() -> None:
    weights = fixed_point(WRONG_WEIGHTS, choose_shift(WRONG_WEIGHTS))
    for order in (np.arange(8), np.arange(8)[::-1], np.array([3, 1, 4, 0, 5, 2, 7, 6])):
        columns = [Column(column.codes[order], 2) for column in tied_columns()]
        rows = class_rows("error", LABELS[order], weights[order], 2)
        stump = exhaustive(make_arms(columns, rows))
        assert stump is not None
        assert stump.feature == 0
        assert stump.loss == weights[:3].sum()


positive = st.floats(1e-30, 1e30)


@settings(deadline=None, max_examples=200)
@given(st.lists(positive, min_size=1, max_size=30).map(np.array))
def test_rounding_moves_a_weight_by_at_most_one_unit(weights: np.ndarray) -> None:
    shift = choose_shift(weights)
    units = np.ldexp(weights, shift)
    fixed = fixed_point(weights, shift)
    assert (np.abs(fixed - units) <= 1).all()
    assert (fixed >= 1).all()
    assert 2**49 - len(weights) <= fixed.sum() <= 2**50 + len(weights)


@settings(deadline=None, max_examples=100)
@given(st.lists(positive, min_size=1, max_size=30).map(np.array), st.integers(-70, 70))
def test_the_shift_is_kept_while_sums_fit(weights: np.ndarray, drift: int) -> None:
    shift = choose_shift(weights)
    kept = keep_shift(shift + drift, weights)
    total = int(fixed_point(weights, kept).sum())
    assert 2**40 - len(weights) <= total <= 2**60 + len(weights)
    assert (kept == shift + drift) == (-10 < drift <= 10) or kept == shift


@settings(deadline=None, max_examples=100)
@given(st.lists(st.floats(1e-6, 1.0), min_size=2, max_size=12).map(np.array), st.data())
def test_the_chosen_error_is_within_two_units_a_row(
    weights: np.ndarray, data: st.DataObject
) -> None:
    """docs/exactness.md, section 1, with weights so coarse that rounding does change the choice."""
    n = len(weights)
    shift = 4
    bits = st.lists(st.integers(0, 1), min_size=n, max_size=n)
    labels = np.array(data.draw(bits))
    columns = [Column(np.array(data.draw(bits)), 2) for _ in range(4)]
    stump = exhaustive(
        make_arms(columns, class_rows("error", labels, fixed_point(weights, shift), 2))
    )
    losses = {}
    for feature, column in enumerate(columns):
        sides = [column.codes == 0, column.codes == 1]
        if all(side.any() for side in sides):
            by_class = [[weights[side & (labels == k)].sum() for k in (0, 1)] for side in sides]
            losses[feature] = sum(map(min, by_class))
    if stump is not None:
        assert losses[stump.feature] <= min(losses.values()) + 2 * n * 2.0**-shift
