"""Every cell loss is superadditive: the theorem on which all pruning stands."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost.reference import Loss
from frugalboost.reference.losses import add_up
from strategies import CRITERIA, TinyProblem, problems

pytestmark = pytest.mark.thorough

# Losses are of rows: more columns would only take longer to draw.
cells_of = partial(problems, max_features=1)


def halves(problem: TinyProblem, n_left: int) -> tuple[list[int], list[int], list[int]]:
    """Cells of the first rows, of the others and of all, in exact integers."""
    cells = problem.rows().cells
    left = cells[:n_left].sum(axis=0).tolist()
    right = cells[n_left:].sum(axis=0).tolist()
    return left, right, [a + b for a, b in zip(left, right, strict=True)]


@pytest.mark.parametrize(("layout", "criterion"), CRITERIA)
@settings(deadline=None, max_examples=60)
@given(st.data())
def test_splitting_never_costs_more(layout: str, criterion: str, data: st.DataObject) -> None:
    problem = data.draw(cells_of(layout, criterion))
    left, right, both = halves(problem, data.draw(st.integers(0, len(problem.labels))))
    loss = Loss(layout, criterion)
    # Each computed side is off by less than a quarter of the slack; none for the integer error.
    assert loss.split(left, right) <= loss.leaf(both) + loss.slack(both)
    # Only of real targets can a loss be negative, and by no more than the squares of the rows.
    assert loss.leaf(left) >= loss.unseen(left[-1]) - loss.slack(both)
    assert loss.leaf(left) + loss.unseen(right[-1]) <= loss.leaf(both) + loss.slack(both)


def exact_gini(cell: list[int]) -> Fraction:
    total = sum(cell)
    return Fraction(sum(w * (total - w) for w in cell), total) if total else Fraction(0)


def exact_variance(cell: list[int]) -> Fraction:
    k = len(cell) // 2
    gains = (Fraction(p * p, w) for w, p in zip(cell[:k], cell[k:-1], strict=True) if w)
    return -sum(gains, start=Fraction(0))


@settings(deadline=None, max_examples=120)
@given(st.data())
def test_gini_is_superadditive_in_rationals(data: st.DataObject) -> None:
    problem = data.draw(cells_of("classes", "gini"))
    left, right, both = halves(problem, data.draw(st.integers(0, len(problem.labels))))
    assert exact_gini(left) + exact_gini(right) <= exact_gini(both)


@settings(deadline=None, max_examples=120)
@given(st.data())
def test_variance_is_superadditive_in_rationals(data: st.DataObject) -> None:
    problem = data.draw(cells_of("real"))
    left, right, both = halves(problem, data.draw(st.integers(0, len(problem.labels))))
    assert exact_variance(left) >= -left[-1]
    assert exact_variance(left) + exact_variance(right) <= exact_variance(both)


@settings(deadline=None, max_examples=120)
@given(cells_of("classes", "gini"))
def test_computed_gini_is_within_the_claimed_error(problem: TinyProblem) -> None:
    cell = problem.rows().cell
    error = abs(Fraction(Loss("classes", "gini").leaf(cell)) - exact_gini(cell))
    assert error <= (len(cell) + 10) * Fraction(2) ** -53 * exact_gini(cell)


@settings(deadline=None, max_examples=120)
@given(cells_of("real"))
def test_computed_variance_is_within_the_claimed_error(problem: TinyProblem) -> None:
    cell = problem.rows().cell
    error = abs(Fraction(Loss("real", "variance").leaf(cell)) - exact_variance(cell))
    assert error <= (len(cell) + 10) * Fraction(2) ** -53 * cell[-1]


@settings(deadline=None, max_examples=100)
@given(cells_of("classes", n_outputs=2), st.sampled_from(["error", "gini", "entropy", "z"]))
def test_votes_of_one_output_are_two_classes(problem: TinyProblem, criterion: str) -> None:
    minus, plus = problem.rows().cell
    as_votes = Loss("votes", criterion).leaf([minus + plus, plus])
    as_classes = Loss("classes", criterion).leaf([minus, plus])
    assert as_votes == pytest.approx(as_classes, rel=1e-14)


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("error", 5),
        ("gini", 10 * (1 - (0.5**2 + 0.3**2 + 0.2**2))),
        ("variance", 10 * (1 - (0.5**2 + 0.3**2 + 0.2**2))),
        ("entropy", -10 * (0.5 * math.log(0.5) + 0.3 * math.log(0.3) + 0.2 * math.log(0.2))),
        ("z", 2 * (5 + math.sqrt(21) + 4)),
    ],
)
def test_textbook_values(criterion: str, expected: float) -> None:
    assert Loss("classes", criterion).leaf([5, 3, 2]) == pytest.approx(expected, rel=1e-15)


def test_variance_is_the_weighted_sum_of_squares_about_the_mean() -> None:
    # Responses 1, 3 with weights 2, 2: the mean is 2, so each row is 1 away from it.
    squares = 2 * 1 + 2 * 9
    assert squares + Loss("real", "variance").leaf([4, 8, squares]) == 4.0


@pytest.mark.parametrize(("layout", "criterion"), CRITERIA)
def test_nothing_costs_nothing(layout: str, criterion: str) -> None:
    empty = [0] * {"classes": 3, "votes": 6, "real": 5}[layout]
    assert Loss(layout, criterion).leaf(empty) == 0
    assert Loss(layout, criterion).slack(empty) == 0


def test_floats_are_added_from_left_to_right() -> None:
    # The built-in sum of Python 3.12 would say 1.0.
    assert add_up([1e16, 1.0, -1e16]) == 0.0


def test_unknown_criterion_is_named() -> None:
    with pytest.raises(ValueError, match=r"Loss: .* got 'real' and 'gini'"):
        Loss("real", "gini")
