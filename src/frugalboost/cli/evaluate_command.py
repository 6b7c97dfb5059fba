"""The options of `frugalboost evaluate`, and what it prints."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from frugalboost.cli.options import AsJson, Data, Model, Weight

MOST_CLASSES = 12
"""Of a confusion matrix that fits a terminal; --json has them all."""


def evaluate_command(
    model: Model,
    data: Data,
    target: Annotated[
        str | None, typer.Option(help="Column of the right answers; default: the model's target.")
    ] = None,
    weight: Weight = None,
    held_out: Annotated[
        bool,
        typer.Option("--held-out", help="If DATA is the file of the fit: the rows held out alone."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Score a model on a file with the right answers."""
    from frugalboost.cli.evaluate import run_evaluate
    from frugalboost.cli.printing import print_json, print_lines, score_lines

    scores = run_evaluate(model, data, target, weight, held_out=held_out)
    if scores["is_known"]:
        typer.echo(
            "The model was fitted to rows of this file, so the scores flatter it; --held-out "
            "leaves those out.",
            err=True,
        )
    if scores["note"]:
        typer.echo(scores["note"], err=True)
    if as_json:
        print_json(scores)
        return
    print_lines(f"{model.name} on {data.name}", score_lines(scores, "tested"))
    if 0 < len(scores.get("classes", ())) <= MOST_CLASSES:
        print_confusion(scores)


def print_confusion(scores: dict[str, Any]) -> None:
    from frugalboost.cli.printing import print_table

    classes = [str(label) for label in scores["classes"]]
    rows = [
        [label, *(f"{cell:,}" for cell in row)]
        for label, row in zip(classes, scores["confusion"], strict=True)
    ]
    title = "Confusion: rows are the right answers, columns the predictions"
    print_table(title, ["", *classes], rows, right=True)
