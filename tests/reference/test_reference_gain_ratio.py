"""C4.5's choice of a split: the average, the ratio, and what follows from both."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost.reference import Column, TreeGrower, class_rows, gain_ratio, make_arms
from frugalboost.reference.gain_ratio import at_least_average, gain, ratio, split_entropy
from strategies import TinyProblem, problems

ENTROPY = st.sampled_from(["classes", "votes"]).flatmap(
    lambda layout: problems(layout, "entropy", categorical=None)
)


def entropy_in_bits(weights):
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w)


def stump_of(columns, labels, weights=None):
    weights = np.ones(len(labels), np.int64) if weights is None else weights
    rows = class_rows("entropy", labels, weights, int(labels.max()) + 1)
    return gain_ratio(make_arms(columns, rows))


@pytest.mark.thorough
@given(ENTROPY)
@settings(deadline=None)
def test_the_choice_is_the_largest_ratio_among_gains_of_the_average(problem: TinyProblem):
    arms = problem.arms()
    chosen = gain_ratio(arms)
    pairs = [(arm, stump) for arm in arms if (stump := arm.best_stump()) and gain(arm, stump) > 0]
    if not pairs:
        assert chosen is None
        return
    enough = at_least_average([gain(*pair) for pair in pairs])
    ratios = {
        pair[1].feature: ratio(*pair)
        for pair, is_enough in zip(pairs, enough, strict=True)
        if is_enough
    }
    best = min(feature for feature, each in ratios.items() if each == max(ratios.values()))
    assert chosen == next(stump for _, stump in pairs if stump.feature == best)


NEIGHBOURS = st.tuples(
    st.floats(1e-200, 1e200), st.lists(st.integers(-6, 6), min_size=1, max_size=40)
).map(lambda drawn: [drawn[0] * (1 + ulps * 2.0**-52) for ulps in drawn[1]])
GAINS = st.one_of(NEIGHBOURS, st.lists(st.floats(1e-200, 1e200), min_size=1, max_size=40))


@given(GAINS)
def test_what_is_of_the_average_but_for_rounding(gains):
    """All that are no less than the mean of n; and none that is less by more than rounding.

    With u = 2^-53: n - 1 additions, the factor 1 - (n + 2) u, which is exact, two products and a
    comparison let in what is n - 1 + n + 2 + 2 = 2 n + 3 times u below, relatively.
    """
    n, mean = len(gains), sum(map(Fraction, gains)) / len(gains)
    lowest = mean * (1 - Fraction(2 * n + 3, 2**53))
    for each, is_enough in zip(map(Fraction, gains), at_least_average(gains), strict=True):
        assert is_enough or each < mean
        assert not is_enough or each >= lowest


@given(problems("classes", "entropy", categorical=None))
@settings(deadline=None)
def test_no_ratio_exceeds_one(problem: TinyProblem):
    """A side tells no more about the label than it has to tell at all, but for rounding."""
    arms = problem.arms()
    gain_ratio(arms)
    for arm in arms:
        if stump := arm.best_stump():
            most = split_entropy(arm, stump) + arm.node.loss.slack(arm.node.cell)
            assert 0 <= gain(arm, stump) <= most


@given(problems("classes", "entropy", categorical=None), st.integers(1, 40))
@settings(deadline=None)
def test_the_unit_of_the_weights_does_not_matter(problem: TinyProblem, factor: int):
    problem = replace(problem, weights=problem.weights % 1000 + 1)
    doubled = replace(problem, weights=problem.weights * 2**factor)
    one, other = (
        TreeGrower(each.columns, gain_ratio, max_depth=3).grow(each.rows()).as_tuple()
        for each in (problem, doubled)
    )
    assert shape(one) == shape(other)


def shape(tree):
    if not hasattr(tree[0], "feature"):
        return None
    return tree[0].feature, tree[0].bin, tree[0].categories, shape(tree[1]), shape(tree[2])


def test_an_example_worked_in_bits():
    """A larger ratio wins; but not where it comes of a gain below average."""
    labels = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    even = Column(np.array([0, 0, 0, 0, 1, 0, 1, 1, 1, 1], np.uint8), 2)
    same = 1.0 - entropy_in_bits([4, 1])
    assert same == pytest.approx(0.278, abs=1e-3)
    cut = Column(np.array([0, 0, 0, 1, 1, 1, 1, 1, 1, 1], np.uint8), 2)
    saved = 1.0 - 0.7 * entropy_in_bits([2, 5])
    assert saved == pytest.approx(0.396, abs=1e-3)
    assert saved / entropy_in_bits([3, 7]) > same
    assert stump_of([even, cut], labels).feature == 1
    few = Column(np.array([0, 0, 1, 1, 1, 1, 1, 1, 1, 1], np.uint8), 2)
    less = 1.0 - 0.8 * entropy_in_bits([3, 5])
    assert less < same
    assert less / entropy_in_bits([2, 8]) > same  # the better ratio, but below the average gain
    assert stump_of([even, few], labels).feature == 0


def test_the_ratio_decides_against_the_gain():
    labels = np.repeat([0, 1], 10)
    most = Column(np.array([0] * 9 + [1] + [0] * 2 + [1] * 8, np.uint8), 2)
    saved = 1.0 - 0.55 * entropy_in_bits([9, 2]) - 0.45 * entropy_in_bits([1, 8])
    pure = Column(np.array([0] * 6 + [1] * 14, np.uint8), 2)
    less = 1.0 - 0.7 * entropy_in_bits([4, 10])
    weak = Column(np.array([0] * 5 + [1] * 5 + [0] * 4 + [1] * 6, np.uint8), 2)  # lowers the mean
    assert less < saved
    assert less / entropy_in_bits([6, 14]) > saved / entropy_in_bits([11, 9])
    assert stump_of([most, pure, weak], labels).feature == 1


def test_ties_go_to_the_lowest_feature():
    labels = np.array([0, 0, 1, 1, 1])
    column = Column(np.array([0, 0, 0, 1, 1], np.uint8), 2)
    assert stump_of([column, column, column], labels).feature == 0


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-300, 7e17])
def test_equal_gains_are_of_their_average(value):
    for n in range(1, 40):
        assert at_least_average([value] * n) == [True] * n


def test_a_split_that_gains_nothing_is_none():
    """XOR: under the error it would be split for the sake of the children; C4.5 makes a leaf."""
    labels = np.array([0, 1, 1, 0])
    columns = [
        Column(np.array([0, 0, 1, 1], np.uint8), 2),
        Column(np.array([0, 1, 0, 1], np.uint8), 2),
    ]
    assert stump_of(columns, labels) is None
    rows = class_rows("entropy", labels, np.ones(4, np.int64), 2)
    assert TreeGrower(columns, gain_ratio).grow(rows).as_tuple() == (2, 2)


def test_a_node_without_splits_is_none():
    assert stump_of([Column(np.zeros(3, np.uint8), 1)], np.array([0, 1, 1])) is None
