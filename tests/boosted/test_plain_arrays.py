"""An array of numbers is read in place, and says what any other form of the same rows says."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config
from scipy import sparse
from sklearn.exceptions import NotFittedError

from estimator_helpers import classifier, mixed_table, noisy_labels, noisy_targets, regressor
from frugalboost import BoostedTreesClassifier

DTYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "f2", ">f8", "g"]

LAYOUTS = {
    "rows": np.ascontiguousarray,
    "columns": np.asfortranarray,
    "every other row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "every other column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "one row many times": lambda X: np.broadcast_to(X[:1], X.shape),
    "one value in a row": lambda X: np.broadcast_to(X[:, :1], X.shape),
    "fields of a record": lambda X: in_records(X),
    "read only": lambda X: frozen(X),
}


def in_records(X):
    """A view with strides that are no multiple of the size, and values that are not aligned."""
    size = X.dtype.itemsize
    raw = np.zeros((len(X), X.shape[1] * size + 1), dtype=np.uint8)
    raw[:, 1:] = np.ascontiguousarray(X).view(np.uint8).reshape(len(X), -1)
    return np.ndarray(X.shape, X.dtype, raw, offset=1, strides=(raw.strides[0], size))


def frozen(X):
    X = X.copy()
    X.setflags(write=False)
    return X


@cache
def models():
    """With one output and with three, balanced trees and uneven ones; column 3 has numbers."""
    X = mixed_table(200)
    plain = {"categorical_features": None}
    uneven = {"max_depth": None, "max_leaf_nodes": 9, **plain}
    return [
        classifier("adaboost", n_estimators=19, **plain).fit(X, noisy_labels(X, 2)),
        classifier("real", n_estimators=5, **uneven).fit(X, noisy_labels(X, 3)),
        regressor(n_estimators=3, **uneven).fit(X, noisy_targets(X)),
    ]


def walked_decision(model, X):
    """The decision by walking every tree in Python, in doubles."""
    first = model._ensemble.trees[0]
    decision = np.full((len(X), first.n_outputs), model._ensemble.baseline)
    for tree, step in zip(model._ensemble.trees, model._ensemble.steps, strict=True):
        for sums, row in zip(decision, X.astype(np.float64), strict=True):
            node = 0
            while tree.feature[node] >= 0:
                x = row[tree.feature[node]]
                left = tree.missing_left[node] if np.isnan(x) else x <= tree.threshold[node]
                node = tree.left[node] if left else tree.right[node]
            sums += step * tree.value[node]
    return decision


def decision_of(model, X):
    function = getattr(model, "decision_function", model.predict)
    return function(X).reshape(len(X), -1)


def cuts_of(model):
    cuts = np.concatenate([tree.threshold for tree in model._ensemble.trees])
    return cuts[np.isfinite(cuts)]


@st.composite
def models_and_arrays(draw):
    """Values on thresholds, one float beside them, between them, missing and infinite."""
    model = draw(st.sampled_from(models()))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    n_rows = draw(st.sampled_from([1, 2, 15, 16, 17, 70, 130]))
    cuts = cuts_of(model)
    near = np.float32(cuts)
    values = [cuts, near, np.nextafter(near, np.float32(-9)), np.nextafter(near, np.float32(9))]
    special = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e300, -1e300]
    pool = np.concatenate([*values, rng.normal(size=20) * 3, special])
    X = rng.choice(pool, size=(n_rows, model.n_features_in_))
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    if dtype.kind != "f":
        X = np.clip(np.nan_to_num(X), 0 if dtype.kind in "bu" else -100, 100)
    with np.errstate(over="ignore"):
        X = X.astype(dtype)
    return model, LAYOUTS[draw(st.sampled_from(list(LAYOUTS)))](X)


@given(models_and_arrays())
def test_every_type_and_layout_decides_as_doubles_do(problem):
    model, X = problem
    before = X.copy()
    expected = walked_decision(model, X)
    assert (decision_of(model, X) == expected).all()
    assert X.tobytes() == before.tobytes()


@given(models_and_arrays())
def test_other_forms_of_the_same_rows_say_the_same(problem):
    model, X = problem
    decision = decision_of(model, X)
    native = X.astype(np.float64)
    for other in (native.tolist(), native.astype(object), np.ma.asarray(native)):
        assert (decision_of(model, other) == decision).all()
    assert (model.apply(sparse.csr_array(native)) == model.apply(X)).all()
    assert (model.apply(native.tolist()) == model.apply(X)).all()


@given(models_and_arrays())
def test_stages_end_in_the_decision(problem):
    model, X = problem
    stages = getattr(model, "staged_decision_function", model.staged_predict)
    *_, last = stages(X)
    assert (last.reshape(len(X), -1) == decision_of(model, X)).all()


@pytest.mark.parametrize("n_jobs", [1, 2, -1])
def test_threads_change_no_bit(n_jobs):
    X = mixed_table(3000, seed=1)
    for model in models():
        expected, leaves = decision_of(model, X), model.apply(X)
        model.set_params(n_jobs=n_jobs)
        try:
            assert (decision_of(model, X) == expected).all()
            assert (model.apply(X) == leaves).all()
        finally:
            model.set_params(n_jobs=None)


def test_the_threads_of_joblib_change_no_bit():
    X = mixed_table(3000, seed=1)
    expected = [decision_of(model, X) for model in models()]
    with parallel_config("threading", n_jobs=2):
        for model, decision in zip(models(), expected, strict=True):
            assert (decision_of(model, X) == decision).all()


def test_numbers_of_a_model_with_categories_are_still_categories():
    X = mixed_table()
    model = classifier("adaboost").fit(X, noisy_labels(X, 2))
    assert model._ensemble.forest.has_categories
    other = X.copy()
    other[:, 3] = np.nan
    unseen = X.copy()
    unseen[:, 3] = 4.0  # between known categories
    assert (model.decision_function(unseen) == model.decision_function(other)).all()
    assert (model.decision_function(other) != model.decision_function(X)).any()
    frame = model.decision_function(X.astype(object))
    assert (model.decision_function(X) == frame).all()


def test_a_categorical_column_that_no_tree_uses_may_hold_anything():
    X = mixed_table()
    X[:, 3] = 1.0
    model = classifier("adaboost").fit(X, noisy_labels(X, 2))
    assert not model._ensemble.forest.has_categories
    other = X.copy()
    other[:, 3] = 1e300
    assert (model.decision_function(other) == model.decision_function(X)).all()


REFUSED = [
    (np.zeros((2, 6)), ValueError, "X has 6 features, but BoostedTreesClassifier is expecting 7"),
    (np.zeros((2, 8)), ValueError, "X has 8 features, but BoostedTreesClassifier is expecting 7"),
    (np.zeros((0, 7)), ValueError, "0 sample"),
    (np.zeros(7), ValueError, "Expected 2D array"),
    (np.zeros((1, 7, 1)), ValueError, "dim 3"),
    (np.zeros((1, 7), dtype=complex), ValueError, "Complex data not supported"),
    (np.zeros((1, 7), dtype="M8[s]"), ValueError, "must be an array of numbers"),
    (np.zeros((1, 7)).view(np.matrix), TypeError, "np.matrix is not supported"),
    (np.full((1, 7), "a"), ValueError, "must be numeric"),
]


@pytest.mark.parametrize(("X", "error", "message"), REFUSED)
@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply"])
def test_arrays_that_are_refused(X, error, message, method):
    with pytest.raises(error, match=message):
        getattr(models()[0], method)(X)


def test_before_fit_and_with_a_wrong_number_of_threads():
    with pytest.raises(NotFittedError):
        BoostedTreesClassifier().predict(np.zeros((1, 7)))
    X = mixed_table()
    model = classifier("adaboost", categorical_features=None).fit(X, noisy_labels(X, 2))
    with pytest.raises(ValueError, match="n_jobs must be None or an integer other than 0"):
        model.set_params(n_jobs=0).predict(X[:1])


def test_an_array_for_a_model_of_a_frame_gets_the_warning_and_the_same_answer():
    X = mixed_table()
    frame = pd.DataFrame(X, columns=list("abcdefg"))
    model = classifier("adaboost", categorical_features=None).fit(frame, noisy_labels(X, 2))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        decision = model.decision_function(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (model.decision_function(frame) == decision).all()
