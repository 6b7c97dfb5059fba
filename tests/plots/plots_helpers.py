"""Axes that need no window, and one display of each kind."""

from __future__ import annotations

import numpy as np
import pytest

from frugalboost import plots
from frugalboost.analysis import KappaError, QuickSweep


def new_axes():
    return pytest.importorskip("matplotlib.figure").Figure().subplots()


def points(line):
    return [list(values) for values in line.get_data()]


def two_members(n_agree):
    return KappaError.from_votes([[0, 1, 0, 1], [0, 1, 0, n_agree % 2]], [0, 1, 1, 1])


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
        plots.PruningCurveDisplay({"one": ([0.5, 0.25], [0.5, 1.0]), "other": ([0.5], [0.75])}),
    ]
