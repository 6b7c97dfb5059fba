"""What holds for all displays: axes, colours, legends, names of the artists."""

from __future__ import annotations

import numpy as np
import pytest
from plots_helpers import new_axes, one_of_each, points, two_members

from frugalboost import plots
from frugalboost.analysis import QuickSweep
from frugalboost.plots._axes import COLOURS, line_style

every_display = pytest.mark.parametrize(
    "display", one_of_each(), ids=[type(display).__name__ for display in one_of_each()]
)


@pytest.fixture(name="pyplot")
def pyplot_without_windows():
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def test_all_displays_are_tested():
    assert sorted(type(display).__name__ for display in one_of_each()) == sorted(plots.__all__)


@every_display
def test_draws_on_the_axes_given(display):
    ax = new_axes()
    assert display.plot(ax=ax) is display
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    assert ax.get_ylabel()
    ax.figure.canvas.draw()


@every_display
def test_opens_a_figure_of_its_own(display, pyplot):
    before = pyplot.get_fignums()
    display.plot()
    (number,) = set(pyplot.get_fignums()) - set(before)
    assert display.figure_ is pyplot.figure(number)
    assert display.ax_ in display.figure_.axes


@every_display
def test_nothing_is_drawn_before_it_is_asked_for(display):
    fresh = next(new for new in one_of_each() if type(new) is type(display))
    assert [name for name in vars(fresh) if name.endswith("_")] == []


WITHOUT_LINES = (
    plots.QuickSweepDisplay,
    plots.CommitteeConfusionDisplay,
    plots.ImportancesDisplay,
    plots.TreeDisplay,
)


@every_display
def test_several_lines_have_a_legend(display):
    display.plot(ax=new_axes())
    if isinstance(display, WITHOUT_LINES):
        assert display.ax_.get_legend() is None
    else:
        assert len(display.legend_.get_texts()) == 2
        assert display.ax_.get_legend() is display.legend_


@pytest.mark.parametrize(
    "display",
    [
        plots.SubsetMassDisplay([1.0], {"one": [1.0]}),
        plots.PreliminaryErrorsDisplay([0.5, 1.0], [[0.1, 0.3], [0.2, 0.4]]),
        plots.AmongBestDisplay([1.0], {"one": [1.0]}),
        plots.AssessmentsDisplay({"one": [1.0]}),
        plots.GapDisplay([1], {"one": [1.0]}),
        plots.CostErrorDisplay({"one": ([1], [0.5])}),
        plots.RoundsDisplay({"one": ([1], [0.5])}),
        plots.GainDisplay({"none": {"faces": 2.0}, "trim": {"faces": 1.0}}),
        plots.LabelCurveDisplay({"one": ([1], [0.5])}),
        plots.UtilityDisplay({"one": [0.5]}),
        plots.KappaErrorDisplay({"one": two_members(1)}),
        plots.PruningCurveDisplay({"one": ([0.5], [1.0])}),
        plots.LearningCurveDisplay({"one": [0.5]}),
        plots.MarginsDisplay({"one": [0.5]}),
        plots.TransformDisplay({"one": ([0.5], [1.0])}),
    ],
    ids=lambda display: type(display).__name__,
)
def test_one_line_has_no_legend(display):
    assert display.plot(ax=new_axes()).legend_ is None
    assert display.ax_.get_legend() is None


@pytest.mark.parametrize("options", [{"linewidth": 7.0, "color": "red"}, {"lw": 7.0, "c": "red"}])
@pytest.mark.parametrize(
    "name",
    [
        "SubsetMassDisplay",
        "AmongBestDisplay",
        "AssessmentsDisplay",
        "GapDisplay",
        "CostErrorDisplay",
        "RoundsDisplay",
        "LabelCurveDisplay",
        "PruningCurveDisplay",
        "LearningCurveDisplay",
        "MarginsDisplay",
        "TransformDisplay",
    ],
)
def test_properties_of_lines_can_be_chosen(name, options):
    display = next(new for new in one_of_each() if type(new).__name__ == name)
    lines = display.plot(ax=new_axes(), **options).lines_
    assert len(lines) == 2
    for line in lines.values():
        assert (line.get_linewidth(), line.get_color()) == (7.0, "red")


def test_properties_of_bars_and_maps_can_be_chosen():
    gain = plots.GainDisplay({"none": {"faces": 2.0}}).plot(ax=new_axes(), color="red", width=0.5)
    assert gain.bars_["faces"][0].get_facecolor() == (1.0, 0.0, 0.0, 1.0)
    assert gain.bars_["faces"][0].get_width() == 0.5
    sweep = QuickSweep(np.array([0.5]), np.array([1]), np.array([[0.5]]))
    heat = plots.QuickSweepDisplay(sweep).plot(ax=new_axes(), cmap="viridis", vmin=0.0)
    assert (heat.image_.cmap.name, heat.image_.get_clim()[0]) == ("viridis", 0.0)


def test_properties_of_lesser_features_can_be_chosen():
    errors = [[0.1, 0.2], [0.2, 0.3]]
    lines = plots.PreliminaryErrorsDisplay([0.5, 1.0], errors).plot(ax=new_axes(), lw=0.25).lines_
    assert lines[1].get_linewidth() == 0.25
    assert lines[0].get_linewidth() > 1


def test_more_lines_than_colours_can_be_told_apart():
    n = 2 * len(COLOURS) + 1
    shown = [tuple(line_style(index).values()) for index in range(n)]
    assert len(set(shown)) == n
    masses = {str(index): [index / n] for index in range(n)}
    lines = plots.SubsetMassDisplay([1.0], masses).plot(ax=new_axes()).lines_
    assert [points(line) for line in lines.values()] == [[[1.0], [index / n]] for index in range(n)]
    assert [(line.get_color(), line.get_linestyle()) for line in lines.values()] == shown
