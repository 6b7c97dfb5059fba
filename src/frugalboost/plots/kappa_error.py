"""How much members agree, and how good they are (Ensemble pruning, figure 1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from frugalboost._checks import NamesItself
from frugalboost._typing import Floats
from frugalboost.analysis import KappaError, kappa_error
from frugalboost.plots._axes import COLOURS, add_legend, open_axes, with_style
from frugalboost.plots._checks import check_named


class KappaErrorDisplay(NamesItself):
    """A point for each pair of members: kappa against the mean of their errors.

    Parameters
    ----------
    diagrams : dict of name to KappaError, as `analysis.kappa_error` returns them

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    points_ : dict of name to points, after `plot`
    hulls_ : dict of name to the line around the points, after `plot`; empty without hulls
    legend_ : legend, after `plot`; None for a single ensemble

    Examples
    --------
    >>> diagram = KappaError.from_votes([[0, 0, 1, 1], [0, 1, 1, 1], [1, 0, 1, 1]], [0, 0, 1, 1])
    >>> display = KappaErrorDisplay({"three": diagram})
    >>> from matplotlib.figure import Figure
    >>> display.plot(ax=Figure().subplots()).points_["three"].get_xdata().round(2)
    array([ 0.5 ,  0.5 , -0.33])
    """

    def __init__(self, diagrams: Mapping[str, KappaError]) -> None:
        self.diagrams = check_named(diagrams, name="diagrams", of="ensembles")
        for name, diagram in self.diagrams.items():
            if not isinstance(diagram, KappaError):
                raise TypeError(f"diagrams[{name!r}] must be a KappaError; got {diagram!r}.")

    @classmethod
    def from_estimators(cls, models: Mapping[str, Any], X: Any, y: Any) -> KappaErrorDisplay:
        """Compute the diagrams of fitted ensembles; X and y are as in `analysis.kappa_error`."""
        named = check_named(models, name="models", of="fitted ensembles")
        return cls({name: kappa_error(model, X, y) for name, model in named.items()})

    def plot(self, ax: Any = None, *, hull: bool = True, **kwargs: Any) -> KappaErrorDisplay:
        """Draw the points of every ensemble.

        Parameters
        ----------
        ax : matplotlib axes; None: a new figure's
        hull : whether to draw the convex hulls
        **kwargs : properties of the points, as for ``ax.plot``

        Returns
        -------
        self
        """
        self.figure_, self.ax_ = open_axes(ax)
        self.points_, self.hulls_ = {}, {}
        for index, (name, diagram) in enumerate(self.diagrams.items()):
            colour = COLOURS[index % len(COLOURS)]
            defaults = {"color": colour, "marker": ".", "linestyle": "none", "label": name}
            style = with_style(kwargs, defaults)
            (self.points_[name],) = self.ax_.plot(diagram.kappa, diagram.error, **style)
            if hull:
                around = outline(diagram)
                (self.hulls_[name],) = self.ax_.plot(*around, color=colour, linewidth=1.0)
        self.legend_ = add_legend(self.ax_, self.points_)
        self.ax_.set(xlabel="kappa", ylabel="mean error of the pair")
        return self


def outline(diagram: KappaError) -> tuple[Floats, Floats]:
    """Coordinates of the corners, and of the first one again."""
    round_trip = np.append(diagram.hull, diagram.hull[:1])
    return diagram.kappa[round_trip], diagram.error[round_trip]
