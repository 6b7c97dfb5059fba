from __future__ import annotations

import numpy as np
import pytest
from analysis_helpers import as_training_needs, binned, losses_by_trying, nodes
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits

import frugalboost as fb
from frugalboost.analysis import weight_order_bound, weight_order_prefixes
from frugalboost.analysis.exact_sums import ExactWeights
from frugalboost.reference import (
    Column,
    adaptive,
    assessments,
    choose_shift,
    class_rows,
    fixed_point,
    make_arms,
)


def brute_force(node, ties):
    """The paper's sum, term by term."""
    X, rows = node[0], node[-1]
    errors = [losses_by_trying(node, feature) for feature in range(X.shape[1])]
    splits = [f for f in range(X.shape[1]) if len(np.unique(X[rows, f])) > 1]
    winner = min(splits, key=lambda f: (errors[f][-1], f))
    best = errors[winner][-1]
    terms = []
    for feature, error in enumerate(errors):
        # A column of missing values only still has a bin for values.
        if len(np.unique(X[:, feature])) == 1 and not np.isnan(X[0, feature]):
            terms.append(0)
            continue
        strict = ties == "lowest" and feature < winner
        settled = np.flatnonzero(error > best if strict else error >= best)
        needs_all = feature == winner or len(settled) == 0
        terms.append(len(rows) if needs_all else int(settled[0]))
    return terms


@pytest.mark.thorough
@settings(deadline=None, max_examples=200)
@given(nodes(), st.sampled_from(["any", "lowest"]))
def test_prefixes_are_those_of_brute_force(node, ties):
    X, is_categorical, labels, weights, rows = node
    found = weight_order_prefixes(binned(X, is_categorical), labels, weights, rows, ties=ties)
    assert found.tolist() == brute_force(node, ties)


@settings(deadline=None, max_examples=100)
@given(nodes(categorical=False))
def test_unit_steps_of_the_reference_assess_exactly_the_bound(node):
    X, is_categorical, labels, weights, rows = node
    data = binned(X, is_categorical)
    columns = [
        Column(data.column_codes(f)[rows], int(data.n_bins[f]), bool(data.has_missing[f]))
        for f in range(data.n_features)
    ]
    n_classes = max(labels.max() + 1, 2)
    arms = make_arms(columns, class_rows("error", labels[rows], weights[rows], n_classes))
    adaptive(arms, unit_steps=True)
    assert assessments(arms) == weight_order_bound(data, labels, weights, rows, ties="lowest")


@settings(deadline=None, max_examples=60)
@given(nodes(), st.sampled_from(["adaptive", "ap_boost", "quick", "exhaustive"]))
def test_no_compiled_search_without_memory_assesses_fewer(node, search):
    X, is_categorical, labels, weights, _ = node
    # Below 2^53 the integers of training are these weights, times a power of two.
    labels, weights = as_training_needs(labels, weights)
    data = binned(X, is_categorical)
    model = fb.BoostedTreesClassifier("adaboost", n_estimators=1, max_depth=1, search=search)
    model.fit(data, labels, sample_weight=weights)
    lowest = weight_order_bound(data, labels, weights, ties="lowest")
    assert model.ledger_[0].assessments >= lowest >= weight_order_bound(data, labels, weights)


@pytest.mark.parametrize("search", ["adaptive", "ap_boost", "quick"])
def test_no_round_of_a_fit_assesses_fewer(search):
    X, y = load_digits(return_X_y=True)
    labels = (y >= 5).astype(np.int64)
    data = fb.BinnedDataset.from_data(X)
    # Different for every row and in every round: the order of the rows is the only one there is.
    weights = np.random.default_rng(0).uniform(0.5, 1.5, len(y))
    model = fb.BoostedTreesClassifier(
        "adaboost", n_estimators=30, max_depth=1, learning_rate=1.0, search=search
    ).fit(data, labels, sample_weight=weights)
    before = np.zeros(len(y))
    stages = zip(model.ledger_, model.staged_decision_function(X), strict=True)
    for step, (entry, decision) in zip(model.estimator_weights_, stages, strict=True):
        units = fixed_point(weights, choose_shift(weights))
        bound = weight_order_bound(data, labels, units, ties="lowest")
        assert bound <= entry.assessments <= entry.full
        weights[(decision > before) != (labels == 1)] *= np.exp(2.0 * step)
        before = decision
    assert weights.max() / weights.min() > 20


def test_bound_of_many_rows_by_a_plain_scan():
    """More rows than brute force can take: the borders of the halving, with long runs of ties."""
    rng = np.random.default_rng(3)
    n = 3_000
    X = rng.integers(0, 40, size=(n, 6)).astype(np.float64)
    labels = (X[:, 4] + rng.normal(scale=15, size=n) > 20).astype(np.int64)
    weights = rng.choice([1, 5, 2**45, 2**49], size=n)
    data = fb.BinnedDataset.from_data(X)
    bounds = np.zeros((n + 1, 6), dtype=np.int64)
    for feature in range(6):
        sums = np.zeros((2, 41), dtype=np.int64)  # code 0 stays empty: a cut below all values
        for m, row in enumerate(np.argsort(-weights, kind="stable"), start=1):
            sums[labels[row], int(X[row, feature]) + 1] += weights[row]
            left = sums.cumsum(axis=1)
            right = left[:, -1:] - left
            bounds[m, feature] = min((left[1] + right[0]).min(), (left[0] + right[1]).min())
    best = bounds[-1].min()
    expected = [n if f == bounds[-1].argmin() else 0 for f in range(6)]
    for feature in np.flatnonzero(np.array(expected) == 0):
        expected[feature] = int(np.flatnonzero(bounds[:, feature] >= best)[0])
    assert weight_order_prefixes(data, labels, weights).tolist() == expected


@given(st.integers(0, 61), st.lists(st.integers(0, 2**61), max_size=8))
def test_sums_are_exact_at_every_size(bits, drawn):
    weights = np.array([w >> (61 - bits) >> 3 for w in drawn], dtype=np.int64)
    cells = np.arange(len(weights)) % 2
    found = ExactWeights(weights).by_cell(cells, 0, len(weights), n_cells=2)
    assert found.tolist() == [sum(weights[0::2].tolist()), sum(weights[1::2].tolist())]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": [1.0, 2.0]}, "weights must be 2 integers of at least 1; got float64"),
        ({"weights": [0, 2]}, "weights must be 2 integers of at least 1; got a minimum of 0"),
        ({"labels": [0]}, r"labels must be 2 integers of at least 0; got int64 of shape \(1,\)"),
        ({"weights": [2**62, 2**62]}, r"weights must have a total below 2\*\*62"),
        ({"rows": [0, 2]}, r"rows must be one or more different row numbers from 0 to 1; got"),
        ({"rows": [0, 0]}, "different row numbers"),
        ({"rows": []}, "different row numbers"),
        ({"rows": [1]}, "rows must differ in some feature"),
        ({"ties": "none"}, "ties must be one of 'any', 'lowest'; got 'none'"),
    ],
)
def test_errors_name_what_is_wrong(change, message):
    data = fb.BinnedDataset.from_data([[0.0], [1.0]])
    arguments = {"labels": [0, 1], "weights": [1, 1]} | change
    with pytest.raises(ValueError, match="weight_order_bound: .*" + message):
        weight_order_bound(data, **arguments)


def test_categories_need_two_classes():
    data = fb.BinnedDataset.from_data([[0.0], [1.0], [2.0]], categorical_features=[0])
    with pytest.raises(ValueError, match="no categorical features for more than two classes; got"):
        weight_order_bound(data, [0, 1, 2], [1, 1, 1])
