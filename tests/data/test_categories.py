"""Categories of arrays: the parameter, the codes, the errors."""

from __future__ import annotations

from enum import Enum

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from frugalboost.data import BinnedDataset


@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.float32, np.uint8, np.int16])
def test_distinct_numbers_are_categories(dtype):
    X = np.array([[1, 20], [2, 10], [3, 20]], dtype=dtype)
    data = BinnedDataset.from_data(X, categorical_features=[1])
    assert data.is_categorical.tolist() == [False, True]
    assert data.categories[0] is None
    assert data.categories[1].tolist() == [10, 20]
    assert data.dense8.tolist() == [[0, 1, 2], [1, 0, 1]]
    assert data.thresholds[1].size == 0


def test_huge_integers_stay_apart_as_categories():
    X = np.array([[2**60], [2**60 + 1], [2**60]])
    data = BinnedDataset.from_data(X, categorical_features=[0])
    assert data.column_codes(0).tolist() == [0, 1, 0]
    encoded = data.schema.encode(X[::-1] + 1)
    assert np.array_equal(encoded, [[1.0], [np.nan], [1.0]], equal_nan=True)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, object])
def test_huge_integers_of_another_type_are_other_categories(dtype):
    schema = BinnedDataset.from_data(
        np.array([[2**60], [2**60 + 1]]), categorical_features=[0]
    ).schema
    X = np.array([[2**60 + 1], [2**60 + 2], [2**60]], dtype=dtype)
    assert np.array_equal(schema.encode(X), [[1.0], [np.nan], [0.0]], equal_nan=True)


def test_objects_of_several_types():
    X = np.array([["b", 1.5], [3, 2.5], [None, 0.5], ["a", np.nan]], dtype=object)
    data = BinnedDataset.from_data(X, categorical_features=[0])
    assert data.categories[0].tolist() == [3, "a", "b"]
    assert data.dense8.tolist() == [[2, 0, 3, 1], [1, 2, 0, 3]]


def test_texts_of_several_types_are_ordered_as_texts():
    """Also beside numbers, where values are ordered by type: saved as JSON, all are of one type."""

    class Colour(str, Enum):
        RED = "red"

    column = [np.str_("s"), "b", 1, np.str_("a"), Colour.RED, "0", np.float64(0.5), True]
    data = BinnedDataset.from_data(np.array([column], dtype=object).T, categorical_features=[0])
    assert data.categories[0].tolist() == [0.5, 1, "0", "a", "b", "red", "s"]
    assert data.column_codes(0).tolist() == [6, 4, 1, 3, 5, 2, 0, 1]


def test_array_of_strings():
    X = np.array([["b", "x"], ["a", "y"]])
    data = BinnedDataset.from_data(X, categorical_features=[True, True])
    assert [each.tolist() for each in data.categories] == [["a", "b"], ["x", "y"]]
    with pytest.raises(ValueError, match="column 1 of X must be numeric; got <U1"):
        BinnedDataset.from_data(X, categorical_features=[0])


def test_unseen_categories_are_missing():
    X = np.array([["a"], ["b"], ["a"]], dtype=object)
    schema = BinnedDataset.from_data(X, categorical_features=[0]).schema
    encoded = schema.encode(np.array([["b"], ["c"], [None], ["a"]], dtype=object))
    assert np.array_equal(encoded, [[1.0], [np.nan], [np.nan], [0.0]], equal_nan=True)


def test_numbers_for_a_feature_of_strings_are_an_error_unless_missing():
    X = np.array([["a"], ["b"]], dtype=object)
    schema = BinnedDataset.from_data(X, categorical_features=[0]).schema
    with pytest.raises(ValueError, match="column 0 of X must hold categories such as 'a'"):
        schema.encode([[0.0], [1.0]])
    assert np.isnan(schema.encode([[np.nan], [np.nan]])).all()


def test_many_categories():
    X = np.arange(65535)[:, np.newaxis]
    data = BinnedDataset.from_data(X, categorical_features=[0], max_bins=2)
    assert data.n_bins.tolist() == [65535]
    assert np.array_equal(data.dense16[0], X[:, 0])
    with pytest.raises(
        ValueError, match="column 0 of X must have at most 65535 categories; got 65536"
    ):
        BinnedDataset.from_data(np.arange(65536)[:, np.newaxis], categorical_features=[0])


def test_lists_are_no_categories():
    X = np.empty((2, 1), dtype=object)
    X[:, 0] = [[1], [2]]
    with pytest.raises(TypeError, match="column 0 of X must hold hashable categories"):
        BinnedDataset.from_data(X, categorical_features=[0])


@pytest.mark.parametrize(
    ("chosen", "text"),
    [
        ("auto", "must be 'from_dtype', None, or a list"),
        (["a"], "must hold indices when X has no column names; got 'a'"),
        ([2], "must hold indices from 0 to 1; got 2"),
        ([-1], "must hold indices from 0 to 1; got -1"),
        ([0.5], "must be 'from_dtype', None, or a list .*; got 0.5"),
        ([True], "must have one entry for each of the 2 features when it is a mask; got 1 entries"),
        (7, "must be 'from_dtype', None, or a list .*; got 7"),
    ],
)
def test_wrong_choices(chosen, text):
    with pytest.raises(ValueError, match=f"^BinnedDataset: categorical_features {text}"):
        BinnedDataset.from_data(np.ones((3, 2)), categorical_features=chosen)


@pytest.mark.parametrize("chosen", [[], None, "from_dtype", [False, False]])
def test_no_feature_is_categorical(chosen):
    data = BinnedDataset.from_data(np.ones((3, 2)), categorical_features=chosen)
    assert not data.is_categorical.any()
    assert data.categories == (None, None)


def frame_of(values):
    return pd.DataFrame({"a": pd.Categorical(values)})


@pytest.mark.parametrize(
    "X",
    [
        frame_of([1, 2]),
        pa.table({"a": pa.array([1, 2]).dictionary_encode()}),
        pd.DataFrame({"a": pd.Series([1, None], dtype=object)}),
        np.array([[1], [2.5]], dtype=object),
    ],
)
def test_numbers_are_no_categories_of_a_feature_of_texts(X):
    schema = BinnedDataset.from_data(frame_of(["x", "y"])).schema
    with pytest.raises(
        ValueError,
        match=r"column ('a'|0) of X must hold categories such as 'x', which are texts; "
        "got the number 1",
    ):
        schema.encode(X)


@pytest.mark.parametrize(
    "X",
    [
        frame_of(["x", "1"]),
        pl.DataFrame({"a": pl.Series(["x", None], dtype=pl.Categorical)}),
        pd.DataFrame({"a": pd.Series(["x", None], dtype=object)}),
        np.array([["x"]]),
    ],
)
@pytest.mark.parametrize("known", [[1, 2], [1.0, 2.0]])
def test_texts_are_no_categories_of_a_feature_of_numbers(X, known):
    schema = BinnedDataset.from_data(frame_of(known)).schema
    with pytest.raises(
        ValueError,
        match=r"column ('a'|0) of X must hold categories such as 1(\.0)?, which are "
        "numbers; got the text '(x|1)'",
    ):
        schema.encode(X)


@pytest.mark.parametrize(
    ("known", "given"),
    [
        (["x", "y"], ["z", None]),
        ([1, 2], [3.5, None]),
        ([1, 2], [True, None]),
        (["x", 1], [2, "z"]),
        (["x", "y"], ["x", 1]),
        ([1, 2], [2, "other"]),
    ],
)
def test_unknown_categories_of_the_kind_of_training_are_missing(known, given):
    schema = BinnedDataset.from_data(frame_of(known)).schema
    assert np.isnan(schema.encode(frame_of(given))[1])
    unused = pd.DataFrame({"a": pd.Categorical([None], categories=[7, "u"])})
    assert np.isnan(schema.encode(unused)).all()
