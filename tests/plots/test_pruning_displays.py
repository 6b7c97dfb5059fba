"""The kappa-error diagram and the pruning curve."""

from __future__ import annotations

import numpy as np
import pytest
from plots_helpers import new_axes, points
from sklearn.datasets import load_iris

from frugalboost import BoostedTreesClassifier
from frugalboost.analysis import KappaError, kappa_error
from frugalboost.plots import KappaErrorDisplay, PruningCurveDisplay
from frugalboost.pruning import PruningCurve

VOTES = [[0, 0, 1, 1], [0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 0]]
LABELS = [0, 0, 1, 1]


def curve(errors=(0.25, 0.125, 0.1), whole=0.1):
    return PruningCurve(np.array([1, 5, 10]), np.array(errors), whole, 10)


def test_points_are_pairs_and_the_hull_is_closed():
    found = KappaError.from_votes(VOTES, LABELS)
    display = KappaErrorDisplay({"four": found}).plot(ax=new_axes())
    assert points(display.points_["four"]) == [list(found.kappa), list(found.error)]
    x, y = points(display.hulls_["four"])
    assert (x[0], y[0]) == (x[-1], y[-1])
    assert x[0] == min(found.kappa)
    corners = set(zip(x, y, strict=True))
    assert corners <= set(zip(found.kappa, found.error, strict=True))


def test_hulls_can_be_left_out():
    display = KappaErrorDisplay({"four": KappaError.from_votes(VOTES, LABELS)})
    assert display.plot(ax=new_axes(), hull=False).hulls_ == {}
    assert len(display.ax_.lines) == 1


def test_points_and_hull_of_an_ensemble_share_a_colour_of_their_own():
    found = KappaError.from_votes(VOTES, LABELS)
    display = KappaErrorDisplay({"one": found, "other": found}).plot(ax=new_axes())
    colours = {name: line.get_color() for name, line in display.points_.items()}
    assert colours == {name: line.get_color() for name, line in display.hulls_.items()}
    assert len(set(colours.values())) == 2


def test_diagrams_are_those_of_the_models():
    X, y = load_iris(return_X_y=True)
    models = {
        str(depth): BoostedTreesClassifier("adaboost", n_estimators=5, max_depth=depth).fit(X, y)
        for depth in (1, 2)
    }
    display = KappaErrorDisplay.from_estimators(models, X, y)
    for name, model in models.items():
        assert display.diagrams[name].kappa.tolist() == kappa_error(model, X, y).kappa.tolist()


def test_a_diagram_must_be_one():
    with pytest.raises(TypeError, match=r"^KappaErrorDisplay: diagrams\['a'\] must be a KappaErr"):
        KappaErrorDisplay({"a": [1.0]})
    with pytest.raises(ValueError, match="diagrams must be a dict with at least one entry"):
        KappaErrorDisplay({})


def test_relative_performance_is_one_for_the_whole_and_zero_for_a_single_tree():
    display = PruningCurveDisplay.from_curves({"kappa": curve()}, single_error=0.25)
    shares, values = display.curves["kappa"]
    assert shares.tolist() == [0.9, 0.5, 0.0]
    assert values[0] == 0.0
    assert values[2] == 1.0
    assert display.plot(ax=new_axes()).whole_line_.get_ydata()[0] == 1.0


def test_without_a_single_tree_errors_are_drawn_beside_that_of_the_whole():
    display = PruningCurveDisplay.from_curves({"kappa": curve()})
    assert display.measure == "error"
    assert display.curves["kappa"][1].tolist() == [0.25, 0.125, 0.1]
    assert display.plot(ax=new_axes()).whole_line_.get_ydata()[0] == 0.1


def test_no_single_line_for_several_wholes():
    both = {"a": curve(), "b": curve(whole=0.2)}
    assert PruningCurveDisplay.from_curves(both).plot(ax=new_axes()).whole_line_ is None


def test_an_ensemble_that_gains_nothing_has_no_relative_performance():
    display = PruningCurveDisplay.from_curves({"kappa": curve()}, single_error=0.1)
    assert np.isnan(display.curves["kappa"][1]).all()


@pytest.mark.parametrize(
    ("curves", "message"),
    [
        ({"a": 3}, r"curves\['a'\] must be a pair of shares and values; got 3"),
        ({"a": ([1.5], [1.0])}, r"shares of curves\['a'\] must be from 0 to 1; got \[1.5\]"),
        ({"a": ([0.5], [1.0, 2.0])}, r"values of curves\['a'\] must be 1 numbers"),
    ],
)
def test_bad_curves(curves, message):
    with pytest.raises(ValueError, match=f"^PruningCurveDisplay: {message}"):
        PruningCurveDisplay(curves)
