"""Thousands of rounds against trees of every kind, with extreme sample weights and steps."""

from __future__ import annotations

import numpy as np
import pytest
from rule_helpers import Booster, compact, leaf_sums, make_regression, random_labels

from frugalboost.rules import RULES, Action, L2Boost, make_rule

pytestmark = pytest.mark.thorough

N_ROWS = 24
SAMPLE_WEIGHTS = {
    "even": np.ones(N_ROWS),
    "tiny": np.full(N_ROWS, 1e-300),
    "huge": np.full(N_ROWS, 1e300),
    "mixed": np.where(np.arange(N_ROWS) % 3, 1e-300, 1e300),
}


def trees(rng, labels, n_rounds):
    """Perfect, hopeless, all-but-one-right and random partitions in turn."""
    rows = np.arange(len(labels))
    for t in range(n_rounds):
        yield (
            compact(labels),
            np.zeros_like(rows),
            compact(np.where(rows == t % len(rows), (labels + 1) % 2, labels)),
            compact(rng.integers(4, size=len(rows))),
        )[t % 4]


def assert_survives(booster, partitions):
    """Keep every tree, whatever the verdict; nothing may leave the range of the floats."""
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        for leaf_of_row in partitions:
            problem = booster.problem()
            assert problem.weights.min() >= np.finfo(float).tiny
            assert np.isfinite(problem.weights.sum())
            sums = leaf_sums(problem, leaf_of_row, booster.labels, booster.rule.n_classes)
            verdict = booster.rule.judge(sums, is_first=False, is_fresh=False)
            assert np.isfinite(verdict.values).all()
            assert 0 <= verdict.step < np.inf
            assert 0 <= verdict.error < np.inf
            booster.keep(verdict, leaf_of_row)
        assert_sound(booster)


def assert_sound(booster):
    assert np.isfinite(booster.state).all()
    assert np.isfinite(booster.loss())
    probability = booster.rule.probabilities(booster.decision)
    assert np.isfinite(probability).all()
    assert probability.sum(axis=1) == pytest.approx(np.ones(N_ROWS), abs=1e-9)


UNDERFLOW = 745.0
"""Of exp, at the logarithms of weights below minus this."""
# Rounds until they are beyond it, for each rule that can get there: Newton steps cannot.
ENOUGH = dict.fromkeys(RULES, 1_200) | dict.fromkeys(("adaboost", "adaboost_m1", "mh"), 3_000)
ENOUGH["gentle"] = 2_000


def survivor(name, n_classes, weight, n_rounds):
    rng = np.random.default_rng(0)
    labels = random_labels(rng, N_ROWS, n_classes)
    booster = Booster(make_rule(name, n_classes, 1.0), labels, SAMPLE_WEIGHTS[weight])
    assert_survives(booster, trees(rng, labels, n_rounds))
    return booster


@pytest.mark.parametrize(
    ("name", "n_rounds"),
    [
        *ENOUGH.items(),
        *(pytest.param(name, 10_000, marks=pytest.mark.slow) for name in RULES),
    ],
)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_nothing_overflows_in_many_rounds(name, n_classes, n_rounds):
    booster = survivor(name, n_classes, "even", n_rounds)
    assert (np.abs(booster.state).max() > UNDERFLOW) == (name != "logit")


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("weight", "n_rounds"), [("tiny", 300), ("huge", 300), ("mixed", 500)])
def test_nothing_overflows_with_extreme_weights(name, n_classes, weight, n_rounds):
    survivor(name, n_classes, weight, n_rounds)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("learning_rate", [1e308, 1e20, 1e-308])
def test_no_learning_rate_overflows(name, n_classes, learning_rate):
    rng = np.random.default_rng(0)
    labels = random_labels(rng, N_ROWS, n_classes)
    booster = Booster(make_rule(name, n_classes, learning_rate), labels)
    assert_survives(booster, trees(rng, labels, 100))


@pytest.mark.parametrize("name", ["log", "mada", "mh", "real", "real_log", "adaboost", "gentle"])
def test_weights_still_tell_rows_apart_when_every_margin_is_large(name):
    """Each weight alone underflows from margin 745 on; their ratios must not be lost."""
    rule = make_rule(name, 2, 1.0)
    margin = np.array([1000.0, 1002.0, 1005.0])
    state = -margin if name in ("mh", "adaboost", "gentle") else margin  # log weights
    weights = rule.problem(state, np.ones(3, dtype=int), np.ones(3)).weights
    assert np.log(weights[0] / weights[1:]) == pytest.approx([2.0, 5.0], rel=1e-9)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_trees_that_say_nothing_end_the_boosting(name, n_classes):
    labels = np.repeat(np.arange(n_classes), 4)
    booster = Booster(make_rule(name, n_classes, 1.0), labels)
    actions = booster.run([np.zeros_like(labels)] * 100)
    if n_classes > 2 and name in ("mh", "real", "log", "real_log", "mada"):
        # Even classes are uneven pairs: the first trees say, to every class alike, "rather not".
        assert set(actions[:-1]) == {Action.KEEP}
        assert actions[-1] is Action.DROP_AND_STOP
        assert np.ptp(booster.decision) < 1e-9
        assert booster.decision.max() < 0
    else:
        assert actions == [Action.KEEP_AND_STOP]
        assert not booster.decision.any()


# A pure leaf is no end for LogitBoost: its steps grow smaller by themselves.
@pytest.mark.parametrize("name", [name for name in RULES if name != "logit"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_perfect_tree_ends_the_boosting_with_the_right_answers(name, n_classes):
    labels = np.repeat(np.arange(n_classes), 4)
    booster = Booster(make_rule(name, n_classes, 1.0), labels)
    assert booster.run([labels] * 50) == [Action.KEEP_AND_STOP]
    winner = booster.rule.probabilities(booster.decision).argmax(axis=1)
    assert (winner == labels).all()


def test_l2_lasts_ten_thousand_rounds_and_converges():
    booster = make_regression(np.random.default_rng(0))
    identity = np.arange(50)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        for _ in range(10_000):
            booster.play(identity)
    assert booster.decision == pytest.approx(booster.labels, abs=1e-12)
    assert booster.loss() < 1e-25
    assert isinstance(booster.rule, L2Boost)
