"""Tables and JSON on standard output, which may be closed.

Python has None for streams that are closed, as by ``>&-``. A result that is printed must not be
lost in silence. A command whose result is a file runs, and what it says beside that is lost.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

import typer

from frugalboost._texts import SCORE_NAMES, VALUE, printable, shortened
from frugalboost.cli.outputs import STANDARD_OUTPUT

FULL_WIDTH = 200
"""Of tables that do not go to a terminal, so that nothing is wrapped or cut off there."""


def print_json(report: Any) -> None:
    """Numbers that JSON cannot represent, such as NaN, become null."""
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


def counted(n: int, noun: str, plural: str | None = None) -> str:
    """
    >>> counted(1, "row"), counted(12_345, "row"), counted(2, "class", "classes")
    ('1 row', '12,345 rows', '2 classes')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {plural or noun + 's'}"


def print_lines(title: str, lines: Iterable[tuple[str, str]]) -> None:
    """Names and values, one pair per line."""
    print_table(title, None, lines)


def print_table(
    title: str, headings: list[str] | None, rows: Iterable[Iterable[object]], right: bool = False
) -> None:
    """A table; text from files is not interpreted as markup."""
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
    typer.echo(printable(title))  # rich would wrap a title at the table's width
    console().print(table)


def score_lines(scores: dict[str, Any] | None, where: str) -> list[tuple[str, str]]:
    """Scores, and how many rows they are from."""
    if scores is None:
        return [(where, "no rows")]
    known = [name for name in SCORE_NAMES if isinstance(scores.get(name), (int, float))]
    lines = [(SCORE_NAMES[name], f"{scores[name]:.5g}") for name in known]
    return [(where, counted(scores["rows"], "row")), *lines]


class ClosedOutput(io.TextIOBase):
    """Refuses all text, such as help."""

    def write(self, text: str) -> NoReturn:
        raise OSError("standard output must be open to be printed to; it is closed.")


def replace_closed() -> None:
    """Closed input is input that has ended; closed output refuses whatever is printed."""
    for number in range(3):
        _take(number)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = ClosedOutput()
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115


def _take(number: int) -> None:
    """Give a free number to the null device. Otherwise the next file that is written would get it,
    such as a model, and in it the text of libraries that print by number."""
    try:
        os.fstat(number)
    except OSError:
        handle = os.open(os.devnull, os.O_RDWR)  # the smallest free number
        os.set_inheritable(handle, True)


def check_open(params: Mapping[str, Any]) -> None:
    """Raise an error, before any work, if the result of these options cannot be printed.

    Without --output, `label` prints its questions and `reproduce` its report.
    """
    if not isinstance(sys.stdout, ClosedOutput):
        return
    if params.get("as_json") or str(params.get("output") or "-") in STANDARD_OUTPUT:
        sys.stdout.write("")
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
