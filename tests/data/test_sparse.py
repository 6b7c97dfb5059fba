"""Sparse tables give the codes of the same dense table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from frugalboost.data import BinnedDataset
from frugalboost.data.binning import SPARSE

VALUES = st.sampled_from([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.5, 2.0, np.nan, np.inf, -np.inf])
SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, max_side=15)


def assert_same_codes(one, other):
    assert one.shape == other.shape
    assert np.array_equal(one.n_bins, other.n_bins)
    assert np.array_equal(one.has_missing, other.has_missing)
    for feature in range(one.n_features):
        assert np.array_equal(one.thresholds[feature], other.thresholds[feature])
        assert np.array_equal(one.column_codes(feature), other.column_codes(feature))


@settings(deadline=None, max_examples=100)
@given(
    hnp.arrays(float, SHAPES, elements=VALUES | st.floats(-3, 3)),
    st.sampled_from([sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, sparse.coo_array]),
    st.sampled_from([2, 3, 256]),
)
def test_sparse_equals_dense(X, container, max_bins):
    dense = BinnedDataset.from_data(X, max_bins=max_bins)
    assert_same_codes(BinnedDataset.from_data(container(X), max_bins=max_bins), dense)


@settings(deadline=None, max_examples=100)
@given(hnp.arrays(float, SHAPES, elements=VALUES), st.data())
def test_rows_taken_from_sparse_equal_rows_taken_from_dense(X, draw):
    rows = draw.draw(st.lists(st.integers(0, len(X) - 1), max_size=20))
    dense = BinnedDataset.from_data(X).take_rows(rows)
    taken = BinnedDataset.from_data(sparse.csc_array(X)).take_rows(rows)
    assert taken.n_rows == len(rows)
    assert_same_codes(taken, dense)
    for start, stop in zip(taken.sparse_indptr[:-1], taken.sparse_indptr[1:], strict=True):
        assert np.all(np.diff(taken.sparse_rows[start:stop].astype(int)) >= 0)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.float32, bool])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_dtypes_of_data_and_indices(dtype, index):
    X = (np.random.default_rng(0).integers(0, 40, (200, 6)) // 30).astype(dtype)
    matrix = sparse.csr_array(X)
    matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
    assert_same_codes(BinnedDataset.from_data(matrix), BinnedDataset.from_data(X))


def test_explicit_zeros_and_duplicates():
    parts = ([1.0, 2.0, 0.0, -0.0, 5.0], ([0, 0, 1, 3, 2], [0, 0, 0, 0, 1]))
    matrix = sparse.coo_array(parts, shape=(9, 2)).tocsc()
    matrix_before = matrix.copy()
    data = BinnedDataset.from_data(matrix)
    assert_same_codes(data, BinnedDataset.from_data(matrix.toarray()))
    assert data.sparse_rows.tolist() == [0, 2]
    assert data.thresholds[0].tolist() == [1.5]  # 1 + 2 at row 0
    assert np.array_equal(matrix.data, matrix_before.data)  # the caller's matrix is as it was


def test_unsorted_duplicates_leave_the_callers_matrix_alone():
    matrix = sparse.csc_array(
        (np.array([1.0, 2.0, 4.0]), np.array([3, 0, 3]), np.array([0, 3])), shape=(16, 1)
    )
    data = BinnedDataset.from_data(matrix)
    assert data.sparse_rows.tolist() == [0, 3]
    assert data.sparse_codes.tolist() == [1, 2]
    assert matrix.indices.tolist() == [3, 0, 3]


def test_only_entries_that_differ_from_zero_are_stored():
    X = sparse.random_array((1000, 30), density=0.05, random_state=0, format="csr")
    data = BinnedDataset.from_data(X)
    assert np.all(data.storage == SPARSE)
    assert len(data.sparse_rows) == X.nnz
    assert data.dense8.size == data.dense16.size == 0
    assert data.sparse_rows.dtype == np.uint32
    for start, stop in zip(data.sparse_indptr[:-1], data.sparse_indptr[1:], strict=True):
        assert np.all(np.diff(data.sparse_rows[start:stop].astype(int)) > 0)


def test_full_columns_are_stored_dense():
    X = np.zeros((100, 3))
    X[:, 0] = np.arange(1, 101)
    X[:13, 1] = 1
    X[:12, 2] = 1
    data = BinnedDataset.from_data(sparse.csc_matrix(X))
    assert data.storage.tolist() == [0, 0, SPARSE]
    assert data.slot.tolist() == [0, 1, 0]
    assert_same_codes(data, BinnedDataset.from_data(X))


def test_quantiles_count_the_zeros_that_are_not_stored():
    X = sparse.random_array((20_000, 1), density=0.2, random_state=0, format="csc")
    data = BinnedDataset.from_data(X, max_bins=10)
    sizes = np.bincount(data.column_codes(0))
    assert sizes[0] == 20_000 - X.nnz
    assert sizes[1:].max() - sizes[1:].min() <= 1


def test_quantiles_count_stored_zeros_and_others_together():
    """Neither the 30 stored zeros nor the 30 others are frequent; all 60 together are."""
    values = np.concatenate([np.zeros(30), np.arange(1.0, 201.0)])
    rows = np.arange(30, 260)  # rows 0 to 29 are not stored
    matrix = sparse.csc_array((values, rows, np.array([0, 230])), shape=(260, 1))
    data = BinnedDataset.from_data(matrix, max_bins=10)
    assert_same_codes(data, BinnedDataset.from_data(matrix.toarray(), max_bins=10))
    assert np.count_nonzero(data.column_codes(0) == 0) == 60


def test_wide_matrix_is_never_made_dense():
    n = 300_000  # dense this would be 720 GB
    rng = np.random.default_rng(0)
    entries = (np.ones(n), (rng.integers(0, n, n), rng.integers(0, n, n)))
    X = sparse.coo_array(entries, shape=(n, n)).tocsr()
    data = BinnedDataset.from_data(X)
    assert data.nbytes < 100 * n
    ((rows, block), *_) = data.schema.iter_blocks(X, [5, 7])
    assert block.shape == (rows.stop, 2)


def test_blocks_of_columns_do_not_change_the_result(monkeypatch):
    X = sparse.random_array((300, 40), density=0.1, random_state=1, format="csc")
    one = BinnedDataset.from_data(X)
    monkeypatch.setattr("frugalboost.data.binning.CELLS_PER_BLOCK", 50)
    assert_same_codes(BinnedDataset.from_data(X, n_jobs=2), one)


@settings(deadline=None, max_examples=50)
@given(hnp.arrays(float, SHAPES, elements=VALUES))
def test_categories_of_a_sparse_column(X):
    everything = list(range(X.shape[1]))
    dense = BinnedDataset.from_data(X, categorical_features=everything)
    data = BinnedDataset.from_data(sparse.csr_array(X), categorical_features=everything)
    assert_same_codes(data, dense)
    assert all(map(np.array_equal, data.categories, dense.categories))
