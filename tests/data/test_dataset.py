"""BinnedDataset as an object, its errors, and tables for prediction."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from frugalboost.data import BinnedDataset

TYPES = {
    "dense8": np.uint8,
    "dense16": np.uint16,
    "sparse_indptr": np.int64,
    "sparse_rows": np.uint32,
    "sparse_codes": np.uint16,
    "sparse_default": np.uint16,
    "storage": np.int8,
    "slot": np.int32,
    "n_bins": np.int32,
    "has_missing": np.bool_,
    "is_categorical": np.bool_,
}


@pytest.fixture
def mixed():
    """A sparse matrix whose columns use all three storages."""
    rng = np.random.default_rng(0)
    X = np.zeros((600, 4))
    X[:, 0] = rng.permutation(600)
    X[:, 1] = rng.integers(1, 5, 600)
    X[::10, 2] = -1.0
    X[::10, 3] = rng.integers(0, 3, 60)
    return sparse.csr_array(X)


def test_types_and_layout(mixed):
    data = BinnedDataset.from_data(mixed, max_bins=1000)
    assert data.storage.tolist() == [1, 0, 2, 2]
    assert data.slot.tolist() == [0, 0, 0, 1]
    assert data.sparse_default.tolist() == [1, 0]
    assert {name: getattr(data, name).dtype.type for name in TYPES} == TYPES
    assert all(getattr(data, name).flags.c_contiguous for name in TYPES)


@pytest.mark.parametrize("copy", [lambda data: data, lambda data: pickle.loads(pickle.dumps(data))])
def test_arrays_are_read_only(mixed, copy):
    data = copy(BinnedDataset.from_data(mixed, categorical_features=[2]))
    arrays = [getattr(data, name) for name in TYPES]
    arrays += [*data.thresholds, data.categories[2]]
    assert not any(array.flags.writeable for array in arrays)
    with pytest.raises(AttributeError):
        data.n_rows = 3


def test_pickle(mixed):
    data = BinnedDataset.from_data(mixed, max_bins=1000)
    copy = pickle.loads(pickle.dumps(data))
    assert copy.shape == data.shape == (600, 4)
    assert copy.nbytes == data.nbytes
    for name in TYPES:
        assert np.array_equal(getattr(copy, name), getattr(data, name))
    assert all(map(np.array_equal, copy.thresholds, data.thresholds))


def test_columns_are_made_once_and_not_pickled(mixed):
    data = BinnedDataset.from_data(mixed)
    assert data.columns is data.columns
    assert "columns" not in pickle.loads(pickle.dumps(data)).__dict__


def test_repr_and_size(mixed):
    data = BinnedDataset.from_data(mixed, max_bins=1000)
    assert repr(data).startswith("BinnedDataset(600 rows, 4 features, 0 categorical, at most 600 ")
    assert data.nbytes >= 600 * 3


def test_the_table_may_change_afterwards():
    X = np.array([[1.0], [2.0]])
    data = BinnedDataset.from_data(X)
    X[:] = 7.0
    assert data.column_codes(0).tolist() == [0, 1]


@pytest.mark.parametrize("rows", [[5, 5, 0, 599], [], np.arange(600)[::-7]])
def test_taken_rows_keep_the_bins(mixed, rows):
    data = BinnedDataset.from_data(mixed, max_bins=1000)
    taken = data.take_rows(rows)
    assert taken.n_rows == len(rows)
    assert taken.thresholds is data.thresholds
    for feature in range(4):
        expected = data.column_codes(feature)[np.asarray(rows, dtype=int)]
        assert np.array_equal(taken.column_codes(feature), expected)
    assert not taken.dense8.flags.writeable


def test_rows_taken_by_a_mask(mixed):
    data = BinnedDataset.from_data(mixed)
    mask = np.arange(600) % 3 == 1
    assert np.array_equal(data.take_rows(mask).dense8, data.dense8[:, mask])


@pytest.mark.parametrize("rows", [[600], [-1]])
def test_rows_that_are_not_there(mixed, rows):
    with pytest.raises(IndexError, match="BinnedDataset: indices must be from 0 to 599; got"):
        BinnedDataset.from_data(mixed).take_rows(rows)


@pytest.mark.parametrize("rows", [[0.5], [[1]], [True]])
def test_rows_that_are_no_row_numbers(mixed, rows):
    with pytest.raises(ValueError, match="BinnedDataset: indices must be a list of row numbers"):
        BinnedDataset.from_data(mixed).take_rows(rows)


@pytest.mark.parametrize(
    ("X", "text"),
    [
        (
            np.ones((0, 3)),
            r"Found array with 0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1",
        ),
        (np.ones((3, 0)), r"0 feature\(s\) \(shape=\(3, 0\)\) while a minimum of 1 is required"),
        (sparse.csr_array((0, 3)), r"Found array with 0 sample\(s\)"),
        (np.ones(3), "Expected 2D array, got 1D array instead"),
        (np.ones((2, 2, 2)), "Found array with dim 3"),
        (np.ones((2, 2)) * 1j, "Complex data not supported"),
        (np.array([["a", "b"]]), "column 0 of X must be numeric; got <U1"),
        (
            np.array([[1.0, "b"]], dtype=object),
            "column 1 of X must be numeric; could not",
        ),
        (
            np.zeros((2, 2), dtype="M8[s]"),
            "BinnedDataset: X must be an array of numbers; got dtype dat",
        ),
    ],
)
def test_tables_that_cannot_be_used(X, text):
    with pytest.raises(ValueError, match=text):
        BinnedDataset.from_data(X)


def test_objects_that_are_no_numbers_keep_their_type_of_error():
    with pytest.raises(TypeError, match=r"argument must be .* string.* number"):
        BinnedDataset.from_data(np.array([[{"foo": 1}, 2.0]], dtype=object))


def test_objects_that_are_numbers_and_lists_of_lists():
    missing = [np.array([[1.5, none], [0.5, 2]], dtype=object) for none in (None, pd.NA)]
    for X in (*missing, [[1.5, pd.NA], [0.5, 2]], [[1.5, np.nan], [0.5, 2]]):
        data = BinnedDataset.from_data(X)
        assert data.dense8.tolist() == [[1, 0], [1, 0]]


@pytest.mark.parametrize("max_bins", [1, 0, -5, 65536])
def test_max_bins_out_of_range(max_bins):
    rule = f"^BinnedDataset: max_bins must be an integer from 2 to 65535; got {max_bins}.$"
    with pytest.raises(ValueError, match=rule):
        BinnedDataset.from_data(np.ones((2, 2)), max_bins=max_bins)


def test_max_bins_of_another_type():
    with pytest.raises(TypeError, match=r"max_bins must be an integer from 2 to 65535; got 16\.0"):
        BinnedDataset.from_data(np.ones((2, 2)), max_bins=16.0)


class TestSchema:
    def test_float_types(self):
        schema = BinnedDataset.from_data(np.ones((2, 3))).schema
        for dtype, expected in [
            ("f4", "f4"),
            ("f8", "f8"),
            ("i4", "f8"),
            ("?", "f8"),
            ("f2", "f4"),
        ]:
            X = np.asfortranarray(np.eye(3, dtype=dtype))
            encoded = schema.encode(X)
            assert encoded.dtype == np.dtype(expected)
            assert encoded.flags.c_contiguous
            assert np.array_equal(encoded, np.eye(3))

    def test_float_matrix_is_not_copied(self):
        X = np.ones((2, 3))
        assert np.shares_memory(BinnedDataset.from_data(X).schema.encode(X), X)

    def test_codes_do_not_overwrite_the_callers_matrix(self):
        X = np.array([[10.0, 3.0], [20.0, 4.0]])
        schema = BinnedDataset.from_data(X, categorical_features=[0]).schema
        assert schema.encode(X).tolist() == [[0.0, 3.0], [1.0, 4.0]]
        assert X[0, 0] == 10.0

    def test_number_of_features(self):
        schema = BinnedDataset.from_data(np.ones((2, 4))).schema
        for X in (np.ones((2, 3)), pd.DataFrame(np.ones((2, 3)))):
            with pytest.raises(ValueError, match=r"^X must have 4 features, as in training; got 3"):
                schema.encode(X)
        with pytest.raises(ValueError, match="X must have 4 features, as in training; got 3"):
            next(schema.iter_blocks(sparse.csr_array((2, 3)), [0]))

    def test_names_in_another_order(self):
        frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
        schema = BinnedDataset.from_data(frame).schema
        with pytest.raises(ValueError, match="Feature names must be in the same order as they we"):
            schema.encode(frame[["b", "a"]])
        with pytest.raises(
            ValueError, match="Feature names unseen at fit time:\n- c\nFeature name"
        ):
            schema.encode(frame.rename(columns={"b": "c"}))
        with pytest.raises(ValueError, match="seen at fit time, yet now missing:\n- b\n"):
            schema.encode(frame[["a"]])
        assert schema.encode(frame.to_numpy()).tolist() == [[1.0, 3.0], [2.0, 4.0]]

    @pytest.mark.parametrize("container", [np.asarray, sparse.csr_matrix, sparse.csc_array])
    @pytest.mark.parametrize("dtype", [np.float32, np.int8])
    def test_blocks(self, container, dtype):
        X = np.random.default_rng(0).integers(0, 3, (50, 6)).astype(dtype)
        schema = BinnedDataset.from_data(X[:, :], categorical_features=[4]).schema
        blocks = list(schema.iter_blocks(container(X), [4, 1, 5], max_bytes=170))
        assert [rows.stop - rows.start for rows, _ in blocks] == [7] * 7 + [1]
        assert all(block.flags.c_contiguous for _, block in blocks)
        joined = np.concatenate([block for _, block in blocks])
        assert joined.dtype == (np.float32 if dtype == np.float32 else np.float64)
        assert np.array_equal(joined, X[:, [4, 1, 5]])

    @pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.bool_])
    def test_numbers_are_read_in_place(self, dtype):
        X = np.asfortranarray(np.eye(6, dtype=dtype))[::-1, ::2]
        schema = BinnedDataset.from_data(X).schema
        (matrix,) = schema.iter_matrices(X, [2, 0])
        assert np.shares_memory(matrix, X)
        assert np.array_equal(matrix, X)

    def test_other_tables_are_read_in_blocks_of_the_features(self):
        X = np.random.default_rng(0).integers(0, 3, (20, 6))
        schema = BinnedDataset.from_data(X, categorical_features=[4]).schema
        for table in (sparse.csr_array(X), pd.DataFrame(X), X.astype(object)):
            (matrix,) = schema.iter_matrices(table, [1, 5])
            assert np.array_equal(matrix, X[:, [1, 5]])
        (matrix,) = schema.iter_matrices(X + 1, [1, 4])
        codes = np.where(X[:, 4] < 2, X[:, 4] + 1.0, np.nan)
        assert np.array_equal(matrix, np.column_stack([X[:, 1] + 1, codes]), equal_nan=True)

    def test_sparse_categories_count_zero(self):
        X = np.array([[0, 5], [7, 0], [0, 0]])
        schema = BinnedDataset.from_data(sparse.csr_array(X), categorical_features=[0]).schema
        new = sparse.csr_array(np.array([[7, 1], [0, 2], [8, 0]]))
        ((_, block),) = schema.iter_blocks(new, [0, 1])
        assert np.array_equal(block, [[1, 1], [0, 2], [np.nan, 0]], equal_nan=True)

    def test_no_features(self):
        schema = BinnedDataset.from_data(np.ones((3, 2))).schema
        for X in (np.ones((3, 2)), sparse.csr_array((3, 2)), pd.DataFrame(np.ones((3, 2)))):
            ((rows, block),) = schema.iter_blocks(X, [])
            assert block.shape == (rows.stop, 0) == (3, 0)

    def test_sparse_is_read_in_blocks_only(self):
        schema = BinnedDataset.from_data(np.ones((2, 2))).schema
        with pytest.raises(TypeError, match="X must be dense here"):
            schema.encode(sparse.csr_array((2, 2)))

    def test_pickle(self):
        X = pd.DataFrame({"a": pd.Categorical(["x", "y"])})
        schema = pickle.loads(pickle.dumps(BinnedDataset.from_data(X).schema))
        assert schema.encode(X).tolist() == [[0.0], [1.0]]
        assert not schema.categories[0].flags.writeable


@pytest.mark.parametrize("make", [np.asarray, sparse.csc_matrix, pd.DataFrame])
def test_binning_tells_how_far_it_is(make):
    X = np.random.default_rng(0).integers(4, size=(300, 5)).astype(float)
    shares = []
    told = BinnedDataset.from_data(make(X), on_share=shares.append)
    assert shares == sorted(shares)
    assert 0 < shares[0] < 1
    assert shares[-1] == 1.0
    assert np.array_equal(told.column_codes(2), BinnedDataset.from_data(X).column_codes(2))
