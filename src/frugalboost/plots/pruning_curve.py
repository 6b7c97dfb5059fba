"""What pruning costs or gains, by how much is pruned (Ensemble pruning, figures 3 to 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from frugalboost._checks import NamesItself, check_real
from frugalboost._typing import Floats
from frugalboost.plots._axes import add_legend, line_style, open_axes, with_style
from frugalboost.plots._checks import check_line, check_named, check_numbers
from frugalboost.pruning import PruningCurve

RELATIVE = "relative performance"


class PruningCurveDisplay(NamesItself):
    """Relative performance, or another measure, against the share of members pruned.

    Parameters
    ----------
    curves : dict of name to a pair of (n,) shares pruned, from 0 to 1, and (n,) values
        n may differ; a method that cannot choose how much to prune has one point.
    measure : what the values are, the label of their axis
    whole : number or None
        The value of whole ensembles, drawn as a horizontal dashed line; 1 for relative performance.

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : dict of name to line, after `plot`
    whole_line_ : line of the whole ensemble, after `plot`; None without one
    legend_ : legend, after `plot`; None for a single line

    Examples
    --------
    >>> curve = PruningCurve(np.array([1, 5, 10]), np.array([0.2, 0.125, 0.1]), 0.1, 10)
    >>> display = PruningCurveDisplay.from_curves({"kappa": curve}, single_error=0.2)
    >>> display.curves["kappa"]
    (array([0.9, 0.5, 0. ]), array([0.  , 0.75, 1.  ]))
    >>> from matplotlib.figure import Figure
    >>> display.plot(ax=Figure().subplots()).ax_.get_ylabel()
    'relative performance'
    """

    def __init__(
        self, curves: Mapping[str, Any], measure: str = RELATIVE, whole: float | None = None
    ) -> None:
        named = check_named(curves, name="curves", of="lines")
        self.curves = {name: check_curve(curve, name) for name, curve in named.items()}
        self.measure = measure
        if whole is None and measure == RELATIVE:
            whole = 1.0
        self.whole = None if whole is None else check_real(whole, name="whole")

    @classmethod
    def from_curves(
        cls, curves: Mapping[str, PruningCurve], single_error: float | None = None
    ) -> PruningCurveDisplay:
        """Take curves such as those of `PrunedEnsembleClassifier`.

        Parameters
        ----------
        curves : dict of name to PruningCurve
        single_error : error of a single tree, or None
            If given, values are the paper's relative performance: what is left of the gain of the
            whole ensemble over the single tree. Otherwise, they are errors.
        """
        named = check_named(curves, name="curves", of="PruningCurves")
        shares = {name: 1 - curve.n_estimators / curve.n_members for name, curve in named.items()}
        if single_error is None:
            whole = {curve.whole_error for curve in named.values()}
            return cls(
                {name: (shares[name], curve.errors) for name, curve in named.items()},
                "error",
                whole.pop() if len(whole) == 1 else None,
            )
        return cls(
            {
                name: (shares[name], relative_performance(curve, single_error))
                for name, curve in named.items()
            }
        )

    def plot(self, ax: Any = None, **kwargs: Any) -> PruningCurveDisplay:
        """Draw one line for each curve.

        Parameters
        ----------
        ax : matplotlib axes; None: a new figure's
        **kwargs : properties of every line, as for ``ax.plot``

        Returns
        -------
        self
        """
        self.figure_, self.ax_ = open_axes(ax)
        self.lines_ = {}
        for index, (name, (shares, values)) in enumerate(self.curves.items()):
            marker = "o" if len(shares) < 12 else ""
            defaults = {**line_style(index), "label": name, "marker": marker}
            (self.lines_[name],) = self.ax_.plot(shares, values, **with_style(kwargs, defaults))
        self.whole_line_ = None
        if self.whole is not None:
            self.whole_line_ = self.ax_.axhline(self.whole, color="grey", linestyle="--")
        self.legend_ = add_legend(self.ax_, self.lines_)
        self.ax_.set(xlabel="share of the members pruned", ylabel=self.measure)
        return self


def relative_performance(curve: PruningCurve, single_error: float) -> Floats:
    """``(single - error) / (single - whole)``; NaN if the whole gains nothing."""
    gain = single_error - curve.whole_error
    if gain == 0:
        return np.full(len(curve.errors), np.nan)
    return np.asarray((single_error - curve.errors) / gain)


def check_curve(curve: Any, name: str) -> tuple[Floats, Floats]:
    if not isinstance(curve, (tuple, list)) or len(curve) != 2:
        raise ValueError(f"curves[{name!r}] must be a pair of shares and values; got {curve!r}.")
    shares = check_numbers(curve[0], name=f"shares of curves[{name!r}]")
    if shares.min() < 0 or shares.max() > 1:
        raise ValueError(f"shares of curves[{name!r}] must be from 0 to 1; got {curve[0]!r}.")
    rule = {"name": f"values of curves[{name!r}]", "like": "its shares"}
    return shares, check_line(curve[1], len(shares), **rule)
