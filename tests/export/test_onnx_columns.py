"""ONNX models that take the columns of a data frame as they are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from export_cases import boosted, case
from onnx_helpers import outputs_of, session_of

import frugalboost as fb
from frugalboost.export import to_onnx

pytest.importorskip("onnx")


def frame(n=300, seed=0):
    """Numbers, texts and numbers that are categories, all with holes."""
    random = np.random.default_rng(seed)
    holes = random.random((3, n)) < 0.1
    colours = random.choice(["red", "straße", "blue", "a b"], n)
    return pd.DataFrame(
        {
            "size": np.where(holes[0], np.nan, random.normal(size=n).round(1)),
            "colour": pd.Categorical(pd.Series(colours).mask(holes[1])),
            "grade": pd.Categorical(pd.Series(random.integers(-3, 9, n) * 10).mask(holes[2])),
        }
    )


def answers(X):
    return np.where((X["colour"].astype(str) < "r") ^ (X["size"].fillna(0) > 0), "yes", "no")


def columns_of(X):
    """What onnxruntime takes for a frame."""
    texts = X["colour"].astype(object).where(X["colour"].notna(), "").to_numpy(dtype=object)
    given = {"size": X["size"].to_numpy(), "colour": texts, "grade": X["grade"].astype(float)}
    return {name: np.asarray(column)[:, np.newaxis] for name, column in given.items()}


@pytest.mark.parametrize("rule", ["real", "adaboost", "logit"])
def test_columns_give_what_the_model_gives_for_the_frame(rule):
    X = frame()
    model = boosted(rule).fit(X, answers(X))
    new = frame(500, seed=1)
    said = outputs_of(session_of(model, inputs="columns"), columns_of(new))
    assert (said["label"] == model.predict(new)).all()
    assert (said["decision"] == model.decision_function(new)).all()
    assert np.abs(said["probabilities"] - model.predict_proba(new)).max() < 1e-12


def test_categories_that_were_not_seen_are_missing():
    X = frame()
    model = boosted("real").fit(X, answers(X))
    session = session_of(model, inputs="columns")
    given = columns_of(X)
    missing = {**given, "colour": np.full((len(X), 1), "", dtype=object)}
    unknown = {**given, "colour": np.full((len(X), 1), "RED", dtype=object)}
    expected = model.decision_function(X.assign(colour=pd.Categorical([None] * len(X))))
    assert (outputs_of(session, missing)["decision"] == expected).all()
    assert (outputs_of(session, unknown)["decision"] == expected).all()


@pytest.mark.parametrize("name", ["real-4-categories", "regressor-1-holes"])
def test_a_table_without_names_has_made_up_ones(name):
    tried = case(name)
    session = session_of(tried.model, inputs="columns")
    given = {f"x{at}": tried.X[:, [at]] for at in range(tried.X.shape[1])}
    said = outputs_of(session, given)
    found = said["decision" if tried.is_classifier else "prediction"]
    assert (found.reshape(tried.decision.shape) == tried.decision).all()


def test_a_column_may_have_the_name_of_a_node():
    X = pd.DataFrame({"constant_0": np.arange(40.0), "treeensemble_0": np.arange(40.0) % 3})
    model = boosted("real").fit(X, X["treeensemble_0"] > 1)
    given = {name: X[[name]].to_numpy() for name in X}
    said = outputs_of(session_of(model, inputs="columns"), given)
    assert (said["label"] == model.predict(X)).all()


@pytest.mark.parametrize("name", ["label", "X", ""])
def test_names_that_cannot_be_told_apart_are_refused(name):
    X = pd.DataFrame({name: np.arange(40.0), "other": np.arange(40.0) % 3})
    model = boosted("real").fit(X, X["other"] > 1)
    with pytest.raises(ValueError, match=f"to_onnx: names of features must be .* got '{name}'"):
        to_onnx(model, inputs="columns")
    assert to_onnx(model).graph.input[0].name == "X"


def test_categories_of_several_kinds_are_refused():
    mixed = pd.Categorical.from_codes([0, 1] * 20, categories=[(1, 2), (3, 4)])
    X = pd.DataFrame({"pair": mixed})
    model = boosted("real").fit(X, [0, 1] * 20)
    with pytest.raises(TypeError, match=r"all strings or all numbers .* column 'pair'"):
        to_onnx(model, inputs="columns")


def test_inputs_must_be_known():
    model = fb.BoostedTreesClassifier(n_estimators=2).fit([[0.0], [1.0]] * 20, [0, 1] * 20)
    with pytest.raises(ValueError, match="inputs must be one of 'columns', 'matrix'; got 'frame'"):
        to_onnx(model, inputs="frame")
