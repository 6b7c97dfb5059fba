"""The exact bound against trying every set of rows, and beside the weight order bound."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from analysis_helpers import binned, nodes, sides
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits

import frugalboost as fb
from frugalboost.analysis import exact_bound, weight_order_bound


def wrong_by_stump(node, feature):
    """Weight that each stump loses on each row of the node, (stumps, rows), as Python integers."""
    X, is_categorical, labels, weights, rows = node
    classes = range(max(labels.max() + 1, 2))
    return [
        [int(weights[row]) if said[i] != labels[row] else 0 for i, row in enumerate(rows)]
        for left in sides(X[rows, feature], is_categorical[feature])
        for said in [np.where(left, *says) for says in product(classes, classes)]
    ]


def by_trying(node, ties):
    """The paper's sum, term by term: every set of rows, the smallest first."""
    X, rows = node[0], node[-1]
    losses = [wrong_by_stump(node, feature) for feature in range(X.shape[1])]
    errors = [min(map(sum, table)) for table in losses]
    winner = min(
        (f for f in range(X.shape[1]) if len(np.unique(X[rows, f])) > 1),
        key=lambda f: (errors[f], f),
    )
    terms = []
    for feature, table in enumerate(losses):
        # A column of missing values only still has a bin for values.
        if len(np.unique(X[:, feature])) == 1 and not np.isnan(X[0, feature]):
            terms.append(0)
            continue
        loss = errors[winner] + (ties == "lowest" and feature < winner)
        terms.append(len(rows) if feature == winner else fewest(table, len(rows), loss))
    return terms


def fewest(table, n_rows, loss):
    for size in range(n_rows):
        for chosen in combinations(range(n_rows), size):
            if all(sum(losses[i] for i in chosen) >= loss for losses in table):
                return size
    return n_rows


@pytest.mark.thorough
@settings(deadline=None, max_examples=100)
@given(nodes(), st.sampled_from(["any", "lowest"]))
def test_is_that_of_trying_every_set_of_rows(node, ties):
    X, is_categorical, labels, weights, rows = node
    found = exact_bound(binned(X, is_categorical), labels, weights, rows, ties=ties)
    truth = by_trying(node, ties)
    assert (found.rows <= truth).all()
    assert found.bound == found.rows.sum() <= sum(truth) <= found.upper
    assert found.is_optimal == (found.bound == found.upper)
    if solver_can_tell_losses_apart(weights[rows]):
        assert found.is_optimal
        assert found.rows.tolist() == truth


def solver_can_tell_losses_apart(weights):
    """Whether one unit more or less of a loss is far more than the solver's tolerance.

    That is a millionth of the loss for each constraint and each number of rows that enter a
    stump's, of which such small nodes have fewer than thirty. Weights of 2^53 and 2^53 + 1 are too
    close for it, and those of 1 and 2^50 too far apart.
    """
    unit = np.gcd.reduce(weights)
    return int(weights.sum()) // int(unit) < 1e6 / 30


@settings(deadline=None, max_examples=60)
@given(nodes(), st.sampled_from(["any", "lowest"]))
def test_the_relaxation_is_a_bound(node, ties):
    X, is_categorical, labels, weights, rows = node
    data = binned(X, is_categorical)
    relaxed = exact_bound(data, labels, weights, rows, ties=ties, integer=False)
    whole = exact_bound(data, labels, weights, rows, ties=ties)
    assert (relaxed.rows <= whole.rows).all()
    assert relaxed.bound <= whole.bound <= relaxed.upper
    assert whole.bound <= weight_order_bound(data, labels, weights, rows, ties=ties)


def digit_problem(n_classes):
    X, y = load_digits(return_X_y=True)
    labels = y % n_classes
    weights = np.random.default_rng(0).integers(1, 2**40, len(y))
    return fb.BinnedDataset.from_data(X[:300, ::2]), labels[:300], weights[:300]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_relaxation_is_close(n_classes):
    data, labels, weights = digit_problem(n_classes)
    found = exact_bound(data, labels, weights, integer=False)
    order = weight_order_bound(data, labels, weights)
    assert found.bound <= found.upper <= order
    assert found.upper - found.bound <= 3 * data.n_features
    assert found.seconds > 0


def test_time_that_is_up_leaves_a_bound():
    data, labels, weights = digit_problem(2)
    found = exact_bound(data, labels, weights, time_limit=1e-9)
    assert found.rows.tolist() == exact_bound(data, labels, weights, integer=False).rows.tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time_limit": 0}, "time_limit must be a finite number in"),
        ({"time_limit": -1.0}, "time_limit must be a finite number in"),
        ({"ties": "first"}, "ties must be one of"),
        ({"integer": 1}, "integer must be True or False"),
        ({"rows": [5]}, "rows must be one or more different row numbers"),
        ({"weights": [0, 1]}, "weights must be 2 integers of at least 1"),
        ({"labels": [0.5, 1]}, "labels must be 2 integers of at least 0"),
        ({"rows": [0]}, "rows must differ in some feature"),
    ],
)
def test_bad_arguments_are_named(options, message):
    given_ = {"labels": [0, 1], "weights": [1, 1], **options}
    with pytest.raises((ValueError, TypeError), match=f"exact_bound: {message}"):
        exact_bound(fb.BinnedDataset.from_data([[0.0], [1.0]]), **given_)
