"""What pruning costs or gains, by how much is pruned (Ensemble pruning, figures 3 to 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from frugalboost._checks import check_real
from frugalboost._typing import Floats
from frugalboost.plots._checks import check_curves, check_named, check_numbers
from frugalboost.plots._lines import LinesDisplay
from frugalboost.pruning import PruningCurve

RELATIVE = "relative performance"


class PruningCurveDisplay(LinesDisplay):
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
        self.curves = check_curves(curves, "shares", "values", check_shares)
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

    def _points(self) -> dict[str, tuple[Floats, Floats]]:
        return self.curves

    def _style(self, index: int, name: str) -> dict[str, Any]:
        shares, _ = self.curves[name]
        return {"marker": "o" if len(shares) < 12 else ""}

    def _draw_others(self, kwargs: Mapping[str, Any]) -> None:
        self.whole_line_ = None
        if self.whole is not None:
            self.whole_line_ = self.ax_.axhline(self.whole, color="grey", linestyle="--")

    def _axes(self) -> dict[str, Any]:
        return {"xlabel": "share of the members pruned", "ylabel": self.measure}


def relative_performance(curve: PruningCurve, single_error: float) -> Floats:
    """``(single - error) / (single - whole)``; NaN if the whole gains nothing."""
    gain = single_error - curve.whole_error
    if gain == 0:
        return np.full(len(curve.errors), np.nan)
    return np.asarray((single_error - curve.errors) / gain)


def check_shares(values: Any, *, name: str) -> Floats:
    shares = check_numbers(values, name=name)
    if shares.min() < 0 or shares.max() > 1:
        raise ValueError(f"{name} must be from 0 to 1; got {values!r}.")
    return shares
