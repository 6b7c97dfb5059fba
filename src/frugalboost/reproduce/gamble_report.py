"""Tables and figures of GAMBLE, but for those of labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from frugalboost.plots import RoundsDisplay
from frugalboost.reproduce import published_gamble as published
from frugalboost.reproduce.gamble_claims import CLAIMS, CRITERIA
from frugalboost.reproduce.gamble_fits import LEARNERS, at_round
from frugalboost.reproduce.gamble_found import Found, mean_curve, sign_test
from frugalboost.reproduce.gamble_labels_report import label_sections
from frugalboost.reproduce.judging import claim_section
from frugalboost.reproduce.paper import Cell, FigureOf, Section, TableOf
from frugalboost.reproduce.text import absences, decimals, shape

Shape = tuple[int, int, int, int]
RIVALS = ("gamble", "samme")
CURVES = ("glass", "segmentation")
"""Figure 4."""
MARKERS = ("o", "s", "^")


def sections(found: Found, shapes: Mapping[str, Shape], absent: Mapping[str, str]) -> list[Section]:
    return [
        data_section(shapes, absent),
        claim_section(CLAIMS, CRITERIA, found),
        *size_sections(found),
        *duel_sections(found),
        *label_sections(found),
        *sphere_sections(found),
        *further_sections(found, shapes),
    ]


def data_section(shapes: Mapping[str, Shape], absent: Mapping[str, str]) -> Section:
    names = dict.fromkeys((*published.SHAPES, *shapes))
    rows: list[list[Cell]] = [
        [
            name,
            shape(published.SHAPES[name]) if name in published.SHAPES else "",
            shape(shapes.get(name)),
        ]
        for name in names
    ]
    headings = ["data", "paper", "here"]
    title = "Table 1: training rows, test rows, features, classes"
    return Section("Data", absences(absent), [TableOf(title, headings, rows)])


def size_sections(found: Found) -> list[Section]:
    """Figure 2."""
    if not found.sizes:
        return []
    marks = sorted(mark for mark in {*found.marks, published.ALIKE_FROM} if mark <= found.rounds)
    rows: list[list[Cell]] = [
        [
            leaves,
            *(decimals(at_round(run["test_error"], mark), 4) for mark in marks),
            decimals(min(run["test_error"]), 4),
            int(np.argmin(run["test_error"])) + 1,
            decimals(run["seconds"], 1),
        ]
        for leaves, run in found.sizes.items()
    ]
    headings = ["leaves", *(f"after {mark}" for mark in marks), "lowest", "in round", "seconds"]

    def draw(axes: Sequence[Any]) -> None:
        lines = {f"T = {n}": drawn(run["test_error"]) for n, run in found.sizes.items()}
        RoundsDisplay(lines, "test error").plot(ax=axes[0])
        axes[0].set(xscale="log", yscale="log")

    table = TableOf("Figure 2: test error on Pendigits by the size of the trees", headings, rows)
    figure = FigureOf("gamble-2", "Figure 2: trees of different sizes on Pendigits.", draw)
    return [Section("Tree sizes", "", [table], [figure])]


def drawn(errors: Sequence[float]) -> tuple[list[int], list[float]]:
    """Rounds and errors at some rounds: a line of a thousand points shows no more."""
    n = len(errors)
    rounds = sorted({int(mark) for mark in np.geomspace(1, n, min(n, 120)).round()})
    return rounds, [errors[mark - 1] for mark in rounds]


def duel_sections(found: Found) -> list[Section]:
    """Figures 3 and 4."""
    names = [name for name in published.SHAPES if (name, "gamble") in found.curves]
    duels = found.duels(names)
    if not duels:
        return []
    test = sign_test(duels)
    wins = published.SIGN_WINS
    rows: list[list[Cell]] = [
        ["paper", wins, 24 - wins, 0, decimals(published.SIGN_TEST, 4)],
        ["here", test.wins, test.losses, test.ties, decimals(test.p_value, 4)],
    ]
    headings = ["", "GAMBLE lower", "SAMME lower", "equal", "p (two-sided)"]
    sign = TableOf("Sign test over data sets and rounds", headings, rows)

    def draw(axes: Sequence[Any]) -> None:
        for marker, mark in zip(MARKERS, found.marks, strict=False):
            points = [(theirs, ours) for _, at, ours, theirs in duels if at == mark]
            axes[0].scatter(*zip(*points, strict=True), marker=marker, label=f"{mark} rounds")
        end = max(max(ours, theirs) for *_, ours, theirs in duels) * 1.05
        axes[0].plot([0, end], [0, end], color="grey", linestyle="--", linewidth=0.8)
        axes[0].set(xlabel="test error of SAMME", ylabel="test error of GAMBLE")
        axes[0].legend()

    figures = [
        FigureOf("gamble-3", "Figure 3: GAMBLE and SAMME, below the line GAMBLE wins.", draw)
    ]
    figures += curve_figures(found)
    tables = [learner_table("Figure 3: test errors", found, names), sign]
    return [Section("GAMBLE and SAMME", DUELS, tables, figures)]


DUELS = (
    "Errors of Glass and Splice are means over random splits of the paper's sizes, the others are "
    "of the official split. Both boosters have the same trees, 15 leaves by Gini. The two last "
    'columns are not the paper\'s: smaller steps, and the rule "real" with the same trees.'
)


def learner_table(title: str, found: Found, names: Sequence[str]) -> TableOf:
    rows: list[list[Cell]] = []
    for name in names:
        runs = max(len(found.curves.get((name, key), ())) for key in LEARNERS)
        for mark in found.marks:
            errors = [decimals(found.error(name, key, mark), 4) for key in LEARNERS]
            rows.append([name, runs, mark, *errors])
    return TableOf(title, ["data", "splits", "rounds", *LEARNERS.values()], rows)


def curve_figures(found: Found) -> list[FigureOf]:
    names = [n for n in CURVES if all((n, key) in found.curves for key in RIVALS)]
    if not names:
        return []

    def draw(axes: Sequence[Any]) -> None:
        for ax, name in zip(axes, names, strict=True):
            lines = {
                LEARNERS[key]: drawn(
                    mean_curve(found.curves[name, key], "test_error", found.rounds).tolist()
                )
                for key in RIVALS
            }
            RoundsDisplay(lines, "test error").plot(ax=ax)
            ax.set(title=name.capitalize(), xscale="log")

    caption = "Figure 4: test errors on Glass and Segmentation, where they are there."
    return [FigureOf("gamble-4", caption, draw, panels=len(names))]


def sphere_sections(found: Found) -> list[Section]:
    """Figure 6."""
    if not found.spheres:
        return []
    rows: list[list[Cell]] = []
    for (n_classes, key), runs in found.spheres.items():
        for which in ("train_error", "test_error"):
            errors = mean_curve(runs, which, found.rounds)
            cells = [decimals(float(errors[mark - 1]), 4) for mark in found.marks]
            kind = which.partition("_")[0]
            rows.append([n_classes, LEARNERS[key], len(runs), kind, *cells])
    headings = ["classes", "booster", "runs", "error", *(f"after {m}" for m in found.marks)]
    numbers = list(dict.fromkeys(n for n, _ in found.spheres))

    def draw(axes: Sequence[Any]) -> None:
        for ax, n_classes in zip(axes, numbers, strict=True):
            lines = {
                f"{LEARNERS[key]}, {which.partition('_')[0]}": drawn(
                    mean_curve(runs, which, found.rounds).tolist()
                )
                for (n, key), runs in found.spheres.items()
                for which in ("train_error", "test_error")
                if n == n_classes
            }
            RoundsDisplay(lines, "error").plot(ax=ax)
            ax.set(title=f"{n_classes} classes", xscale="log")

    table = TableOf("Figure 6: errors on concentric spheres, means over runs", headings, rows)
    figure = FigureOf("gamble-6", "Figure 6: concentric spheres.", draw, panels=len(numbers))
    return [Section("Concentric spheres", "", [table], [figure])]


def further_sections(found: Found, shapes: Mapping[str, Shape]) -> list[Section]:
    """Data sets that the paper does not have."""
    names = [n for n in shapes if n not in published.SHAPES and (n, "gamble") in found.curves]
    duels = found.duels(names)
    if not duels:
        return []
    test = sign_test(found.duels([*published.SHAPES, *names]))
    text = (
        f"Over these and the paper's data together, GAMBLE's error is lower than SAMME's in "
        f"{test.wins} comparisons, higher in {test.losses} and equal in {test.ties}: "
        f"p = {test.p_value:.4f}."
    )
    return [Section("Other data", text, [learner_table("Test errors", found, names)])]
