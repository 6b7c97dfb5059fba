"""LazyBoost, StochasticBoost and Weight-Trimming: with every rule, search and each other."""

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
    noisy_targets,
    regressor,
)
from frugalboost import BoostedTreesClassifier, digest
from frugalboost.boosting.sampling import DRAWS
from frugalboost.rules import RULES

HEURISTICS = {
    "lazy": {"feature_fraction": 0.5},
    "stochastic": {"sample_fraction": 0.5},
    "trim": {"weight_trim": 0.9},
    "all": {"feature_fraction": 0.6, "sample_fraction": 0.7, "weight_trim": 0.95},
}


@pytest.fixture(scope="module", name="X")
def table():
    return mixed_table()


@pytest.fixture(scope="module")
def binned(X):
    return binned_in_every_way(X)


@pytest.mark.thorough
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_quick_and_slow_give_the_same_model(rule, n_classes, heuristic, X, binned):
    model = classifier(rule, random_state=3, **HEURISTICS[heuristic])
    assert len(digests(model, binned, noisy_labels(X, n_classes))) == 1


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("limits", [{}, {"max_depth": None, "max_leaf_nodes": 6}])
def test_quick_and_slow_give_the_same_regressor(heuristic, limits, X, binned):
    model = regressor(random_state=3, **HEURISTICS[heuristic], **limits)
    assert len(digests(model, binned, noisy_targets(X), n_jobs=(1, 2))) == 1
    assert len(model.estimators_) > 1


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("rule", ["adaboost", "real", "logit"])
def test_a_heuristic_changes_the_model(rule, heuristic, X):
    y = noisy_labels(X, 2)
    plain, changed = classifier(rule), classifier(rule, random_state=0, **HEURISTICS[heuristic])
    assert digest(plain.fit(X, y)) != digest(changed.fit(X, y))


@pytest.mark.parametrize("search", SEARCHES)
def test_whole_shares_are_no_heuristic(search, X):
    y = noisy_labels(X, 2)
    whole = classifier(search=search, feature_fraction=1.0, sample_fraction=1.0, weight_trim=1.0)
    assert digest(whole.fit(X, y)) == digest(classifier(search=search).fit(X, y))


def test_a_seed_decides(X):
    y = noisy_labels(X, 2)
    fits = [
        digest(classifier(feature_fraction=0.5, random_state=seed).fit(X, y)) for seed in (1, 1, 2)
    ]
    assert fits[0] == fits[1] != fits[2]


def test_trees_use_what_was_drawn(X):
    y = noisy_labels(X, 2)
    model = classifier(feature_fraction=0.3, random_state=0, n_estimators=30).fit(X, y)
    used = [set(tree.feature[tree.feature >= 0].tolist()) for tree in model.estimators_]
    assert max(map(len, used)) <= round(0.3 * X.shape[1])
    assert len(set.union(*used)) > 4
    model = classifier(sample_fraction=0.4, random_state=0).fit(X, y)
    assert {int(tree.n_samples[0]) for tree in model.estimators_} == {round(0.4 * len(X))}


@pytest.mark.parametrize("options", [{"sample_fraction": 0.5}, {"weight_trim": 0.8}])
def test_the_error_of_a_round_is_that_of_all_rows(options, X):
    y = noisy_labels(X, 2)
    model = classifier(random_state=0, **options).fit(X, y)
    log_weight = np.zeros(len(y))
    for tree, step, error in zip(
        model.estimators_, model.estimator_weights_, model.estimator_errors_, strict=True
    ):
        encoded = model._schema.encode(X)
        wrong = (tree.predict(encoded)[:, 0] > 0) != (y == 1)
        weight = np.exp(log_weight)
        assert error == pytest.approx(weight[wrong].sum() / weight.sum(), rel=1e-9)
        log_weight[wrong] += 2 * step


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("rule", ["adaboost", "adaboost_m1", "real", "logit"])
def test_a_fit_that_goes_on_is_an_unbroken_one(rule, heuristic, X):
    y = noisy_labels(X, 3)
    options = {"random_state": 5, **HEURISTICS[heuristic]}
    broken = classifier(rule, n_estimators=3, warm_start=True, **options).fit(X, y)
    broken.set_params(n_estimators=8).fit(X, y)
    assert digest(broken) == digest(classifier(rule, **options).fit(X, y))


def test_a_trim_that_leaves_one_class_ends_with_a_warning():
    X = np.arange(15.0)[:, np.newaxis]
    y = np.arange(15) < 5
    model = BoostedTreesClassifier("adaboost", max_depth=1, weight_trim=0.3)
    with pytest.warns(UserWarning, match="weight_trim=0.3 left rows of one class only in round 1"):
        model.fit(X, y, sample_weight=np.where(y, 1.1, 1.0))
    assert len(model.estimators_) == 1


def test_the_first_tree_is_drawn_again_if_it_is_useless():
    """One feature of twenty is drawn at a time, and all but the eighth say nothing."""
    X = np.zeros((200, 20))
    X[:, 7] = np.arange(200)
    X[::2, :7] = X[::2, 8:15] = 1.0
    X[1::2, 15:] = 1.0
    y = X[:, 7] % 4 < 2
    draws = {True: [], False: []}
    for seed in range(12):
        model = BoostedTreesClassifier(
            "adaboost", max_depth=1, n_estimators=1, feature_fraction=0.05, random_state=seed
        ).fit(X, y)
        is_useful = model.estimators_[0].feature[0] == 7
        assert (model.estimator_weights_[0] > 0) == is_useful
        draws[is_useful].append(model.ledger_[0].full / len(X))
    assert set(draws[False]) == {DRAWS}  # then it gives up
    assert 1 < max(draws[True]) <= DRAWS
