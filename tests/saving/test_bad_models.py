"""What no file can hold, and places where none can be written: one clear error, nothing written."""

from __future__ import annotations

import os
import re

import numpy as np
import pytest
from saving_helpers import CODES, GOLDEN, IS_YES, MODELS, SMALL, WORDS, X
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline

import frugalboost as fb
from frugalboost.saving.container import pack, unpack


@pytest.fixture(name="path")
def path_of_model(tmp_path):
    return tmp_path / "model.fboost"


def refuses(model, path, error, match):
    with pytest.raises(error, match=match):
        fb.save(model, path)
    assert not list(path.parent.iterdir())


def test_an_unfitted_model(path):
    refuses(fb.BoostedTreesClassifier(), path, NotFittedError, "not fitted yet")
    refuses(fb.OneAgainstAllClassifier(), path, NotFittedError, "not fitted yet")


@pytest.mark.parametrize(
    "model", [LogisticRegression(), make_pipeline(fb.GambleClassifier()), "text", None, fb.save]
)
def test_what_is_no_model_of_ours(model, path):
    refuses(model, path, TypeError, "save: model must be one of BoostedTreesClassifier, .*joblib")


def test_a_class_of_the_users_own(path):
    class BoostedTreesClassifier(fb.BoostedTreesClassifier):
        pass

    model = BoostedTreesClassifier(n_estimators=1).fit(X, WORDS)
    refuses(model, path, TypeError, "save: model must be one of")


def test_a_regressor_in_place_of_trees(path):
    model = fb.GambleClassifier(Ridge(), n_estimators=2).fit(np.nan_to_num(X, posinf=9), WORDS)
    refuses(model, path, TypeError, r"library's trees; got one of Ridge\(\).*pickle or joblib")
    model.set_params(estimator=None)  # the fitted one is what counts
    refuses(model, path, TypeError, "library's trees")


def test_an_active_learner_has_its_own_file(path):
    learner = fb.ActiveLearner(random_state=0)
    refuses(learner, path, TypeError, "its method save, and ActiveLearner.load")


@pytest.mark.parametrize(
    "labels",
    [
        np.array([b"no", b"yes", b"maybe"]),
        np.array(["2020-01-01", "2021-01-01", "2022-01-01"], dtype="M8[D]"),
        np.fromiter([(0, 1), (1, 1), (2, 0)], dtype=object, count=3),
        np.array([1.0, np.float64(2.0), np.float64(3.5)], dtype=object),
        np.array([1, 2, 3], dtype=np.longdouble),
    ],
    ids=["bytes", "dates", "tuples", "NumPy's own", "long floats"],
)
def test_labels_that_json_does_not_keep(labels, path):
    model = fb.BoostedTreesClassifier(n_estimators=1).fit(X, labels[CODES])
    refuses(model, path, TypeError, "save: classes_ must be integers, floats, strings or bools")


def test_parameters_that_are_code(path):
    model = fb.BoostedTreesClassifier(n_estimators=1).fit(X, WORDS)
    model.set_params(search=print)
    reason = r"save: BoostedTreesClassifier: search must be a number, .*; got <built-in"
    refuses(model, path, TypeError, reason)
    model.set_params(search="auto", categorical_features=[print])
    refuses(model, path, TypeError, "categorical_features: its items must be integers")


def test_a_model_that_was_tampered_with(path):
    model = fb.BoostedTreesClassifier("real", **SMALL).fit(X, WORDS)
    model._ensemble.steps[0] = np.inf
    refuses(model, path, ValueError, "as its fit left it; a step is not finite")


def test_places_that_cannot_be_written(tmp_path):
    model = MODELS["real"]
    for path in (tmp_path / "none" / "model.fboost", tmp_path):
        with pytest.raises(OSError, match="save: the model could not be written") as error:
            fb.save(model, path)
        assert str(path) in str(error.value)
    assert not list(tmp_path.iterdir())


def test_a_failed_write_leaves_the_last_file(tmp_path, monkeypatch):
    path = tmp_path / "model.fboost"
    fb.save(MODELS["real"], path)
    before = path.read_bytes()

    def no_space(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match=re.escape("could not be written: No space left on device")):
        fb.save(MODELS["gamble"], path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_model_was_told_about_its_training_stays_only_with_that_model(tmp_path):
    model = fb.BoostedTreesClassifier(n_estimators=2).fit(X, CODES)
    model.training_ = {"digest": fb.digest(model), "target": "yes", "scores": {"error": 0.25}}
    fb.save(model, tmp_path / "model.fboost")
    again = fb.load(tmp_path / "model.fboost")
    assert again.training_ == model.training_
    fb.save(again.fit(X, IS_YES), tmp_path / "model.fboost")
    assert not hasattr(fb.load(tmp_path / "model.fboost"), "training_")


def test_a_training_that_is_no_dictionary_is_refused(tmp_path):
    content = (GOLDEN / "format-1-BoostedTreesRegressor.fboost").read_bytes()
    header, arrays = unpack(content)
    path = tmp_path / "model.fboost"
    path.write_bytes(pack({**header, "training": {}}, arrays))
    assert fb.load(path).training_ == {}
    path.write_bytes(pack({**header, "training": [1]}, arrays))
    with pytest.raises(ValueError, match=r"its training has the wrong type"):
        fb.load(path)
