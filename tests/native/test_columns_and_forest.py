"""The core checks every index it will follow: a broken array is an error, never a crash."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from frugalboost import native


def columns_arguments() -> dict[str, Any]:
    """Three rows: a dense column with two bins, and a sparse one with one entry."""
    return {
        "n_rows": 3,
        "dense8": np.array([[0, 1, 0]], dtype=np.uint8),
        "dense16": np.empty((0, 3), dtype=np.uint16),
        "sparse_indptr": np.array([0, 1], dtype=np.int64),
        "sparse_rows": np.array([2], dtype=np.uint32),
        "sparse_codes": np.array([1], dtype=np.uint16),
        "sparse_default": np.array([0], dtype=np.uint16),
        "storage": np.array([0, 2], dtype=np.int8),
        "slot": np.array([0, 0], dtype=np.int32),
        "n_bins": np.array([2, 2], dtype=np.int32),
        "has_missing": np.array([False, False]),
        "is_categorical": np.array([False, False]),
    }


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("dense8", np.array([[0, 2, 0]], np.uint8), "out of range"),
        ("dense8", np.array([[0, 1]], np.uint8), "dense8 must have n_rows columns"),
        ("sparse_rows", np.array([3], np.uint32), "out of range"),
        ("sparse_codes", np.array([2], np.uint16), "out of range"),
        ("sparse_default", np.array([5], np.uint16), "out of range"),
        ("sparse_indptr", np.array([0, 9], np.int64), "sparse_indptr must rise"),
        ("slot", np.array([1, 0], np.int32), "slot points past dense8"),
        ("slot", np.array([0, -1], np.int32), "slot not negative"),
        ("storage", np.array([0, 7], np.int8), "slot points past the sparse columns"),
        ("n_bins", np.array([2], np.int32), "one entry per feature"),
        ("n_bins", np.array([0, 2], np.int32), "n_bins must be positive"),
    ],
)
def test_columns_refuse_what_would_read_or_write_outside(
    name: str, value: Any, message: str
) -> None:
    assert native.Columns(**columns_arguments()).n_features == 2
    with pytest.raises(ValueError, match=message):
        native.Columns(**{**columns_arguments(), name: value})


def forest_arguments() -> dict[str, Any]:
    """One stump on feature 0."""
    return {
        "roots": np.array([0, 3], dtype=np.int64),
        "feature": np.array([0, -1, -1], dtype=np.int32),
        "threshold": np.array([0.5, np.nan, np.nan]),
        "left": np.array([1, -1, -1], dtype=np.int32),
        "right": np.array([2, -1, -1], dtype=np.int32),
        "missing_left": np.zeros(3, dtype=np.uint8),
        "category_start": np.full(3, -1, dtype=np.int32),
        "n_categories": np.zeros(3, dtype=np.int32),
        "category_words": np.empty(0, dtype=np.uint64),
        "values": np.array([[0.0], [1.0], [2.0]]),
        "n_features": 1,
    }


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("feature", np.array([1, -1, -1], np.int32), "feature or children are out of range"),
        ("left", np.array([0, -1, -1], np.int32), "feature or children are out of range"),
        ("right", np.array([3, -1, -1], np.int32), "feature or children are out of range"),
        ("category_start", np.array([0, -1, -1], np.int32), None),
        ("n_categories", np.array([65, 0, 0], np.int32), None),
        ("left", np.array([2, -1, -1], np.int32), "must not have two parents"),
        ("threshold", np.full(3, np.nan), "must have a threshold"),
        ("roots", np.array([0, 2], np.int64), "roots must run from 0"),
        ("values", np.zeros((2, 1)), "one entry per node"),
    ],
)
def test_forests_refuse_what_would_never_end_or_read_outside(
    name: str, value: Any, message: str | None
) -> None:
    arguments = forest_arguments()
    X = np.array([[0.0], [1.0], [np.nan]])
    assert native.Forest(**arguments).predict(X, 0, 1, 0.0, 1).ravel().tolist() == [1, 2, 2]
    arguments[name] = value
    if message is None:  # harmless alone: a numeric node ignores it, an empty set holds nothing
        arguments["category_start"] = np.array([0, -1, -1], np.int32)
        arguments["n_categories"] = np.array([65, 0, 0], np.int32)
        message = "categories are out of range"
    with pytest.raises(ValueError, match=message):
        native.Forest(**arguments)


def test_a_matrix_that_does_not_fit_the_forest_is_refused() -> None:
    forest = native.Forest(**forest_arguments())
    with pytest.raises(ValueError, match="do not fit the forest"):
        forest.predict(np.zeros((2, 2)), 0, 1, 0.0, 1)
    with pytest.raises(ValueError, match="do not fit the forest"):
        forest.apply(np.zeros((2, 1)), 0, 2, 1)


def test_an_empty_forest_says_its_baseline() -> None:
    arguments = forest_arguments()
    empty = {k: v[:0] for k, v in arguments.items() if k not in ("roots", "n_features")}
    forest = native.Forest(**empty, roots=np.array([0], np.int64), n_features=1)
    assert forest.predict(np.zeros((2, 1)), 0, 0, 1.5, 1).tolist() == [[1.5], [1.5]]


@pytest.mark.parametrize("dtype", ["complex128", "float16", "datetime64[s]"])
def test_types_that_the_core_does_not_read_are_refused(dtype: str) -> None:
    forest = native.Forest(**forest_arguments())
    with pytest.raises(TypeError, match=r"dtype must be|incompatible function arguments"):
        forest.predict(np.zeros((2, 1), dtype=dtype), 0, 1, 0.0, 1)


def test_sums_of_another_shape_or_type_are_refused() -> None:
    forest = native.Forest(**forest_arguments())
    X = np.zeros((2, 1))
    for shape in [(1, 1), (3, 1), (2, 2)]:
        with pytest.raises(ValueError, match="one row for each row of X"):
            forest.add(X, 0, 1, 1, np.zeros(shape))
    fixed = np.zeros((2, 1))
    fixed.setflags(write=False)
    for sums in (fixed, np.zeros((2, 1), dtype=np.float32), np.zeros((4, 1))[::2]):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            forest.add(X, 0, 1, 1, sums)


def test_limits_that_the_library_names_are_those_of_the_core():
    arguments = columns_arguments() | {"n_rows": native.MAX_ROWS + 1}
    with pytest.raises(ValueError, match=r"n_rows must be below 2\^31"):
        native.Columns(**arguments)
    column = np.zeros((3, 1), dtype=np.float32)
    native.find_bins([column], native.MAX_BINS, 1)
    with pytest.raises(ValueError, match=f"max_bins must be from 2 to {native.MAX_BINS}"):
        native.find_bins([column], native.MAX_BINS + 1, 1)
