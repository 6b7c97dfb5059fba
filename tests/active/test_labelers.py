"""Any callable can be a labeler; what it returns is read or refused."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
import pytest

from frugalboost.active.labelers import INDEX_NAMES, Labeler

ROWS, INDICES = np.array([[1.0], [2.0], [3.0]]), np.array([7, 0, 4])


def answers_of(function, rows=ROWS, indices=INDICES):
    return list(Labeler(function)(rows, indices))


@pytest.mark.parametrize("name", sorted(INDEX_NAMES))
def test_names_that_take_row_numbers(name):
    function = eval(f"lambda {name}: [int(at) for at in {name}]")
    assert answers_of(function) == [7, 0, 4]


@pytest.mark.parametrize("name", ["X", "rows", "table", "batch"])
def test_any_other_name_takes_rows(name):
    assert answers_of(eval(f"lambda {name}: {name}[:, 0]")) == [1.0, 2.0, 3.0]


def test_both_in_any_order():
    assert answers_of(lambda X, indices: X[:, 0] + indices) == [8.0, 2.0, 7.0]
    assert answers_of(lambda indices, X: X[:, 0] + indices) == [8.0, 2.0, 7.0]


def test_defaults_are_left_alone():
    assert answers_of(lambda indices, scale=10: indices * scale) == [70, 0, 40]
    assert answers_of(lambda X=None: X[:, 0]) == [1.0, 2.0, 3.0]
    assert answers_of(functools.partial(lambda y, indices: y[indices], np.arange(8))) == [7, 0, 4]


class Oracle:
    def __call__(self, indices):
        return indices

    def rows(self, X):
        return X[:, 0]


def test_objects_methods_and_builtins():
    assert answers_of(Oracle()) == [7, 0, 4]
    assert answers_of(Oracle().rows) == [1.0, 2.0, 3.0]
    assert answers_of(len, rows=["a"], indices=np.array([0])) == [1]
    assert answers_of(lambda *tables: tables[0][:, 0]) == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    "found",
    [
        ["a", None, "b"],
        ("a", None, "b"),
        np.array(["a", None, "b"], dtype=object),
        pd.Series(["a", np.nan, "b"], index=[5, 5, 5]),
        iter(["a", None, "b"]),
    ],
)
def test_answers_of_every_kind(found):
    assert answers_of(lambda X: found) == ["a", None, "b"]


def test_none_skips_all():
    assert answers_of(lambda X: None) == [None, None, None]


@pytest.mark.parametrize("label", ["cat", 3, True, b"x", np.int64(3), np.array(3)])
def test_one_row_may_be_answered_by_a_label(label):
    assert answers_of(lambda X: label, ROWS[:1], INDICES[:1]) == [label]


@pytest.mark.parametrize(
    ("found", "got"),
    [
        ([], "0"),
        (["a", "b"], "2"),
        (["a"] * 4, "4"),
        ("cat", "'cat'"),
        (3, "3"),
        ({0: "a", 1: "b", 2: "c"}, "{0: 'a'"),
        ({"a", "b", "c"}, "{'"),
        (np.ones((3, 1)), r"an array of shape \(3, 1\)"),
        (iter(["a"]), "1"),
        (iter("abcd"), "more"),
    ],
)
def test_the_wrong_number_of_answers(found, got):
    message = rf"labeler must return one answer for each of the 3 rows.*; got {got}"
    with pytest.raises(ValueError, match=message):
        answers_of(lambda X: found)


def test_answers_come_one_by_one():
    said = []

    def one_by_one(indices):
        for index in indices:
            said.append(int(index))
            yield "x"

    stream = Labeler(one_by_one)(ROWS, INDICES)
    assert next(stream) == "x"
    assert said == [7]


@pytest.mark.parametrize("labeler", [None, "label", 3, [1, 2]])
def test_what_cannot_be_called(labeler):
    with pytest.raises(TypeError, match="labeler must be callable; got"):
        Labeler(labeler)


@pytest.mark.parametrize(
    "labeler", [lambda a, b, c: None, lambda indices, i: None, lambda X, rows: None]
)
def test_parameters_that_nobody_can_fill(labeler):
    with pytest.raises(TypeError, match="labeler must take rows"):
        Labeler(labeler)
