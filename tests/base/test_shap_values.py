"""Shapley values of fitted estimators: they sum to the decision, in the form that shap takes."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

import frugalboost as fb
from estimator_helpers import CATEGORICAL, classifier, mixed_table, noisy_labels, regressor
from frugalboost.boosting import Ensemble, Explainer
from frugalboost.tree import FlatTree

X = mixed_table()
SEEN_AS = {"categorical_features": CATEGORICAL}
GOLDEN = sorted((Path(__file__).parents[1] / "saving" / "golden").glob("*.fboost"))
UNEXPLAINED = {"C45Classifier", "TandemBoostClassifier"}
"""Models that are no sums of trees with two branches."""


def models(n_classes: int):
    small = {"n_estimators": 5, "random_state": 0, **SEEN_AS}
    boosted = classifier("logit", n_estimators=4)
    yield from (classifier(rule) for rule in ("adaboost", "logit", "mh", "real", "gentle"))
    yield classifier("adaboost", resample=True, pruning_fraction=0.3, random_state=0)
    yield fb.BaggedTreesClassifier(**small)
    yield fb.GambleClassifier(**small)
    yield fb.OneAgainstAllClassifier(boosted)
    yield fb.PrunedEnsembleClassifier(boosted, n_estimators=2, random_state=0)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_values_sum_to_the_decision_of_every_classifier(n_classes):
    y = noisy_labels(X, n_classes)
    for model in models(n_classes):
        model.fit(X, y)
        values, decision = model.shap_values(X), model.decision_function(X)
        assert values.shape == (len(X), X.shape[1], *decision.shape[1:])
        assert np.shape(model.expected_value_) == decision.shape[1:]
        total = values.sum(axis=1) + model.expected_value_
        assert np.allclose(total, decision, rtol=1e-9, atol=1e-12), model


def test_values_sum_to_the_prediction_of_a_regressor():
    y = noisy_labels(X, 5) + 1000.0
    model = regressor().fit(X, y)
    total = model.shap_values(X).sum(axis=1) + model.expected_value_
    assert isinstance(model.expected_value_, float)
    assert np.allclose(total, model.predict(X), rtol=1e-9, atol=0)


def test_values_sum_to_the_decision_of_filterboost():
    draws = np.random.default_rng(0)
    table = draws.normal(size=(2000, 3))
    model = fb.FilterBoostClassifier(max_rounds=5, max_depth=3, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # five rounds do not reach the target error
        model.fit(table, table[:, 0] + table[:, 1] > 0)
    total = model.shap_values(table).sum(axis=1) + model.expected_value_
    assert np.allclose(total, model.decision_function(table), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.name)
def test_models_of_old_files_can_be_explained(path):
    model = fb.load(path)
    assert hasattr(model, "shap_values") == (type(model).__name__ not in UNEXPLAINED)
    if not hasattr(model, "shap_values"):
        return
    rows = np.zeros((3, model.n_features_in_))
    decide = getattr(model, "decision_function", model.predict)
    total = model.shap_values(rows).sum(axis=1) + model.expected_value_
    assert np.allclose(total, decide(rows), rtol=1e-9, atol=1e-12)


def test_features_that_no_tree_uses_have_value_zero():
    y = noisy_labels(X, 2)
    model = classifier(n_estimators=2, max_depth=1).fit(X, y)
    unused = model.feature_importances_ == 0
    values = model.shap_values(X)
    assert unused.any()
    assert (values[:, unused] == 0).all()
    assert (values[:, ~unused] != 0).any()


def test_kinds_of_tables_and_threads_change_no_bit():
    y = noisy_labels(X, 3)
    model = classifier("logit").fit(X, y)
    values = model.shap_values(X)
    assert (model.shap_values(sparse.csr_array(X)) == values).all()
    assert (model.shap_values(X.tolist()) == values).all()
    for n_jobs in (1, 2, 3):
        assert (model.set_params(n_jobs=n_jobs).shap_values(X) == values).all()
    frame = pd.DataFrame(X, columns=list("abcdefg"))
    named = classifier("logit", categorical_features=["d"]).fit(frame, y)
    assert (named.shap_values(frame) == values).all()


def test_a_model_without_counts_says_so():
    model = classifier().fit(X, noisy_labels(X, 2))
    tree = model.estimators_[0]
    bare = {**tree.__dict__, "n_samples": np.zeros_like(tree.n_samples)}
    model._ensemble.trees[0] = FlatTree(**bare)
    with pytest.raises(ValueError, match="BoostedTreesClassifier: Shapley values need the number"):
        model.shap_values(X)
    with pytest.raises(ValueError, match="number of training rows in every node"):
        _ = model.expected_value_


def test_only_fitted_trees_are_explained():
    with pytest.raises(NotFittedError):
        classifier().shap_values(X)
    with pytest.raises(NotFittedError):
        _ = classifier().expected_value_
    model = fb.GambleClassifier(LinearRegression(), n_estimators=2)
    assert not hasattr(model, "shap_values")
    assert not hasattr(model, "shap_explanation")
    whole = np.nan_to_num(X, posinf=9.0)
    with pytest.raises(AttributeError, match="expected_value_ is available only"):
        _ = model.fit(whole, noisy_labels(X, 2)).expected_value_


def test_shap_says_so_where_it_is_missing(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "shap", None)
    model = classifier().fit(X, noisy_labels(X, 2))
    with pytest.raises(ImportError, match=r'pip install "frugalboost\[shap\]"'):
        model.shap_explanation(X)


def shap_package():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what it imports
        return pytest.importorskip("shap")


def test_an_explanation_has_base_values_data_and_names():
    shap = shap_package()
    frame = pd.DataFrame(X, columns=list("abcdefg"))
    frame["d"] = frame["d"].map({1: "one", 2: "two", 3: "three"}).astype("category")
    model = fb.BoostedTreesClassifier(n_estimators=3).fit(frame, noisy_labels(X, 3))
    found = model.shap_explanation(frame)
    assert isinstance(found, shap.Explanation)
    assert (found.values == model.shap_values(frame)).all()
    assert (found.base_values == np.tile(model.expected_value_, (len(X), 1))).all()
    assert list(found.feature_names) == list("abcdefg")
    assert list(found.output_names) == ["0", "1", "2"]
    assert np.array_equal(found.data[:, :3], X[:, :3], equal_nan=True)
    known = frame["d"].notna().to_numpy()
    assert found.display_data[known, 3].tolist() == frame["d"][known].tolist()


def flat(tree) -> FlatTree:
    """A regression tree of scikit-learn's."""
    n = tree.node_count
    is_leaf = tree.children_left < 0
    return FlatTree(
        feature=np.where(is_leaf, -1, tree.feature).astype(np.int32),
        threshold=np.where(is_leaf, np.nan, tree.threshold),
        left=tree.children_left.astype(np.int32),
        right=tree.children_right.astype(np.int32),
        missing_left=np.zeros(n, np.uint8),
        category_start=np.full(n, -1, np.int32),
        n_categories=np.zeros(n, np.int32),
        category_words=np.zeros(0, np.uint64),
        value=np.where(is_leaf, tree.value[:, 0, 0], 0.0)[:, np.newaxis],
        gain=np.zeros(n),
        n_samples=tree.n_node_samples.astype(np.int64),
        n_features=tree.n_features,
    )


def test_values_are_those_of_the_shap_package():
    shap = shap_package()
    draws = np.random.default_rng(0)
    table = draws.normal(size=(300, 6)).astype(np.float32).astype(np.float64)
    y = table[:, 0] * table[:, 1] + np.abs(table[:, 2]) + draws.normal(0, 0.1, 300)
    theirs = DecisionTreeRegressor(max_depth=8, random_state=0).fit(table, y)
    ensemble = Ensemble(6, 1)
    ensemble.append(flat(theirs.tree_), 1.0, restarted=False)
    explainer = shap.TreeExplainer(theirs, feature_perturbation="tree_path_dependent")
    values = Explainer(ensemble).values(table)[:, :, 0]
    assert np.allclose(values, explainer.shap_values(table), rtol=0, atol=1e-6)
