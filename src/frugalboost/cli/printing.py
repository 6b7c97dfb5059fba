"""Tables and JSON on standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import typer

from frugalboost._texts import SCORE_NAMES, VALUE, printable, shortened

FULL_WIDTH = 200
"""Of tables that are not for a terminal: nothing is broken or cut off there."""


def print_json(report: Any) -> None:
    """Numbers that JSON does not know, such as NaN, become null."""
    typer.echo(json.dumps(_known(report), indent=2, allow_nan=False))


def _known(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _known(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_known(item) for item in value]
    if isinstance(value, float) and value - value != 0:
        return None
    return value


def console() -> Any:
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=FULL_WIDTH)


def print_lines(title: str, lines: Iterable[tuple[str, str]]) -> None:
    """Names and values, one under the other."""
    print_table(title, None, lines)


def print_table(
    title: str, headings: list[str] | None, rows: Iterable[Iterable[object]], right: bool = False
) -> None:
    """A table; what comes from files is shown as it is, whatever it looks like."""
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=headings is not None)
    listed = [list(row) for row in rows]
    width = len(headings) if headings is not None else max(map(len, listed), default=2)
    for at in range(width):
        heading = "" if headings is None else Text(printable(headings[at]))
        is_right = right and at > 0
        table.add_column(heading, overflow="fold", justify="right" if is_right else "left")
    for row in listed:
        table.add_row(*(Text(shortened(printable(cell), VALUE)) for cell in row))
    typer.echo(printable(title))  # as a table's own title it would be broken at the table's width
    console().print(table)


def score_lines(scores: dict[str, Any] | None, where: str) -> list[tuple[str, str]]:
    """Scores with the rows they are from."""
    if scores is None:
        return [(where, "no rows")]
    found = [(where, f"{scores['rows']:,} rows")]
    for name, shown_as in SCORE_NAMES.items():
        if isinstance(scores.get(name), (int, float)):
            found.append((shown_as, f"{scores[name]:.5g}"))
    return found
