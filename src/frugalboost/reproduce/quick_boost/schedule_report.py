"""Figure 4 of Quick Boost: what the schedule of subsets costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from frugalboost.analysis import QuickSweep
from frugalboost.plots import QuickSweepDisplay
from frugalboost.reproduce.paper import Cell, FigureOf, Section, TableOf
from frugalboost.reproduce.quick_boost import published
from frugalboost.reproduce.quick_boost.findings import Findings, price, sweep_of
from frugalboost.reproduce.quick_boost.reasons import CODES
from frugalboost.reproduce.text import decimals, percent


def schedule_sections(findings: Findings) -> list[Section]:
    alone, every = findings.sweep(code=0.0), findings.sweep(code=1.0)
    if alone is None or every is None:
        return []
    panels = {"assessments alone": alone, "with bounds": every}

    def draw(axes: Sequence[Any]) -> None:
        for ax, (title, sweep) in zip(axes, panels.items(), strict=True):
            QuickSweepDisplay(sweep).plot(ax=ax, values_format=".2f", colorbar=False)
            ax.set_title(title)

    figure = FigureOf("quick-boost-4", "Figure 4: cost by first mass and subsets.", draw, panels=2)
    tables = [schedule_table(alone, every), code_table(findings), *run_tables(findings)]
    return [Section("The schedule of subsets", SCHEDULES, tables, [figure])]


SCHEDULES = (
    "Costs as a share of the exhaustive search's: assessments alone, and with one operation for "
    "each code that is gone through to weigh a feature, once at a node by the exhaustive search, "
    "after every subset by the quick one. Each schedule searches the same rounds of the same fits."
)


def schedule_table(alone: QuickSweep, every: QuickSweep) -> TableOf:
    chosen = {
        "paper's best": published.BEST_SCHEDULE,
        "best by assessments": alone.best,
        "best with bounds": every.best,
    }
    rows: list[list[Cell]] = [
        [name, mass, n, percent(price(alone, (mass, n))), percent(price(every, (mass, n)))]
        for name, (mass, n) in chosen.items()
    ]
    headings = ["", "first mass", "subsets after it", "assessments alone", "with bounds"]
    return TableOf("Figure 4: mean over all runs", headings, rows)


def code_table(findings: Findings) -> TableOf:
    rows: list[list[Cell]] = []
    for code in CODES:
        sweep = findings.sweep(code)
        if sweep is not None:
            mass, n = sweep.best
            costs = [percent(price(sweep, each)) for each in (sweep.best, published.BEST_SCHEDULE)]
            rows.append([f"{code:g}", mass, n, *costs])
    headings = ["a code costs", "best first mass", "subsets after it", "cost", "paper's schedule"]
    return TableOf("Figure 4, by cost of a code: mean over all runs", headings, rows)


def run_tables(findings: Findings) -> list[TableOf]:
    rows: list[list[Cell]] = []
    for depth, swept in findings.sweeps.items():
        for length in swept["runs"]:
            line: list[Cell] = [depth, int(length)]
            for code in (0.0, 1.0):
                sweep = sweep_of(swept, length, code)
                mass, n = sweep.best
                line += [f"{mass:g}, {n}", percent(price(sweep, (mass, n)))]
                line += [percent(price(sweep, published.BEST_SCHEDULE))]
            rows.append(line)
    headings = ["depth", "trees", "best by assessments", "cost", "paper's schedule"]
    headings += ["best with bounds", "cost", "paper's schedule"]
    return [TableOf("Figure 4, by run", headings, rows), *subset_tables(findings)]


def subset_tables(findings: Findings) -> list[TableOf]:
    """What bounds come to, beside the assessments, in the longest run of each depth."""
    rows: list[list[Cell]] = []
    for depth, swept in findings.sweeps.items():
        length = max(swept["runs"], key=int)
        run, at = swept["runs"][length], swept["masses"].index(published.BEST_SCHEDULE[0])
        ratios = zip(run["scans"][at], run["assessments"][at], strict=True)
        rows.append([depth, int(length), *(decimals(codes / pairs, 2) for codes, pairs in ratios)])
    steps = next(iter(findings.sweeps.values()))["steps"]
    title = "Figure 4, by subsets after the first 90 %: codes gone through for each assessment"
    return [TableOf(title, ["depth", "trees", *(str(n) for n in steps)], rows)]
