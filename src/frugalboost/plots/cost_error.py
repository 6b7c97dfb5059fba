"""The cost of reaching an error (Quick Boost, figure 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frugalboost._checks import NamesItself
from frugalboost._typing import Floats
from frugalboost.plots._axes import add_legend, line_style, open_axes, with_style
from frugalboost.plots._checks import check_line, check_named, check_numbers


class CostErrorDisplay(NamesItself):
    """Errors against the cost of reaching them, on a logarithmic axis of costs.

    Parameters
    ----------
    curves : dict of name to a pair of (n,) costs above 0 and (n,) errors; n may differ
    partners : dict of name to name, or None
        Each key is drawn dashed in the colour of its value: for example, a heuristic with a quick
        search beside the same heuristic without.

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : dict of name to line, after `plot`
    legend_ : legend, after `plot`; None for a single line

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> curves = {"plain": ([10, 20], [0.3, 0.2]), "quick": ([4, 8], [0.3, 0.2])}
    >>> display = CostErrorDisplay(curves, partners={"quick": "plain"})
    >>> lines = display.plot(ax=Figure().subplots()).lines_
    >>> lines["quick"].get_linestyle(), lines["quick"].get_color() == lines["plain"].get_color()
    ('--', True)
    """

    def __init__(
        self, curves: Mapping[str, Any], partners: Mapping[str, str] | None = None
    ) -> None:
        named = check_named(curves, name="curves", of="lines")
        self.curves = {name: check_curve(curve, name) for name, curve in named.items()}
        self.partners = dict(partners or {})
        for dashed, solid in self.partners.items():
            if dashed not in named or solid not in named or solid in self.partners:
                raise ValueError(
                    "partners must be names of curves to dash, each with the name of a "
                    f"curve that stays solid; got {dashed!r} with {solid!r}."
                )

    def plot(self, ax: Any = None, **kwargs: Any) -> CostErrorDisplay:
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
        solid = [name for name in self.curves if name not in self.partners]
        styles = {name: line_style(index) for index, name in enumerate(solid)}
        self.lines_ = {}
        for name, (costs, errors) in self.curves.items():
            style = {**styles[self.partners.get(name, name)], "label": name}
            if name in self.partners:
                style["linestyle"] = "--"
            (self.lines_[name],) = self.ax_.plot(costs, errors, **with_style(kwargs, style))
        self.legend_ = add_legend(self.ax_, self.lines_)
        self.ax_.set(xlabel="cost", ylabel="error", xscale="log")
        return self


def check_curve(curve: Any, name: str) -> tuple[Floats, Floats]:
    if not isinstance(curve, (tuple, list)) or len(curve) != 2:
        raise ValueError(f"curves[{name!r}] must be a pair of costs and errors; got {curve!r}.")
    costs = check_numbers(curve[0], name=f"costs of curves[{name!r}]")
    if costs.min() <= 0:
        raise ValueError(
            f"costs of curves[{name!r}] must be above 0, for a log scale; got {costs.min():g}."
        )
    rule = {"name": f"errors of curves[{name!r}]", "like": "its costs"}
    return costs, check_line(curve[1], len(costs), **rule)
