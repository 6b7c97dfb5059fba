"""Speed-up by threads as an SVG; the one module that needs matplotlib."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot as plt

from peers.contenders import OURS, YARDSTICK

from .report import speed_ups
from .results import Outcome, Results

# Nothing is drawn behind the charts, so a page may be light or dark: all colours are of medium
# lightness, which stands out from both.
COLOURS = {OURS: "#2F87D0", YARDSTICK: "#D9722B"}
GREY = "#7F7F7F"
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "frugalboost",  # the same results make the same file
    "svg.fonttype": "path",
    "font.size": 9,
    **dict.fromkeys(
        ["text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"], GREY
    ),
}
N_COLUMNS = 3


def draw(results: Results) -> Any:
    """Return a figure with one chart for each task that has a time with one thread and another."""
    drawn = [each for each in results.outcomes if len(speed_ups(each)) > 1]
    if not drawn:
        raise ValueError("threads: a picture needs times with one thread and with more.")
    n_columns = min(N_COLUMNS, len(drawn))
    n_rows = math.ceil(len(drawn) / n_columns)
    figure, axes = plt.subplots(
        n_rows,
        n_columns,
        figsize=(3.3 * n_columns, 2.7 * n_rows + 0.4),
        layout="constrained",
        squeeze=False,
    )
    for ax in axes.flat[len(drawn) :]:
        ax.remove()
    for ax, outcome in zip(axes.flat, drawn, strict=False):
        draw_one(ax, outcome)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    figure.supxlabel("threads")
    figure.supylabel("times as fast as with one thread")
    return figure


def draw_one(ax: Any, outcome: Outcome) -> None:
    found = speed_ups(outcome)
    counts = list(found)
    ax.plot(counts, counts, color=GREY, linestyle=":", label="ideal")
    for number, side in enumerate((OURS, YARDSTICK)):
        points = {n: pair[number] for n, pair in found.items() if pair[number] is not None}
        if points:
            marker = "os"[number]
            ax.plot(
                *zip(*points.items(), strict=True), marker + "-", color=COLOURS[side], label=side
            )
    ax.set(xscale="log", yscale="log")  # before the ticks, which it would replace
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_ticks(counts, [str(n) for n in counts])
        axis.set_ticks([], minor=True)
    ax.grid(color=GREY, alpha=0.25, linewidth=0.6)
    ax.patch.set_visible(False)
    ax.set_title(short(outcome.title), fontsize=9)


def short(title: str) -> str:
    """Two lines at most where a title has a comma.

    >>> short("MNIST, 0 to 4 against 5 to 9, AdaBoost")
    'MNIST\\n0 to 4 against 5 to 9, AdaBoost'
    """
    return title.replace(", ", "\n", 1)


def save(results: Results, path: Path) -> None:
    with plt.rc_context(STYLE):
        figure = draw(results)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, metadata={"Date": None}, transparent=True)
        plt.close(figure)
