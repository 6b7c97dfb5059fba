"""C4.5's pruning in plain Python: the book's numbers, and trees small enough for pen and paper."""

from __future__ import annotations

import pytest
from c45_golf import every_day, golf, grown, pruner

from frugalboost.reference.c45 import C45Node
from frugalboost.reference.c45_pruning import C45Pruner, extra_errors, squared_deviation
from frugalboost.reference.c45_splits import Attribute, Split
from frugalboost.reference.pessimistic import upper_limit


def limit(n, errors, confidence=0.25):
    """``U_CF(E, N)`` as the program computes it."""
    return (errors + extra_errors(n, errors, confidence)) / n


def test_the_limits_of_chapter_4():
    """The book: 0.206 for six cases, 0.143 for nine, 0.750 for one, 0.157 for one wrong of 16."""
    assert limit(6.0, 0.0) == pytest.approx(0.206, abs=5e-4)
    assert limit(9.0, 0.0) == pytest.approx(0.143, abs=5e-4)
    assert limit(1.0, 0.0) == 0.75
    assert limit(16.0, 1.0) == pytest.approx(0.157, abs=5e-4)


def test_the_subtree_of_chapter_4():
    """Leaves of six, nine and one cases: 3.273 errors expected; as a leaf, 2.512."""
    subtree = 6 * limit(6.0, 0.0) + 9 * limit(9.0, 0.0) + 1 * limit(1.0, 0.0)
    assert subtree == pytest.approx(3.273, abs=2e-3)
    assert 16 * limit(16.0, 1.0) == pytest.approx(2.512, abs=6e-3)


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.4])
@pytest.mark.parametrize("n", [5, 40])
def test_the_formulas_are_near_the_binomial_limit(n, confidence):
    assert limit(n, 0.0, confidence) == pytest.approx(upper_limit(0, n, confidence), abs=1e-9)
    for errors in range(1, n // 2, 3):
        exact = upper_limit(errors, n, confidence)
        assert limit(n, float(errors), confidence) == pytest.approx(exact, abs=0.025)


def test_between_none_and_one_error_the_formula_is_straight():
    none, one = extra_errors(8.0, 0.0, 0.25), extra_errors(8.0, 1.0, 0.25)
    assert extra_errors(8.0, 0.25, 0.25) == none + 0.25 * (one - none)


def test_nearly_all_wrong():
    assert extra_errors(4.0, 3.75, 0.25) == 0.67 * 0.25
    assert extra_errors(0.0, 0.0, 0.25) == 0.0


def test_deviations_of_the_table():
    assert squared_deviation(0.05) == 1.65 * 1.65
    assert squared_deviation(0.2) == pytest.approx(0.84 * 0.84)
    assert squared_deviation(0.3) == pytest.approx(((0.84 + 0.25) / 2) ** 2)
    with pytest.raises(ValueError, match=r"confidence must be at most 1; got 1\.5"):
        squared_deviation(1.5)


def cases_of(n):
    return [(row, 1.0) for row in range(n)]


def leaf(*by_class):
    label = max(range(len(by_class)), key=by_class.__getitem__)
    return C45Node(list(by_class), label, sum(by_class) - max(by_class))


def inner(attribute, *branches):
    by_class = [sum(each) for each in zip(*(branch.by_class for branch in branches), strict=True)]
    node = leaf(*by_class)
    node.split, node.branches = Split(attribute, 1.0, 1.0), list(branches)
    return node


def table(*rows):
    """Rows of two categories and a label, each so many times."""
    repeated = [row[:3] for row in rows for _ in range(row[3])]
    columns = [[float(row[at]) for row in repeated] for at in (0, 1)]
    return [Attribute(column, 2) for column in columns], [row[2] for row in repeated]


def test_the_largest_branch_takes_the_place_of_a_test_that_tells_nothing():
    """20 cases and 2, all told apart by the second attribute: 3.6 errors expected, or 2.6."""
    attributes, labels = table((0, 0, 0, 10), (0, 1, 1, 10), (1, 1, 1, 2))
    tree = inner(0, inner(1, leaf(10.0, 0.0), leaf(0.0, 10.0)), leaf(0.0, 2.0))
    pruner = C45Pruner(attributes, labels, 2)
    errors = pruner.prune(tree, cases_of(22))
    assert tree.as_tuple() == ((1, None), (0, 10.0, 0.0), (1, 0.0, 12.0))
    assert errors == extra_errors(10.0, 0.0, 0.25) + extra_errors(12.0, 0.0, 0.25)


def test_a_leaf_may_be_a_tenth_of_an_error_worse():
    """20 cases and one of another class, whose weight moves the difference across 0.1."""
    attributes, labels = table((0, 0, 0, 20), (1, 0, 1, 1))
    n_within = 0
    for weight in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        tree = inner(0, leaf(20.0, 0.0), leaf(0.0, weight))
        as_tree = extra_errors(20.0, 0.0, 0.25) + extra_errors(weight, 0.0, 0.25)
        as_leaf = weight + extra_errors(20.0 + weight, weight, 0.25)
        C45Pruner(attributes, labels, 2).prune(tree, [*cases_of(20), (20, weight)])
        is_leaf = tree.split is None
        assert is_leaf == (as_leaf <= as_tree + 0.1)
        n_within += is_leaf and as_leaf > as_tree
    assert n_within > 0
    assert not is_leaf


def test_of_equal_branches_the_last_is_the_largest():
    attributes, labels = table((0, 0, 0, 5), (1, 1, 1, 5))
    tree = inner(0, leaf(5.0, 0.0), leaf(0.0, 5.0))
    pruner = C45Pruner(attributes, labels, 2)
    assert pruner.largest_branch(tree, cases_of(10)) is tree.branches[1]


def test_an_empty_branch_expects_no_errors():
    attributes, labels = table((0, 0, 0, 8), (0, 1, 1, 8))
    tree = inner(1, leaf(8.0, 0.0), leaf(0.0, 8.0))
    both = inner(0, tree, leaf(0.0, 0.0))
    expected = C45Pruner(attributes, labels, 2).expected_errors(both, cases_of(16))
    assert expected == 2 * extra_errors(8.0, 0.0, 0.25)


def test_golf_needs_no_pruning_until_confidence_is_small():
    for confidence, n_branches in ((0.25, 3), (0.001, 0)):
        tree = grown(golf())
        pruner(golf(), confidence).prune(tree, every_day())
        assert len(tree.branches) == n_branches


def test_pruning_again_changes_nothing_of_golf():
    finder = golf(unknown=True)
    tree = grown(finder)
    errors = pruner(finder).prune(tree, every_day())
    before = tree.as_tuple()
    assert pruner(finder).prune(tree, every_day()) == errors
    assert tree.as_tuple() == before
