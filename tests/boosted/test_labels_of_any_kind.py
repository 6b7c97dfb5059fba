"""Labels may be anything that can be hashed; predictions are these labels."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

from frugalboost import BoostedTreesClassifier

X = np.arange(24.0)[:, np.newaxis]
CODES = np.repeat([0, 1, 2], 8)

KINDS = {
    "strings": ["b", "a", "c"],
    "numpy strings": list(np.array(["no", "yes", "maybe"])),
    "bytes": [b"x", b"y", b"z"],
    "integers": [-5, 7, 10**12],
    "floats that are integers": [0.0, 1.0, 5.0],
    "booleans": [True, False, True],
    "tuples of one length": [(1, 2), (0, 1), (1, 3)],
    "tuples of several lengths": [(1, 2), (), (1,)],
    "numbers and strings": [1, "1", "one"],
    "tuples and strings": [(1, 2), "12", "x"],
    "sets": [frozenset({1}), frozenset({2}), frozenset({1, 2})],
    "dates": [date(2020, 1, 1), date(2019, 1, 1), date(2021, 5, 5)],
    "fractions": [Fraction(1, 3), Fraction(1, 2), Fraction(2, 3)],
    "types": [int, str, float],
}


def as_list(names):
    return [names[code] for code in CODES]


def as_objects(names):
    return np.fromiter(as_list(names), dtype=object, count=len(CODES))


def fit(y):
    return BoostedTreesClassifier("adaboost", max_depth=2, n_estimators=3).fit(X, y)


@pytest.mark.parametrize("names", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("hold", [as_list, as_objects])
def test_predictions_are_the_labels_given(names, hold):
    model = fit(hold(names))
    expected = as_list(names)
    assert list(model.predict(X)) == expected
    assert len(model.classes_) == len(set(names))
    assert set(model.classes_.tolist()) == set(names)
    assert model.predict_proba(X).shape == (24, len(set(names)))


def test_objects_that_are_numbers_of_several_kinds():
    """A list of them would be an array of floats, and 2.5 not a class."""
    assert fit(as_objects([3, 2.5, Fraction(1, 2)])).classes_.tolist() == [0.5, 2.5, 3]


def test_classes_are_in_order_where_there_is_one():
    assert fit(as_list(["b", "a", "c"])).classes_.tolist() == ["a", "b", "c"]
    assert fit(as_list([(1, 2), (0, 1), (1, 3)])).classes_.tolist() == [(0, 1), (1, 2), (1, 3)]
    assert fit(as_objects([10, 9, -1])).classes_.tolist() == [-1, 9, 10]


def test_labels_that_do_not_compare_are_ordered_by_type_and_print():
    assert fit(as_list(["b", 2, 1])).classes_.tolist() == [1, 2, "b"]
    sets = [frozenset({2}), frozenset({1})]
    assert fit([sets[code % 2] for code in CODES]).classes_.tolist() == sets[::-1]


@pytest.mark.parametrize(
    "hold",
    [
        pd.Series,
        lambda y: pd.Series(y, dtype="category"),
        lambda y: pl.Series(y),
        lambda y: pd.Series(y, index=range(100, 124)),
    ],
    ids=["pandas", "pandas category", "polars", "pandas index"],
)
def test_series_of_labels(hold):
    y = as_list(["b", "a", "c"])
    assert fit(hold(y)).predict(X).tolist() == y


def test_a_column_of_labels_is_taken_with_a_warning():
    with pytest.warns(Warning, match="column-vector y was passed"):
        model = fit(CODES[:, np.newaxis])
    assert (model.predict(X) == CODES).all()


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.where(CODES, 1.0, np.nan), "y must not contain missing labels"),
        (np.where(CODES, 1.0, np.inf), "y must not contain missing labels.*infinity"),
        (as_list([None, "a", "b"]), "y must not contain missing labels"),
        (as_objects([float("nan"), 1, 2]), "y must not contain missing labels"),
        (pd.Series(as_list([1, 2, pd.NA]), dtype="Int64"), "y must not contain missing labels"),
        (X[:, 0] / 7, "Unknown label type: continuous"),
        (None, "y must hold a label for each row; got None"),
        (np.zeros(24), "y must hold at least two classes; got 1 class, "),
        (np.zeros((24, 2)), r"y should be a 1d array, got an array of shape \(24, 2\)"),
    ],
    ids=["nan", "inf", "None", "object nan", "NA", "continuous", "no y", "one class", "matrix"],
)
def test_labels_that_are_none(y, message):
    with pytest.raises(ValueError, match=message):
        fit(y)


def test_labels_that_cannot_be_hashed():
    with pytest.raises(TypeError, match="BoostedTreesClassifier: y must hold hashable labels"):
        fit(as_list([{}, {1: 2}, {3: 4}]))
