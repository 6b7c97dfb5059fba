"""Copies of rows, drawn by weight: as often as their weight says, and counted without rounding."""

from __future__ import annotations

import math

import numpy as np
import pytest

from frugalboost import BinnedDataset, BoostedTreesClassifier
from frugalboost.boosting.sampling import (
    SubsetPlan,
    Subsets,
    count_copies,
    draw_copies,
    problem_of_copies,
)
from frugalboost.boosting.state import TrainingData, make_state
from frugalboost.rules import make_rule
from frugalboost.tree import TreeGrower, TreePlan
from frugalboost.tree.fixed_point import sums_by_leaf

N_ROWS = 60


def table(seed=0, n_classes=2):
    rng = np.random.default_rng(seed)
    X = rng.integers(6, size=(N_ROWS, 4)).astype(float)
    y = np.where(
        rng.random(N_ROWS) < 0.3, rng.integers(n_classes, size=N_ROWS), X[:, 0] % n_classes
    )
    return BinnedDataset.from_data(X), y.astype(np.int64), rng.uniform(0.5, 2.0, N_ROWS)


def test_a_round_draws_c_log_t_plus_1_copies_and_two_at_least():
    for t in (1, 2, 10, 1000):
        assert count_copies(300, 50, t) == math.ceil(300 * math.log(t + 1))
    assert count_copies(1, 50, 1) == 2
    assert count_copies(True, 50, 1) == count_copies(True, 50, 9) == 50


def test_copies_are_drawn_in_proportion_to_the_mass():
    mass = np.array([1, 2**40, 0, 3 * 2**40, 2**42])
    rows, copies = draw_copies(np.random.default_rng(0), mass, 80_000)
    assert rows.tolist() == [1, 3, 4]
    expected = 80_000 * mass[rows] / mass.sum()
    assert (np.abs(copies - expected) < 5 * np.sqrt(expected)).all()
    assert copies.sum() == 80_000


def test_masses_near_the_end_of_int64_are_drawn_without_overflow():
    rows, copies = draw_copies(np.random.default_rng(0), np.array([2**59, 2**59, 1]), 1000)
    assert rows.tolist() == [0, 1]
    assert 400 < copies[0] < 600


@pytest.mark.parametrize(("rule", "n_classes"), [("adaboost", 2), ("log", 3)])
def test_a_row_weighs_its_copies(rule, n_classes):
    dataset, y, weights = table(n_classes=n_classes)
    state = make_state(TrainingData(dataset, y, weights), make_rule(rule, n_classes), 0.0)
    problem = state.problem()
    rows, copies = draw_copies(np.random.default_rng(0), problem.mass, 50)
    found = problem_of_copies(problem, rows, copies)
    one = 2.0 ** found.scale.exponents[0]
    assert found.mass[rows] / one == pytest.approx(copies, rel=1e-9)
    assert not np.delete(found.mass, rows).any()
    assert found.weights.sum(axis=1).tolist() == found.mass.tolist()
    shares = problem.weights[rows] / problem.mass[rows][:, np.newaxis]
    assert found.weights[rows] / found.mass[rows][:, np.newaxis] == pytest.approx(shares, rel=1e-9)


def same_structure(tree, other):
    names = ("feature", "threshold", "left", "right", "missing_left")
    return all(
        np.array_equal(getattr(tree, name), getattr(other, name), equal_nan=True) for name in names
    )


@pytest.mark.parametrize("resample", [True, 40])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("rule", ["adaboost", "gentle"])
def test_the_first_tree_is_that_of_a_table_with_the_rows_repeated(rule, n_classes, resample):
    dataset, y, weights = table(n_classes=n_classes)
    options = {"n_estimators": 1, "max_depth": 3, "criterion": "gini"}
    model = BoostedTreesClassifier(rule, resample=resample, random_state=4, **options)
    model.fit(dataset, y, weights)
    rows = np.repeat(*copies_of_round(model, dataset, y, weights, n_classes))
    repeated = BoostedTreesClassifier(rule, **options).fit(dataset.take_rows(rows), y[rows])
    (tree,), (expected,) = model.estimators_, repeated.estimators_
    assert same_structure(tree, expected)
    assert tree.value == pytest.approx(expected.value, rel=1e-12)


def copies_of_round(model, dataset, y, weights, n_classes):
    """The rows that the first round drew, and how often."""
    seed = np.random.RandomState(model.random_state).randint(2**31, size=4)
    plan = SubsetPlan(resample=model.resample, seed=tuple(seed.tolist()))
    rule = make_rule(model.rule, n_classes)
    problem = make_state(TrainingData(dataset, y, weights), rule, 0.0).problem()
    subset = Subsets(plan, dataset).next(problem)
    return subset.rows, subset.drawn.mass[subset.rows]


@pytest.mark.parametrize(
    ("rule", "n_classes"),
    [("adaboost", 2), ("adaboost", 3), ("log", 3), ("logit", 2), ("logit", 3)],
)
@pytest.mark.parametrize("some", [False, True])
def test_sums_by_leaf_are_those_of_the_core(rule, n_classes, some):
    dataset, y, weights = table(n_classes=n_classes)
    rule = make_rule(rule, n_classes)
    problem = make_state(TrainingData(dataset, y, weights), rule, 0.0).problem()
    rows = np.flatnonzero(np.arange(N_ROWS) % 3).astype(np.uint32)
    plan = TreePlan(criterion=rule.criteria[0], max_depth=3)
    grown = TreeGrower(dataset, plan).grow(problem, rows, "exhaustive")
    expected = grown.sums if some else grown.sums_of_all
    found = sums_by_leaf(problem, grown.leaf_of_row, len(grown.sums), rows if some else None)
    assert found.tolist() == expected.tolist()
