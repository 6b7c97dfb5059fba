"""The library's AdaBoost and GAMBLE are the reference's: the same trees, steps and decisions."""

from __future__ import annotations

import numpy as np
import pytest
from nested_trees import as_columns, named_class, nested, nested_reference

from frugalboost import BinnedDataset, BoostedTreesClassifier, GambleClassifier
from frugalboost.reference import adaboost, gamble_trees
from frugalboost.reference.adaboost import decision as reference_decision
from frugalboost.reference.gamble import decision as gamble_decision

N_ROWS, N_ROUNDS = 20, 6


def make_problem(seed, n_classes):
    """Weights without ties: in exact ties the two would have to round alike to agree."""
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [
            rng.integers(4, size=N_ROWS),
            rng.normal(size=N_ROWS),
            np.where(rng.random(N_ROWS) < 0.3, np.nan, rng.integers(3, size=N_ROWS)),
            rng.integers(5, size=N_ROWS),
        ]
    ).astype(float)
    y = np.concatenate([np.arange(n_classes), rng.integers(n_classes, size=N_ROWS - n_classes)])
    return BinnedDataset.from_data(X, categorical_features=[3]), X, y, 0.1 + 0.9 * rng.random(20)


OPTIONS = [
    {"max_depth": 1},
    {"max_depth": 3},
    {"max_depth": None, "max_leaf_nodes": 4, "min_samples_leaf": 1},
    {"max_depth": 2, "min_samples_leaf": 4},
    {"max_depth": 2, "learning_rate": 0.5},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("criterion", ["error", "gini", "z"])
@pytest.mark.parametrize("seed", range(3))
def test_trees_steps_and_decisions_are_the_references(options, n_classes, criterion, seed):
    dataset, X, y, weights = make_problem(seed, n_classes)
    rounds = adaboost(
        as_columns(dataset), y, n_classes, N_ROUNDS, weights, criterion=criterion, **options
    )
    model = BoostedTreesClassifier(
        "adaboost", n_estimators=N_ROUNDS, criterion=criterion, search="adaptive", **options
    ).fit(dataset, y, weights)
    assert len(model.estimators_) == len(rounds) > 0
    # SAMME's step is in units of class codes: (K - 1)^2 / K of the reference's, K > 2.
    factor = 1.0 if n_classes == 2 else (n_classes - 1) ** 2 / n_classes
    for tree, step, error, expected in zip(
        model.estimators_, model.estimator_weights_, model.estimator_errors_, rounds, strict=True
    ):
        says = iter(expected.leaf_classes)
        assert nested(tree, named_class) == nested_reference(expected.tree, dataset, says)
        assert step == pytest.approx(factor * expected.step, rel=1e-9)
        assert error == pytest.approx(expected.error, abs=1e-9)
    votes = reference_decision(rounds, N_ROWS, n_classes)
    if n_classes > 2:
        # A vote for a class is K / (K - 1) of a code, once the mean is taken off.
        votes = (votes - votes.mean(axis=1, keepdims=True)) * (n_classes - 1)
    assert model.decision_function(X) == pytest.approx(votes, abs=1e-9)


GAMBLE_OPTIONS = [
    {"max_leaf_nodes": 4},
    {"max_leaf_nodes": None, "max_depth": 2},
    {"max_leaf_nodes": 6, "min_samples_leaf": 3},
    {"max_leaf_nodes": 4, "learning_rate": 0.3},
]


@pytest.mark.parametrize("options", GAMBLE_OPTIONS, ids=str)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(3))
def test_gamble_is_the_references(options, n_classes, seed):
    dataset, X, y, weights = make_problem(seed, n_classes)
    columns = as_columns(dataset)
    rounds = gamble_trees(columns, y, n_classes, N_ROUNDS, weights, **options)
    model = GambleClassifier(n_estimators=N_ROUNDS, search="adaptive", **options)
    model.fit(dataset, y, weights)
    assert len(model.estimators_) == len(rounds) > 0
    for tree, expected in zip(model.estimators_, rounds, strict=True):
        shape = nested(tree, lambda value: None)
        silent = iter([None] * len(expected.leaf_values))
        assert shape == nested_reference(expected.tree, dataset, silent)
    committee = gamble_decision(rounds, columns, N_ROWS)
    if n_classes == 2:
        committee = committee[:, 1]
    assert model.decision_function(X) == pytest.approx(committee, rel=1e-9, abs=1e-9)
