"""OneAgainstAllClassifier: a committee for each class, and what becomes of what they say."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LinearRegression, LogisticRegression

from estimator_helpers import CATEGORICAL, SEARCHES, mixed_table, noisy_labels
from frugalboost import (
    BinnedDataset,
    BoostedTreesClassifier,
    FilterBoostClassifier,
    GambleClassifier,
    OneAgainstAllClassifier,
    digest,
)
from frugalboost.data import binned


def gentle(**options):
    options = {"n_estimators": 8, "max_leaf_nodes": 5, "min_samples_leaf": 1} | options
    return BoostedTreesClassifier("gentle", learning_rate=1.0, **options)


def test_each_committee_is_the_model_of_its_question():
    X = mixed_table(200)
    y = noisy_labels(X, 4)
    prototype = gentle(categorical_features=CATEGORICAL)
    model = OneAgainstAllClassifier(prototype).fit(X, y)
    expected = [clone(prototype).fit(X, y == label) for label in model.classes_]
    assert [digest(each) for each in model.estimators_] == [digest(each) for each in expected]
    decisions = np.column_stack([each.decision_function(X) for each in expected])
    assert (model.decision_function(X) == decisions).all()
    assert model.predict(X).tolist() == model.classes_[decisions.argmax(axis=1)].tolist()


def test_the_default_is_gentle_adaboost_mh_with_fifteen_leaves():
    X, y = load_wine(return_X_y=True)
    said = gentle(n_estimators=100, max_leaf_nodes=15)
    default, spelled = (OneAgainstAllClassifier(each).fit(X, y) for each in (None, said))
    assert digest(default) == digest(spelled)


def test_two_classes_need_one_committee():
    X, y = load_breast_cancer(return_X_y=True)
    model = OneAgainstAllClassifier(gentle()).fit(X, y)
    plain = gentle().fit(X, y)
    assert len(model.estimators_) == 1
    assert (model.decision_function(X) == plain.decision_function(X)).all()
    assert (model.predict_proba(X) == plain.predict_proba(X)).all()
    assert (model.predict(X) == plain.predict(X)).all()


def test_every_search_gives_the_same_model():
    X = mixed_table(200)
    y = noisy_labels(X, 3)
    models = [OneAgainstAllClassifier(gentle(search=search)).fit(X, y) for search in SEARCHES]
    assert len({digest(model) for model in models}) == 1
    assert digest(models[0]) != digest(OneAgainstAllClassifier(gentle()).fit(X, y + 1))
    assert digest(models[0]) != digest(OneAgainstAllClassifier(gentle()).fit(X[:-1], y[:-1]))


def test_bins_are_made_once(monkeypatch):
    X, y = load_wine(return_X_y=True)
    made = []
    make = binned.from_table

    def counted(*args):
        made.append(args)
        return make(*args)

    monkeypatch.setattr(binned, "from_table", counted)
    OneAgainstAllClassifier(gentle()).fit(X, y)
    assert len(made) == 1


def test_probabilities_are_the_committees_own_normalised():
    X, y = load_wine(return_X_y=True)
    model = OneAgainstAllClassifier(gentle(n_estimators=2, max_leaf_nodes=3)).fit(X, y)
    own = np.column_stack([each.predict_proba(X)[:, 1] for each in model.estimators_])
    assert model.predict_proba(X) == pytest.approx(own / own.sum(axis=1, keepdims=True))
    assert model.predict_log_proba(X) == pytest.approx(np.log(model.predict_proba(X)))


def test_where_every_committee_says_no_too_loudly_the_least_loud_has_it():
    X = np.array([[0]] * 7 + [[1], [2], [3]])
    y = np.array([0, 1, 1, 2, 2, 0, 1, 0, 1, 2])  # of the first seven no class has half
    loud = BoostedTreesClassifier("gentle", learning_rate=1e5, n_estimators=1, max_depth=5)
    model = OneAgainstAllClassifier(loud).fit(X, y)
    assert all(each.predict_proba([[0]])[0, 1] == 0 for each in model.estimators_)
    assert model.predict_proba([[0], [3]]).tolist() == [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    assert model.predict([[0], [3]]).tolist() == [1, 2]


def test_a_committee_that_has_ended_stays_where_it_is():
    X, y = load_iris(return_X_y=True)
    model = OneAgainstAllClassifier(gentle(n_estimators=12, max_leaf_nodes=3)).fit(X, y)
    rounds = [each.n_estimators_ for each in model.estimators_]
    assert min(rounds) < max(rounds)
    stages = list(model.staged_decision_function(X))
    assert len(stages) == max(rounds)
    assert (stages[-1] == model.decision_function(X)).all()
    first = list(model.estimators_[0].staged_decision_function(X))
    assert (stages[rounds[0] - 1][:, 0] == first[-1]).all()
    assert (list(model.staged_predict(X))[-1] == model.predict(X)).all()


def test_weights_are_repetitions_and_none_is_no_row():
    X, y = load_wine(return_X_y=True)
    weights = np.arange(len(y)) % 3
    weights[y == 2] = 0
    weighted = OneAgainstAllClassifier(gentle()).fit(X, y, weights)
    repeated = OneAgainstAllClassifier(gentle()).fit(
        np.repeat(X, weights, axis=0), y.repeat(weights)
    )
    assert weighted.classes_.tolist() == [0, 1]
    assert (weighted.predict(X) == repeated.predict(X)).all()


@pytest.mark.parametrize("kind", ["frame", "sparse", "binned"])
def test_tables_of_every_kind(kind):
    X, y = load_wine(return_X_y=True)
    expected = OneAgainstAllClassifier(gentle()).fit(X, y)
    if kind == "binned":
        model = OneAgainstAllClassifier(gentle()).fit(BinnedDataset.from_data(X), y)
        assert digest(model) == digest(expected)
        return
    table = sparse.csr_array(X) if kind == "sparse" else pd.DataFrame(X).add_prefix("x")
    model = OneAgainstAllClassifier(gentle()).fit(table, y)
    assert digest(model) == digest(expected)
    assert (model.decision_function(table) == expected.decision_function(X)).all()


def test_labels_of_any_kind_clones_and_pickles():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = OneAgainstAllClassifier(gentle()).fit(X, names)
    assert set(model.predict(X)) == set(names)
    assert digest(clone(model).fit(X, names)) == digest(model)
    assert digest(pickle.loads(pickle.dumps(model))) == digest(model)
    assert model.feature_importances_.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    "estimator",
    [
        GambleClassifier(n_estimators=5),
        GambleClassifier(LinearRegression(), n_estimators=5),
        gentle(early_stopping=True, random_state=0),
        BoostedTreesClassifier("real", max_depth=2, n_estimators=5),
    ],
    ids=str,
)
def test_other_committees(estimator):
    X, y = load_wine(return_X_y=True)
    model = OneAgainstAllClassifier(estimator).fit(X, y)
    assert model.score(X, y) > 0.95
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(len(y)))


@pytest.mark.parametrize(
    "estimator",
    ["gentle", BoostedTreesClassifier, LogisticRegression(), FilterBoostClassifier()],
    ids=str,
)
def test_an_estimator_of_another_kind_is_refused(estimator):
    X, y = load_iris(return_X_y=True)
    problem = "OneAgainstAllClassifier: estimator must be None, a BoostedTreesClassifier or a Gamb"
    with pytest.raises(TypeError, match=problem):
        OneAgainstAllClassifier(estimator).fit(X, y)


def test_a_failed_fit_leaves_the_model_as_it_was():
    X, y = load_iris(return_X_y=True)
    model = OneAgainstAllClassifier(gentle()).fit(X, y)
    before = digest(model)
    with pytest.raises(ValueError, match="search must be one of"):
        model.set_params(estimator__search="fast").fit(X[:, :2], y)
    assert digest(model) == before
    assert model.n_features_in_ == 4


def test_one_class_and_bins_to_predict_for_are_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="OneAgainstAllClassifier: y must hold at least two"):
        OneAgainstAllClassifier().fit(X, np.zeros(len(y)))
    model = OneAgainstAllClassifier(gentle()).fit(X, y)
    with pytest.raises(TypeError, match="OneAgainstAllClassifier: X must hold raw values"):
        model.predict(BinnedDataset.from_data(X))
