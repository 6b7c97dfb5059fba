"""GambleClassifier with trees: rule "gentle" on the paper's scale, by every search."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris

from estimator_helpers import CATEGORICAL, digests, mixed_table, noisy_labels
from frugalboost import BinnedDataset, BoostedTreesClassifier, GambleClassifier, digest


def gentle(learning_rate, **options):
    return BoostedTreesClassifier(
        "gentle", learning_rate=learning_rate, max_leaf_nodes=15, min_samples_leaf=1, **options
    )


@pytest.mark.parametrize("rate", [0.05, 0.5, 1.0])
def test_two_classes_are_gentle_adaboost_with_twice_the_step(rate):
    X, y = load_breast_cancer(return_X_y=True)
    model = GambleClassifier(learning_rate=rate, n_estimators=30).fit(X, y)
    assert digest(model) == digest(gentle(2 * rate, n_estimators=30).fit(X, y))


@pytest.mark.parametrize("rate", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("n_classes", [3, 7])
def test_more_classes_are_rule_gentle(rate, n_classes):
    X = mixed_table(200)
    y = noisy_labels(X, n_classes)
    model = GambleClassifier(learning_rate=rate, n_estimators=15).fit(X, y)
    assert digest(model) == digest(gentle(rate, n_estimators=15).fit(X, y))


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_every_search_and_number_of_threads_gives_the_same_model(n_classes):
    X = mixed_table(300)
    y = noisy_labels(X, n_classes)
    weights = np.random.default_rng(1).random(len(X))
    model = GambleClassifier(n_estimators=10, max_leaf_nodes=8, categorical_features=CATEGORICAL)
    assert len(digests(model, X, y, n_jobs=(1, 2))) == 1
    assert len(digests(model, X, y, weights)) == 1


def test_trees_have_fifteen_leaves_at_most():
    X = mixed_table(300)
    model = GambleClassifier(n_estimators=5).fit(X, noisy_labels(X, 5))
    assert max(tree.is_leaf.sum() for tree in model.estimators_) == 15


@pytest.mark.parametrize("n_classes", [2, 4])
def test_probabilities_are_the_link_of_theorem_3_1(n_classes):
    X = mixed_table(200)
    model = GambleClassifier(n_estimators=5, learning_rate=0.2).fit(X, noisy_labels(X, n_classes))
    F = model.decision_function(X)
    if n_classes == 2:
        F = np.column_stack([-F, F])
    powers = np.exp(F / (n_classes - 1))
    expected = powers / powers.sum(axis=1, keepdims=True)
    assert model.predict_proba(X) == pytest.approx(expected)
    assert model.predict(X).tolist() == model.classes_[expected.argmax(axis=1)].tolist()


def test_stages_end_with_the_model():
    X = mixed_table(200)
    model = GambleClassifier(n_estimators=6, max_leaf_nodes=5).fit(X, noisy_labels(X, 4))
    stages = list(model.staged_decision_function(X))
    assert len(stages) == model.n_estimators_ == 6
    assert (stages[-1] == model.decision_function(X)).all()
    assert (list(model.staged_predict(X))[-1] == model.predict(X)).all()
    assert (list(model.staged_predict_proba(X))[-1] == model.predict_proba(X)).all()


def test_going_on_gives_the_model_of_one_fit():
    X = mixed_table(200)
    y = noisy_labels(X, 4)
    model = GambleClassifier(n_estimators=3, warm_start=True).fit(X, y)
    model.set_params(n_estimators=9).fit(X, y)
    assert digest(model) == digest(GambleClassifier(n_estimators=9).fit(X, y))


def test_clones_pickles_and_shared_bins_give_the_same_model():
    X, y = load_iris(return_X_y=True)
    model = GambleClassifier(n_estimators=5, max_leaf_nodes=3).fit(X, y)
    assert digest(clone(model).fit(X, y)) == digest(model)
    assert digest(pickle.loads(pickle.dumps(model))) == digest(model)
    assert digest(clone(model).fit(BinnedDataset.from_data(X), y)) == digest(model)


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("learning_rate", "auto", TypeError),
        ("learning_rate", 0.0, ValueError),
        ("max_leaf_nodes", "auto", TypeError),
        ("max_leaf_nodes", 1, ValueError),
        ("min_samples_leaf", "auto", TypeError),
        ("n_estimators", 0, ValueError),
        ("search", "fast", ValueError),
    ],
)
def test_a_bad_parameter_is_named(name, value, error):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(error, match=f"GambleClassifier: {name} must .*; got {value!r}"):
        GambleClassifier(**{name: value}).fit(X, y)
