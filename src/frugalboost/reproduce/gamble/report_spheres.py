"""Tables and figures of section 5.3: the concentric spheres."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from frugalboost.plots import RoundsDisplay
from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.boosters import BOOSTERS, RIVALS
from frugalboost.reproduce.gamble.claims_of_spheres import OTHER_TREES, WEIGHTS, crossing
from frugalboost.reproduce.gamble.findings import Findings, mean_curve
from frugalboost.reproduce.gamble.report_boosting import drawn
from frugalboost.reproduce.gamble.theory import SHARES
from frugalboost.reproduce.paper import Cell, FigureOf, Section, TableOf
from frugalboost.reproduce.text import decimals, percent


def sphere_sections(findings: Findings) -> list[Section]:
    """Figure 6."""
    pairs = {name: runs for name, runs in findings.spheres.items() if name[1] in RIVALS}
    if not pairs:
        return []
    title = "Figure 6: errors on concentric spheres, means over runs"
    tables = [error_table(title, findings, list(pairs)), *variant_tables(findings)]
    numbers = list(dict.fromkeys(n for n, _ in pairs))

    def draw(axes: Sequence[Any]) -> None:
        for ax, n_classes in zip(axes, numbers, strict=True):
            lines = {
                f"{BOOSTERS[key].title}, {which.partition('_')[0]}": drawn(
                    mean_curve(runs, which, findings.rounds).tolist()
                )
                for (n, key), runs in pairs.items()
                for which in ERRORS
                if n == n_classes
            }
            RoundsDisplay(lines, "error").plot(ax=ax)
            ax.set(title=f"{n_classes} classes", xscale="log")

    figure = FigureOf("gamble-6", "Figure 6: concentric spheres.", draw, panels=len(numbers))
    return [Section("Concentric spheres", "", tables, [figure])]


ERRORS = ("train_error", "test_error")


def error_table(title: str, findings: Findings, names: Sequence[tuple[int, str]]) -> TableOf:
    rows: list[list[Cell]] = []
    for n_classes, key in names:
        runs = findings.spheres[n_classes, key]
        for which in ERRORS:
            errors = mean_curve(runs, which, findings.rounds)
            cells = [decimals(float(errors[mark - 1]), 4) for mark in findings.marks]
            kind = which.partition("_")[0]
            rows.append([n_classes, BOOSTERS[key].title, len(runs), kind, *cells])
    headings = ["classes", "booster", "runs", "error", *(f"after {m}" for m in findings.marks)]
    return TableOf(title, headings, rows)


def variant_tables(findings: Findings) -> list[TableOf]:
    """Other trees, and the weights that the boosters come to."""
    others = [name for name in findings.spheres if name[1] not in RIVALS]
    tables = [error_table(OTHER_TREES, findings, others)] if others else []
    return [*tables, *crossing_tables(findings, others), *weight_tables(findings)]


def crossing_tables(findings: Findings, others: Sequence[tuple[int, str]]) -> list[TableOf]:
    gamble = findings.spheres.get((5, "gamble"))
    if not gamble or not others or findings.rounds <= published.SPHERES_CROSSING:
        return []
    rows: list[list[Cell]] = []
    for name in [(5, "samme"), *others]:
        runs = findings.spheres.get(name)
        if runs and name[1].startswith("samme"):
            lower, better = crossing(findings, gamble, runs)
            rows.append([BOOSTERS[name[1]].title, percent(lower), percent(better)])
    title = f"Rounds after {published.SPHERES_CROSSING}, five classes, beside GAMBLE with 15 leaves"
    headings = ["booster", "its training error is lower", "GAMBLE's test error is lower"]
    return [TableOf(title, headings, rows)]


def weight_tables(findings: Findings) -> list[TableOf]:
    rows: list[list[Cell]] = [
        [BOOSTERS[key].title, after, *(percent(share) for share in shares)]
        for key, result in findings.weights.items()
        for after, shares in zip(result["rounds"], result["shares"], strict=True)
    ]
    headings = ["booster", "round", *(f"heaviest {100 * share:.0f} %" for share in SHARES)]
    return [TableOf(WEIGHTS, headings, rows)] if rows else []
