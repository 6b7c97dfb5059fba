"""The same table gives the same model, however it is held."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from estimator_helpers import CATEGORICAL, classifier, mixed_table, noisy_labels, regressor
from frugalboost import BinnedDataset, BoostedTreesClassifier, PrunedEnsembleClassifier, digest


@pytest.fixture(scope="module", name="X")
def table():
    return mixed_table()


@pytest.fixture(scope="module")
def y(X):
    return noisy_labels(X, 3)


def strided(X):
    wide = np.full((2 * len(X), 3 * X.shape[1]), 7.0)
    wide[::2, ::3] = X
    return wide[::2, ::3]


HOLDERS = {
    "fortran": np.asfortranarray,
    "strided": strided,
    "backwards": lambda X: X[::-1].copy()[::-1],
    "list": lambda X: X.tolist(),
    "list of rows": lambda X: list(X),
    "objects": lambda X: X.astype(object),
    "big endian": lambda X: X.astype(">f8"),
    "read-only": lambda X: np.frombuffer(X.tobytes()).reshape(X.shape),
    "csr matrix": sparse.csr_matrix,
    "csc matrix": sparse.csc_matrix,
    "csr array": sparse.csr_array,
    "csc array": sparse.csc_array,
    "coo array": sparse.coo_array,
    "pandas": pd.DataFrame,
    "binned": lambda X: BinnedDataset.from_data(X, categorical_features=CATEGORICAL),
}


@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)
def test_fit_does_not_care_how_the_table_is_held(hold, X, y):
    assert digest(classifier().fit(hold(X), y)) == digest(classifier().fit(X, y))
    assert digest(regressor().fit(hold(X), y)) == digest(regressor().fit(X, y))


@pytest.mark.parametrize("hold", [h for name, h in HOLDERS.items() if name != "binned"])
def test_predict_does_not_care_how_the_table_is_held(hold, X, y):
    model = classifier("real").fit(X, y)
    assert (model.decision_function(hold(X)) == model.decision_function(X)).all()
    assert (model.apply(hold(X)) == model.apply(X)).all()


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u8", "f2"])
def test_numbers_of_any_type_are_the_same_numbers(dtype, y):
    X = np.random.default_rng(0).integers(0, 100, size=(len(y), 4))
    model = BoostedTreesClassifier(n_estimators=5).fit(X.astype(dtype), y)
    expected = BoostedTreesClassifier(n_estimators=5).fit(X.astype(float), y)
    assert digest(model) == digest(expected)
    assert (model.predict_proba(X.astype(dtype)) == expected.predict_proba(X)).all()


def test_booleans_are_zeros_and_ones(y):
    X = np.random.default_rng(0).random((len(y), 4)) < 0.5
    model = BoostedTreesClassifier(n_estimators=5).fit(X, y)
    assert digest(model) == digest(BoostedTreesClassifier(n_estimators=5).fit(X * 1.0, y))


def test_fit_changes_none_of_its_arguments(X, y):
    held, labels, weights = X.copy(), y.copy(), np.linspace(0, 1, len(y))
    matrix = sparse.csr_array(X)
    kept = matrix.copy()
    classifier().fit(held, labels, weights)
    classifier().fit(matrix, labels, weights).predict(matrix)
    assert np.array_equal(held, X, equal_nan=True)
    assert (labels == y).all()
    assert (weights == np.linspace(0, 1, len(y))).all()
    assert np.array_equal(matrix.data, kept.data, equal_nan=True)


def frame_columns(n=60):
    rng = np.random.default_rng(3)
    return {
        "size": rng.normal(size=n).round(2).tolist(),
        "colour": rng.choice(["red", "green", "blue"], size=n).tolist(),
        "count": rng.integers(9, size=n).tolist(),
    }


def as_pandas(columns):
    return pd.DataFrame(columns).astype({"colour": "category"})


def as_polars(columns):
    return pl.DataFrame(columns).with_columns(pl.col("colour").cast(pl.Categorical))


def as_arrow(columns):
    table = pa.table(columns)
    return table.set_column(1, "colour", table["colour"].dictionary_encode())


FRAMES = [as_pandas, as_polars, as_arrow]


def frame_labels(columns):
    score = np.array(columns["size"]) + np.isin(columns["colour"], ["red"])
    return np.where(score > 0.3, "yes", "no")


@pytest.fixture(scope="module")
def columns():
    return frame_columns()


@pytest.fixture(params=FRAMES, scope="module")
def framed(request, columns):
    make = request.param
    model = BoostedTreesClassifier(n_estimators=10).fit(make(columns), frame_labels(columns))
    return model, make


def test_frames_of_every_kind_give_the_same_model(framed, columns):
    model, _ = framed
    expected = BoostedTreesClassifier(n_estimators=10).fit(
        as_pandas(columns), frame_labels(columns)
    )
    assert digest(model) == digest(expected)
    assert model.feature_names_in_.tolist() == ["size", "colour", "count"]
    for make in FRAMES:  # and each model reads each kind of frame
        assert (model.predict(make(columns)) == expected.predict(as_pandas(columns))).all()


@pytest.mark.parametrize("make", FRAMES)
def test_pruned_ensembles_know_names_of_every_kind_of_frame(make, columns):
    whole = BoostedTreesClassifier(n_estimators=3)
    model = PrunedEnsembleClassifier(whole, n_estimators=2, method="kappa", random_state=0)
    model.fit(make(columns), frame_labels(columns))
    assert model.feature_names_in_.tolist() == ["size", "colour", "count"]


def test_columns_in_another_order_are_an_error(framed, columns):
    model, make = framed
    turned = {name: columns[name] for name in ("colour", "size", "count")}
    frame = make(columns).select(["colour", "size", "count"]) if make is not as_pandas else None
    with pytest.raises(ValueError, match="same order as they were in fit"):
        model.predict(as_pandas(turned) if frame is None else frame)


def test_other_columns_are_an_error(framed, columns):
    model, _ = framed
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(as_pandas(columns).rename(columns={"size": "weight"}))
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(as_pandas(columns)[["size", "colour"]])


def test_unseen_categories_go_the_way_of_missing_values(framed, columns):
    model, make = framed
    unseen = make({**columns, "colour": ["violet"] * 60})
    missing = as_pandas(columns)
    missing["colour"] = pd.Categorical([None] * 60, categories=["red", "green", "blue"])
    assert (model.decision_function(unseen) == model.decision_function(missing)).all()


def test_values_missing_only_at_prediction_follow_the_larger_side():
    X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]])
    model = BoostedTreesClassifier("adaboost", max_depth=1).fit(X, [0, 0, 0, 1, 1])
    assert model.predict([[np.nan]]).tolist() == [0]
    model.fit(X, [0, 0, 1, 1, 1])
    assert model.predict([[np.nan]]).tolist() == [1]


def test_numbers_for_names_of_categories_are_an_error(framed, columns):
    model, _ = framed
    with pytest.raises(ValueError, match="'colour' of X must hold categories such as 'blue'"):
        model.predict(pd.DataFrame({**columns, "colour": 1.0}))
