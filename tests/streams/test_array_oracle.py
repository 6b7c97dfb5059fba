"""Oracles of tables in memory: kinds of tables, orders, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from streams_helpers import take

from frugalboost.streams import ArrayOracle

X = np.arange(12).reshape(6, 2)
Y = np.array(list("ababab"))


@pytest.mark.parametrize("dtype", ["i1", "u2", ">i4", "f4", "f8", "?", "O"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shuffle", [True, False])
def test_arrays_keep_their_dtype(dtype, order, shuffle):
    table = np.array(X, dtype=dtype, order=order)
    batch = ArrayOracle(table, Y, shuffle=shuffle, random_state=0).draw(4)
    assert batch.X.dtype == table.dtype
    assert batch.X.flags.c_contiguous or not shuffle
    assert np.array_equal(batch.X, table[batch.rows])


def test_an_array_in_order_is_not_copied():
    oracle = ArrayOracle(X, Y, shuffle=False)
    assert np.shares_memory(oracle.draw(3).X, X)


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (sparse.csc_matrix(X), sparse.csr_matrix),
        (sparse.coo_array(X), sparse.csr_array),
        (pd.DataFrame(X, columns=["a", "b"], index=[0.5, 1, 2, 3, 4, 5]), pd.DataFrame),
        (pl.DataFrame(X, schema=["a", "b"]), pl.DataFrame),
        (pa.table({"a": X[:, 0], "b": X[:, 1]}), pa.Table),
    ],
    ids=lambda value: type(value).__module__.partition(".")[0],
)
@pytest.mark.parametrize("shuffle", [True, False])
def test_other_tables_stay_what_they_are(table, kind, shuffle):
    oracle = ArrayOracle(table, Y, shuffle=shuffle, random_state=1)
    for _ in range(3):
        batch = oracle.draw(4)
        assert isinstance(batch.X, kind)
        dense = batch.X.toarray() if sparse.issparse(batch.X) else np.asarray(batch.X)
        assert np.array_equal(dense, X[batch.rows])
    if not sparse.issparse(table):
        assert oracle.feature_names.tolist() == ["a", "b"]


def test_labels_of_several_types_are_kept():
    labels = ["a", 1, (2, 3), "a", 1, 2.5]
    oracle = ArrayOracle(X, labels, shuffle=False)
    assert oracle.draw(6).y.tolist() == labels
    assert set(oracle.classes) == set(labels)
    assert ArrayOracle(X, pd.Series(labels)).classes.tolist() == oracle.classes.tolist()


def test_classes_are_in_order():
    assert ArrayOracle(X, Y).classes.tolist() == ["a", "b"]
    assert ArrayOracle(X, [3, 1, 2, 1, 1, 1]).classes.tolist() == [1, 2, 3]


def test_every_epoch_has_the_same_order_and_draws_with_replacement_have_their_own():
    X, y = np.arange(100).reshape(-1, 1), np.zeros(100)
    oracle = ArrayOracle(X, y, random_state=0)
    first, second = take(oracle, 100), take(oracle, 100)
    assert first == second
    assert first != sorted(first)
    oracle = ArrayOracle(X, y, random_state=0, replace=True)
    assert take(oracle, 100) != take(oracle, 100)


def test_draws_with_replacement_are_uniform_and_independent():
    n = 40
    oracle = ArrayOracle(np.arange(n).reshape(-1, 1), np.zeros(n), replace=True, random_state=5)
    rows = np.concatenate([oracle.draw(1000).rows for _ in range(1000)])
    assert len(rows) == 40_000
    # Chi-squared with 39 and with 1599 degrees of freedom: below these with probability 0.9999.
    singles = np.bincount(rows, minlength=n)
    assert ((singles - 1000) ** 2 / 1000).sum() < 85
    pairs = np.bincount(rows[:-1] * n + rows[1:], minlength=n * n)
    assert ((pairs - 25) ** 2 / 25).sum() < 1820


def test_the_seed_is_the_order():
    same = [take(ArrayOracle(X, Y, random_state=4), 20) for _ in range(2)]
    assert same[0] == same[1]
    assert take(ArrayOracle(X, Y, random_state=5), 20) != same[0]
    for make in (np.random.default_rng, np.random.RandomState):
        runs = [take(ArrayOracle(X, Y, random_state=make(1)), 20) for _ in range(2)]
        assert runs[0] == runs[1]
    any_order = ArrayOracle(X, Y)
    other = ArrayOracle(X, Y)
    other.restore(any_order.state())
    assert take(other, 20) == take(any_order, 20)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X, Y[:5]), "y must have one label for each of the 6 rows of X; got 5"),
        ((X[:0], Y[:0]), "X must have at least one row; got none"),
        ((X[0], Y[:2]), "X must have two dimensions; got 1"),
        ((X, X), "y must have one dimension; got 2"),
        (([[1], [2, 3]], [0, 1]), "X must have rows of equal length"),
        ((X, [0, 1, np.nan, 1, 0, 1]), "y must not contain missing labels; got nan in row 2 "),
        (
            (X, ["a", "b", "a", None, "b", "a"]),
            "y must not contain missing labels; got None in row 3 ",
        ),
        (
            (X, pd.array([1, pd.NA, 1, 1, 1, 1])),
            "y must not contain missing labels; got (nan|<NA>) in row 1 ",
        ),
    ],
)
def test_what_does_not_fit_is_said(arguments, message):
    with pytest.raises(ValueError, match=rf"^ArrayOracle: {message}"):
        ArrayOracle(*arguments)


@pytest.mark.parametrize("value", [-1, 1.5, "0", True])
def test_random_state_must_be_one(value):
    with pytest.raises(ValueError, match=r"^ArrayOracle: random_state must be None, an integer"):
        ArrayOracle(X, Y, random_state=value)
