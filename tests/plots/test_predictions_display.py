"""Predictions beside true values: points are rows, the line is of all of them."""

from __future__ import annotations

import numpy as np
import pytest
from plots_helpers import new_axes, points
from sklearn.datasets import load_diabetes

from frugalboost import BoostedTreesRegressor
from frugalboost.plots import PredictionsDisplay


@pytest.fixture(scope="module", name="diabetes")
def a_regressor():
    X, y = load_diabetes(return_X_y=True)
    return BoostedTreesRegressor(n_estimators=20).fit(X[::2], y[::2]), X[1::2], y[1::2]


def test_points_are_rows(diabetes):
    model, X, y = diabetes
    display = PredictionsDisplay.from_estimator(model, X, y).plot(ax=new_axes())
    assert points(display.points_) == [model.predict(X).tolist(), y.tolist()]
    low, high = points(display.diagonal_)
    assert low == high  # x is y
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("prediction", "true value")


def test_the_line_has_the_means_of_tenths(diabetes):
    model, X, y = diabetes
    display = PredictionsDisplay.from_estimator(model, X, y).plot(ax=new_axes())
    said, true = points(display.line_)
    order = np.argsort(model.predict(X), kind="stable")
    ends = np.cumsum(display.counts)
    parts = np.split(order, ends[:-1])
    assert said == pytest.approx([model.predict(X)[rows].mean() for rows in parts])
    assert true == pytest.approx([y[rows].mean() for rows in parts])
    assert ends[-1] == len(y)
    assert display.counts.max() - display.counts.min() <= 2


def test_of_many_rows_some_are_drawn_and_all_are_averaged(diabetes):
    few = PredictionsDisplay.from_estimator(*diabetes, max_points=7).plot(ax=new_axes())
    all_rows = PredictionsDisplay.from_estimator(*diabetes).plot(ax=new_axes())
    drawn, rows = (set(zip(*points(each.points_), strict=True)) for each in (few, all_rows))
    assert len(drawn) == 7
    assert drawn < rows
    assert points(few.line_) == points(all_rows.line_)


def test_weights_count_for_means():
    display = PredictionsDisplay([1, 3, 8, 9], [0, 4, 5, 7], n_bins=2, sample_weight=[3, 1, 0, 2])
    assert display.mean_said.tolist() == [1.5, 9.0]
    assert display.mean_true.tolist() == [1.0, 7.0]
    assert display.counts.tolist() == [2, 2]


def test_predictions_that_are_all_the_same():
    display = PredictionsDisplay([2, 2], [1, 5]).plot(ax=new_axes())
    assert points(display.line_) == [[2.0], [3.0]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PredictionsDisplay([], []), "predictions must be a list of finite numbers"),
        (lambda: PredictionsDisplay([1], [1, 2]), "true_values must be 1 numbers, as many as"),
        (lambda: PredictionsDisplay([1], [np.nan]), "true_values must be a list of finite"),
        (lambda: PredictionsDisplay([1], [1], n_bins=0), "n_bins must be"),
        (lambda: PredictionsDisplay([1], [1], max_points=0), "max_points must be"),
        (lambda: PredictionsDisplay([1], [1], sample_weight=[-1]), "sample_weight must be"),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises(ValueError, match=f"^PredictionsDisplay: {message}"):
        make()
