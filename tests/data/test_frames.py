"""Tables of pandas, polars and pyarrow, and what is categorical in them."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from frugalboost.data import BinnedDataset

COLORS = ["red", None, "blue", "red", "green"]
SIZES = [3, 1, None, 2, 3]
FLAGS = [True, None, False, True, True]
FLOATS = [0.5, float("nan"), 2.5, float("inf"), -1.0]
COUNTS = [7, 7, 9, 8, 7]


def pandas_frame():
    return pd.DataFrame(
        {
            "color": pd.Categorical(COLORS, categories=["unused", "red", "green", "blue"]),
            "size": pd.array(SIZES, dtype="Int32"),
            "flag": pd.array(FLAGS, dtype="boolean"),
            "float": FLOATS,
            "count": np.array(COUNTS, dtype=np.int8),
        }
    )


def polars_frame():
    return pl.DataFrame(
        {
            "color": pl.Series(COLORS, dtype=pl.Categorical),
            "size": pl.Series(SIZES, dtype=pl.Int32),
            "flag": FLAGS,
            "float": FLOATS,
            "count": pl.Series(COUNTS, dtype=pl.Int8),
        }
    )


def enum_frame():
    colors = pl.Series(COLORS, dtype=pl.Enum(["unused", "red", "green", "blue"]))
    return polars_frame().with_columns(color=colors)


def arrow_table():
    return pa.table(
        {
            "color": pa.array(COLORS).dictionary_encode(),
            "size": pa.array(SIZES, pa.int32()),
            "flag": pa.array(FLAGS),
            "float": pa.array(FLOATS),
            "count": pa.array(COUNTS, pa.int8()),
        }
    )


def arrow_chunks():
    table = arrow_table()
    return pa.concat_tables([table.slice(0, 2), table.slice(2)])


def arrow_dictionaries():
    """Chunks with dictionaries of their own."""
    first = pa.DictionaryArray.from_arrays(pa.array([0, None], pa.uint8()), ["red", "unused"])
    second = pa.DictionaryArray.from_arrays(
        pa.array([2, 1, 0], pa.uint8()), pa.array(["green", "red", "blue"])
    )
    colors = pa.chunked_array([first, first.slice(2), second])
    return arrow_table().set_column(0, "color", colors)


def arrow_null_word():
    words = pa.array([None, "blue", "green", "red"])
    colors = pa.DictionaryArray.from_arrays(pa.array([3, 0, 1, 3, 2]), words)
    return arrow_table().set_column(0, "color", colors)


FRAMES = [
    pandas_frame,
    polars_frame,
    enum_frame,
    arrow_table,
    arrow_chunks,
    arrow_dictionaries,
    arrow_null_word,
]


@pytest.mark.parametrize("make", FRAMES)
def test_every_kind_of_frame_gives_the_same_dataset(make):
    data = BinnedDataset.from_data(make())
    assert data.schema.feature_names.tolist() == ["color", "size", "flag", "float", "count"]
    assert data.is_categorical.tolist() == [True, False, False, False, False]
    assert data.categories[0].tolist() == ["blue", "green", "red"]  # observed ones, sorted
    assert data.n_bins.tolist() == [3, 3, 2, 4, 3]
    assert data.has_missing.tolist() == [True, True, True, True, False]
    assert data.dense8.tolist() == [
        [2, 3, 0, 2, 1],
        [2, 0, 3, 1, 2],
        [1, 2, 0, 1, 1],
        [1, 4, 2, 3, 0],
        [0, 0, 2, 1, 0],
    ]
    assert data.thresholds[1].tolist() == [1.5, 2.5]


@pytest.mark.parametrize("make", FRAMES)
@pytest.mark.parametrize("other", FRAMES)
def test_a_frame_can_be_predicted_from_another_kind(make, other):
    schema = BinnedDataset.from_data(make()).schema
    expected = np.array(
        [
            [2.0, 3.0, 1.0, 0.5, 7.0],
            [np.nan, 1.0, np.nan, np.nan, 7.0],
            [0.0, np.nan, 0.0, 2.5, 9.0],
            [2.0, 2.0, 1.0, np.inf, 8.0],
            [1.0, 3.0, 1.0, -1.0, 7.0],
        ]
    )
    encoded = schema.encode(other())
    assert np.array_equal(encoded, expected, equal_nan=True)
    assert encoded.flags.c_contiguous
    blocks = list(schema.iter_blocks(other(), [3, 0], max_bytes=32))
    assert [rows for rows, _ in blocks] == [slice(0, 2), slice(2, 4), slice(4, 5)]
    joined = np.concatenate([block for _, block in blocks])
    assert np.array_equal(joined, expected[:, [3, 0]], equal_nan=True)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [1.0, 2.0], "s": ["x", "y"]}),
        pd.DataFrame({"a": [1.0, 2.0], "s": np.array(["x", "y"], dtype=object)}),
        pl.DataFrame({"a": [1.0, 2.0], "s": ["x", "y"]}),
        pa.table({"a": [1.0, 2.0], "s": ["x", "y"]}),
    ],
)
def test_strings_need_a_category_dtype_or_to_be_listed(frame):
    with pytest.raises(ValueError, match=r"column 's' of X must be numeric or boolean; got"):
        BinnedDataset.from_data(frame)
    with pytest.raises(ValueError, match="Cast it to a category dtype, or list it in categorical"):
        BinnedDataset.from_data(frame)
    for chosen in (["s"], [1], [False, True], np.array([False, True])):
        data = BinnedDataset.from_data(frame, categorical_features=chosen)
        assert data.categories[1].tolist() == ["x", "y"]
        assert data.column_codes(1).tolist() == [0, 1]


@pytest.mark.parametrize("library", [pd, pl])
def test_a_list_must_name_columns_of_category_dtype_too(library):
    dtype = "category" if library is pd else pl.Categorical
    city = library.Series(["Bonn", "Ulm"], dtype=dtype)
    frame = library.DataFrame({"age": [1, 2], "city": city})
    message = r"'city' of X must be .*; got Categorical.* is a category: list it in .* as well\."
    with pytest.raises(ValueError, match=message):
        BinnedDataset.from_data(frame, categorical_features=["age"])
    data = BinnedDataset.from_data(frame, categorical_features=["age", "city"])
    assert data.categories[1].tolist() == ["Bonn", "Ulm"]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"t": pd.to_datetime(["2020-01-01", "2021-01-01"])}),
        pl.DataFrame({"t": [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)]}),
        pa.table({"t": [datetime.timedelta(1), datetime.timedelta(2)]}),
    ],
)
def test_times_are_an_error(frame):
    with pytest.raises(ValueError, match=r"column 't' of X .* Convert it to numbers first"):
        BinnedDataset.from_data(frame)


def test_a_type_that_narwhals_does_not_know_has_the_name_of_its_library():
    months = pd.DataFrame({"t": pd.period_range("2020-01", periods=3, freq="M")})
    said = r"'t' of X must be numeric or boolean; got period\[M\]. Convert it to numbers first"
    with pytest.raises(ValueError, match=said):
        BinnedDataset.from_data(months)
    spans = pd.DataFrame({"t": pd.interval_range(0, 3)})
    with pytest.raises(ValueError, match=r"got interval\[int64, right\]. Cast it to a category"):
        BinnedDataset.from_data(spans)
    wide = pa.table({"t": pa.array([1, 2, 3]).cast(pa.decimal256(40, 2))})
    with pytest.raises(ValueError, match=r"got decimal256\(40, 2\)."):
        BinnedDataset.from_data(wide)


def test_object_columns_of_numbers_are_numbers():
    frame = pd.DataFrame({"a": np.array([2, None, 1.5, True], dtype=object)})
    data = BinnedDataset.from_data(frame)
    assert data.column_codes(0).tolist() == [2, 3, 1, 0]


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": pd.Categorical([30, 10, None])}),
        pa.table({"a": pa.array([30, 10, None]).dictionary_encode()}),
    ],
)
def test_numeric_categories_count_as_numbers_where_they_are_not_chosen(frame):
    numeric = BinnedDataset.from_data(frame, categorical_features=None)
    assert numeric.thresholds[0].tolist() == [20.0]
    chosen = BinnedDataset.from_data(frame)
    assert chosen.categories[0].tolist() == [10, 30]
    for data in (numeric, chosen):
        assert data.column_codes(0).tolist() == [1, 0, 2]


def test_categories_that_are_not_chosen_and_not_numeric_are_an_error():
    with pytest.raises(ValueError, match="column 'color' of X must be numeric"):
        BinnedDataset.from_data(pandas_frame(), categorical_features=None)
    with pytest.raises(ValueError, match="column 'color' of X must be numeric"):
        BinnedDataset.from_data(pandas_frame(), categorical_features=["size"])


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"a": [None, None], "b": [1, 2]}),
        pa.table({"a": pa.nulls(2), "b": [1, 2]}),
        pd.DataFrame({"a": [None, None], "b": [1, 2]}),
    ],
)
def test_columns_of_nulls_are_missing_throughout(frame):
    for chosen in ("from_dtype", ["a"]):
        data = BinnedDataset.from_data(frame, categorical_features=chosen)
        assert data.n_bins.tolist() == [1, 2]
        assert data.column_codes(0).tolist() == [1, 1]


def test_decimals_and_half_floats():
    frame = pl.DataFrame({"a": pl.Series(["1.5", None, "0.5"]).cast(pl.Decimal(10, 2))})
    assert BinnedDataset.from_data(frame).column_codes(0).tolist() == [1, 2, 0]
    half = pd.DataFrame({"a": np.array([2, 1, np.nan], dtype=np.float16)})
    assert BinnedDataset.from_data(half).column_codes(0).tolist() == [1, 0, 2]


def test_sparse_pandas_frame_stays_sparse():
    frame = pd.DataFrame({"a": [0] * 7 + [3], "b": [0, 1, 0, 0, 0, 0, 0, 0]})
    data = BinnedDataset.from_data(frame.astype(pd.SparseDtype(int, 0)))
    assert data.storage.tolist() == [2, 2]
    assert data.schema.feature_names.tolist() == ["a", "b"]
    assert data.sparse_rows.tolist() == [7, 1]


def test_sparse_column_among_others():
    frame = pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 0.0, 3.0]), "b": [1, 2, 3]})
    assert BinnedDataset.from_data(frame).dense8.tolist() == [[0, 0, 1], [0, 1, 2]]


def test_column_names_that_are_not_strings():
    frame = pd.DataFrame({0: [1.0, 2.0], 1: pd.Categorical(["x", "y"])})
    data = BinnedDataset.from_data(frame)
    assert data.schema.feature_names is None
    assert data.is_categorical.tolist() == [False, True]
    with pytest.raises(TypeError, match="Feature names are only supported if all input features"):
        BinnedDataset.from_data(pd.DataFrame({"a": [1.0], 1: [2.0]}))


def test_equal_column_names_are_an_error():
    frame = pd.DataFrame([[1.0, 2.0]], columns=["a", "a"])
    with pytest.raises(ValueError, match=r"BinnedDataset: X must .* distinct column names"):
        BinnedDataset.from_data(frame)
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    with pytest.raises(ValueError, match=r"BinnedDataset: X must .* distinct column names"):
        BinnedDataset.from_data(table)


def test_lazy_frames_must_be_collected():
    with pytest.raises(TypeError, match="BinnedDataset: X must be in memory; got a lazy table"):
        BinnedDataset.from_data(polars_frame().lazy())


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_empty_frames(make):
    with pytest.raises(ValueError, match=r"0 sample\(s\) \(shape=\(0, 1\)\) while a minimum of 1"):
        BinnedDataset.from_data(make({"a": []}))
    with pytest.raises(ValueError, match=r"^BinnedDataset: Found array with 0"):
        BinnedDataset.from_data(make({}))


@pytest.mark.parametrize(
    "values", [[3, 1, 2], [0.5, -1.0, 2.5], ["b", "c", "a"], [True, False, True]]
)
def test_pandas_codes_stand_for_the_values_behind_them(values):
    """However pandas numbers its categories, and with some unused, unseen and missing."""
    rows = [*values, None, *values[:2]]
    backwards = pd.Categorical(rows, categories=sorted(set(values), reverse=True))
    frame = pd.DataFrame({"x": backwards.add_categories(["unused"])})
    data = BinnedDataset.from_data(frame)
    expected = sorted(set(values))
    assert data.categories[0].tolist() == expected
    codes = [len(expected) if value is None else expected.index(value) for value in rows]
    assert data.column_codes(0).tolist() == codes
    new = pd.DataFrame({"x": pd.Categorical([values[0], "unseen", None, values[1]])})
    found = [expected.index(values[0]), np.nan, np.nan, expected.index(values[1])]
    assert np.array_equal(data.schema.encode(new)[:, 0], found, equal_nan=True)
