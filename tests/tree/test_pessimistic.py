"""Pessimistic pruning: the limits of the binomial distribution, and the best pruning by them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from frugalboost.reference import all_prunings, best_pruning
from frugalboost.reference.pessimistic import predicted_errors, upper_limit
from frugalboost.tree.pessimistic import error_limit, expected_errors
from frugalboost.tree.reduced_error import cut_nodes, kept_nodes, sums_by_node

CONFIDENCES = (0.001, 0.1, 0.25, 0.5)
COUNTS = [(wrong, total) for total in (1, 2, 3, 7, 20, 60) for wrong in range(0, total, 3)]


@pytest.mark.parametrize(
    ("errors", "cases", "printed"), [(0, 6, 0.206), (0, 9, 0.143), (0, 1, 0.750)]
)
def test_the_limits_that_the_book_prints(errors, cases, printed):
    assert round(upper_limit(errors, cases, 0.25), 3) == printed
    assert error_limit(np.array([errors]), np.array([cases - errors]), 0.25).round(3) == printed


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_the_limit_is_where_so_few_errors_have_that_probability(confidence):
    wrong, total = np.array(COUNTS).T
    limit = error_limit(wrong, total - wrong, confidence)
    assert binom.cdf(wrong, total, limit) == pytest.approx(np.full(len(wrong), confidence))
    assert limit == pytest.approx([upper_limit(*pair, confidence) for pair in COUNTS], abs=1e-9)
    assert (limit > wrong / total).all()


@given(
    st.floats(1e-12, 1e6), st.floats(0, 100), st.floats(1e-12, 1e6), st.sampled_from(CONFIDENCES)
)
@settings(deadline=None)
def test_fractions_of_examples_have_limits_too(right, odds, more, confidence):
    """Between the share observed and 1; lower, the more of the answers are right."""
    right = np.array([right, right + more])
    wrong = np.full(2, right[0] * odds)
    limit = error_limit(wrong, right, confidence)
    assert (limit >= wrong / (wrong + right) * (1 - 1e-9)).all()
    assert limit[1] <= limit[0] * (1 + 1e-9) <= 1 + 1e-8


def test_extreme_weights_have_limits():
    wrong = np.array([0.0, 0.0, 1e-15, 1.0, 5.0, 1e12])
    right = np.array([1e-15, 1e15, 3e-15, 0.1, 1e15, 3e12])
    limit = error_limit(wrong, right, 0.25)
    assert np.isfinite(limit).all()
    assert ((limit >= 0) & (limit <= 1)).all()


@st.composite
def counted_trees(draw):
    """Children of each node, and counts of classes at the leaves."""
    left, right = [-1], [-1]
    for _ in range(draw(st.integers(0, 6))):
        leaves = [node for node, child in enumerate(left) if child < 0]
        node = draw(st.sampled_from(leaves))
        left[node], right[node] = len(left), len(left) + 1
        left += [-1, -1]
        right += [-1, -1]
    n_classes = draw(st.integers(2, 3))
    counts = st.lists(st.integers(0, 12), min_size=n_classes, max_size=n_classes).filter(any)
    leaf_counts = [draw(counts) for child in left if child < 0]
    return np.array(left), np.array(right), np.array(leaf_counts)


@pytest.mark.thorough
@given(counted_trees(), st.sampled_from([0.1, 0.25, 0.5]))
@settings(deadline=None)
def test_the_pruning_is_the_twins_and_no_other_expects_fewer_errors(tree, confidence):
    left, right, leaf_counts = tree
    counts = sums_by_node(left, right, leaf_counts)
    expected = expected_errors(counts, 1.0, confidence)
    twin = [predicted_errors(each, confidence) for each in counts.tolist()]
    assert expected == pytest.approx(twin, abs=1e-9)
    cut = cut_nodes(left, right, expected)
    kept = kept_nodes(left, right, cut)
    leaves = tuple(np.flatnonzero(kept & ((left < 0) | cut)).tolist())
    totals = {
        tuple(sorted(each)): sum(twin[node] for node in each) for each in all_prunings(left, right)
    }
    assert totals[leaves] == pytest.approx(min(totals.values()), abs=1e-8)
    by_twin = best_pruning(left.tolist(), right.tolist(), twin)
    assert totals[leaves] == pytest.approx(by_twin[0], abs=1e-8)


@given(counted_trees(), st.integers(-20, 20))
@settings(deadline=None)
def test_the_unit_of_the_weights_does_not_matter(tree, bits):
    counts = sums_by_node(*tree)
    scaled = expected_errors(counts * 2**20, 2.0**20 * 2.0**bits / 2.0**bits, 0.25)
    assert scaled.tolist() == expected_errors(counts, 1.0, 0.25).tolist()


def test_pure_leaves_of_one_kind_become_one():
    """Two leaves of one class expect more errors than their parent: 2 U(0, 3) > U(0, 6) is not."""
    left, right = np.array([1, -1, -1]), np.array([2, -1, -1])
    counts = sums_by_node(left, right, np.array([[3, 0], [3, 0]]))
    assert cut_nodes(left, right, expected_errors(counts, 1.0, 0.25)).tolist() == [
        True,
        False,
        False,
    ]


def test_the_tree_of_the_book():
    """Chapter 4: three leaves of 6, 9 and 1 cases without errors give way to a leaf of 16 with 1.

    Expected are 6 * 0.206 + 9 * 0.143 + 1 * 0.750 = 3.273 errors against 16 * 0.160 = 2.554.
    """
    left, right = np.array([1, -1, 3, -1, -1]), np.array([2, -1, 4, -1, -1])
    counts = sums_by_node(left, right, np.array([[6, 0], [9, 0], [0, 1]]))
    expected = expected_errors(counts, 1.0, 0.25)
    assert expected[[1, 3, 4]].sum() == pytest.approx(3.273, abs=5e-3)
    assert expected[0] == pytest.approx(2.554, abs=1e-3)
    assert cut_nodes(left, right, expected)[0]
