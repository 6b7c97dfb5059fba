"""onnxruntime, given an exported model, says what the model says."""

from __future__ import annotations

import numpy as np
import pytest
from export_cases import case, loud_case, names
from onnx_helpers import run, session_of

from frugalboost.export import to_onnx


@pytest.mark.parametrize("name", names())
def test_labels_and_probabilities_are_those_of_the_model(name):
    tried = case(name)
    said = run(session_of(tried.model), tried.codes)
    expected = tried.decision
    if not tried.is_classifier:
        assert (said["prediction"] == expected[:, 0]).all()
        return
    assert (said["label"] == tried.model.predict(tried.X)).all()
    assert np.abs(said["probabilities"] - tried.model.predict_proba(tried.X)).max() < 1e-12
    decision = said["decision"].reshape(expected.shape)
    assert (decision == expected).all()


@pytest.mark.parametrize("name", ["real-4-categories", "log-2-holes"])
def test_one_row_and_several_threads_say_the_same(name):
    tried = case(name)
    session = session_of(tried.model, n_threads=2)
    labels = [run(session, row[np.newaxis])["label"][0] for row in tried.codes]
    assert labels == tried.model.predict(tried.X).tolist()
    assert run(session, tried.codes)["label"].tolist() == labels


@pytest.mark.parametrize(
    "name", ["adaboost-2-holes", "mh-4-holes", "one_against_all-4-holes", "bagged-2-holes"]
)
def test_the_standard_s_own_evaluator_agrees(name):
    """What is written is ONNX, not only what one runtime makes of it.

    Without categories: that evaluator takes the code 0 for the end of a set.
    """
    pytest.importorskip("onnx")
    from onnx.reference import ReferenceEvaluator

    tried = case(name)
    rows = slice(None, None, 7)
    label, probabilities, _ = ReferenceEvaluator(to_onnx(tried.model)).run(
        None, {"X": tried.codes[rows]}
    )
    assert (label == tried.model.predict(tried.X[rows])).all()
    expected = tried.model.predict_proba(tried.X[rows])
    assert np.abs(probabilities - expected).max() < 1e-12


@pytest.mark.parametrize("name", ["real-2-categories", "gentle-4-categories"])
def test_codes_that_are_not_listed_are_missing(name):
    """Any code outside the list goes where NaN goes."""
    tried = case(name)
    session = session_of(tried.model)
    for feature in (3, 4):
        missing = tried.codes.copy()
        missing[:, feature] = np.nan
        expected = run(session, missing)["decision"]
        for code in (-1.0, 1000.0, np.inf, -np.inf):
            missing[:, feature] = code
            assert (run(session, missing)["decision"] == expected).all()


@pytest.mark.parametrize(("learning_rate", "below"), [(100.0, -40), (1000.0, -800)])
def test_committees_that_all_say_no(learning_rate, below):
    """Probabilities are shares of numbers that are tiny, or even 0 all of them."""
    tried = loud_case(learning_rate)
    largest = (tried.decision * 2).max(axis=1)
    assert (largest < below).any()
    said = run(session_of(tried.model), tried.codes)
    assert (said["label"] == tried.model.predict(tried.X)).all()
    assert np.abs(said["probabilities"] - tried.model.predict_proba(tried.X)).max() < 1e-12
