"""Tables and figures of sections 3 and 5.1: the transform, sizes of trees, GAMBLE and SAMME."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from frugalboost.plots import RoundsDisplay, TransformDisplay
from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.boosters import BOOSTERS, LEARNERS, RIVALS, VARIANTS
from frugalboost.reproduce.gamble.claims_of_boosting import SIGN_TEST, SPARSE, late_error
from frugalboost.reproduce.gamble.claims_of_theory import TREES, share_of_bound
from frugalboost.reproduce.gamble.findings import Duel, Findings, at_round, mean_curve, sign_test
from frugalboost.reproduce.paper import Cell, FigureOf, Section, Shape, TableOf
from frugalboost.reproduce.text import decimals, percent

MARKERS = ("o", "s", "^")


def theory_sections(findings: Findings) -> list[Section]:
    """Figure 1, and what section 3 proves."""
    return [
        Section(
            "From the regression to the weak learner", TRANSFORM, tree_tables(findings), [FIGURE_1]
        )
    ]


TRANSFORM = (
    "With more than two classes, a leaf that rules a class out says so louder than one that is "
    "sure of it: from -K (K - 1) to K. With two classes the transform is a straight line."
)


def draw_transform(axes: Sequence[Any]) -> None:
    TransformDisplay.from_classes().plot(ax=axes[0])


FIGURE_1 = FigureOf(
    "gamble-1", "Figure 1: the transform of g to r, by number of classes K.", draw_transform
)


def tree_tables(findings: Findings) -> list[TableOf]:
    rows: list[list[Cell]] = [
        [
            name,
            facts["n_classes"],
            f"{facts['n_same']} of {facts['n_pairs']}",
            f"{facts['gap']:.0e}",
            decimals(share_of_bound(facts), 3),
            f"{facts['largest_sum']:.0e}",
            percent(facts["with_absent_class"]),
            decimals(facts["work_ratio"], 1),
            decimals(facts["stump_ratio"], 1),
        ]
        for name, facts in findings.trees.items()
    ]
    return [TableOf(TREES, TREE_HEADINGS, rows)] if rows else []


TREE_HEADINGS = (
    "data",
    "classes K",
    "trees of y and y^2 alike",
    "off corollary 3.1",
    "largest value, of K^2 - K",
    "largest sum",
    "leaves without some class",
    "work of K committees",
    "with stumps",
)


def size_sections(findings: Findings) -> list[Section]:
    """Figure 2."""
    if not findings.sizes:
        return []
    marks = sorted(
        mark for mark in {*findings.marks, published.ALIKE_FROM} if mark <= findings.rounds
    )
    rows: list[list[Cell]] = [
        [
            leaves,
            *(decimals(at_round(run["test_error"], mark), 4) for mark in marks),
            decimals(min(run["test_error"]), 4),
            int(np.argmin(run["test_error"])) + 1,
            f"{run['work'] / run['n_trees']:,.0f}",
        ]
        for leaves, run in findings.sizes.items()
    ]
    headings = [
        "leaves",
        *(f"after {mark}" for mark in marks),
        "lowest",
        "in round",
        "work of a tree",
    ]

    def draw(axes: Sequence[Any]) -> None:
        lines = {f"T = {n}": drawn(run["test_error"]) for n, run in findings.sizes.items()}
        RoundsDisplay(lines, "test error").plot(ax=axes[0])
        axes[0].set(xscale="log", yscale="log")

    table = TableOf("Figure 2: test error on Pendigits by the size of the trees", headings, rows)
    figure = FigureOf("gamble-2", "Figure 2: trees of different sizes on Pendigits.", draw)
    return [Section("Tree sizes", SIZES, [table, *draw_tables(findings)], [figure])]


SIZES = (
    "The work of a tree is the number of rows times features that its nodes look at. Parts are "
    "nine tenths of the training rows, drawn at random; errors are means from round "
    f"{published.ALIKE_FROM} on."
)


def draw_tables(findings: Findings) -> list[TableOf]:
    """One size on several parts of the rows."""
    if not findings.draws or findings.rounds < published.ALIKE_FROM:
        return []
    rows: list[list[Cell]] = []
    for leaves, runs in findings.draws.items():
        errors = [late_error(run, findings.rounds) for run in runs]
        cells = (np.mean(errors), min(errors), max(errors))
        rows.append([leaves, len(runs), *(decimals(float(each), 4) for each in cells)])
    return [TableOf("Parts of the rows", ["leaves", "parts", "mean", "lowest", "highest"], rows)]


def drawn(errors: Sequence[float]) -> tuple[list[int], list[float]]:
    """Rounds and errors at some rounds: a line of a thousand points shows no more."""
    n = len(errors)
    rounds = sorted({int(mark) for mark in np.geomspace(1, n, min(n, 120)).round()})
    return rounds, [errors[mark - 1] for mark in rounds]


def duel_sections(findings: Findings) -> list[Section]:
    """Figures 3 and 4."""
    names = [name for name in published.SHAPES if (name, "gamble") in findings.curves]
    duels = findings.duels(names)
    if not duels:
        return []

    def draw(axes: Sequence[Any]) -> None:
        for marker, mark in zip(MARKERS, findings.marks, strict=False):
            points = [(theirs, ours) for _, at, ours, theirs in duels if at == mark]
            axes[0].scatter(*zip(*points, strict=True), marker=marker, label=f"{mark} rounds")
        end = max(max(ours, theirs) for *_, ours, theirs in duels) * 1.05
        axes[0].plot([0, end], [0, end], color="grey", linestyle="--", linewidth=0.8)
        axes[0].set(xlabel="test error of SAMME", ylabel="test error of GAMBLE")
        axes[0].legend()

    figures = [
        FigureOf("gamble-3", "Figure 3: GAMBLE and SAMME, below the line GAMBLE wins.", draw)
    ]
    figures += curve_figures(findings)
    tables = [learner_table("Figure 3: test errors", findings, names), sign_table(findings)]
    return [Section("GAMBLE and SAMME", DUELS, tables, figures)]


DUELS = (
    "Errors of Glass, Splice and Vehicle are means over random splits of the paper's sizes, the "
    "others are of the official split. Both boosters have trees of 15 leaves; those of SAMME are "
    "grown by its weighted error, which is what it minimizes and what figure 6 (b) comes out with; "
    "other trees are in the second table. The two last columns are not the paper's: smaller steps, "
    'and the rule "real" with trees by Gini.'
)


def sign_table(findings: Findings) -> TableOf:
    """The paper's test, here: on means, on single splits, and with other trees."""
    paper = published.SIGN_WINS
    rows: list[list[Cell]] = [
        ["paper", paper, 24 - paper, 0, decimals(published.SIGN_TEST, 4)],
        ["here, means over splits", *sign_cells(findings.duels())],
    ]
    singles = sorted(
        (sign_cells(findings.duels_of_run(run)) for run in range(findings.n_splits)),
        key=lambda cells: cells[0],
    )
    if len(singles) > 1:
        rows += [["the worst single split", *singles[0]], ["the best single split", *singles[-1]]]
    rows += [
        [f"GAMBLE and {BOOSTERS[key].title}", *sign_cells(duels)]
        for key in VARIANTS
        if key.startswith("samme") and (duels := findings.duels_of_all(theirs=key))
    ]
    small = findings.duels_of_all(ours="gamble-small", theirs="samme-small")
    rows += [["both 8 leaves", *sign_cells(small)]] if small else []
    headings = ["", "GAMBLE lower", "SAMME lower", "equal", "p (two-sided)"]
    return TableOf(SIGN_TEST, headings, rows)


def sign_cells(duels: Sequence[Duel]) -> list[Any]:
    test = sign_test(duels)
    return [test.wins, test.losses, test.ties, decimals(test.p_value, 4)]


def learner_table(title: str, findings: Findings, names: Sequence[str]) -> TableOf:
    rows: list[list[Cell]] = []
    for name in names:
        runs = max(len(findings.curves.get((name, key), ())) for key in LEARNERS)
        for mark in findings.marks:
            errors = [decimals(findings.error(name, key, mark), 4) for key in LEARNERS]
            rows.append([name, runs, mark, *errors])
    return TableOf(
        title, ["data", "splits", "rounds", *(BOOSTERS[key].title for key in LEARNERS)], rows
    )


def curve_figures(findings: Findings) -> list[FigureOf]:
    names = [n for n in SPARSE if all((n, key) in findings.curves for key in RIVALS)]
    if not names:
        return []

    def draw(axes: Sequence[Any]) -> None:
        for ax, name in zip(axes, names, strict=True):
            lines = {
                BOOSTERS[key].title: drawn(
                    mean_curve(findings.curves[name, key], "test_error", findings.rounds).tolist()
                )
                for key in RIVALS
            }
            RoundsDisplay(lines, "test error").plot(ax=ax)
            ax.set(title=name.capitalize(), xscale="log")

    caption = "Figure 4: test errors on Glass and Segmentation, where they are there."
    return [FigureOf("gamble-4", caption, draw, panels=len(names))]


def further_sections(findings: Findings, shapes: Mapping[str, Shape]) -> list[Section]:
    """Data sets that the paper does not have."""
    names = [n for n in shapes if n not in published.SHAPES and (n, "gamble") in findings.curves]
    duels = findings.duels(names)
    if not duels:
        return []
    test = sign_test(findings.duels([*published.SHAPES, *names]))
    text = (
        f"Over these and the paper's data together, GAMBLE's error is lower than SAMME's in "
        f"{test.wins} comparisons, higher in {test.losses} and equal in {test.ties}: "
        f"p = {test.p_value:.4f}."
    )
    return [Section("Other data", text, [learner_table("Test errors", findings, names)])]
