"""GAMBLE's transform of a regression to a weak learner (figure 1)."""

from __future__ import annotations

import numpy as np
import pytest
from plots_helpers import new_axes, points

from frugalboost.plots import TransformDisplay
from frugalboost.reference.gamble import squared_response, weak_learner


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_lines_are_the_papers_weak_learner(n_classes):
    display = TransformDisplay.from_classes([n_classes], n_points=9)
    means, values = display.curves[f"K = {n_classes}"]
    # Any codes that sum to zero: one class has a mean of the line, the others share the rest.
    others = np.repeat(-means[:, np.newaxis] / (n_classes - 1), n_classes - 1, axis=1)
    codes = np.hstack([means[:, np.newaxis], others])
    ratios = n_classes * codes / squared_response(codes)
    np.testing.assert_allclose(values, ratios[:, 0], rtol=1e-13, atol=1e-13)
    centred = weak_learner(codes, squared_response(codes))
    np.testing.assert_allclose(values - ratios.mean(axis=1), centred[:, 0], atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3, 10])
def test_lines_end_where_result_3_says(n_classes):
    means, values = TransformDisplay.from_classes([n_classes]).curves[f"K = {n_classes}"]
    assert (means[0], means[-1]) == (-1 / (n_classes - 1), 1.0)
    ends = [-n_classes * (n_classes - 1), n_classes]
    np.testing.assert_allclose(values[[0, -1]], ends, rtol=1e-12)


def test_each_number_of_classes_has_a_line():
    display = TransformDisplay.from_classes([2, 4], n_points=3).plot(ax=new_axes())
    assert list(display.lines_) == ["K = 2", "K = 4"]
    assert points(display.lines_["K = 2"]) == [[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0]]
    assert [text.get_text() for text in display.legend_.get_texts()] == ["K = 2", "K = 4"]


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"TransformDisplay: n_classes must be"):
        TransformDisplay.from_classes([1])
    with pytest.raises(ValueError, match=r"TransformDisplay: n_points must be"):
        TransformDisplay.from_classes(n_points=1)
    with pytest.raises(ValueError, match=r"TransformDisplay: curves\['a'\] must be a pair"):
        TransformDisplay({"a": [1.0]})
    with pytest.raises(ValueError, match=r"values of curves\['a'\] must be 2 numbers"):
        TransformDisplay({"a": ([0.0, 1.0], [1.0])})
