"""What GAMBLE makes of a regression (GAMBLE, figure 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from frugalboost._checks import NamesItself, check_int
from frugalboost._typing import Floats
from frugalboost.plots._axes import add_legend, line_style, open_axes, with_style
from frugalboost.plots._checks import check_line, check_named, check_numbers


class TransformDisplay(NamesItself):
    """What a class gets from a leaf, against the leaf's mean code for that class.

    Parameters
    ----------
    curves : dict of name to a pair of (n,) mean codes ``g`` and (n,) values ``r``; n may differ

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : dict of name to line, after `plot`
    legend_ : legend, after `plot`; None for a single line

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> display = TransformDisplay.from_classes([2, 3], n_points=3)
    >>> display.curves["K = 3"]
    (array([-0.5 ,  0.25,  1.  ]), array([-6. ,  1.2,  3. ]))
    >>> display.plot(ax=Figure().subplots()).lines_["K = 2"].get_ydata()
    array([-2.,  0.,  2.])
    """

    def __init__(self, curves: Mapping[str, Any]) -> None:
        named = check_named(curves, name="curves", of="lines")
        self.curves = {name: check_curve(curve, name) for name, curve in named.items()}

    @classmethod
    def from_classes(
        cls, n_classes: Iterable[int] = (2, 3, 5, 10), n_points: int = 201
    ) -> TransformDisplay:
        """Compute GAMBLE's transform over all means that codes can have.

        Parameters
        ----------
        n_classes : numbers of classes, a line for each
        n_points : int, default=201
            Points of a line.
        """
        check_int(n_points, name="n_points", low=2)
        numbers = [check_int(each, name="n_classes", low=2) for each in n_classes]
        return cls({f"K = {each}": transform(each, n_points) for each in numbers})

    def plot(self, ax: Any = None, **kwargs: Any) -> TransformDisplay:
        """Draw one line for each name.

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
        for index, (name, (means, values)) in enumerate(self.curves.items()):
            style = with_style(kwargs, {**line_style(index), "label": name})
            (self.lines_[name],) = self.ax_.plot(means, values, **style)
        self.legend_ = add_legend(self.ax_, self.lines_)
        self.ax_.set(xlabel="regression g", ylabel="weak learner r, not yet centred")
        return self


def transform(n_classes: int, n_points: int) -> tuple[Floats, Floats]:
    """``r = K (K - 1) g / ((K - 2) g + 1)`` from ``g = -1 / (K - 1)`` to 1: Algorithm 2, step b."""
    K = n_classes
    means = np.linspace(-1 / (K - 1), 1.0, n_points)
    return means, K * (K - 1) * means / ((K - 2) * means + 1)


def check_curve(curve: Any, name: str) -> tuple[Floats, Floats]:
    if not isinstance(curve, (tuple, list)) or len(curve) != 2:
        raise ValueError(f"curves[{name!r}] must be a pair of means and values; got {curve!r}.")
    means = check_numbers(curve[0], name=f"means of curves[{name!r}]")
    rule = {"name": f"values of curves[{name!r}]", "like": "its means"}
    return means, check_line(curve[1], len(means), **rule)
