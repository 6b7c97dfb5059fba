"""One clear error for what cannot be exported; nothing half-written."""

from __future__ import annotations

import numpy as np
import pytest
from export_cases import case, labels, table
from sklearn.ensemble import AdaBoostClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression

import frugalboost as fb
from frugalboost.export import to_c, to_onnx

pytest.importorskip("onnx")

each_form = pytest.mark.parametrize("write", [to_onnx, to_c])


@each_form
@pytest.mark.parametrize(
    "model",
    [fb.BoostedTreesClassifier(), fb.OneAgainstAllClassifier(), fb.PrunedEnsembleClassifier()],
)
def test_a_model_must_be_fitted(write, model):
    expected = f"{write.__name__}: model must be fitted; this {type(model).__name__} is not."
    with pytest.raises(NotFittedError, match=expected):
        write(model)


@each_form
@pytest.mark.parametrize("model", [None, "model.fboost", LinearRegression(), fb.GambleClassifier])
def test_a_model_must_be_of_this_library(write, model):
    with pytest.raises(TypeError, match=f"{write.__name__}: model must be one of Boosted.*; got"):
        write(model)


@each_form
def test_of_an_active_learner_the_estimator_is_exported(write):
    with pytest.raises(TypeError, match="for an ActiveLearner, use its model_"):
        write(fb.ActiveLearner())


@each_form
def test_regressors_of_others_have_no_form(write):
    X = table("numbers")
    model = fb.GambleClassifier(LinearRegression(), n_estimators=2).fit(X, labels(X, 3))
    expected = "GambleClassifier must be made of the library's trees; got one of LinearRegression"
    with pytest.raises(TypeError, match=expected):
        write(model)
    several = fb.OneAgainstAllClassifier(fb.GambleClassifier(LinearRegression(), n_estimators=2))
    with pytest.raises(TypeError, match=expected):
        write(several.fit(X, labels(X, 3)))


@each_form
def test_pruned_ensembles_of_scikit_learn_have_no_form(write):
    X = table("numbers")
    whole = AdaBoostClassifier(n_estimators=5)
    model = fb.PrunedEnsembleClassifier(whole, n_estimators=2).fit(X, labels(X, 2))
    with pytest.raises(TypeError, match=r"model must be one of .*; got AdaBoostClassifier"):
        write(model)


@each_form
def test_a_folder_that_is_not_there(write, tmp_path):
    with pytest.raises(OSError, match="the model could not be written: No such"):
        write(case("real-2-numbers").model, tmp_path / "none" / "model.out")


@each_form
def test_a_failure_leaves_the_old_file(write, tmp_path):
    path = tmp_path / "model.out"
    path.write_text("old")
    with pytest.raises(NotFittedError):
        write(fb.BoostedTreesClassifier(), path)
    assert path.read_text() == "old"
    write(case("real-2-numbers").model, path)
    assert path.read_bytes() != b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["model.out"]


@pytest.mark.parametrize("labels_or_words", ["classes", "categories"])
def test_a_name_that_c_would_cut_short_is_refused(labels_or_words):
    names = ["a\0b", "a\0c"] * 10
    numbers = [[float(row % 2)] for row in range(20)]
    model = fb.BoostedTreesClassifier(n_estimators=2, min_samples_leaf=1)
    if labels_or_words == "classes":
        model.fit(numbers, names)
    else:
        model.set_params(categorical_features=[0])
        model.fit(np.array(names, dtype=object)[:, None], [row % 2 for row in range(20)])
    with pytest.raises(ValueError, match=r"to_c: names of .* no NUL character.*; got 'a\\x00b'"):
        to_c(model)
