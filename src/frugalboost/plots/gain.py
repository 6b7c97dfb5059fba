"""By what factor one method is better than another (Quick Boost, figures 6 and 7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frugalboost._checks import NamesItself, check_real
from frugalboost.plots._axes import COLOURS, open_axes
from frugalboost.plots._checks import check_named

GROUP_WIDTH = 0.8


class GainDisplay(NamesItself):
    """Factors as bars: a group for each heuristic, a colour for each data set, a line at 1.

    Parameters
    ----------
    gains : dict of heuristic to dict of data set to factor
        Factors are above 0. A heuristic need not have every data set.

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    bars_ : dict of data set to container of bars, in the order of the heuristics, after `plot`
    line_ : line at 1, after `plot`
    legend_ : legend, after `plot`; None for a single data set

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> display = GainDisplay({"none": {"faces": 8.0, "digits": 4.0}, "trim": {"digits": 1.5}})
    >>> bars = display.plot(ax=Figure().subplots()).bars_
    >>> [float(bar.get_height()) for bar in bars["digits"]]
    [4.0, 1.5]
    """

    def __init__(self, gains: Mapping[str, Mapping[str, float]]) -> None:
        named = check_named(gains, name="gains", of="heuristics")
        self.gains = {name: check_factors(factors, name) for name, factors in named.items()}

    @property
    def data_sets(self) -> list[str]:
        """The data sets, in the order in which they first appear."""
        return list(dict.fromkeys(data for factors in self.gains.values() for data in factors))

    def plot(self, ax: Any = None, *, values_format: str = ".1f", **kwargs: Any) -> GainDisplay:
        """Draw the bars, each with its factor above it.

        Parameters
        ----------
        ax : matplotlib axes; None: a new figure's
        values_format : format of the factors
        **kwargs : properties of every bar, as for ``ax.bar``

        Returns
        -------
        self
        """
        self.figure_, self.ax_ = open_axes(ax)
        self.bars_ = {}
        for index, data in enumerate(self.data_sets):
            places, heights = self._bars_of(data, index)
            style = {"color": COLOURS[index % len(COLOURS)], "label": data, **self._width, **kwargs}
            self.bars_[data] = self.ax_.bar(places, heights, **style)
            self.ax_.bar_label(
                self.bars_[data], labels=[format(height, values_format) for height in heights]
            )
        self.line_ = self.ax_.axhline(1.0, color="black", linewidth=0.8)
        self.legend_ = self.ax_.legend() if len(self.bars_) > 1 else None
        self.ax_.set_xticks(range(len(self.gains)), labels=list(self.gains))
        self.ax_.set_ylabel("gain (factor)")
        return self

    @property
    def _width(self) -> dict[str, float]:
        return {"width": GROUP_WIDTH / len(self.data_sets)}

    def _bars_of(self, data: str, index: int) -> tuple[list[float], list[float]]:
        """Places and heights of a data set's bars, where there is a factor."""
        shift = (index - (len(self.data_sets) - 1) / 2) * self._width["width"]
        points = [
            (group + shift, factors[data])
            for group, factors in enumerate(self.gains.values())
            if data in factors
        ]
        return [place for place, _ in points], [height for _, height in points]


def check_factors(factors: Any, name: str) -> dict[str, float]:
    title = f"gains[{name!r}]"
    named = check_named(factors, name=title, of="data sets")
    return {
        data: check_real(factor, name=f"{title}[{data!r}]", low=0.0, closed="neither")
        for data, factor in named.items()
    }
