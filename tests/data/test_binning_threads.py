"""Binning on many threads, which divide rows as well as columns, gives what one thread gives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from frugalboost import BinnedDataset, native
from frugalboost.data import binned as bins
from frugalboost.data.binning import COPIED_CELLS_PER_BLOCK, find_dense_cuts
from frugalboost.data.tables import NumberTable

N_ROWS = 40_000


def table(dtype):
    """Whole numbers, fractions, mostly zeros, missing values where the type has them."""
    random = np.random.default_rng(3)
    X = random.normal(size=(N_ROWS, 9))
    X[:, 1] = np.round(X[:, 1] * 10)
    X[:, 2] = np.where(X[:, 2] > 2, X[:, 2], 0)
    X[:, 3] = np.round(X[:, 3] * 1000)
    X[:, 4] = np.round(X[:, 4], 2)
    X[:, 5] = X[:, 5] > 1.8
    if np.dtype(dtype).kind == "f":
        X[::7, 1] = X[::9, 6] = np.nan
        X[1, 7], X[2, 7], X[3, 1] = np.inf, -np.inf, -0.0
    else:
        X = np.clip(X * 40, np.iinfo(dtype).min, np.iinfo(dtype).max)
    return X.astype(dtype)


def assert_threads_change_nothing(X, monkeypatch, **options):
    one = BinnedDataset.from_data(X, n_jobs=1, **options)
    monkeypatch.setattr(bins, "count_threads", lambda *_, **__: 6)
    many = BinnedDataset.from_data(X, **options)
    monkeypatch.undo()
    assert one.columns.read_share(1) == many.columns.read_share(6)
    for name in ("n_bins", "has_missing", "storage", "slot", "dense8", "dense16", "cuts"):
        assert np.array_equal(getattr(one, name), getattr(many, name)), name
    for name in ("sparse_indptr", "sparse_rows", "sparse_codes", "sparse_default"):
        assert np.array_equal(getattr(one, name), getattr(many, name)), name
    return one


@pytest.mark.parametrize("order", ["C", "F", "strided", "backwards"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "u1", "i2", "u4", "i8"])
def test_arrays(dtype, order, monkeypatch):
    X = table(dtype)
    if order == "strided":
        X = X[::2, ::2]
    elif order == "backwards":
        X = X[::-1, ::-1]
    else:
        X = np.asarray(X, order=order)
    data = assert_threads_change_nothing(X, monkeypatch, max_bins=100)
    for feature, cuts in enumerate(data.thresholds):
        column = X[:, feature].astype(float)
        expected = np.where(np.isnan(column), len(cuts) + 1, np.searchsorted(cuts, column))
        assert np.array_equal(data.column_codes(feature), expected)


@pytest.mark.parametrize("max_bins", [2, 256, 300])
def test_many_values_are_cut_as_if_they_were_sorted(max_bins, monkeypatch):
    random = np.random.default_rng(5)
    X = random.normal(size=(150_000, 3)).astype(np.float32)
    X[:, 1] = np.where(X[:, 1] > 0, X[:, 1], np.round(X[:, 1]))
    X[::11, 2] = np.nan
    data = assert_threads_change_nothing(X, monkeypatch, max_bins=max_bins)
    # The core takes stored entries of sparse columns, here all of them, without that shortcut.
    ends = np.arange(4, dtype=np.int64) * len(X)
    sorted_, offsets, *_ = native.find_bins_sparse(X.T.ravel(), ends, len(X), max_bins, 1)
    assert np.array_equal(data.cuts, sorted_)
    assert np.array_equal(data.cut_offsets, offsets)


@pytest.mark.parametrize("n_threads", [1, 6])
def test_columns_that_must_be_copied_are_copied_one_at_a_time(n_threads):
    X = np.zeros((COPIED_CELLS_PER_BLOCK, 3), dtype=np.float16)
    shares = []
    find_dense_cuts(NumberTable(X), range(3), 256, n_threads, shares.append)
    assert shares == [1 / 3, 2 / 3, 1]


def test_sparse_matrices(monkeypatch):
    X = sparse.random(N_ROWS, 20, 0.1, format="csc", random_state=0)
    assert_threads_change_nothing(X, monkeypatch, max_bins=50)


def test_a_row_out_of_range_is_seen_by_any_thread():
    data = BinnedDataset.from_data(table("f4"))
    dense8 = data.dense8.copy()
    dense8[0, -1] = 255
    arguments = {name: getattr(data, name) for name in ("n_rows", "dense16", "sparse_indptr")}
    arguments |= {name: getattr(data, name) for name in ("sparse_rows", "sparse_codes", "slot")}
    arguments |= {name: getattr(data, name) for name in ("sparse_default", "storage", "n_bins")}
    arguments |= {name: getattr(data, name) for name in ("has_missing", "is_categorical")}
    arguments["n_bins"] = np.minimum(arguments["n_bins"], 200)
    with pytest.raises(ValueError, match="out of range"):
        native.Columns(dense8=dense8, n_threads=3, **arguments)
