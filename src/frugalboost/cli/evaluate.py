"""`frugalboost evaluate`: the scores of a model on the rows of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.opening import open_model
from frugalboost.cli.options import AsJson, Data, Model, Target, Weight
from frugalboost.cli.printing import print_json, print_lines, print_table, score_lines
from frugalboost.cli.progress import bar, open_data

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.cli.training import Record

MOST_CLASSES = 12
"""Of a confusion matrix that fits a terminal; --json has them all."""


def evaluate_command(
    model: Model,
    data: Data,
    target: Target = None,
    weight: Weight = None,
    held_out: Annotated[
        bool,
        typer.Option(
            "--held-out", help="Use only the rows that fit held out; DATA must be its file."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Score a model on a file that contains the true labels."""
    from frugalboost.cli.model_rows import ModelColumns, score_table
    from frugalboost.cli.training import Record, chosen_by, is_data_of, score_rows, split_again

    loaded, table = open_model(model), open_data(data)
    record = Record.of(loaded)
    is_known, note = is_data_of(record, data), None
    if held_out:
        record = check_held_out(record if is_known else None, model, data)
        rows = ModelColumns.of(loaded).whole(table, target, weight)
        with bar("splitting the rows", None):
            rows = rows.take(split_again(record, rows.y)[1])
        scores = score_rows(loaded, rows)
        is_known, note = False, chosen_by(record.pruned)
    else:
        scores = score_table(loaded, table, target, weight)
    print_notes(is_known, note)
    if as_json:
        print_json({**scores, "is_known": is_known, "note": note})
        return
    print_lines(f"{model.name} on {data.name}", score_lines(scores, "tested on"))
    if 0 < len(scores.get("classes", ())) <= MOST_CLASSES:
        print_confusion(scores)


def check_held_out(record: Record | None, model: Path, data: Path) -> Record:
    """The record of the model, if the file has rows that its fit held out."""
    if record is None:
        raise BadUsageError(
            f"--held-out needs the file that the model was fitted to; {data} is a different file."
        )
    if not record.test_share:
        raise BadUsageError(
            "--held-out needs a model that was fitted with held-out rows; "
            f"{model} was fitted to all rows (--test-share 0)."
        )
    return record


def print_notes(is_known: bool, note: str | None) -> None:
    if is_known:
        typer.echo(
            "The model was fitted to rows of this file, so the scores are too optimistic; use "
            "--held-out to leave those rows out.",
            err=True,
        )
    if note:
        typer.echo(note, err=True)


def print_confusion(scores: dict[str, Any]) -> None:
    classes = [str(label) for label in scores["classes"]]
    rows = [
        [label, *(f"{cell:,}" for cell in row)]
        for label, row in zip(classes, scores["confusion"], strict=True)
    ]
    title = "Confusion matrix: rows are true labels, columns are predictions"
    print_table(title, ["", *classes], rows, right=True)
