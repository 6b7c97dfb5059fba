"""Predictions agree with each other; models survive copying and pickling."""

from __future__ import annotations

import copy
import io
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from estimator_helpers import classifier, mixed_table, noisy_labels, noisy_targets, regressor
from frugalboost import BoostedTreesClassifier, BoostedTreesRegressor, digest
from frugalboost.rules import RULES


@pytest.fixture(scope="module", name="X")
def table():
    return mixed_table()


@pytest.fixture(
    scope="module", params=[(rule, k) for rule in RULES for k in (2, 3)], ids=lambda p: f"{p}"
)
def fitted(request, X):
    rule, n_classes = request.param
    return classifier(rule, n_estimators=12).fit(X, noisy_labels(X, n_classes))


def test_probabilities_sum_to_one_and_agree_with_predict(fitted, X):
    probability = fitted.predict_proba(X)
    assert probability.shape == (len(X), len(fitted.classes_))
    assert ((probability >= 0) & (probability <= 1)).all()
    assert probability.sum(axis=1) == pytest.approx(np.ones(len(X)), abs=1e-12)
    likeliest = probability.max(axis=1)
    chosen = probability[np.arange(len(X)), fitted.predict(X)]
    assert chosen == pytest.approx(likeliest, abs=1e-12)


def test_predict_is_the_sign_or_the_largest_of_the_decision(fitted, X):
    decision = fitted.decision_function(X)
    if len(fitted.classes_) == 2:
        assert decision.shape == (len(X),)
        assert (fitted.predict(X) == (decision > 0)).all()
    else:
        assert decision.shape == (len(X), 3)
        assert (fitted.predict(X) == decision.argmax(axis=1)).all()


def test_stages_end_in_the_prediction(fitted, X):
    decisions = list(fitted.staged_decision_function(X))
    probabilities = list(fitted.staged_predict_proba(X))
    labels = list(fitted.staged_predict(X))
    assert len(decisions) == len(probabilities) == len(labels) == len(fitted.estimators_)
    assert (decisions[-1] == fitted.decision_function(X)).all()
    assert (probabilities[-1] == fitted.predict_proba(X)).all()
    assert (labels[-1] == fitted.predict(X)).all()


def test_a_stage_is_the_model_with_fewer_trees(fitted, X):
    y = noisy_labels(X, len(fitted.classes_))
    shorter = clone(fitted).set_params(n_estimators=5).fit(X, y)
    stages = list(fitted.staged_decision_function(X))
    n = len(shorter.estimators_)
    assert (stages[n - 1] == shorter.decision_function(X)).all()


def test_leaves_hold_the_decision(fitted, X):
    leaves = fitted.apply(X)
    assert leaves.shape == (len(X), len(fitted.estimators_))
    decision = np.zeros((len(X), fitted.estimators_[0].n_outputs))
    for tree, step, nodes in zip(
        fitted.estimators_, fitted.estimator_weights_, leaves.T, strict=True
    ):
        assert tree.is_leaf[nodes].all()
        decision += step * tree.value[nodes]
    assert (np.squeeze(decision) == fitted.decision_function(X)).all()


def test_importances_sum_to_one(fitted):
    importances = fitted.feature_importances_
    assert importances.shape == (7,)
    assert (importances >= 0).all()
    assert importances.sum() == pytest.approx(1.0)


def joblib_round_trip(model):
    file = io.BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    return joblib.load(file)


ROUND_TRIPS = [lambda m: pickle.loads(pickle.dumps(m)), copy.deepcopy, joblib_round_trip]


@pytest.mark.parametrize("there_and_back", ROUND_TRIPS, ids=["pickle", "deepcopy", "joblib"])
def test_models_survive(there_and_back, fitted, X):
    again = there_and_back(fitted)
    assert digest(again) == digest(fitted)
    assert (again.predict_proba(X) == fitted.predict_proba(X)).all()
    assert again.get_params() == fitted.get_params()
    assert len(again.ledger_) == len(fitted.ledger_)


def test_a_regressor_in_stages(X):
    model = regressor(n_estimators=12).fit(X, noisy_targets(X))
    stages = list(model.staged_predict(X))
    assert len(stages) == 12
    assert (stages[-1] == model.predict(X)).all()
    errors = [np.mean((stage - noisy_targets(X)) ** 2) for stage in stages]
    assert (np.diff(errors) < 0).all()


@pytest.mark.parametrize("kind", [BoostedTreesClassifier, BoostedTreesRegressor])
def test_parameters_are_stored_as_given(kind):
    model = kind(n_estimators=7, search="quick", quick_steps=3, random_state=5, n_jobs=2)
    assert clone(model).get_params() == model.get_params()
    assert model.set_params(max_depth=None).get_params()["max_depth"] is None
    assert not hasattr(clone(model), "ledger_")
    for name, default in kind().get_params().items():
        assert getattr(kind(**{name: default}), name) is default


def test_digest_tells_models_apart(X):
    y = noisy_labels(X, 2)
    models = [
        classifier("adaboost").fit(X, y),
        classifier("mh").fit(X, y),  # the same trees for two classes, other probabilities
        classifier("adaboost").fit(X, y + 1),
        classifier("adaboost").fit(X, y.astype(str)),
        classifier("adaboost", learning_rate=0.5).fit(X, y),
        regressor().fit(X, y),
    ]
    assert len({digest(model) for model in models}) == len(models)
    assert all(len(digest(model)) == 64 for model in models)


def test_digest_of_something_else():
    with pytest.raises(TypeError, match="model must be a fitted estimator of frugalboost; got str"):
        digest("model")


@pytest.mark.parametrize("rate", [1e-300, 0.1, 1, 1.0, 1e300])
@pytest.mark.parametrize("rule", RULES)
def test_learning_rates_of_any_size(rate, rule, X):
    model = classifier(rule, learning_rate=rate).fit(X, noisy_labels(X, 3))
    assert np.isfinite(model.decision_function(X)).all()
    assert np.isfinite(model.predict_proba(X)).all()


def test_the_learning_rate_multiplies_the_steps(X):
    y = noisy_labels(X, 2)
    full, half = (
        classifier(learning_rate=rate, n_estimators=1).fit(X, y).estimator_weights_[0]
        for rate in (1.0, 0.5)
    )
    assert half == full / 2


def test_models_work_inside_scikit_learn(X):
    numbers, y = np.nan_to_num(X, posinf=9.0), noisy_labels(X, 2)
    pipeline = make_pipeline(StandardScaler(), BoostedTreesClassifier(n_estimators=5))
    search = GridSearchCV(pipeline, {"boostedtreesclassifier__max_depth": [1, 2]}, cv=2)
    assert search.fit(numbers, y).score(numbers, y) > 0.6


def test_models_that_know_other_categories_have_other_digests():
    y = np.array([0, 1] * 10)
    frames = [pd.DataFrame({"c": pd.Categorical(names * 10)}) for names in (["a", "b"], ["b", "c"])]
    models = [BoostedTreesClassifier(n_estimators=2).fit(frame, y) for frame in frames]
    assert digest(models[0]) != digest(models[1])
    assert digest(models[0]) == digest(BoostedTreesClassifier(n_estimators=2).fit(frames[0], y))
