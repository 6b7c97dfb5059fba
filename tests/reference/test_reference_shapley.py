"""The twin of TreeSHAP has the properties that define Shapley values, in exact fractions."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings

from counted_trees import N_FEATURES, RowTree, row_trees
from frugalboost.reference.shapley import CountedTree, expected, shapley_values


@settings(max_examples=60, deadline=None)
@given(row_trees())
def test_values_share_out_what_knowing_all_features_changes(case: RowTree):
    tree, goes_left = case
    everything = frozenset(range(N_FEATURES))
    change = expected(tree, goes_left, everything) - expected(tree, goes_left, frozenset())
    assert sum(shapley_values(tree, goes_left, N_FEATURES)) == change


@settings(max_examples=60, deadline=None)
@given(row_trees())
def test_a_feature_that_no_node_asks_about_has_no_value(case: RowTree):
    tree, goes_left = case
    values = shapley_values(tree, goes_left, N_FEATURES)
    assert [values[f] for f in range(N_FEATURES) if f not in tree.feature] == [
        0 for f in range(N_FEATURES) if f not in tree.feature
    ]


def test_the_example_of_the_paper():
    """Lundberg et al. 2018, figure 1, models A and B: fever and cough, all four cases as often."""
    split = {"left": [1, 2, -1, -1, 5, -1, -1], "right": [4, 3, -1, -1, 6, -1, -1]}
    counts = [4, 2, 1, 1, 2, 1, 1]
    feature = [0, 1, -1, -1, 1, -1, -1]
    both = CountedTree(feature, value=[0, 0, 0, 0, 0, 0, 80], n_samples=counts, **split)
    assert shapley_values(both, lambda node: False, 2) == [30, 30]
    feature = [1, 0, -1, -1, 0, -1, -1]
    more = CountedTree(feature, value=[0, 0, 0, 0, 0, 10, 90], n_samples=counts, **split)
    assert shapley_values(more, lambda node: False, 2) == [30, 35]
    assert expected(more, lambda node: False, frozenset()) == Fraction(100, 4)
