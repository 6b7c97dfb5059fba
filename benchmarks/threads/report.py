"""From results to Markdown."""

from __future__ import annotations

from itertools import pairwise

from peers.contenders import OURS, YARDSTICK
from peers.report import number, table

from .results import Cell, Outcome, Results

SLACK = 1.05
"""More threads should take at most this share of the time that fewer take."""

ALT = "Speed-up by number of threads, frugalboost and LightGBM, one small chart for each task."


def markdown(results: Results, picture: str | None = None) -> str:
    """`picture` is its address seen from the page, if there is one."""
    measured = [outcome for outcome in results.outcomes if outcome.cells]
    parts = [
        head(results),
        table(["library", "version"], [[k, v or "not installed"] for k, v in versions(results)]),
        *([f"![{ALT}]({picture})"] if picture else []),
        *([summary(measured)] if measured else []),
        *map(section, measured),
        *left_out(results),
    ]
    return "\n\n".join(parts) + "\n"


def versions(results: Results) -> list[tuple[str, str | None]]:
    return list(results.versions.items())


def head(results: Results) -> str:
    about = results.machine
    size = "A quick run, few rows and rounds, whose times say nothing. " if results.quick else ""
    policy = f", OMP_WAIT_POLICY={about['wait_policy']}" if about.get("wait_policy") else ""
    return (
        f"{size}{about['processor']}, {about['cores']} cores, {about['system']}, "
        f"Python {about['python']}{policy}; medians of runs in turns."
    )


def ratio(cell: Cell) -> float | None:
    return None if cell.their_median is None else cell.our_median / cell.their_median


def times(cell: Cell | None) -> str:
    """Ours, LightGBM's and their ratio.

    >>> times(Cell(1, [1.0], [4.0], "")), times(Cell(1, [1.0], [], "")), times(None)
    ('1 / 4 = 0.25', '1', '')
    """
    if cell is None:
        return ""
    if cell.their_median is None:
        return number(cell.our_median)
    return f"{number(cell.our_median)} / {number(cell.their_median)} = {number(ratio(cell))}"


def speed_ups(outcome: Outcome) -> dict[int, tuple[float, float | None]]:
    """Of both libraries by number of threads, beside one thread; empty if that is not there."""
    one = outcome.cell(1)
    if one is None:
        return {}
    return {
        cell.threads: (one.our_median / cell.our_median, quotient(one, cell))
        for cell in outcome.cells
    }


def quotient(one: Cell, cell: Cell) -> float | None:
    if one.their_median is None or cell.their_median is None:
        return None
    return one.their_median / cell.their_median


def pair(values: tuple[float, float | None] | None) -> str:
    if values is None:
        return ""
    return " / ".join(number(value) for value in values if value is not None)


def never_slower(cells: list[Cell]) -> list[str]:
    """Whether each number of threads takes at most `SLACK` times what the one before takes."""
    found = [b.our_median <= SLACK * a.our_median for a, b in pairwise(cells)]
    return ["", *("yes" if is_fast else "**no**" for is_fast in found)]


def section(outcome: Outcome) -> str:
    found = speed_ups(outcome)
    sides = f"{OURS} / {YARDSTICK}"
    rows = [
        [f"{outcome.unit}, {sides} = ratio", *map(times, outcome.cells)],
        [f"speed-up, {sides}", *(pair(found.get(cell.threads)) for cell in outcome.cells)],
        [f"{OURS} takes at most {SLACK} of the column before", *never_slower(outcome.cells)],
    ]
    body = table(["threads", *(str(cell.threads) for cell in outcome.cells)], rows)
    return f"### {outcome.title}\n\n{outcome.about}.\n\n{body}"


def summary(outcomes: list[Outcome]) -> str:
    """One thread beside the most."""
    most = max(cell.threads for outcome in outcomes for cell in outcome.cells)
    headings = ["task", "unit", "one thread", f"{most} threads", "speed-up"]
    rows = [
        [
            outcome.title,
            outcome.unit,
            times(outcome.cell(1)),
            times(outcome.cell(most)),
            pair(speed_ups(outcome).get(most)),
        ]
        for outcome in outcomes
    ]
    return f"### Summary\n\n{OURS} / {YARDSTICK}.\n\n{table(headings, rows)}"


def left_out(results: Results) -> list[str]:
    absent = [each for each in results.outcomes if not each.cells and each.absent]
    lines = [f"- {outcome.title}: {outcome.absent}" for outcome in absent]
    return ["### Not measured\n\n" + "\n".join(lines)] if lines else []
