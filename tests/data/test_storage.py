"""How the codes of a column are kept: by what takes less memory, and never in another way."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from frugalboost import native
from frugalboost.data import BinnedDataset
from frugalboost.data.binning import DENSE8, DENSE16, SPARSE, CodeBuffers

MOSTLY = [0.0, 7.0, -1.5, np.nan, np.inf]


def expected_codes(data, feature, column):
    codes = np.searchsorted(data.thresholds[feature], column, side="left")
    return np.where(np.isnan(column), data.n_bins[feature], codes)


def assert_right_codes(data, X):
    for feature, column in enumerate(np.asarray(X, dtype=float).T):
        assert np.array_equal(data.column_codes(feature), expected_codes(data, feature, column))


@st.composite
def lopsided(draw):
    """Columns that mostly hold one value, whichever it is, or that hold many."""
    n_rows = draw(st.integers(1, 60))
    columns = []
    for _ in range(draw(st.integers(1, 5))):
        column = np.full(n_rows, draw(st.sampled_from(MOSTLY)))
        n_others = draw(st.integers(0, max(1, n_rows // 4)))
        for row in draw(st.lists(st.integers(0, n_rows - 1), max_size=n_others)):
            column[row] = draw(st.sampled_from(MOSTLY) | st.floats(-3, 3))
        columns.append(column)
    return np.array(columns).T


@pytest.mark.thorough
@settings(deadline=None, max_examples=100)
@given(lopsided(), st.data())
def test_codes_are_right_whatever_most_rows_hold(X, draw):
    for table in (X, np.asfortranarray(X), sparse.csc_array(X)):
        data = BinnedDataset.from_data(table)
        assert_right_codes(data, X)
        counts = np.array([np.bincount(data.column_codes(f)).max() for f in range(X.shape[1])])
        is_sparse = (len(X) - counts) * 8 <= len(X)
        assert np.array_equal(data.storage == SPARSE, is_sparse)
    rows = draw.draw(st.lists(st.integers(0, len(X) - 1), max_size=20))
    taken = pickle.loads(pickle.dumps(data)).take_rows(rows)
    for feature in range(X.shape[1]):
        assert np.array_equal(taken.column_codes(feature), data.column_codes(feature)[rows])


@settings(deadline=None, max_examples=50)
@given(hnp.arrays(np.int8, st.tuples(st.integers(1, 40), st.just(3)), elements=st.integers(0, 2)))
def test_categories_that_nearly_all_rows_have(X):
    X[1:, 0] = 1
    everything = [0, 1, 2]
    dense = BinnedDataset.from_data(X, categorical_features=everything)
    other = BinnedDataset.from_data(sparse.csr_array(X), categorical_features=everything)
    for feature in everything:
        categories = dense.categories[feature]
        assert np.array_equal(categories[dense.column_codes(feature)], X[:, feature])
        assert np.array_equal(dense.column_codes(feature), other.column_codes(feature))
    if len(X) >= 8:
        assert dense.storage[0] == other.storage[0] == SPARSE


def test_the_most_frequent_code_is_left_out_where_that_saves_memory():
    X = np.zeros((800, 6))
    X[:100, 0] = 1.0
    X[:101, 1] = 1.0
    X[:, 2] = np.nan
    X[::9, 2] = np.arange(89.0)
    X[:, 3] = 5.0
    X[:200, 4] = np.arange(1.0, 201.0)
    X[:, 5] = np.arange(800.0)
    data = BinnedDataset.from_data(X, max_bins=1000)
    assert data.storage.tolist() == [SPARSE, DENSE8, SPARSE, SPARSE, DENSE8, DENSE16]
    assert data.sparse_default.tolist() == [0, 89, 0]  # zero, missing, the only value
    assert np.diff(data.sparse_indptr).tolist() == [100, 89, 0]
    assert data.nbytes < 6 * 189 + 800 * 4 + 8 * 1200
    assert_right_codes(data, X)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i2", "u1", "?", ">f4", "f2"])
def test_tables_of_several_tiles_and_panels(order, dtype):
    """Longer than a tile of rows, wider than a panel of columns, and neither in whole numbers."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 100, (2500, 150)) * (rng.random((2500, 150)) < rng.random(150))
    X = X.astype(dtype, order=order)
    data = BinnedDataset.from_data(X, n_jobs=2)
    assert_right_codes(data, X)
    assert [data.n_bins[f] for f in range(150)] == [len(np.unique(column)) for column in X.T]


COLUMNS = {
    "even": np.arange(6000.0) * 0.37,
    "skewed": np.exp(np.linspace(0, 300, 6000)),
    "neighbours": 1.0 + np.arange(6000) * 2.0**-52,
    "two ends": np.concatenate([np.arange(3000.0), 1e300 + np.arange(3000) * 1e290]),
    "overflowing": np.linspace(-1.0, 1.0, 6000) * 1e308,
    "infinities": np.concatenate([np.arange(5000.0), np.repeat([-np.inf, np.inf], 500)]),
    "missing": np.where(np.arange(6000) % 3, np.arange(6000.0), np.nan),
    "tiny": np.arange(6000) * 5e-324,
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("max_bins", [4, 6, 256, 5000])
def test_codes_of_columns_that_are_cut(name, max_bins):
    column = np.random.default_rng(0).permutation(COLUMNS[name])
    data = BinnedDataset.from_data(column[:, np.newaxis], max_bins=max_bins)
    assert_right_codes(data, column[:, np.newaxis])


@pytest.mark.parametrize("n_values", [2**14, 2**14 + 1, 30_000])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32])
def test_counting_and_sorting_find_the_same_bins(n_values, dtype):
    """Columns of more values than are counted are sorted; all of a panel together, or not."""
    rng = np.random.default_rng(0)
    few = rng.integers(0, 50, 30_000)
    many = rng.permutation(np.arange(30_000) % n_values) * 3 - 1000
    X = np.column_stack([many, few, many, many + 1]).astype(dtype)
    if X.dtype.kind == "f":
        X[::100, [0, 1]] = np.nan
    data = BinnedDataset.from_data(X, max_bins=65_535)
    present = [column[~np.isnan(column.astype(float))] for column in X.T]
    assert data.n_bins.tolist() == [len(np.unique(column)) for column in present]
    assert_right_codes(data, X)


def room_for(n_others):
    one = np.array([2])
    return CodeBuffers.make(16, one, np.zeros(1, dtype=np.uint16), np.array([n_others]))


@pytest.mark.parametrize("n_others", [0, 2])
def test_a_table_that_changes_while_it_is_read(n_others):
    X = np.zeros((16, 1))
    X[3] = 1.0
    room = room_for(n_others)
    cuts = np.array([0.5]), np.array([0, 1])
    places = {**room.places([0]), "n_threads": 1}
    with pytest.raises(RuntimeError, match="the table changed while it was read"):
        native.encode([X], *cuts, **places)
    stored = np.ones(1), np.array([3]), np.array([0, 1]), 16
    with pytest.raises(RuntimeError, match="the table changed while it was read"):
        native.encode_sparse(*stored, *cuts, **places)


@pytest.mark.parametrize("row", [16, -1])
def test_rows_that_a_sparse_matrix_cannot_have(row):
    places = {**room_for(1).places([0]), "n_threads": 1}
    stored = np.ones(1), np.array([row]), np.array([0, 1]), 16
    with pytest.raises(IndexError, match="a row of the sparse matrix is out of range"):
        native.encode_sparse(*stored, np.array([0.5]), np.array([0, 1]), **places)


PEAK = """
import sys
import numpy as np
from frugalboost import BinnedDataset

def status(key):
    lines = open("/proc/self/status").read().splitlines()
    return int(next(line for line in lines if line.startswith(key)).split()[1]) * 1024

X = np.zeros((200_000, 40), dtype=np.float32, order=sys.argv[1])
X[:] = np.random.default_rng(0).integers(0, 100, X.shape, dtype=np.uint8)
X[:, 10:] *= X[:, 10:] > 97
BinnedDataset.from_data(X[:100])
open("/proc/self/clear_refs", "w").write("5")
before = status("VmRSS")
data = BinnedDataset.from_data(X)
print(status("VmHWM") - before, data.nbytes)
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("order", ["C", "F"])
def test_building_takes_little_more_memory_than_the_result(order):
    """Of 32 MB of numbers no copy is made, nor 8 MB of dense codes that are then thrown away."""
    run = subprocess.run(
        [sys.executable, "-c", PEAK, order], capture_output=True, text=True, check=False
    )
    if "clear_refs" in run.stderr:
        pytest.skip("the peak of a process cannot be reset here")
    assert run.returncode == 0, run.stderr
    peak, nbytes = map(int, run.stdout.split())
    assert nbytes < 3_000_000
    assert peak < nbytes + 3_000_000
