"""Edges and steps against sums and searches written out."""

import math
from dataclasses import replace

import numpy as np
import pytest
from filtering_helpers import fitted, make_booster, make_plan, make_problem
from hypothesis import given
from hypothesis import strategies as st

from frugalboost.filtering.filter import Filter
from frugalboost.filtering.weak_learner import (
    LARGEST_FACTOR,
    Edge,
    adaptive_edge,
    adaptive_step,
    best_step,
    bounded_log_odds,
    largest_difference,
    required_deviation,
    step_for,
    weighted_edge,
    weighted_step,
)


def after_some_rounds(n_classes, seed=0, **options):
    """A booster with scores that are not zero, twice: one is used, the other looked at."""
    X, y = make_problem(500, n_classes, seed)
    plan = make_plan(n_classes, max_rounds=6, **options)
    return plan, fitted(plan, X, y)[0], fitted(plan, X, y)[0]


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("rule", ["log", "mada"])
def test_weighted_edges_are_weighted_sums(n_classes, rule):
    plan, booster, twin = after_some_rounds(n_classes, rule=rule)
    tree = booster.ensemble.trees[2]
    (edge, step, n), rate = weighted_edge(tree, booster.stream.take(400), plan.rule)
    seen = twin.stream.take(400)
    right = wrong = total = 0.0
    for x, label, scores in zip(seen.X, seen.labels, seen.scores, strict=True):
        said = tree.predict(x[None])[0]
        if n_classes == 2:
            odds = math.exp(scores[0] if label else -scores[0])
            is_right, share = (said[0] > 0) == label, 1.0
        else:
            others = np.delete(np.exp(scores), label).sum()
            odds = math.exp(scores[label]) / others
            is_right, share = said.argmax() == label, math.exp(scores[said.argmax()]) / others
        weight = 1 / (1 + odds) if rule == "log" else min(1.0, 1 / odds)
        right += weight if is_right else 0.0
        wrong += 0.0 if is_right else weight * share
        total += weight
    assert n == 400
    assert edge == pytest.approx((right - wrong) / (2 * total), rel=1e-10)
    assert step == pytest.approx(math.log(right / wrong) / 2, rel=1e-9)
    assert rate == pytest.approx(total / 400, rel=1e-12)
    assert booster.stream.n_used == twin.stream.n_used


def rival_of(scores, label, coin):
    """The class that the coin falls on when the others, in order, share [0, 1) by exp(score)."""
    others = [code for code in range(len(scores)) if code != label]
    total = sum(math.exp(scores[code]) for code in others)
    end = 0.0
    for code in others:
        end += math.exp(scores[code]) / total
        if coin < end:
            return code
    raise AssertionError("no class owns the coin")


def difference(tree, x, label, scores, coin):
    """What the tree says for the label less what it says for the rival."""
    said = tree.predict(x[None])[0]
    if len(said) == 1:
        return said[0] if label else -said[0]
    return said[label] - said[rival_of(scores, label, coin)]


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_weighted_steps_minimise_the_exponential_loss(n_classes):
    plan, booster, _ = after_some_rounds(n_classes, confidence_rated=True, criterion="z")
    seen = booster.stream.take(300)
    weights = plan.rule.accept(seen.scores, seen.labels)
    grid = np.linspace(0, LARGEST_FACTOR, 4_001)
    steps = []
    for tree in booster.ensemble.trees:
        (edge, step, n), rate = weighted_step(tree, seen, plan.rule)
        d = np.array(
            [
                difference(tree, *example)
                for example in zip(seen.X, seen.labels, seen.scores, seen.coins, strict=True)
            ]
        )
        best = grid[np.argmin(np.exp(-np.outer(grid, d)) @ weights)]
        assert step == pytest.approx(best, abs=grid[1])
        leaves = tree.value[tree.is_leaf]
        largest = max(np.ptp(leaf) if n_classes > 2 else abs(leaf[0]) for leaf in leaves)
        assert edge == pytest.approx((weights * d).sum() / (2 * weights.sum() * largest), abs=1e-12)
        assert (n, rate) == (300, pytest.approx(weights.mean(), rel=1e-12))
        steps.append(step)
    assert any(0 < step < LARGEST_FACTOR for step in steps)  # at an end, much has the same step


@given(
    st.lists(
        st.tuples(st.floats(0.01, 1), st.floats(-3, 3)),
        min_size=1,
        max_size=12,
    )
)
def test_best_steps_are_where_the_loss_is_least(examples):
    shares, d = np.array(examples).T
    step = best_step(shares / shares.sum(), d)
    loss = [(shares * np.exp(-a * d)).sum() for a in np.linspace(0, LARGEST_FACTOR, 2_001)]
    assert 0 <= step <= LARGEST_FACTOR
    assert (shares * np.exp(-step * d)).sum() <= min(loss) * (1 + 1e-9)


def test_best_steps_at_the_ends():
    assert best_step(np.array([1.0]), np.array([1.0])) == LARGEST_FACTOR  # no error at all
    assert best_step(np.array([1.0]), np.array([-1.0])) == 0.0
    assert best_step(np.array([1.0]), np.array([0.0])) == 0.0


@pytest.mark.parametrize(
    ("right", "wrong", "sign"), [(1.0, 0.0, 1), (0.0, 1.0, -1), (0.0, 0.0, 0), (1e-320, 1.0, -1)]
)
def test_log_odds_without_an_error(right, wrong, sign):
    """As far as half an example of a hundred would make it; nothing known, no step."""
    assert bounded_log_odds(right, wrong, 100) == sign * bounded_log_odds(1.0, 0.0, 100)
    assert math.isfinite(bounded_log_odds(right, wrong, 100))


def test_weights_that_underflow_make_no_step():
    """An example may be so well known that its weight is zero; if all are, nothing is learnt."""
    plan, booster, _ = after_some_rounds(2)
    drawn = booster.stream.take(10)
    known = replace(drawn, scores=np.where(drawn.labels == 1, 1e4, -1e4)[:, None])
    for estimate in (weighted_edge, weighted_step):
        (edge, step, n), rate = estimate(booster.ensemble.trees[0], known, plan.rule)
        assert (edge, step, n, rate) == (0.0, 0.0, 10, 0.0)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("sure", [False, True])
def test_adaptive_sampling_uses_no_example_too_many(n_classes, sure):
    """Example by example, the first at which the mean is far enough from chance."""
    X, y = make_problem(500, n_classes)
    options = {"confidence_rated": True, "criterion": "z"} if sure else {}
    strong = make_plan(n_classes, max_rounds=1, max_depth=5, sample_constant=800, **options)
    tree = fitted(strong, X, y, seed=1)[0].ensemble.trees[0]  # far better than chance
    plan = make_plan(n_classes, max_rounds=2)
    booster, twin = fitted(plan, X, y)[0], fitted(plan, X, y)[0]
    confidence, tolerance = 0.05, 0.9
    estimate = adaptive_step if sure else adaptive_edge
    first, second = (Filter(b.stream, plan.rule, 0.01, 1e-9) for b in (booster, twin))
    edge, step, n = estimate(tree, first, confidence, tolerance)
    assert n > 30
    scale = 1 / largest_difference(tree) if sure else 1.0
    total = 0.0
    for count in range(1, n + 1):
        one = second.take(1)
        said = tree.predict(one.X)[0]
        if n_classes == 2:
            d = said[0] if one.labels[0] else -said[0]
        else:
            d = said[one.labels[0]] - said[one.rivals[0]]
        total += scale * d
        needed = float(required_deviation(np.array(float(count)), confidence, tolerance))
        assert (abs(total / (2 * count)) >= needed) == (count == n)
    assert (first.n_calls, first.n_drawn) == (second.n_calls, second.n_drawn) == (n, first.n_drawn)
    assert booster.stream.n_used == twin.stream.n_used
    assert edge == total / (2 * n) / (1 + tolerance)
    assert step == pytest.approx(step_for(edge) * scale, rel=1e-14)


def test_trees_worse_than_chance_are_turned_round():
    X, y = make_problem(300)
    booster = make_booster(make_plan(), X, y)
    booster.round()
    tree = booster.ensemble.trees[0]
    booster._keep(tree, Edge(-0.1, -0.25, 10))
    assert booster.ensemble.steps[-1] == 0.25
    assert (booster.ensemble.trees[-1].value == -tree.value).all()
