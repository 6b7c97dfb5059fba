"""C4.5's trees as options: gain ratios, no limits, pessimistic pruning."""

from __future__ import annotations

import numpy as np
import pytest

from estimator_helpers import (
    SEARCHES,
    binned_in_every_way,
    classifier,
    digests,
    mixed_table,
    noisy_labels,
)
from frugalboost import BoostedTreesClassifier, digest
from frugalboost.datasets import make_expf, make_waveform
from frugalboost.reference import best_pruning
from frugalboost.reference.pessimistic import predicted_errors

pytestmark = pytest.mark.thorough

C45 = {"criterion": "gain_ratio", "pruning": "pessimistic", "max_depth": None}
NAMING = ("adaboost", "adaboost_m1")
OPTIONS = [{}, {"resample": True}, {"feature_fraction": 0.6}, {"sample_fraction": 0.7}]


@pytest.fixture(scope="module", name="X")
def table():
    return mixed_table(180)


@pytest.fixture(scope="module")
def binned(X):
    return binned_in_every_way(X)


@pytest.mark.parametrize("rule", NAMING)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_search_gives_the_same_model(rule, n_classes, options, X, binned):
    model = classifier(rule, random_state=3, **C45, **options)
    assert len(digests(model, binned, noisy_labels(X, n_classes))) == 1


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_fit_that_goes_on_is_an_unbroken_one(options, X):
    y = noisy_labels(X, 3)
    broken = classifier("adaboost_m1", n_estimators=3, warm_start=True, random_state=1, **C45)
    broken.set_params(**options).fit(X, y)
    broken.set_params(n_estimators=8).fit(X, y)
    whole = classifier("adaboost_m1", random_state=1, **C45, **options).fit(X, y)
    assert digest(broken) == digest(whole)


def test_the_ledger_names_the_search_that_did_the_work(X):
    y = noisy_labels(X, 2)
    served = {
        search: set(classifier(search=search, criterion="gain_ratio").fit(X, y).ledger_.search)
        for search in SEARCHES
    }
    assert served == {
        "exhaustive": {"exhaustive"},
        "quick": {"exhaustive"},
        "adaptive": {"exhaustive"},
        "ap_boost": {"exhaustive"},
        "two_stage": {"exhaustive"},
        "incremental": {"incremental"},
        "auto": {"incremental"},
    }


def test_gain_ratios_alone_take_away_the_limits(X):
    y = noisy_labels(X, 3)
    for resample, rows in ((False, 2), (True, 1), (50, 1)):
        options = {"criterion": "gain_ratio", "resample": resample, "random_state": 0}
        by_ratio = classifier(max_depth=None, **options).fit(X, y)
        said = {"max_depth": None, "max_leaf_nodes": None, "min_samples_leaf": rows}
        assert digest(by_ratio) == digest(classifier(**said, **options).fit(X, y))
        assert min(tree.n_samples[tree.is_leaf].min() for tree in by_ratio.estimators_) == rows


@pytest.mark.parametrize("rule", NAMING)
@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.5])
def test_a_tree_is_pruned_as_the_twin_prunes_it(rule, confidence, X):
    """By counts: the first tree\'s rows all weigh the same."""
    y = noisy_labels(X, 3)
    options = {**C45, "n_estimators": 1, "confidence": confidence}
    (pruned,) = classifier(rule, **options).fit(X, y).estimators_
    (whole,) = classifier(rule, **{**options, "pruning": None}).fit(X, y).estimators_
    counts = counts_by_node(whole, X, y, 3)
    errors = [predicted_errors(each, confidence) for each in counts.tolist()]
    _, leaves = best_pruning(whole.left.tolist(), whole.right.tolist(), errors)
    assert len(leaves) == pruned.n_leaves < whole.n_leaves
    assert sorted(counts[list(leaves)].sum(axis=1)) == sorted(pruned.n_samples[pruned.is_leaf])


def counts_by_node(tree, X, y, n_classes):
    """Labels of the rows that pass through each node; X has no categories but numbers."""
    model = classifier(n_estimators=1, **C45).fit(X, y)
    at = tree.apply(model._schema.encode(X))
    counts = np.zeros((tree.n_nodes, n_classes), dtype=int)
    np.add.at(counts, (at, y), 1)
    for node in np.flatnonzero(~tree.is_leaf)[::-1]:
        counts[node] = counts[tree.left[node]] + counts[tree.right[node]]
    return counts


def test_a_smaller_confidence_leaves_smaller_trees(X):
    y = noisy_labels(X, 2)
    sizes = [
        classifier(n_estimators=1, confidence=each, **C45).fit(X, y).ledger_.n_leaves[0]
        for each in (0.5, 0.25, 0.05, 0.001)
    ]
    assert sizes[0] > sizes[1] > sizes[3] >= 1
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_ledger_counts_the_leaves_that_are_left(options, X):
    y = noisy_labels(X, 3)
    model = classifier("adaboost_m1", random_state=0, **C45, **options).fit(X, y)
    assert [tree.n_leaves for tree in model.estimators_] == model.ledger_.n_leaves.tolist()
    unpruned = classifier("adaboost_m1", random_state=0, **{**C45, "pruning": None}, **options)
    assert model.ledger_.n_leaves[0] < unpruned.fit(X, y).ledger_.n_leaves[0]


def test_weights_are_scaled_to_the_number_of_examples(X):
    """Only their ratios matter, as to the trees; weights above 1 are repetitions."""
    y = noisy_labels(X, 2)
    options = {**C45, "n_estimators": 1}
    one = digest(classifier(**options).fit(X, y))
    assert digest(classifier(**options).fit(X, y, np.full(len(y), 2.0**-17))) == one
    many = classifier(**options).fit(X, y, np.full(len(y), 16.0))
    repeated = classifier(**options, min_samples_leaf=32).fit(np.repeat(X, 16, 0), np.repeat(y, 16))
    assert many.ledger_.n_leaves[0] == repeated.ledger_.n_leaves[0]
    assert many.ledger_.n_leaves[0] > classifier(**options).fit(X, y).ledger_.n_leaves[0]


@pytest.mark.parametrize("weights", [1e-200, 1e200])
def test_extreme_weights(weights, X, binned):
    y = noisy_labels(X, 3)
    each = np.where(np.arange(len(y)) % 5 == 0, weights, 1.0)
    # One tree with heavy rows: how often a light one is wrong takes long to find a limit for.
    model = classifier("adaboost_m1", n_estimators=4 if weights < 1 else 1, **C45)
    assert len(digests(model, binned, y, each)) == 1
    assert np.isfinite(model.decision_function(X)).all()


def test_boosting_gains_on_one_tree():
    """As the paper says of Expf and Waveform."""
    for make, n_train, gain in ((make_expf, 500, 0.01), (make_waveform, 300, 0.06)):
        X, y = make(n_train + 3000, random_state=0)
        train, test = slice(n_train), slice(n_train, None)
        one = BoostedTreesClassifier("adaboost_m1", n_estimators=1, **C45).fit(X[train], y[train])
        many = BoostedTreesClassifier(
            "adaboost_m1", resample=True, n_estimators=30, random_state=0, **C45
        ).fit(X[train], y[train])
        assert len(many.estimators_) == 30
        assert many.score(X[test], y[test]) > one.score(X[test], y[test]) + gain


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pruning": "optimistic"}, "pruning must be None or 'pessimistic'; got 'optimistic'."),
        ({"confidence": 0.6}, r"confidence must be a finite number in \(0.0, 0.5\]; got 0.6."),
        (
            {"pruning": "pessimistic", "rule": "real"},
            "rule must be one of 'adaboost', 'adaboost_m1' with pruning='pessimistic', which "
            "counts wrong answers; got 'real'.",
        ),
        (
            {"pruning": "pessimistic", "pruning_fraction": 0.3},
            "pruning_fraction must be None with pruning='pessimistic', as a tree is pruned in "
            "only one way; got 0.3.",
        ),
    ],
)
def test_errors_say_what_goes_with_what(options, message):
    model = BoostedTreesClassifier(**{"rule": "adaboost", **options})
    with pytest.raises(ValueError, match=f"^BoostedTreesClassifier: {message}"):
        model.fit([[0.0], [1.0]], [0, 1])
