"""Tables and figures of ensemble pruning for single domains: figures 1, 4, 5 and 6."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.analysis import KappaError
from frugalboost.plots import KappaErrorDisplay, PruningCurveDisplay
from frugalboost.reproduce.ensemble_found import METHODS, NAMES, OURS, Found, Outcomes, with_gain
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.paper import Cell, FigureOf, Section, TableOf
from frugalboost.reproduce.published_ensemble_pruning import PRUNED
from frugalboost.reproduce.text import decimals, percent

Shape = tuple[int, int, int, int]
SHARES = [f"{100 * share:.0f} % pruned" for share in PRUNED]
ENSEMBLES = {"adaboost": "AdaBoost", "bagging": "Bagging"}
BOTTOM = -1.0
"""Of the figures: a small gain may put a method far below C4.5."""


def with_single(line: Floats) -> tuple[list[float], list[float]]:
    """Shares and values, with C4.5 alone as 100 % pruning."""
    return [1.0, *PRUNED], [0.0, *line.tolist()]


def diagram_sections(found: Found) -> list[Section]:
    """Figure 1."""
    if found.diagrams is None:
        return []
    results = found.diagrams
    rows: list[list[Cell]] = [
        [
            title,
            *(decimals(float(np.mean(results[name][key]))) for key in ("kappa", "error")),
            *(decimals(float(np.std(results[name][key]))) for key in ("kappa", "error")),
            results[name]["hull_members"],
            decimals(results[name]["test_error"], 4),
        ]
        for name, title in ENSEMBLES.items()
    ]
    headings = [
        "ensemble",
        "mean kappa",
        "mean error of pairs",
        "deviation of kappa",
        "of errors",
        "members on the hull",
        "test error",
    ]

    def draw(axes: Sequence[Any]) -> None:
        for ax, (name, title) in zip(axes, ENSEMBLES.items(), strict=True):
            KappaErrorDisplay({title: as_diagram(results[name])}).plot(ax=ax)
            ax.set(title=title, **limits(results))

    caption = "Figure 1: Kappa-Error diagrams of AdaBoost and bagging on Expf, training rows."
    figure = FigureOf("ensemble-pruning-1", caption, draw, panels=2)
    table = TableOf("Figure 1: pairs of members on Expf, first split", headings, rows)
    return [Section("Kappa-Error diagrams", "", [table], [figure])]


def as_diagram(result: Result) -> KappaError:
    """What a display draws; it needs no pairs."""
    none: AnyArray = np.empty((0, 2), dtype=np.int64)
    kappa, error, hull = (np.array(result[key]) for key in ("kappa", "error", "hull"))
    return KappaError(none, kappa, error, hull, np.empty(0))


def limits(results: Result) -> dict[str, tuple[float, float]]:
    """The same axes for both."""
    kappa, error = (
        np.concatenate([results[name][key] for name in ENSEMBLES]) for key in ("kappa", "error")
    )
    return {
        "xlim": (float(kappa.min()) - 0.02, float(kappa.max()) + 0.02),
        "ylim": (float(error.min()) - 0.01, float(error.max()) + 0.01),
    }


def domain_sections(found: Found) -> list[Section]:
    """Figures 4, 5 and 6, and the same for the other methods."""
    domains = with_gain(found.main)
    if not domains:
        return []
    figures = [
        method_figure(4, "reduce_error", domains),
        method_figure(5, "kappa", domains),
        hull_figure(domains),
    ]
    tables = [
        method_table("Figure 4: Reduce-Error", "reduce_error", domains),
        method_table("Figure 5: Kappa", "kappa", domains),
        hull_table(domains),
        *(
            method_table(f"The same for {NAMES[key]}", key, domains)
            for key in ("early_stopping", "kl", *OURS)
        ),
        amount_table(domains),
    ]
    return [Section("Relative performance on each domain", "", tables, figures)]


def method_figure(number: int, method: str, domains: Outcomes) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        curves = {
            name: with_single(line)
            for name, each in domains.items()
            if (line := each.relative(method)) is not None
        }
        plot(curves, axes[0])

    caption = f"Figure {number}: relative performance of {NAMES[method]} pruning, cut at {BOTTOM}."
    return FigureOf(f"ensemble-pruning-{number}", caption, draw)


def hull_figure(domains: Outcomes) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        curves = {
            name: ([0.0, each.hull_share, 1.0], [1.0, float(line[0]), 0.0])
            for name, each in domains.items()
            if (line := each.relative("hull")) is not None
        }
        plot(curves, axes[0])

    caption = (
        f"Figure 6: relative performance of Convex Hull pruning, cut at {BOTTOM}; AdaBoost to the "
        "left, C4.5 to the right."
    )
    return FigureOf("ensemble-pruning-6", caption, draw)


def plot(curves: dict[str, Any], ax: Any) -> None:
    PruningCurveDisplay(curves).plot(ax=ax)
    top = max(max(values) for _, values in curves.values())
    ax.set_ylim(BOTTOM, min(max(top + 0.1, 1.1), 2.0))


def method_table(title: str, method: str, domains: Outcomes) -> TableOf:
    rows: list[list[Cell]] = [
        [name, *(decimals(float(value)) for value in line)]
        for name, each in domains.items()
        if (line := each.relative(method)) is not None
    ]
    return TableOf(title, ["domain", *SHARES], rows)


def hull_table(domains: Outcomes) -> TableOf:
    rows: list[list[Cell]] = [
        [
            name,
            decimals(each.mean("hull_size"), 1),
            percent(each.hull_share),
            decimals(float(line[0])),
            *(decimals(each.at_hull(key)) for key in METHODS),
        ]
        for name, each in domains.items()
        if (line := each.relative("hull")) is not None
    ]
    headings = ["domain", "members", "pruned", NAMES["hull"], *METHODS.values()]
    return TableOf("Figure 6: Convex Hull, beside others at its level", headings, rows)


def amount_table(domains: Outcomes) -> TableOf:
    rows: list[list[Cell]] = [
        [name, decimals(each.mean("auto_size"), 1), decimals(float(line[0]))]
        for name, each in domains.items()
        if (line := each.relative("reduce_error_auto")) is not None
    ]
    headings = ["domain", "members", "relative performance"]
    return TableOf("Reduce-Error, the pruning set choosing how many stay", headings, rows)
