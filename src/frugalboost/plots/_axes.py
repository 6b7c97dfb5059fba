"""Drawing code shared by the displays; matplotlib is imported only when one is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from frugalboost._checks import needing
from frugalboost._texts import printable, shortened
from frugalboost._typing import AnyArray

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
"""Okabe and Ito's, distinct for colour-blind readers too; their yellow is too faint on white."""

DASHES = ("-", "-.", ":")
"""For more lines than there are colours. "--" is reserved for lines where it has a meaning."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""As many as colours, for readers who cannot see or print colour."""

DRAWN = 32
"""Characters of a name that a drawing has room for."""


def open_axes(ax: Any) -> tuple[Any, Any]:
    """Return the figure and the axes to draw on, new ones when `ax` is None."""
    if ax is not None:
        return ax.figure, ax
    message = 'plot needs matplotlib; install it with pip install "frugalboost[plots]".'
    with needing("matplotlib", message):
        from matplotlib import pyplot
    figure, new = pyplot.subplots()
    return figure, new


def line_style(index: int) -> dict[str, Any]:
    """Colour and dashes of a line by its place among the others."""
    dashes = DASHES[index // len(COLOURS) % len(DASHES)]
    return {"color": COLOURS[index % len(COLOURS)], "linestyle": dashes}


def with_style(kwargs: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Properties of a line: the user's, under short or long names, override the defaults."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    return {**defaults, **normalize_kwargs(dict(kwargs), Line2D)}


def add_legend(ax: Any, lines: Mapping[str, Any]) -> Any:
    """Add a legend if there are several lines; otherwise return None."""
    return ax.legend(handles=list(lines.values())) if len(lines) > 1 else None


def write_cells(ax: Any, image: Any, values: AnyArray, values_format: str) -> AnyArray:
    """Write the value in each cell, in the end of the map farther from the cell's colour."""
    texts = np.empty(values.shape, dtype=object)
    for (row, column), value in np.ndenumerate(values):
        colour = image.cmap(0.0 if image.norm(value) > 0.5 else 1.0)
        texts[row, column] = ax.text(
            column, row, format(value, values_format), ha="center", va="center", color=colour
        )
    return texts


def plain(name: str) -> str:
    r"""Return a name that matplotlib draws as it is, on one line and not too long.

    >>> plain("cost in $ (of $)"), plain("a\nb"), plain("a\x07")
    ('cost in \\$ (of \\$)', 'a b', 'a\\x07')
    """
    # An SVG file must not have control characters.
    return shortened(printable(" ".join(name.split())), DRAWN).replace("$", r"\$")
