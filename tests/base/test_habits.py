"""What users of scikit-learn expect of an estimator besides `fit` and `predict`."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.model_selection import (
    GridSearchCV,
    check_cv,
    cross_val_predict,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import frugalboost as fb

FRAME, LABELS = load_breast_cancer(return_X_y=True, as_frame=True)
FRAME, LABELS = FRAME.iloc[::3, :8], LABELS.iloc[::3]
X, y = FRAME.to_numpy(), LABELS.to_numpy()
WEIGHTS = np.linspace(0.1, 3.0, len(y))

ESTIMATORS = {
    "boosted": fb.BoostedTreesClassifier(n_estimators=5, max_depth=2),
    "bagged": fb.BaggedTreesClassifier(n_estimators=4, random_state=0),
    "gamble": fb.GambleClassifier(n_estimators=4, learning_rate=0.3),
    "one against all": fb.OneAgainstAllClassifier(fb.BoostedTreesClassifier(n_estimators=3)),
    "filter": fb.FilterBoostClassifier(
        max_rounds=4, max_depth=1, sample_constant=30, random_state=0
    ),
    "pruned": fb.PrunedEnsembleClassifier(
        fb.BoostedTreesClassifier(n_estimators=6, max_depth=2), random_state=0
    ),
    "regressor": fb.BoostedTreesRegressor(n_estimators=5, max_depth=2),
}
WITH_WEIGHTS = ["boosted", "bagged", "gamble", "one against all", "regressor"]

every_estimator = pytest.mark.parametrize("name", ESTIMATORS)


def fresh(name):
    return clone(ESTIMATORS[name])


@every_estimator
def test_cross_validation(name):
    """One estimator is cloned for each part, and nothing of the others' stays in it."""
    parts = list(check_cv(3, y, classifier=is_classifier(fresh(name))).split(X, y))
    models = [fresh(name).fit(X[train], y[train]) for train, _ in parts]
    scores = [model.score(X[test], y[test]) for model, (_, test) in zip(models, parts, strict=True)]
    judged = cross_validate(fresh(name), X, y, cv=3, error_score="raise")
    assert judged["test_score"].tolist() == scores
    assert np.mean(scores) > 0.3
    predicted = cross_val_predict(fresh(name), X, y, cv=3)
    for model, (_, test) in zip(models, parts, strict=True):
        assert predicted[test].tolist() == model.predict(X[test]).tolist()


@every_estimator
def test_a_pipeline_is_the_fit_to_what_it_hands_on(name):
    pipeline = make_pipeline(StandardScaler(), fresh(name)).fit(X, y)
    alone = fresh(name).fit(StandardScaler().fit_transform(X), y)
    assert np.array_equal(pipeline.predict(X), alone.predict(StandardScaler().fit_transform(X)))
    assert pipeline.score(X, y) == alone.score(StandardScaler().fit_transform(X), y)


def test_a_grid_search_over_a_pipeline_finds_what_is_better():
    pipeline = make_pipeline(SelectKBest(k=4), fresh("boosted"))
    grid = {"boostedtreesclassifier__n_estimators": [1, 40], "selectkbest__k": [1, 6]}
    search = GridSearchCV(pipeline, grid, cv=3, scoring="neg_log_loss", error_score="raise")
    search.fit(X, y)
    assert search.best_params_ == {"boostedtreesclassifier__n_estimators": 40, "selectkbest__k": 6}
    assert search.best_estimator_[-1].n_estimators_ == 40


@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_names_come_through_a_pipeline_whose_output_is_a_frame(output):
    pipeline = make_pipeline(SelectKBest(k=3), fresh("boosted")).set_output(transform=output)
    names = pipeline.fit(FRAME, y)[-1].feature_names_in_
    assert names.tolist() == pipeline[0].get_feature_names_out().tolist()
    assert set(names) < set(FRAME.columns)


def test_columns_of_all_kinds_through_a_column_transformer():
    table = FRAME.assign(size=np.where(FRAME["mean area"] > 600, "large", "small"))
    steps = make_column_transformer(
        (OneHotEncoder(sparse_output=False), ["size"]),
        (SimpleImputer(), list(FRAME.columns)),
    ).set_output(transform="pandas")
    model = make_pipeline(steps, fresh("boosted")).fit(table, y)
    assert "onehotencoder__size_large" in model[-1].feature_names_in_
    assert model.score(table, y) > 0.8


@every_estimator
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_names_of_features_are_kept_and_checked(name, library):
    table = FRAME if library == "pandas" else pl.from_pandas(FRAME)
    model = fresh(name).fit(table, y)
    assert model.feature_names_in_.tolist() == list(FRAME.columns)
    assert model.n_features_in_ == FRAME.shape[1]
    assert np.array_equal(model.predict(table), fresh(name).fit(X, y).predict(X))
    others = table[[*table.columns[1:], table.columns[0]]]
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(others)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(X)


@pytest.mark.parametrize("name", WITH_WEIGHTS)
def test_weights_are_routed_through_a_pipeline(name):
    with config_context(enable_metadata_routing=True):
        asking = fresh(name).set_fit_request(sample_weight=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), asking)
        pipeline.fit(X, y, sample_weight=WEIGHTS)
        scaled = pipeline[0].transform(X)
    alone = fresh(name).fit(scaled, y, sample_weight=WEIGHTS)
    assert np.array_equal(pipeline.predict(X), alone.predict(scaled))
    assert fb.digest(pipeline[-1]) == fb.digest(alone)
    assert fb.digest(alone) != fb.digest(fresh(name).fit(scaled, y))


@pytest.mark.parametrize("name", WITH_WEIGHTS)
def test_weights_are_routed_through_a_grid_search(name):
    parameter = "estimator__n_estimators" if name == "one against all" else "n_estimators"
    with config_context(enable_metadata_routing=True):
        asking = fresh(name).set_fit_request(sample_weight=True)
        asking.set_score_request(sample_weight=True)
        search = GridSearchCV(asking, {parameter: [3]}, cv=2, error_score="raise")
        search.fit(X, y, sample_weight=WEIGHTS)
    alone = fresh(name).set_params(**{parameter: 3}).fit(X, y, sample_weight=WEIGHTS)
    assert fb.digest(search.best_estimator_) == fb.digest(alone)


def test_weights_that_nobody_asked_for_are_an_error():
    with config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(StandardScaler(), fresh("boosted"))
        with pytest.raises(ValueError, match="sample_weight"):
            pipeline.fit(X, y, sample_weight=WEIGHTS)


@every_estimator
def test_notebooks_show_a_diagram(name):
    model = fresh(name)
    before = model._repr_html_()
    after = model.fit(FRAME, y)._repr_html_()
    assert type(model).__name__ in before
    assert "Not fitted" in before
    assert "Fitted" in after


@every_estimator
def test_nothing_is_printed(name, capfd):
    model = fresh(name).fit(FRAME, y)
    model.predict(FRAME)
    model.score(FRAME, y)
    assert capfd.readouterr() == ("", "")


@every_estimator
def test_kinds_are_told_by_tags(name):
    assert is_regressor(ESTIMATORS[name]) == (name == "regressor")
    assert is_classifier(ESTIMATORS[name]) == (name != "regressor")


def test_missing_values_and_categories_need_no_step_of_a_pipeline():
    table = FRAME.assign(kind=pd.Categorical(np.where(y == 1, "a", "b")))
    table.iloc[::5, 0] = np.nan
    assert fresh("boosted").fit(table, y).score(table, y) == 1.0
