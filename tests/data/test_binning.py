"""Thresholds and codes of arrays against np.unique and np.searchsorted."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from frugalboost.data import BinnedDataset

BIGGEST = np.finfo(float).max
SMALLEST = np.nextafter(0.0, 1.0)
AWKWARD = [0.0, -0.0, 1.0, -1.0, BIGGEST, -BIGGEST, SMALLEST, -SMALLEST, np.inf, -np.inf, np.nan]
FINITE = st.floats(allow_nan=False, allow_infinity=False)
DTYPES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", ">f8", ">i2", "g"]


@st.composite
def matrices(draw):
    """Small matrices of any dtype and memory layout, with ties and awkward values."""
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = draw(hnp.array_shapes(min_dims=2, max_dims=2, max_side=12))
    elements = hnp.from_dtype(dtype)
    if dtype.kind == "f" and dtype.itemsize >= 8:
        elements = st.sampled_from(AWKWARD) | st.floats(-3, 3) | st.floats(width=64)
    elif dtype.kind in "iu":
        limits = np.iinfo(dtype)  # and 2^53: beyond it two integers may be one float
        whole = st.integers(max(limits.min, -(2**53)), min(limits.max, 2**53))
        elements = st.integers(0, 5) | whole
    X = draw(hnp.arrays(dtype, shape, elements=elements, fill=st.nothing()))
    layout = draw(st.sampled_from(["C", "F", "transposed", "reversed", "strided"]))
    if layout == "transposed":
        return X.T
    if layout == "reversed":
        return X[::-1, ::-1]
    if layout == "strided":
        return np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3]
    return np.asarray(X, order=layout)


def distinct(column):
    """Distinct doubles of a column, -0.0 and 0.0 being one, without NaN."""
    with np.errstate(over="ignore"):
        values = np.asarray(column, dtype=float)
    return np.unique(values[~np.isnan(values)] + 0.0)


def expected_codes(data, feature, column):
    with np.errstate(over="ignore"):
        values = np.asarray(column, dtype=float)
    codes = np.searchsorted(data.thresholds[feature], values, side="left")
    return np.where(np.isnan(values), data.n_bins[feature], codes)


@settings(deadline=None, max_examples=150)
@given(matrices(), st.sampled_from([1, 2]))
@example(np.array([AWKWARD, AWKWARD]).T, 2)
def test_few_values_are_exact(X, n_jobs):
    data = BinnedDataset.from_data(X, n_jobs=n_jobs)
    assert data.shape == X.shape
    for feature, column in enumerate(X.T):
        values = distinct(column)
        cuts = data.thresholds[feature]
        assert data.n_bins[feature] == max(1, len(values))
        assert np.all(values[:-1] <= cuts)
        assert np.all(cuts < values[1:])
        assert data.has_missing[feature] == np.isnan(np.asarray(column, dtype=float)).any()
        assert np.array_equal(data.column_codes(feature), expected_codes(data, feature, column))


@settings(deadline=None, max_examples=150)
@given(matrices(), st.integers(2, 6))
def test_many_values_are_cut_into_bins_none_of_which_is_empty(X, max_bins):
    data = BinnedDataset.from_data(X, max_bins=max_bins)
    for feature, column in enumerate(X.T):
        values = distinct(column)
        n_bins = data.n_bins[feature]
        assert len(data.thresholds[feature]) == n_bins - 1
        assert np.all(data.thresholds[feature][1:] > data.thresholds[feature][:-1])
        assert n_bins == max(1, len(values)) if len(values) <= max_bins else 2 <= n_bins <= max_bins
        codes = data.column_codes(feature)
        assert np.array_equal(codes, expected_codes(data, feature, column))
        if len(values):
            assert set(range(n_bins)) <= set(codes.tolist())


@settings(deadline=None)
@given(FINITE, FINITE)
@example(SMALLEST, 0.0)
@example(1.0, np.nextafter(1.0, 2.0))
@example(BIGGEST, -BIGGEST)
@example(BIGGEST, np.nextafter(BIGGEST, 0.0))
def test_threshold_is_the_middle_to_within_one_rounding(a, b):
    if a == b:
        return
    (cut,) = BinnedDataset.from_data([[a], [b]]).thresholds[0]
    low, high = sorted([a, b])
    assert low <= cut < high
    middle = (Fraction(low) + Fraction(high)) / 2
    step = Fraction(math.ulp(max(abs(low), abs(high))))
    assert abs(Fraction(cut) - middle) <= step


@pytest.mark.parametrize(
    ("values", "cut"),
    [
        ([-np.inf, 3.0], -np.inf),
        ([3.0, np.inf], BIGGEST),
        ([-np.inf, np.inf], 0.0),
        ([1.0, 2.0], 1.5),
        ([BIGGEST, BIGGEST / 2], 0.75 * BIGGEST),
    ],
)
def test_thresholds_beside_infinities(values, cut):
    data = BinnedDataset.from_data(np.array(values)[:, np.newaxis])
    assert data.thresholds[0].tolist() == [cut]


def test_sign_of_zero_leaves_no_trace():
    """Between zero and the smallest number lies none, so zero itself is the threshold."""
    for zeros in ([0.0, 0.0], [0.0, -0.0], [-0.0, 0.0], [-0.0, -0.0]):
        data = BinnedDataset.from_data(np.array([*zeros, SMALLEST])[:, np.newaxis])
        assert data.column_codes(0).tolist() == [0, 0, 1]
        assert data.thresholds[0].tolist() == [0.0]
        assert not np.signbit(data.thresholds[0][0])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int16, np.uint16])
@pytest.mark.parametrize("n_rows", [3000, 20_001])  # below and above the switch of the sort
def test_large_columns_agree_with_numpy(dtype, n_rows):
    rng = np.random.default_rng(0)
    X = (rng.standard_cauchy((n_rows, 9)) * 1000).clip(0, 60_000).astype(dtype)
    for max_bins in (256, 4000, 65535):
        data = BinnedDataset.from_data(X, max_bins=max_bins)
        for feature, column in enumerate(X.T):
            values = distinct(column)
            if len(values) <= max_bins:
                assert data.n_bins[feature] == len(values)
            codes = data.column_codes(feature)
            assert codes.dtype == (np.uint8 if data.n_bins[feature] <= 256 else np.uint16)
            assert np.array_equal(codes, expected_codes(data, feature, column))


@settings(deadline=None, max_examples=50)
@given(st.integers(2, 300), st.integers(1, 4000), st.integers(0, 2**32 - 1))
def test_quantile_bins_of_distinct_values_differ_by_one_row_at_most(max_bins, extra, seed):
    X = np.random.default_rng(seed).permutation(max_bins + extra).astype(float)[:, np.newaxis]
    data = BinnedDataset.from_data(X, max_bins=max_bins)
    sizes = np.bincount(data.column_codes(0))
    assert len(sizes) == max_bins
    assert sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize("where", [0.0, 0.5, 2.0])
def test_frequent_value_gets_a_bin_of_its_own(where):
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.uniform(size=5000), np.full(5000, where)])[:, np.newaxis]
    data = BinnedDataset.from_data(X, max_bins=64)
    codes = data.column_codes(0)
    alone = codes[-1]
    assert np.count_nonzero(codes == alone) == 5000
    others = np.bincount(codes)
    others = others[others < 5000]
    assert data.n_bins[0] >= 62
    assert others.max() <= 5000 / 61 + 1


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(1, 60), min_size=3, max_size=40), st.integers(2, 20))
def test_quantile_bins_stay_small_unless_one_value_is_large(counts, max_bins):
    """A bin holds one value, or fewer rows than three fair shares."""
    X = np.repeat(np.arange(len(counts)), counts)[:, np.newaxis]
    data = BinnedDataset.from_data(X, max_bins=max_bins)
    assert data.n_bins[0] <= max_bins
    codes = data.column_codes(0)
    for code in range(data.n_bins[0]):
        inside = X[codes == code]
        assert len(np.unique(inside)) == 1 or len(inside) <= 3 * len(X) / max_bins


def test_missing_values_of_a_cut_column_fit_into_a_byte():
    X = np.arange(1000.0)[:, np.newaxis]
    X[7] = np.nan
    data = BinnedDataset.from_data(X)
    assert data.n_bins.tolist() == [255]
    assert data.dense8.shape == (1, 1000)
    assert data.column_codes(0)[7] == 255


@pytest.mark.parametrize(
    ("n_values", "has_missing", "storage"),
    [(255, True, 0), (256, False, 0), (256, True, 1), (257, False, 1)],
)
def test_codes_take_two_bytes_only_when_one_is_too_few(n_values, has_missing, storage):
    column = np.arange(float(n_values + 1))
    column[-1] = np.nan if has_missing else 0.0
    data = BinnedDataset.from_data(column[:, np.newaxis], max_bins=300)
    assert data.n_bins.tolist() == [n_values]
    assert data.storage.tolist() == [storage]
    assert np.array_equal(data.column_codes(0), expected_codes(data, 0, column))


def test_constant_and_missing_columns_have_one_bin():
    X = np.array([[3.0, np.nan], [3.0, np.nan]])
    data = BinnedDataset.from_data(X)
    assert data.n_bins.tolist() == [1, 1]
    assert data.has_missing.tolist() == [False, True]
    assert [len(cuts) for cuts in data.thresholds] == [0, 0]
    assert data.column_codes(1).tolist() == [1, 1]


def test_threads_and_blocks_do_not_change_the_result(monkeypatch):
    X = np.random.default_rng(2).normal(size=(500, 40))
    one = BinnedDataset.from_data(X, n_jobs=1, max_bins=50)
    monkeypatch.setattr("frugalboost.data.binning.CELLS_PER_BLOCK", 1500)
    two = BinnedDataset.from_data(X, n_jobs=2, max_bins=50)
    assert np.array_equal(one.dense8, two.dense8)
    assert all(map(np.array_equal, one.thresholds, two.thresholds))


def test_misaligned_fields_of_records_are_read():
    records = np.zeros(4, dtype=[("flag", "u1"), ("value", "f8", (2,))])
    records["value"] = [[0, 3], [1, 2], [2, 1], [3, 0]]
    data = BinnedDataset.from_data(records["value"])
    assert data.column_codes(0).tolist() == [0, 1, 2, 3]
    assert data.column_codes(1).tolist() == [3, 2, 1, 0]


def test_read_only_and_broadcast_input():
    column = np.arange(4.0)[:, np.newaxis]
    X = np.broadcast_to(column, (4, 3))
    data = BinnedDataset.from_data(X)
    assert data.dense8.tolist() == [[0, 1, 2, 3]] * 3
