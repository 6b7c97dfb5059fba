"""Integers beyond 2^53: apart or refused, never one without a word."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import clone

import frugalboost
from frugalboost import (
    ActiveLearner,
    BaggedTreesClassifier,
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    C45Classifier,
    FilterBoostClassifier,
    GambleClassifier,
    OneAgainstAllClassifier,
    PrunedEnsembleClassifier,
    TandemBoostClassifier,
)
from frugalboost.data import BinnedDataset, Schema

FIRST = 2**53


def forms(values):
    array = np.array(values)
    holes = [*values, None]
    yield "int64", array[:, np.newaxis]
    yield "uint64", array.astype(np.uint64)[:, np.newaxis]
    yield "other byte order", array.astype(">i8")[:, np.newaxis]
    yield "list", [[value] for value in values]
    yield "objects", np.array(holes, dtype=object)[:, np.newaxis]
    yield "sparse", sparse.csr_array(array[:, np.newaxis])
    yield "pandas", pd.DataFrame({0: values})
    yield "pandas, nulls", pd.DataFrame({0: pd.array(holes, dtype="Int64")})
    yield "pandas, objects", pd.DataFrame({0: pd.Series(holes, dtype=object)})
    yield "polars", pl.DataFrame({"a": values})
    yield "polars, nulls", pl.DataFrame({"a": pl.Series(holes, dtype=pl.UInt64)})
    yield "pyarrow, nulls", pa.table({"a": pa.array(holes, pa.int64())})


def cases(values):
    return [pytest.param(X, id=name) for name, X in forms(values)]


@pytest.mark.parametrize("X", cases([FIRST, FIRST + 1, FIRST + 2, 5]))
@pytest.mark.parametrize("read", [BinnedDataset.from_data, Schema.from_data])
def test_integers_that_would_become_one_are_refused(read, X):
    options = {"categorical_features": None}
    with pytest.raises(
        ValueError,
        match=r"column (0|'a') of X must hold integers that float64 can tell apart; "
        f"got {FIRST} and {FIRST + 1}, which it cannot. Subtract an offset",
    ):
        read(X, **options)


@pytest.mark.parametrize("X", cases([FIRST, FIRST + 2, FIRST + 6, 5]))
def test_integers_that_stay_apart_are_exact(X):
    data = BinnedDataset.from_data(X)
    assert data.column_codes(0)[:4].tolist() == [1, 2, 3, 0]


@pytest.mark.parametrize("X", cases([FIRST, FIRST + 1, FIRST + 2, 5]))
def test_as_categories_they_stay_apart(X):
    data = BinnedDataset.from_data(X, categorical_features=[0])
    assert data.column_codes(0)[:4].tolist() == [1, 2, 3, 0]


def test_negative_ones_and_those_at_the_ends():
    lowest = np.array([[-(2**63)], [-(2**63) + 1], [0]])
    with pytest.raises(ValueError, match=f"got {-(2**63)} and {-(2**63) + 1}, which"):
        BinnedDataset.from_data(lowest)
    highest = np.array([[2**64 - 1], [2**64 - 2], [0]], dtype=np.uint64)
    with pytest.raises(ValueError, match=f"got {2**64 - 2} and {2**64 - 1}, which"):
        BinnedDataset.from_data(highest)


WIDE = [2**64 - 1, 2**64 - 2, 0]


@pytest.mark.parametrize(
    "X",
    [
        pytest.param([[value] for value in WIDE], id="list"),
        pytest.param(np.array(WIDE, dtype=object)[:, np.newaxis], id="objects"),
        pytest.param(sparse.csr_array(np.array(WIDE, dtype=np.uint64)[:, np.newaxis]), id="sparse"),
        pytest.param(pd.DataFrame({"a": np.array(WIDE, dtype=np.uint64)}), id="pandas"),
        pytest.param(pd.DataFrame({"a": pd.array([*WIDE, None], dtype="UInt64")}), id="nulls"),
        pytest.param(pl.DataFrame({"a": pl.Series(WIDE, dtype=pl.UInt64)}), id="polars"),
        pytest.param(pa.table({"a": pa.array([*WIDE, None], pa.uint64())}), id="pyarrow"),
    ],
)
def test_unsigned_ones_beyond_all_signed_ones(X):
    with pytest.raises(ValueError, match=f"got {2**64 - 2} and {2**64 - 1}, which"):
        BinnedDataset.from_data(X)
    data = BinnedDataset.from_data(X, categorical_features=[0])
    assert data.column_codes(0)[:3].tolist() == [2, 1, 0]


@pytest.mark.parametrize("holes", [[], [None]], ids=["full", "nulls"])
def test_integers_of_128_bits_are_categories_or_refused(holes):
    X = pl.DataFrame({"a": pl.Series([2**100 + 1, 2**100, 5, *holes], dtype=pl.Int128)})
    data = BinnedDataset.from_data(X, categorical_features=["a"])
    assert data.column_codes(0)[:3].tolist() == [2, 1, 0]
    small = X.with_columns(pl.lit(7, pl.Int128).alias("a"))
    said = "column 'a' of X must hold numbers of at most 64 bits; got Int128. Cast it to Int64"
    with pytest.raises(ValueError, match=said):
        BinnedDataset.from_data(small)
    model = clone(STUMP).fit(pl.DataFrame({"a": [0, 1] * 20}), [0, 1] * 20)
    with pytest.raises(ValueError, match=f"^BoostedTreesClassifier: {said}"):
        model.predict(small)


STUMP = BoostedTreesClassifier(n_estimators=1, max_depth=1)
FILTER = FilterBoostClassifier(target_error=0.25, max_rounds=1, max_depth=1, random_state=0)
ESTIMATORS = [
    STUMP,
    BoostedTreesClassifier("gentle", n_estimators=2),
    BoostedTreesRegressor(n_estimators=1, max_depth=1, learning_rate=1.0),
    BaggedTreesClassifier(n_estimators=1, random_state=0),
    C45Classifier(),
    C45Classifier("adaboost_m1", n_estimators=2, random_state=0),
    C45Classifier("bagging", n_estimators=2, random_state=0),
    FILTER,
    TandemBoostClassifier(FILTER, target_error=0.4, random_state=0),
    GambleClassifier(n_estimators=1),
    OneAgainstAllClassifier(STUMP),
    PrunedEnsembleClassifier(STUMP, n_estimators=1, random_state=0),
    ActiveLearner(STUMP),
]


def fitted(estimator=STUMP):
    """Its thresholds are 2^53 + 4: neighbouring floats have no number between them."""
    return clone(estimator).fit(np.array([[FIRST + 4], [FIRST + 6]] * 20), [0, 1] * 20)


def test_every_estimator_of_tables_is_here():
    assert {type(each).__name__ for each in ESTIMATORS} == {
        name
        for name in frugalboost.__all__
        if isinstance(each := getattr(frugalboost, name), type) and hasattr(each, "predict")
    }


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda each: type(each).__name__)
def test_every_prediction_refuses_what_would_change_sides(estimator):
    model = fitted(estimator)
    assert np.round(model.predict(np.array([[FIRST + 2], [FIRST + 7]]))).tolist() == [0, 1]
    refused = rf"^\w+: column 0 of X .* got {FIRST + 5}, which it cannot tell from {FIRST + 4}"
    for name in ("predict", "predict_proba", "staged_predict", "staged_predict_proba"):
        if hasattr(model, name):
            with pytest.raises(ValueError, match=refused):
                list(getattr(model, name)(np.array([[FIRST + 4], [FIRST + 5]])))


@pytest.mark.filterwarnings("ignore:X has feature names")
@pytest.mark.parametrize("X", cases([FIRST + 4, FIRST + 5, 5]))
def test_a_prediction_refuses_what_would_change_sides(X):
    with pytest.raises(
        ValueError,
        match="^BoostedTreesClassifier: column (0|'a') of X must hold integers that float64 can "
        f"tell from the model's thresholds; got {FIRST + 5}, which it cannot tell from {FIRST + 4}",
    ):
        fitted().predict(X)


@pytest.mark.filterwarnings("ignore:X has feature names")
@pytest.mark.parametrize("X", cases([FIRST + 1, FIRST, FIRST + 7, 5]))
def test_a_prediction_takes_what_stays_on_its_side(X):
    assert fitted().predict(X)[:4].tolist() == [0, 0, 1, 0]


def test_ordinary_models_predict_for_any_integers():
    model = clone(STUMP).fit([[0], [1]] * 20, [0, 1] * 20)
    assert model.predict(np.array([[FIRST], [FIRST + 1]])).tolist() == [1, 1]
