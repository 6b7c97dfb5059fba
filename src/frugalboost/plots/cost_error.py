"""The cost of reaching an error (Quick Boost, figure 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frugalboost._typing import Floats
from frugalboost.plots._axes import line_style
from frugalboost.plots._checks import check_curves, check_numbers
from frugalboost.plots._lines import LinesDisplay


class CostErrorDisplay(LinesDisplay):
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
        self.curves = check_curves(curves, "costs", "errors", check_costs)
        self.partners = dict(partners or {})
        for dashed, solid in self.partners.items():
            if not {dashed, solid} <= set(self.curves) or solid in self.partners:
                raise ValueError(
                    "partners must be names of curves to dash, each with the name of a "
                    f"curve that stays solid; got {dashed!r} with {solid!r}."
                )

    def _points(self) -> dict[str, tuple[Floats, Floats]]:
        return self.curves

    def _style(self, index: int, name: str) -> dict[str, Any]:
        solid = [name for name in self.curves if name not in self.partners]
        style = line_style(solid.index(self.partners.get(name, name)))
        return {**style, "linestyle": "--"} if name in self.partners else style

    def _axes(self) -> dict[str, Any]:
        return {"xlabel": "cost", "ylabel": "error", "xscale": "log"}


def check_costs(values: Any, *, name: str) -> Floats:
    costs = check_numbers(values, name=name)
    if costs.min() <= 0:
        raise ValueError(f"{name} must be above 0, for a log scale; got {costs.min():g}.")
    return costs
