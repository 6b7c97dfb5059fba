"""Oracles of Python iterables: rows, batches, sources that begin again, and broken ones."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from streams_helpers import N_ROWS, batches, small_table, take

from frugalboost.streams import IterableOracle


def test_batches_are_handed_on_without_a_copy():
    source = batches(size=10)
    oracle = IterableOracle(source)
    assert oracle.draw(10).X is source[0][0]
    assert np.shares_memory(oracle.draw(4).X, source[1][0])
    assert len(oracle.draw(10).y) == 6


def test_nothing_is_read_ahead():
    seen = []

    def rows():
        for number in itertools.count():
            seen.append(number)
            yield [number], number % 2

    oracle = IterableOracle(rows())
    assert seen == []
    assert oracle.draw(3).X.tolist() == [[0], [1], [2]]
    assert seen == [0, 1, 2]


def test_frames_and_sparse_matrices_and_empty_batches():
    X, y = small_table()
    frame = pd.DataFrame(X, columns=["a", "b"])
    oracle = IterableOracle([(frame[:0], y[:0]), (frame, y)])
    assert isinstance(oracle.draw(5).X, pd.DataFrame)
    assert oracle.feature_names.tolist() == ["a", "b"]
    oracle = IterableOracle([(sparse.csc_array(X), y)])
    assert np.array_equal(oracle.draw(5).X.toarray(), X[:5])


def test_rows_with_text_become_objects():
    batch = IterableOracle([([1, "a"], "x"), ([2, "b"], "y")]).draw(5)
    assert batch.X.tolist() == [[1, "a"], [2, "b"]]
    assert batch.y.tolist() == ["x", "y"]


def test_row_numbers_are_passed_on():
    X, y = small_table()
    oracle = IterableOracle([(X, y, np.arange(100, 100 + N_ROWS))])
    assert oracle.draw(3).rows.tolist() == [100, 101, 102]
    assert oracle.draw(3).rows.tolist() == [103, 104, 105]


def test_a_function_begins_again():
    oracle = IterableOracle(lambda: iter(batches()), recycle=True)
    rows = take(IterableOracle(batches()), N_ROWS)
    assert len(rows) == N_ROWS
    assert take(oracle, N_ROWS) == rows
    assert take(oracle, N_ROWS) == rows


def test_a_new_generator_goes_on_from_a_state():
    first = IterableOracle(iter(batches()))
    take(first, 12)
    second = IterableOracle(iter(batches()))
    second.restore(first.state())
    assert take(second, N_ROWS) == take(first, N_ROWS)


def test_a_generator_that_was_read_cannot_go_back():
    oracle = IterableOracle(iter(batches()))
    take(oracle, 12)
    with pytest.raises(ValueError, match=r"source must be restartable; .* has yielded 2 items\. "):
        oracle.restore(oracle.state())
    assert take(oracle, N_ROWS) == take(IterableOracle(batches()), N_ROWS)[12:]


@pytest.mark.parametrize(
    ("source", "is_restartable"),
    [(batches(), True), (batches, True), (iter(batches()), False)],
)
def test_whether_a_source_can_be_read_again_is_known_before_it_is_read(source, is_restartable):
    assert IterableOracle(source).is_restartable == is_restartable


def test_a_source_shorter_than_the_state_is_refused():
    first = IterableOracle(batches())
    take(first, 30)
    with pytest.raises(ValueError, match=r"source must yield the 30 examples of .*; got 14\."):
        IterableOracle(batches()[:2]).restore(first.state())


def test_a_generator_cannot_be_recycled():
    with pytest.raises(ValueError, match=r"source must be a function or .* got list_iterator\."):
        IterableOracle(iter(batches()), recycle=True)


def test_no_source_at_all():
    with pytest.raises(TypeError, match=r"^IterableOracle: source must be an iterable or .* got 3"):
        IterableOracle(3)
    with pytest.raises(ValueError, match=r"there must be at least one example; got none"):
        IterableOracle([], recycle=True).draw(1)


X, Y = small_table(6)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([(X, Y), (X[:, :1], Y)], r"X must have 2 columns, .*; got 1 in example 6 "),
        ([([1, 2], 0), ([1, 2, 3], 1)], r"X must have 2 columns, .*; got 3 in example 1 "),
        ([(X, Y), (X, Y[:4])], r"y must have one label for each of the 6 rows of X; got 4 in bat"),
        ([(X, Y), (X, [0, 1, None, 1, 1, 1])], r"missing labels; got None in example 8 "),
        ([([1.0], 0.0), ([1.0], np.nan)], r"missing labels; got nan in example 1 "),
        ([([[1, 2], [3]], [0, 1])], r"X must have rows of equal length"),
        ([(X, Y), X], r"source must yield pairs \(X, y\); got ndarray as item 1 "),
        ([([1, 2], 0), (X, Y)], r"rows only, or batches only; got a batch after example 0 "),
    ],
)
def test_what_does_not_fit_is_said_and_stays_said(source, message):
    oracle = IterableOracle(iter(source))
    with pytest.raises(ValueError, match=rf"^IterableOracle: .*{message}"):
        take(oracle, 100)
    with pytest.raises(ValueError, match=r"^IterableOracle: source failed at example \d+ "):
        oracle.draw(1)


def test_errors_of_the_source_are_its_own():
    def source():
        yield X, Y
        raise ConnectionError("the line is dead")

    oracle = IterableOracle(source, recycle=True)
    assert len(oracle.draw(6).y) == 6
    with pytest.raises(ConnectionError, match="the line is dead"):
        oracle.draw(1)
    with pytest.raises(ValueError, match=r"source failed at example 6 "):
        oracle.draw(1)
    oracle.restore(oracle.state() | {"position": 2, "n_given": 2})
    assert oracle.draw(1).X.tolist() == X[2:3].tolist()
