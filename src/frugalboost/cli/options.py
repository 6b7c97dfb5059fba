"""Options that several commands have."""

from __future__ import annotations

import ast
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from frugalboost.cli.errors import BadUsageError

Data = Annotated[Path, typer.Argument(help="CSV (also .gz), Parquet, Arrow, LIBSVM or NPZ file.")]
Model = Annotated[
    Path, typer.Argument(help="Model file (.fboost), or a checkpoint written by stream.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output if it exists.")]
ManyClasses = Annotated[
    bool,
    typer.Option("--many-classes", help="Learn a text target even if most classes are rare."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
SpreadsheetSafe = Annotated[
    bool,
    typer.Option(
        help="CSV: put ' before text that a spreadsheet would run, which begins with = + - @."
    ),
]
Weight = Annotated[str | None, typer.Option(help="Column of the rows' weights.")]


def parse_params(given: list[str]) -> dict[str, Any]:
    """Parameters from texts such as max_bins=64; what is no Python literal is a word.

    >>> parse_params(["max_bins=64", "rule=real", "weight_trim=None"])
    {'max_bins': 64, 'rule': 'real', 'weight_trim': None}
    """
    found = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise BadUsageError(f"--param must be name=value, such as max_bins=64; got {text!r}.")
        found[name.strip()] = _literal(value.strip())
    return found


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def typed_command() -> str:
    """What was typed, for the model to remember."""
    return shlex.join(["frugalboost", *sys.argv[1:]])
