"""Every estimator, fitted, through pickle, joblib and skops: the same model comes back."""

from __future__ import annotations

import io
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import frugalboost as fb

X, y = load_iris(return_X_y=True)
FRAME = pd.DataFrame(X, columns=["a", "b", "c", "d"]).assign(
    kind=pd.Categorical(np.where(X[:, 0] > 5.5, "large", "small"))
)
NAMES = np.array(["setosa", "versicolor", "virginica"])[y]

RULES = ("adaboost", "adaboost_m1", "mh", "real", "log", "real_log", "mada", "logit", "gentle")
MODELS = {
    **{f"rule {rule}": fb.BoostedTreesClassifier(rule, n_estimators=4) for rule in RULES},
    "regressor": fb.BoostedTreesRegressor(n_estimators=3, random_state=np.random.RandomState(0)),
    "bagged": fb.BaggedTreesClassifier(3, random_state=0),
    "gamble": fb.GambleClassifier(n_estimators=3),
    "committee": fb.GambleClassifier(Ridge(), n_estimators=3, random_state=0),
    "one against all": fb.OneAgainstAllClassifier(fb.BoostedTreesClassifier(n_estimators=2)),
    "filter": fb.FilterBoostClassifier(max_rounds=3, random_state=0),
    "pruned": fb.PrunedEnsembleClassifier(
        fb.BoostedTreesClassifier(n_estimators=6), random_state=0
    ),
    "stopped early": fb.BoostedTreesClassifier(n_estimators=9, early_stopping=True, random_state=0),
}


def through_pickle(model):
    return pickle.loads(pickle.dumps(model))


def through_joblib(model):
    file = io.BytesIO()
    joblib.dump(model, file)
    file.seek(0)
    return joblib.load(file)


def through_skops(model):
    skops = pytest.importorskip("skops.io")
    return skops.loads(skops.dumps(model), trusted=fb.TRUSTED_TYPES)


def assert_same(again, model, table):
    assert type(again) is type(model)
    assert np.array_equal(again.predict(table), model.predict(table))
    if hasattr(model, "predict_proba"):
        assert np.array_equal(again.predict_proba(table), model.predict_proba(table))
    if getattr(model, "estimator", None) is None or hasattr(model, "estimators_"):
        try:
            expected = fb.digest(model)
        except TypeError:  # of regressors that are not ours
            return
        assert fb.digest(again) == expected


@pytest.mark.parametrize("through", [through_pickle, through_joblib, through_skops])
@pytest.mark.parametrize("name", MODELS)
def test_the_same_model_comes_back(name, through):
    model = MODELS[name].fit(X, y)
    assert_same(through(model), model, X)


@pytest.mark.parametrize("through", [through_pickle, through_joblib, through_skops])
def test_names_categories_and_labels_come_back(through):
    model = fb.BoostedTreesClassifier(n_estimators=4).fit(FRAME, NAMES)
    again = through(model)
    assert_same(again, model, FRAME)
    assert again.feature_names_in_.tolist() == list(FRAME.columns)
    assert again.classes_.tolist() == model.classes_.tolist()


@pytest.mark.parametrize("through", [through_pickle, through_joblib, through_skops])
def test_a_learner_goes_on_after_it_came_back(through):
    learner = fb.ActiveLearner(fb.GambleClassifier(n_estimators=5), random_state=0)
    learner.teach(X[::10], y[::10])
    again = through(learner)
    assert np.array_equal(again.query(X, 5)[0], learner.query(X, 5)[0])
    assert again.teach(X[1::10], y[1::10]).n_labels_ == 30


@pytest.mark.parametrize("through", [through_pickle, through_joblib, through_skops])
def test_a_pipeline_comes_back(through):
    model = make_pipeline(StandardScaler(), fb.BoostedTreesClassifier(n_estimators=4)).fit(X, y)
    assert np.array_equal(through(model).predict_proba(X), model.predict_proba(X))


def test_skops_refuses_models_without_the_list():
    skops = pytest.importorskip("skops.io")
    data = skops.dumps(fb.BoostedTreesClassifier(n_estimators=2).fit(X, y))
    with pytest.raises(skops.exceptions.UntrustedTypesFoundException, match="FlatTree"):
        skops.loads(data)


def test_the_list_holds_our_own_types_and_one_plain_container():
    assert [name for name in fb.TRUSTED_TYPES if not name.startswith("frugalboost.")] == [
        "builtins.frozenset"
    ]
