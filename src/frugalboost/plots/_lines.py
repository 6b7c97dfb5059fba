"""What displays of named lines share; matplotlib is imported only when one is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from frugalboost._checks import NamesItself
from frugalboost._typing import AnyArray
from frugalboost.plots._axes import add_legend, line_style, open_axes, with_style

Display = TypeVar("Display", bound="LinesDisplay")


class LinesDisplay(NamesItself):
    """A line for each name; not public."""

    def plot(self: Display, ax: Any = None, **kwargs: Any) -> Display:
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
        self.lines_: dict[str, Any] = {}
        for index, (name, points) in enumerate(self._points().items()):
            style = {**line_style(index), "label": name, **self._style(index, name)}
            (self.lines_[name],) = self.ax_.plot(*points, **with_style(kwargs, style))
        self._draw_others(kwargs)
        self.legend_ = add_legend(self.ax_, self.lines_)
        self.ax_.set(**self._axes())
        return self

    def _points(self) -> dict[str, tuple[AnyArray, AnyArray]]:
        """The points of each line."""
        raise NotImplementedError

    def _style(self, index: int, name: str) -> dict[str, Any]:
        """What differs from the usual style of a line."""
        return {}

    def _draw_others(self, kwargs: Mapping[str, Any]) -> None:
        """Draw what is not a line of points."""

    def _axes(self) -> dict[str, Any]:
        """Properties of the axes, such as their labels."""
        raise NotImplementedError


class BaselinesDisplay(LinesDisplay):
    """Curves, and baselines as horizontal dashed lines; not public."""

    curves: dict[str, tuple[AnyArray, AnyArray]]
    baselines: dict[str, float]

    def _read_baselines(self, baselines: Mapping[str, float] | None) -> None:
        self.baselines = {str(name): float(value) for name, value in (baselines or {}).items()}
        for name in self.baselines:
            if name in self.curves:
                raise ValueError(f"baselines must have other names than curves; got {name!r}.")

    def _draw_others(self, kwargs: Mapping[str, Any]) -> None:
        for name, value in self.baselines.items():
            style = with_style(kwargs, {"color": "grey", "linestyle": "--", "label": name})
            self.lines_[name] = self.ax_.axhline(value, **style)
