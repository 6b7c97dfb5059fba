"""Axes that need no window, and one display of each kind."""

from __future__ import annotations

import numpy as np
import pytest

from frugalboost import plots
from frugalboost.analysis import KappaError, QuickSweep
from frugalboost.tree import FlatTree


def new_axes():
    return pytest.importorskip("matplotlib.figure").Figure().subplots()


def points(line):
    return [list(values) for values in line.get_data()]


def two_members(n_agree):
    return KappaError.from_votes([[0, 1, 0, 1], [0, 1, 0, n_agree % 2]], [0, 1, 1, 1])


def stump():
    """Feature 1 at 2.5: 30 rows on the left, 70 on the right."""
    return FlatTree(
        feature=np.array([1, -1, -1], np.int32),
        threshold=np.array([2.5, np.nan, np.nan]),
        left=np.array([1, -1, -1], np.int32),
        right=np.array([2, -1, -1], np.int32),
        missing_left=np.array([0, 0, 0], np.uint8),
        category_start=np.full(3, -1, np.int32),
        n_categories=np.zeros(3, np.int32),
        category_words=np.zeros(0, np.uint64),
        value=np.array([[0.0], [-1.0], [0.5]]),
        gain=np.array([0.25, 0.0, 0.0]),
        n_samples=np.array([100, 30, 70]),
        n_features=2,
    )


def one_of_each():
    two = {"one": [0.25, 0.5], "other": [0.125, 1.0]}
    return [
        plots.SubsetMassDisplay([0.5, 1.0], two),
        plots.PreliminaryErrorsDisplay([0.5, 1.0], [[0.1, 0.4], [0.2, 0.3]]),
        plots.AmongBestDisplay([0.5, 1.0], two),
        plots.QuickSweepDisplay(
            QuickSweep(np.array([0.5, 0.9]), np.array([1, 5]), np.array([[0.5, 0.4], [0.3, 0.6]]))
        ),
        plots.AssessmentsDisplay({"one": [3, 4], "other": [1, 1, 1]}),
        plots.GapDisplay([1, 11], two),
        plots.CostErrorDisplay({"one": ([1, 2], [0.5, 0.25]), "other": ([3, 4], [0.5, 0.125])}),
        plots.RoundsDisplay({"one": ([1, 2], [0.5, 0.25])}, "loss", baselines={"other": 0.375}),
        plots.GainDisplay({"none": {"faces": 2.0, "digits": 3.0}}),
        plots.LabelCurveDisplay({"one": ([10, 20], [[0.5, 0.25], [0.75, 0.5]])}, {"other": 0.25}),
        plots.UtilityDisplay(two),
        plots.CommitteeConfusionDisplay([[3, 1], [0, 2]], ["one", "other"]),
        plots.KappaErrorDisplay({"one": two_members(1), "other": two_members(2)}),
        plots.CalibrationDisplay([0.25, 0.75], [False, True]),
        plots.PredictionsDisplay([1.0, 2.0, 3.0], [1.5, 2.0, 2.5]),
        plots.ImportancesDisplay([0.25, 0.75], ["one", "other"]),
        plots.LearningCurveDisplay({"one": [0.5, 0.25], "other": [0.75, 0.5, 0.625]}),
        plots.MarginsDisplay({"one": [0.5, -0.25], "other": [0.75, 0.25]}),
        plots.TransformDisplay({"one": ([-1.0, 1.0], [-2.0, 2.0]), "other": ([0.5], [1.0])}),
        plots.TreeDisplay(stump()),
        plots.PruningCurveDisplay({"one": ([0.5, 0.25], [0.5, 1.0]), "other": ([0.5], [0.75])}),
    ]
