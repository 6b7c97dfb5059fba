"""Pools of every kind of table: rows in blocks, and rows by their content."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from frugalboost.active.pool import draws, portion, score_in_blocks
from frugalboost.active.rows import append_rows, by_rows, count_rows, kind_of, row_keys, slice_rows
from frugalboost.data import take_rows

NUMBERS = np.array([[1.0, 0.0], [2.0, 5.0], [0.0, 5.0], [1.0, 0.0], [4.0, 4.0]])
KINDS = {
    "list": NUMBERS.tolist(),
    "float64": NUMBERS,
    "float32": NUMBERS.astype(np.float32),
    "int8": NUMBERS.astype(np.int8),
    "columns": np.asfortranarray(NUMBERS),
    "object": NUMBERS.astype(object),
    "csr": sparse.csr_array(NUMBERS),
    "csc": sparse.csc_matrix(NUMBERS),
    "pandas": pd.DataFrame(NUMBERS, columns=["a", "b"], index=[7, 7, 3, 1, 0]),
    "polars": pl.DataFrame(NUMBERS, schema=["a", "b"]),
    "pyarrow": pa.table({"a": NUMBERS[:, 0], "b": NUMBERS[:, 1]}),
}


def as_lists(table):
    if sparse.issparse(table):
        return table.toarray().tolist()
    if hasattr(table, "to_pydict"):
        return [list(row) for row in zip(*table.to_pydict().values(), strict=True)]
    return np.asarray(table, dtype=float).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_keys_are_equal_where_rows_are(kind):
    keys = row_keys(KINDS[kind])
    assert keys[0] == keys[3]
    assert len(set(keys)) == 4


@pytest.mark.parametrize("kind", KINDS)
def test_keys_of_a_taken_row_are_those_in_the_table(kind):
    table = KINDS[kind]
    rows = np.array([4, 1])
    assert row_keys(take_rows(table, rows)) == [row_keys(table)[4], row_keys(table)[1]]


def test_keys_go_by_value_not_by_type():
    arrays = ("list", "float64", "float32", "int8", "columns")
    assert len({tuple(row_keys(KINDS[kind])) for kind in arrays}) == 1
    frames = ("object", "pandas", "polars", "pyarrow")
    assert len({tuple(row_keys(KINDS[kind])) for kind in frames}) == 1
    assert row_keys(KINDS["csr"]) == row_keys(KINDS["csc"])


def test_missing_values_and_signs_of_zero():
    other_nan = np.frombuffer(np.uint64(0xFFF8000000000001).tobytes(), dtype=np.float64)[0]
    keys = row_keys(np.array([[np.nan, 0.0], [other_nan, -0.0], [1.0, 0.0]]))
    assert keys[0] == keys[1] != keys[2]
    frame = pd.DataFrame({"a": [None, "x", None], "b": [pd.NA, 1, pd.NA]})
    assert row_keys(frame)[0] == row_keys(frame)[2] != row_keys(frame)[1]


def test_stored_zeros_are_no_content():
    stored = sparse.csr_array(([0.0, 3.0], [0, 1], [0, 2]), shape=(1, 2))
    assert stored.nnz == 2
    assert row_keys(stored) == row_keys(sparse.csr_array([[0.0, 3.0]]))


@pytest.mark.parametrize("kind", KINDS)
def test_slices_and_sums_of_tables(kind):
    table = by_rows(KINDS[kind])
    top, bottom = slice_rows(table, slice(0, 2)), slice_rows(table, slice(2, 5))
    both = append_rows(top, bottom)
    assert as_lists(both) == NUMBERS.tolist()
    assert kind_of(both) == kind_of(table)
    assert count_rows(both) == 5


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("block_size", [1, 2, 5, 100])
@pytest.mark.parametrize("rows", [None, np.array([0, 2, 3])])
def test_scores_do_not_depend_on_blocks(kind, block_size, rows):
    sizes = []

    def score(block):
        sizes.append(count_rows(block))
        return np.array(as_lists(block)).sum(axis=1)

    table = by_rows(KINDS[kind])
    found = score_in_blocks(table, rows, 5, block_size, score)
    assert found.tolist() == NUMBERS[rows if rows is not None else slice(None)].sum(axis=1).tolist()
    assert max(sizes) <= block_size


def test_a_portion_is_random_rows_in_order():
    rows = portion(1000, 50, draws(3, 1))
    assert len(np.unique(rows)) == 50
    assert (np.diff(rows) > 0).all()
    assert rows.tolist() == portion(1000, 50, draws(3, 1)).tolist()
    assert rows.tolist() != portion(1000, 50, draws(3, 2)).tolist()
    assert portion(1000, None, draws(3, 1)) is None
    assert portion(1000, 1000, draws(3, 1)) is None
