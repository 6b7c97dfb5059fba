"""How sure a committee is about the rows of a pool (GAMBLE, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from frugalboost._checks import NamesItself, check_choice, check_int
from frugalboost._typing import Floats, Ints
from frugalboost.active.utilities import entropy, margin
from frugalboost.plots._axes import add_legend, line_style, open_axes
from frugalboost.plots._checks import as_floats, check_named

SCALES = ("log", "linear")
FILL = 0.4
"""Opacity: overlapping histograms all stay visible."""


class UtilityDisplay(NamesItself):
    """A histogram of utilities: how many rows are worth asking about.

    Parameters
    ----------
    utilities : dict of name to (n,) utilities, not negative
        For example, those of a whole pool and those of the rows that were queried. Infinite ones,
        which are ties, count in the last bin; the legend says how many there are.
    scale : {"log", "linear"}, default="log"
        Scale of the axis of utilities. Reciprocal margins spread over orders of magnitude. Zeros
        have no logarithm and count in the first bin.
    bins : int, default=30

    Attributes
    ----------
    counts : dict of name to (bins,) numbers of rows
    edges : (bins + 1,) array
    infinite : dict of name to number of infinite utilities
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    steps_ : dict of name to outline, after `plot`
    legend_ : legend, after `plot`; None for a single histogram

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> display = UtilityDisplay({"pool": [0.01, 0.02, 0.1, 1.0, float("inf")]}, bins=2)
    >>> display.counts["pool"].tolist(), display.edges.round(3).tolist()
    ([2, 3], [0.01, 0.1, 1.0])
    >>> display.plot(ax=Figure().subplots()).ax_.get_xscale()
    'log'
    """

    def __init__(self, utilities: Mapping[str, Any], scale: str = "log", bins: int = 30) -> None:
        named = check_named(utilities, name="utilities", of="histograms")
        values = {name: check_utilities(each, name) for name, each in named.items()}
        self.scale = check_choice(scale, SCALES, name="scale")
        self.edges = make_edges(
            np.concatenate(list(values.values())),
            self.scale,
            check_int(bins, name="bins", low=1),
        )
        self.counts = {name: count_in_bins(each, self.edges) for name, each in values.items()}
        self.infinite = {name: int(np.isinf(each).sum()) for name, each in values.items()}

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, utility: str = "margin", bins: int = 30
    ) -> UtilityDisplay:
        """Compute the utilities of rows for a fitted classifier.

        Parameters
        ----------
        model : fitted classifier, or ActiveLearner
            With `decision_function`, for margins, or `predict_proba`.
        X : rows without labels
        utility : {"margin", "entropy"}, default="margin"
            As for ActiveLearner.
        bins : as in the class
        """
        check_is_fitted(model)
        check_choice(utility, ("margin", "entropy"), name="utility")
        if utility == "entropy":
            return cls({"entropy": entropy(np.asarray(model.predict_proba(X)))}, "linear", bins)
        compute_scores = getattr(model, "decision_function", None) or model.predict_proba
        scores = np.asarray(compute_scores(X), dtype=np.float64)
        return cls({"margin": margin(scores)}, "log", bins)

    def plot(self, ax: Any = None, **kwargs: Any) -> UtilityDisplay:
        """Draw the histograms.

        Parameters
        ----------
        ax : matplotlib axes; None: a new figure's
        **kwargs : properties of every histogram, as for ``ax.stairs``

        Returns
        -------
        self
        """
        self.figure_, self.ax_ = open_axes(ax)
        self.steps_ = {}
        for index, (name, counts) in enumerate(self.counts.items()):
            style = {
                "color": line_style(index)["color"],
                "label": self._label(name),
                "fill": True,
                "alpha": FILL,
                **kwargs,
            }
            self.steps_[name] = self.ax_.stairs(counts, self.edges, **style)
        self.legend_ = add_legend(self.ax_, self.steps_)
        self.ax_.set(xlabel="utility", ylabel="rows", xscale=self.scale)
        return self

    def _label(self, name: str) -> str:
        n = self.infinite[name]
        return f"{name} ({n:,} infinite)" if n else name


def check_utilities(values: Any, name: str) -> Floats:
    array = as_floats(values)
    if array is None or array.ndim != 1 or not len(array) or not (array >= 0).all():
        raise ValueError(
            f"utilities[{name!r}] must be a list of at least one non-negative number; "
            f"got {values!r}."
        )
    return array


def make_edges(values: Floats, scale: str, bins: int) -> Floats:
    """Edges from the smallest to the largest finite number; if those are equal, around it."""
    shown = values[np.isfinite(values) & ((values > 0) | (scale == "linear"))]
    low, high = (float(shown.min()), float(shown.max())) if len(shown) else (1.0, 1.0)
    if scale == "log":
        if low == high:
            low, high = low / 2, high * 2
        return np.asarray(np.geomspace(low, high, bins + 1))
    return np.linspace(low, high if high > low else low + 1, bins + 1)


def count_in_bins(values: Floats, edges: Floats) -> Ints:
    """Like np.histogram, with what lies outside in the outermost bins."""
    places = np.searchsorted(edges[1:-1], values, side="right")
    return np.bincount(places, minlength=len(edges) - 1)
