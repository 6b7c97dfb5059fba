"""Categorical splits: Breiman's theorem, and a bound where it does not reach."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost.reference import Column, WeightedRows, class_rows, exhaustive, make_arms
from strategies import CLASS_CRITERIA, TinyProblem, problems

pytestmark = pytest.mark.thorough

BREIMAN = [*(("classes", criterion, 2) for criterion in CLASS_CRITERIA), ("real", "variance", 1)]


def best_subset_loss(column: Column, rows: WeightedRows) -> float:
    """Brute force over all ways to divide the categories of the node in two."""
    codes = column.codes[rows.index]
    present = np.unique(codes)
    losses = [rows.leaf_loss]
    for size in range(1, len(present)):
        for subset in combinations(present, size):
            left = np.isin(codes, subset)
            cells = [rows.cells[side].sum(axis=0).tolist() for side in (left, ~left)]
            losses.append(rows.loss.split(*cells))
    return min(losses)


@pytest.mark.parametrize(("layout", "criterion", "n_outputs"), BREIMAN)
@settings(deadline=None, max_examples=60)
@given(st.data())
def test_breiman_the_best_subset_is_a_prefix(
    layout: str, criterion: str, n_outputs: int, data: st.DataObject
) -> None:
    problem = data.draw(
        problems(
            layout,
            criterion,
            n_outputs,
            categorical=True,
            max_features=2,
            max_min_samples_leaf=1,
        )
    )
    for arm in problem.arms():
        arm.assess(len(arm.node))
        stump = arm.best_stump()
        if stump is None:  # a single category
            continue
        best = best_subset_loss(arm.column, arm.node)
        # The brute force computes many losses, each rounded its own way.
        assert best <= stump.loss <= best + arm.slack


@settings(deadline=None, max_examples=100)
@given(problems(categorical=True, max_features=1))
def test_finest_partition_is_below_every_subset(problem: TinyProblem) -> None:
    rows, column = problem.rows(), problem.columns[0]
    codes = column.codes[rows.index]
    cells = [rows.cells[codes == code].sum(axis=0).tolist() for code in range(column.n_codes)]
    slack = rows.loss.slack(rows.cell, column.n_codes)
    assert rows.loss.finest(cells) <= best_subset_loss(column, rows) + slack


def categorical_stump(labels: list[int], codes: list[int], n_bins: int, has_missing: bool = False):
    column = Column(np.array(codes), n_bins, has_missing, is_categorical=True)
    rows = class_rows("gini", np.array(labels), np.ones(len(labels), dtype=np.int64), 2)
    return column, exhaustive(make_arms([column], rows))


def test_a_category_need_not_be_a_neighbour() -> None:
    _, stump = categorical_stump([0, 1, 0, 1], [0, 1, 2, 3], n_bins=4)
    assert stump.categories == (0, 2)
    assert stump.loss == 0.0


def test_missing_is_one_more_category() -> None:
    column, stump = categorical_stump([0, 1, 0, 1], [0, 1, 2, 2], 2, has_missing=True)
    assert (stump.categories, stump.missing_left) == ((0,), False)
    column, stump = categorical_stump([0, 1, 0, 0], [0, 1, 2, 2], 2, has_missing=True)
    assert (stump.categories, stump.missing_left) == ((0,), True)
    assert stump.goes_left(column).tolist() == [True, False, True, True]


def test_shares_are_compared_without_rounding() -> None:
    """The shares of class 1 are two numbers but one float; the smaller one must go left."""
    heavy = 2**58
    assert (heavy - 1) / heavy == (heavy - 2) / heavy
    column = Column(np.array([0, 0, 1, 1]), 2, is_categorical=True)
    weights = np.array([1, heavy - 1, 2, heavy - 2])
    stump = exhaustive(make_arms([column], class_rows("gini", np.array([0, 1, 0, 1]), weights, 2)))
    assert stump is not None
    assert stump.categories == (1,)


def test_a_categorical_split_may_vanish_when_rows_are_added() -> None:
    """So an unfinished categorical arm has no upper bound, unlike a numeric one.

    Two rows a side are asked for. After four rows {1} against {2, 3} has them; the fifth row
    moves category 1 between the other two, and then no prefix leaves two rows on both sides.
    """
    column = Column(np.array([1, 3, 1, 2, 1]), 4, is_categorical=True)
    rows = class_rows("error", np.array([0, 0, 1, 1, 0]), np.array([3, 4, 1, 3, 5]), 2)
    (arm,) = make_arms([column], rows, min_samples_leaf=2)
    upper_bounds = []
    had_a_split = []
    while not arm.is_complete:
        arm.assess(arm.n_seen + 1)
        upper_bounds.append(arm.upper)
        had_a_split.append(arm.best_stump() is not None)
    assert any(had_a_split[:-1])
    assert not had_a_split[-1]
    assert set(upper_bounds) == {math.inf}
