"""Gains as bars, and the map of the quick search."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from plots_helpers import new_axes
from sklearn.datasets import load_breast_cancer

from frugalboost import BoostedTreesClassifier
from frugalboost.analysis import QuickSweep, quick_sweep
from frugalboost.plots import GainDisplay, QuickSweepDisplay


def test_gains_are_bars_in_groups():
    gains = {"none": {"faces": 8.0, "digits": 4.25}, "trim": {"digits": 1.5, "adult": 0.5}}
    display = GainDisplay(gains).plot(ax=new_axes())
    heights = {data: [bar.get_height() for bar in bars] for data, bars in display.bars_.items()}
    assert heights == {"faces": [8.0], "digits": [4.25, 1.5], "adult": [0.5]}
    assert list(display.line_.get_ydata()) == [1.0, 1.0]
    assert [text.get_text() for text in display.ax_.texts] == ["8.0", "4.2", "1.5", "0.5"]
    ticks = dict(zip(display.ax_.get_xticks(), display.ax_.get_xticklabels(), strict=True))
    assert {place: label.get_text() for place, label in ticks.items()} == {0: "none", 1: "trim"}


def test_bars_stay_in_their_group_and_apart():
    gains = {name: {"a": 1.0, "b": 2.0, "c": 3.0} for name in ["none", "lazy", "trim"]}
    display = GainDisplay(gains).plot(ax=new_axes())
    bars = sorted((bar for bars in display.bars_.values() for bar in bars), key=lambda b: b.get_x())
    assert [bar.get_height() for bar in bars] == [1.0, 2.0, 3.0] * 3
    for at, (bar, after) in enumerate(pairwise(bars)):
        assert bar.get_x() + bar.get_width() <= after.get_x() + 1e-12
        assert abs(bar.get_x() + bar.get_width() / 2 - at // 3) < 0.5


def test_map_shows_the_sweep():
    shares = np.array([[0.5, 0.4, 0.45], [0.6, 0.7, 0.25]])
    sweep = QuickSweep(np.array([0.5, 0.95]), np.array([1, 5, 20]), shares)
    display = QuickSweepDisplay(sweep).plot(ax=new_axes(), values_format=".2f")
    assert display.image_.get_array().tolist() == shares.tolist()
    written = [[text.get_text() for text in row] for row in display.text_]
    assert written == [["0.50", "0.40", "0.45"], ["0.60", "0.70", "0.25"]]
    assert all(
        display.text_[row, column].get_position() == (column, row)
        for row, column in np.ndindex(shares.shape)
    )
    # The frame is around the cell of 0.25: the second row, the third column.
    box = display.frame_.get_bbox()
    assert (box.x0, box.x1, box.y0, box.y1) == (1.5, 2.5, 0.5, 1.5)
    assert sweep.best == (0.95, 20)
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["1", "5", "20"]
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == ["0.5", "0.95"]
    assert display.colorbar_ is not None
    assert QuickSweepDisplay(sweep).plot(ax=new_axes(), colorbar=False).colorbar_ is None


def test_map_of_a_model_is_that_of_its_sweep():
    X, y = load_breast_cancer(return_X_y=True)
    model = BoostedTreesClassifier("adaboost", n_estimators=3, max_depth=1)
    masses, steps, seen = [0.5, 0.9], [1, 10], []
    display = QuickSweepDisplay.from_estimator(
        model, X, y, masses, steps, on_fit=lambda *pair: seen.append(pair)
    )
    expected = quick_sweep(model, X, y, masses, steps)
    assert display.sweep.shares.tolist() == expected.shares.tolist()
    assert seen == [(0.5, 1), (0.5, 10), (0.9, 1), (0.9, 10)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GainDisplay({}), "gains must be a dict"),
        (lambda: GainDisplay({"none": {}}), r"gains\['none'\] must be a dict"),
        (
            lambda: GainDisplay({"none": {"faces": 0.0}}),
            r"gains\['none'\]\['faces'\] must be a finite number in \(0.0, inf\); got 0.0",
        ),
        (lambda: QuickSweepDisplay([[0.5]]), r"sweep must be a QuickSweep; got \[\[0.5\]\]"),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises((ValueError, TypeError), match=rf"^\w+Display: {message}"):
        make()
