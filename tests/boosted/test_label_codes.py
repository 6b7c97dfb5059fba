"""Classes and codes of arrays of labels against np.unique."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from frugalboost.data.targets import encode_labels

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", "?"]


@st.composite
def integer_labels(draw):
    """Near to each other, at the ends of the type's range, or anywhere."""
    dtype = np.dtype(draw(st.sampled_from(INTEGERS)))
    anything = hnp.from_dtype(dtype)
    near = anything
    if dtype.kind != "b":
        limits = np.iinfo(dtype)
        start = draw(st.sampled_from([limits.min, limits.max - 5, 3]))
        near = st.integers(start, start + 5)
    shape = draw(st.integers(1, 30))
    return draw(hnp.arrays(dtype, shape, elements=draw(st.sampled_from([near, anything]))))


def assert_like_numpy(labels):
    classes, codes = encode_labels(labels)
    expected_classes, expected_codes = np.unique(labels, return_inverse=True)
    assert classes.dtype == expected_classes.dtype
    assert np.array_equal(classes, expected_classes)
    assert codes.dtype == np.int8
    assert np.array_equal(codes, expected_codes)


@settings(deadline=None, max_examples=300)
@given(integer_labels())
def test_integers_and_booleans(labels):
    assume(len(np.unique(labels)) > 1)
    before = labels.copy()
    assert_like_numpy(labels)
    assert np.array_equal(labels, before)


@pytest.mark.parametrize(
    "labels",
    [
        np.array([2.0, -1.0, 2.0, 0.0, -0.0]),
        np.array(["b", "a", "b", ""]),
        np.array([b"b", b"a"]),
        np.array(["2020-02-02", "2019-01-01"], dtype="M8[D]"),
        np.array([0, 65_535, 3]),
        np.array([0, 65_536, 3]),
        np.array([-(2**63), 2**63 - 1]),
        np.arange(20)[::-3],
    ],
    ids=str,
)
def test_other_labels(labels):
    assert_like_numpy(labels)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", ">i8"])
@pytest.mark.parametrize("n_classes", [2, 3, 100])
def test_threads_do_not_change_codes(n_classes, dtype):
    random = np.random.default_rng(0)
    labels = (random.integers(0, n_classes, 30_000) * (1 if dtype == "i1" else 7) - 5).astype(dtype)
    if dtype == "?":
        labels = random.random(30_000) < 0.5
    for some in (labels, labels[::-3]):
        classes, codes = encode_labels(some, n_threads=5)
        expected_classes, expected_codes = np.unique(some, return_inverse=True)
        assert classes.dtype == expected_classes.dtype
        assert np.array_equal(classes, expected_classes)
        assert np.array_equal(codes, expected_codes)


@pytest.mark.parametrize("labels", [np.array([7, 7]), np.array([True]), np.array(["a", "a"])])
def test_a_single_class(labels):
    only = labels.tolist()[0]
    message = rf"^y must hold at least two classes; got 1 class, {only!r}\.$"
    with pytest.raises(ValueError, match=message):
        encode_labels(labels)


@pytest.mark.parametrize(
    ("n_classes", "dtype"), [(128, np.int8), (129, np.int16), (40_000, np.int32)]
)
def test_codes_take_as_few_bytes_as_hold_them(n_classes, dtype):
    codes = encode_labels(np.arange(n_classes)[::-1])[1]
    assert codes.dtype == dtype
    assert np.array_equal(codes, np.arange(n_classes)[::-1])
