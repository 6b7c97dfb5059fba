"""C4.5's tree in plain Python: the book's examples, and each rule by itself."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from c45_golf import (
    CATEGORIES,
    DAYS,
    FIRST_OVERCAST,
    HUMIDITY,
    OUTLOOK,
    PLAY,
    STAY,
    WINDY,
    every_day,
    golf,
    grown,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost.reference.c45 import C45Grower, divide, shares
from frugalboost.reference.c45_splits import Attribute, SplitFinder, total_info

NO_TEST = frozenset()


def test_the_gains_of_chapter_2():
    """The book: gain 0.246 bits, split information 1.577, ratio 0.156; 0.048 bits for windy."""
    outlook = golf().split(OUTLOOK, every_day())
    assert outlook.gain == pytest.approx(0.247, abs=1e-3)
    assert outlook.entropy == pytest.approx(1.577, abs=1e-3)
    assert outlook.gain / outlook.entropy == pytest.approx(0.156, abs=1e-3)
    assert golf().split(WINDY, every_day()).gain == pytest.approx(0.048, abs=1e-3)


def test_the_gains_of_chapter_3():
    """With an unknown outlook: gain 0.199 bits, split information 1.809, ratio 0.110."""
    outlook = golf(unknown=True).split(OUTLOOK, every_day())
    assert outlook.gain == pytest.approx(0.199, abs=5e-4)
    assert outlook.entropy == pytest.approx(1.809, abs=5e-4)
    assert outlook.gain / outlook.entropy == pytest.approx(0.110, abs=5e-4)


def test_the_tree_of_chapter_2():
    sunny = ((HUMIDITY, 75.0), (PLAY, 2.0, 0.0), (STAY, 0.0, 3.0))
    rain = ((WINDY, None), (PLAY, 3.0, 0.0), (STAY, 0.0, 2.0))
    assert grown(golf()).as_tuple() == ((OUTLOOK, None), sunny, (PLAY, 4.0, 0.0), rain)


def test_the_tree_of_chapter_3():
    """The case goes to three branches, with weights 5/13, 3/13 and 5/13."""
    share = 5 / 13
    sunny = ((HUMIDITY, 75.0), (PLAY, 2.0, 0.0), (STAY, share, 3.0))
    rain = ((WINDY, None), (PLAY, 3.0, 0.0), (STAY, share, 2.0))
    overcast = (PLAY, 3 + 3 / 13, 0.0)
    assert grown(golf(unknown=True)).as_tuple() == ((OUTLOOK, None), sunny, overcast, rain)


def test_the_classification_of_chapter_3():
    """Sunny, 70 degrees, humidity unknown, no wind: to play has 44 %, not to play 56 %."""
    finder = golf(unknown=True)
    day = (0.0, 70.0, math.nan, 0.0)
    columns = [[*each.values, value] for each, value in zip(finder.attributes, day, strict=True)]
    attributes = [Attribute(*pair) for pair in zip(columns, CATEGORIES, strict=True)]
    assert shares(grown(finder), attributes, len(DAYS)) == pytest.approx([0.44, 0.56], abs=5e-3)


def test_cases_of_unknown_value_are_divided_by_the_known_ones():
    finder = golf(unknown=True)
    parts = divide(finder.split(OUTLOOK, every_day()), finder.attributes, every_day())
    weights = [dict(part)[FIRST_OVERCAST] for part in parts]
    assert weights == [5 / 13, 3 / 13, 5 / 13]
    assert [len(part) for part in parts] == [6, 4, 6]


def finder_of(*columns, labels, n_categories=None, n_cases=None, min_cases=2.0):
    n_categories = n_categories or [0] * len(columns)
    attributes = [Attribute(*pair) for pair in zip(columns, n_categories, strict=True)]
    n = float(len(labels)) if n_cases is None else n_cases
    return SplitFinder(attributes, labels, max(labels) + 1, n, min_cases)


def each_once(labels):
    return [(row, 1.0) for row in range(len(labels))]


def test_a_threshold_pays_for_the_number_of_thresholds():
    """Eight values, two classes: five thresholds leave two cases on both sides."""
    labels = [0, 0, 0, 0, 1, 1, 1, 1]
    split = finder_of([float(i) for i in range(8)], labels=labels).split(0, each_once(labels))
    assert split.gain == 1.0 - math.log2(5) / 8
    assert split.entropy == 1.0
    assert split.cut == 3.0


def test_a_threshold_that_gains_no_more_than_it_pays_is_none():
    labels = [0, 1, 0, 1, 0, 1, 0, 1]
    finder = finder_of([float(i) for i in range(8)], labels=labels)
    assert finder.split(0, each_once(labels)) is None


@pytest.mark.parametrize(
    ("n_known", "n_classes", "fewest"),
    [(30, 2, 2.0), (60, 2, 3.0), (1000, 2, 25.0), (1000, 8, 12.5)],
)
def test_the_fewest_cases_on_a_side_of_a_threshold(n_known, n_classes, fewest):
    finder = finder_of([0.0], labels=[n_classes - 1])
    assert finder.fewest_cases(float(n_known)) == fewest


def test_a_threshold_leaves_a_tenth_of_a_class_on_both_sides():
    """Of 60 cases 3: the two that are told apart best are too few."""
    labels = [1, 1, *[0] * 58]
    finder = finder_of([float(i) for i in range(60)], labels=labels)
    assert finder.split(0, each_once(labels)).cut == 2.0
    two = replace(finder, n_classes=4)  # 1.5 of a class, so that two are enough
    assert two.split(0, each_once(labels)).cut == 1.0


def test_a_threshold_is_a_training_value_of_any_case():
    """The middle is 5: the largest value up to it is 4.5, of a case that is elsewhere."""
    finder = finder_of([0.0, 0.0, 10.0, 10.0, 4.5, 5.5], labels=[0, 0, 1, 1, 0, 1])
    split = finder.split(0, [(row, 1.0) for row in range(4)])
    assert split.cut == 4.5


def test_two_branches_need_two_cases_each():
    finder = finder_of([0.0, 0.0, 0.0, 1.0, 2.0], labels=[0, 0, 0, 1, 1], n_categories=[3])
    assert finder.split(0, each_once(range(5))) is None
    assert replace(finder, min_cases=1.0).split(0, each_once(range(5))) is not None


def test_categories_with_many_values_do_not_count_in_the_average():
    """Three in ten cases: their gain is out of the average, and they can still be chosen."""
    labels = [0, 0, 0, 1, 1, 1, 0, 1, 0, 1]
    many = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0]
    few = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0]
    finder = finder_of(many, few, labels=labels, n_categories=[3, 2])
    splits = [finder.split(number, each_once(labels)) for number in (0, 1)]
    assert splits[0].gain > splits[1].gain
    assert finder.average_gain(splits) == splits[1].gain
    more_cases = replace(finder, n_cases=11.0)
    assert more_cases.average_gain(splits) == (splits[0].gain + splits[1].gain) / 2
    only = replace(finder, attributes=finder.attributes[:1])
    assert only.average_gain(splits[:1]) == splits[0].gain


def test_a_gain_may_be_a_thousandth_below_the_average():
    """Of two attributes, the one that gains less has the larger ratio."""
    labels = [0] * 500 + [1] * 500
    left = [float(i >= 450) for i in range(1000)]
    finder = finder_of(left, left, labels=labels)
    split = finder.split(0, each_once(labels))
    less = split._replace(attribute=1, gain=split.gain - 0.0019, entropy=split.entropy / 2)
    too_little = less._replace(gain=split.gain - 0.0021)
    for other, chosen in ((less, 1), (too_little, 0)):

        class Two(SplitFinder):
            def split(self, number, cases, other=other):
                return (split, other)[number]

        two = Two(finder.attributes, labels, 2, 1000.0)
        assert two.best(each_once(labels), NO_TEST).attribute == chosen


def test_a_category_is_tested_once_on_a_path():
    """Without that rule, missing values would let a case be divided by it again."""
    finder = golf(unknown=True)
    assert finder.best(every_day(), NO_TEST).attribute == OUTLOOK
    assert finder.best(every_day(), frozenset({OUTLOOK})).attribute != OUTLOOK


def test_a_tree_no_better_than_a_leaf_is_a_leaf():
    """A split of equal classes gains, and saves no error."""
    column = [0.0] * 6 + [1.0] * 6
    labels = [0] * 5 + [1] + [0] * 4 + [1] * 2
    node = C45Grower(finder_of(column, labels=labels, n_categories=[2])).grow(each_once(labels))
    assert node.as_tuple() == (0, 9.0, 3.0)


def entropy(weights):
    total = math.fsum(weights)
    return -math.fsum(w / total * math.log2(w / total) for w in weights if w > 0)


@st.composite
def columns_of_cases(draw):
    """Values, labels and weights; some values missing."""
    n = draw(st.integers(4, 25))
    each = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    values = [math.nan if value == 3 else float(value) for value in draw(each)]
    labels = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    weights = draw(st.lists(st.sampled_from([0.25, 1.0, 2.5]), min_size=n, max_size=n))
    return values, labels, weights


@pytest.mark.thorough
@given(columns_of_cases(), st.booleans())
@settings(deadline=None, max_examples=30)
def test_gains_are_those_of_the_definition(drawn, is_category):
    """Beside probabilities: the known share times the entropy saved, unknown ones as a branch."""
    values, labels, weights = drawn
    attribute = Attribute(values, 3 * is_category)
    n = math.fsum(weights)
    split = SplitFinder([attribute], labels, 3, n).split(0, list(enumerate(weights)))
    if split is None:
        return

    def mass(holds):
        chosen = [i for i, value in enumerate(values) if holds(value)]
        return [math.fsum(weights[i] for i in chosen if labels[i] == k) for k in range(3)]

    if is_category:
        parts, cost = [mass(lambda v, c=c: v == c) for c in range(3)], 0.0
    else:
        parts = [mass(lambda v: v <= split.cut), mass(lambda v: v > split.cut)]
        cost = math.log2(n_thresholds(values, weights)) / n
    known = mass(lambda v: not math.isnan(v))
    share = math.fsum(known) / n
    within = math.fsum(
        math.fsum(part) / math.fsum(known) * entropy(part) for part in parts if sum(part)
    )
    assert split.gain == pytest.approx(share * (entropy(known) - within) - cost, abs=1e-9)
    sizes = [math.fsum(part) for part in parts]
    assert split.entropy == pytest.approx(entropy([*sizes, n - math.fsum(known)]), abs=1e-9)


def n_thresholds(values, weights):
    """How many leave two cases, or a tenth of a third, on both sides."""
    known = [(v, w) for v, w in zip(values, weights, strict=True) if not math.isnan(v)]
    total = sum(w for _, w in known)
    fewest = max(2.0, min(25.0, total / 30))
    below = [sum(w for v, w in known if v <= cut) for cut in sorted({v for v, _ in known})[:-1]]
    return sum(fewest <= low <= total - fewest for low in below)


@pytest.mark.thorough
@given(columns_of_cases())
@settings(deadline=None, max_examples=30)
def test_no_weight_is_lost_in_a_tree(drawn):
    values, labels, weights = drawn
    finder = SplitFinder([Attribute(values, 3)], labels, 3, math.fsum(weights), 1.0)
    node = C45Grower(finder).grow(list(enumerate(weights)))
    of_leaves = np.sum([leaf.by_class for leaf in leaves(node)], axis=0)
    assert of_leaves == pytest.approx(node.by_class, abs=1e-9)


def leaves(node):
    if node.split is None:
        return [node]
    return [leaf for branch in node.branches for leaf in leaves(branch)]


@given(st.lists(st.floats(0.01, 100.0), min_size=1, max_size=6))
@settings(deadline=None, max_examples=30)
def test_total_info_is_the_weight_times_the_entropy(weights):
    assert total_info(weights) == pytest.approx(sum(weights) * entropy(weights), abs=1e-9)
