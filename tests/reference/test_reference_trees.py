"""Trees of every search are the same tree."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost.reference import SEARCHES, Column, Node, TreeGrower, class_rows, real_rows
from strategies import CRITERIA, TinyProblem, problems

XOR = [Column(np.array([0, 0, 1, 1]), 2), Column(np.array([0, 1, 0, 1]), 2)]


def grow(problem: TinyProblem, search: str, **limits: int) -> Node:
    grower = TreeGrower(
        problem.columns, SEARCHES[search], min_samples_leaf=problem.min_samples_leaf, **limits
    )
    return grower.grow(problem.rows())


@pytest.mark.parametrize(("layout", "criterion"), CRITERIA)
@settings(deadline=None, max_examples=10)
@given(st.data())
def test_every_search_grows_the_same_tree(layout: str, criterion: str, data: st.DataObject) -> None:
    problem = data.draw(problems(layout, criterion, categorical=None))
    limits = {
        "max_depth": data.draw(st.integers(1, 4)),
        "max_leaf_nodes": data.draw(st.integers(2, 9)),
    }
    expected = grow(problem, "exhaustive", **limits).as_tuple()
    for search in SEARCHES:
        assert grow(problem, search, **limits).as_tuple() == expected


@settings(deadline=None, max_examples=50)
@given(problems(categorical=None), st.integers(1, 6))
def test_a_tree_keeps_its_promises(problem: TinyProblem, max_leaf_nodes: int) -> None:
    tree = grow(problem, "exhaustive", max_leaf_nodes=max_leaf_nodes, max_depth=3)
    leaves = list(tree.leaves())
    assert len(leaves) <= max_leaf_nodes
    assert max(leaf.depth for leaf in leaves) <= 3
    if len(leaves) > 1:
        assert min(len(leaf.rows) for leaf in leaves) >= problem.min_samples_leaf
    rows = sorted(int(row) for leaf in leaves for row in leaf.rows.index)
    assert rows == list(range(len(problem.labels)))
    for leaf in leaves:  # children stay in decreasing weight order without sorting
        assert (np.diff(leaf.rows.masses) <= 0).all()


@settings(deadline=None, max_examples=50)
@given(problems("classes", "error", categorical=None))
def test_best_first_without_a_limit_is_the_plain_tree(problem: TinyProblem) -> None:
    plain = grow(problem, "exhaustive", max_depth=3)
    best_first = grow(problem, "exhaustive", max_depth=3, max_leaf_nodes=8)
    assert plain.as_tuple() == best_first.as_tuple()


@settings(deadline=None, max_examples=50)
@given(problems("classes", "gini"))
def test_best_first_grows_by_one_split_a_leaf(problem: TinyProblem) -> None:
    """The tree of k leaves is the tree of k + 1 leaves without its last split."""

    def splits(tree: Node) -> set[object]:
        if tree.left is None or tree.right is None:
            return set()
        here = (tree.stump, tuple(sorted(tree.rows.index.tolist())))
        return {here} | splits(tree.left) | splits(tree.right)

    grown = [splits(grow(problem, "exhaustive", max_leaf_nodes=k)) for k in range(1, 7)]
    for small, large in pairwise(grown):
        assert small <= large
        assert len(large) - len(small) <= 1


def test_a_split_without_gain_may_be_needed() -> None:
    """XOR: no stump gains, yet two levels are perfect. Stopping early would never learn it."""
    rows = class_rows("error", np.array([0, 1, 1, 0]), np.array([1, 1, 1, 1]), 2)
    tree = TreeGrower(XOR, max_depth=2).grow(rows)
    assert [leaf.rows.leaf_loss for leaf in tree.leaves()] == [0, 0, 0, 0]


def test_assessments_are_rows_times_features_of_every_searched_node() -> None:
    rows = class_rows("error", np.array([0, 1, 1, 0]), np.array([1, 1, 1, 1]), 2)
    constant = Column(np.zeros(4), 1)
    grower = TreeGrower([*XOR, constant], max_depth=2)
    grower.grow(rows)
    assert grower.assessments == 2 * 4 + 2 * 2 + 2 * 2  # constant features aside


def test_a_pure_node_is_a_leaf() -> None:
    rows = class_rows("entropy", np.array([1, 1, 1, 1]), np.array([1, 2, 3, 4]), 2)
    grower = TreeGrower(XOR, max_depth=2)
    assert grower.grow(rows).as_tuple() == (0, 10)
    assert grower.assessments == 0


def test_unknown_values_follow_the_larger_side() -> None:
    """No missing value reached the node: it would go with most rows."""
    labels, weights = np.array([0, 1, 1, 1]), np.array([1, 1, 1, 1])
    column = Column(np.array([0, 1, 1, 1]), 2, has_missing=True)
    tree = TreeGrower([column], max_depth=1).grow(class_rows("gini", labels, weights, 2))
    assert (tree.stump.bin, tree.stump.missing_left) == (0, False)
    column = Column(np.array([0, 0, 0, 1]), 2, has_missing=True)
    tree = TreeGrower([column], max_depth=1).grow(class_rows("gini", labels[::-1], weights, 2))
    assert (tree.stump.bin, tree.stump.missing_left) == (0, True)


def test_absent_categories_go_the_way_of_missing_values() -> None:
    labels, weights = np.array([0, 0, 0, 1]), np.array([1, 1, 1, 1])
    column = Column(np.array([3, 3, 1, 0]), 5, is_categorical=True)
    tree = TreeGrower([column], max_depth=1).grow(class_rows("gini", labels, weights, 2))
    assert tree.stump.missing_left
    assert tree.stump.categories == (1, 2, 3, 4)


def test_equal_responses_are_pure() -> None:
    """Their least squares is rounding: of the squares to integers, and of the floats."""
    rows = real_rows(np.full((4, 1), 2**50 + 1), np.full((4, 1), 2**49))
    assert rows.cell[-1] + rows.leaf_loss > 0
    assert TreeGrower(XOR, max_depth=2).grow(rows).as_tuple() == tuple(rows.cell)
