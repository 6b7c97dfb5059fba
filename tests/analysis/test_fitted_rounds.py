"""The weights that a fitted model's trees were grown on, and the rows of their nodes."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import AdaBoostClassifier

from frugalboost import BinnedDataset, BoostedTreesClassifier, C45Classifier
from frugalboost.analysis import fitted_rounds, weight_order_bound
from frugalboost.reference import Column, ap_boost, assessments, class_rows, make_arms


@pytest.fixture(scope="module", name="cancer")
def table():
    X, y = load_breast_cancer(return_X_y=True)
    return X, y, BinnedDataset.from_data(X)


@pytest.mark.parametrize("rule", ["adaboost", "adaboost_m1", "log", "mada", "mh"])
def test_weights_give_the_errors_of_the_rounds(rule, cancer):
    X, y, data = cancer
    model = BoostedTreesClassifier(rule, max_depth=1, n_estimators=12).fit(data, y)
    encoded = model._schema.encode(X)
    for found, tree, error in zip(
        fitted_rounds(model, data, X, y), model.estimators_, model.estimator_errors_, strict=True
    ):
        wrong = (tree.predict(encoded)[:, 0] > 0) != (y == 1)
        share = found.weights[wrong].sum() / found.weights.sum()
        assert error == pytest.approx(share, rel=1e-14)


def test_several_classes_and_sample_weights():
    X, y = load_digits(n_class=4, return_X_y=True)
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(y))
    data = BinnedDataset.from_data(X)
    model = BoostedTreesClassifier("adaboost", max_depth=2, n_estimators=6)
    model.fit(data, y, sample_weight=weight)
    encoded = model._schema.encode(X)
    rounds = fitted_rounds(model, data, X, y, sample_weight=weight)
    for found, tree, error in zip(rounds, model.estimators_, model.estimator_errors_, strict=True):
        wrong = tree.predict(encoded).argmax(axis=1) != y
        assert error == pytest.approx(found.weights[wrong].sum() / found.weights.sum(), rel=1e-12)


def test_nodes_hold_the_rows_that_reach_them(cancer):
    X, y, data = cancer
    model = BoostedTreesClassifier("adaboost", max_depth=3, n_estimators=4).fit(data, y)
    for found, tree in zip(fitted_rounds(model, data, X, y), model.estimators_, strict=True):
        inner = np.flatnonzero(tree.feature >= 0)
        assert [len(rows) for rows in found.nodes] == tree.n_samples[inner].tolist()
        assert found.nodes[0].tolist() == list(range(len(y)))
        left = tree.left[0]
        goes_left = X[:, tree.feature[0]] <= tree.threshold[0]
        if tree.feature[left] >= 0:
            at = inner.tolist().index(left)
            assert found.nodes[at].tolist() == np.flatnonzero(goes_left).tolist()


@pytest.mark.parametrize("max_depth", [1, 3])
def test_no_search_assesses_fewer_than_the_bounds_of_its_nodes(max_depth, cancer):
    X, y, data = cancer
    model = BoostedTreesClassifier(
        "adaboost", max_depth=max_depth, n_estimators=8, search="adaptive"
    ).fit(data, y)
    for found in fitted_rounds(model, data, X, y, numbers=[1, 4, 8]):
        bound = sum(
            weight_order_bound(data, y, found.weights, rows, ties="lowest") for rows in found.nodes
        )
        assert bound <= model.ledger_[found.number - 1].assessments


def test_every_round_does_the_work_of_algorithm_1(cancer):
    X, y, _ = cancer
    # Different for every row: the heaviest first is one order only.
    weight = np.random.default_rng(0).uniform(0.5, 1.5, len(y))
    data = BinnedDataset.from_data(X, max_bins=16)
    columns = [Column(data.column_codes(k), int(data.n_bins[k])) for k in range(X.shape[1])]
    model = BoostedTreesClassifier("adaboost", max_depth=1, n_estimators=12, search="ap_boost")
    model.fit(data, y, sample_weight=weight)
    for found in fitted_rounds(model, data, X, y, [1, 12], sample_weight=weight):
        arms = make_arms(columns, class_rows("error", y, found.weights, n_classes=2))
        ap_boost(arms)
        assert assessments(arms) == model.ledger_[found.number - 1].assessments


def test_a_round_that_was_not_kept_is_refused(cancer):
    X, y, data = cancer
    model = BoostedTreesClassifier("adaboost", max_depth=1, n_estimators=3).fit(data, y)
    with pytest.raises(ValueError, match=r"numbers must be rounds from 1 to 3.*got \[0, 4\]"):
        list(fitted_rounds(model, data, X, y, numbers=[0, 2, 4]))
    model = BoostedTreesClassifier("logit", max_depth=1, n_estimators=3).fit(data, y)
    with pytest.raises(ValueError, match="one weight per row; got 'logit'"):
        list(fitted_rounds(model, data, X, y))


@pytest.mark.parametrize(
    "model", [C45Classifier(), C45Classifier("adaboost_m1"), AdaBoostClassifier(n_estimators=2)]
)
def test_rounds_of_other_models_cannot_be_followed(model, cancer):
    X, y, data = cancer
    message = f"model must be a fitted BoostedTreesClassifier, .*; got a {type(model).__name__}"
    with pytest.raises(TypeError, match=f"^fitted_rounds: {message}"):
        next(fitted_rounds(model.fit(X[:60], y[:60]), data, X, y))
