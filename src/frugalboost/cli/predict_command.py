"""The options of `frugalboost predict`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from frugalboost.cli.options import Data, Force, Model, SpreadsheetSafe
from frugalboost.cli.outputs import STANDARD_OUTPUT


def predict_command(
    model: Model,
    data: Data,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help=".csv, .csv.gz or .parquet; default, or -: CSV is printed."
        ),
    ] = None,
    proba: Annotated[bool, typer.Option("--proba", help="Probabilities of the classes.")] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(help="Column of DATA to copy, such as an id; may be given again."),
    ] = None,
    spreadsheet_safe: SpreadsheetSafe = True,
    force: Force = False,
) -> None:
    """Predict every row of a file, some at a time, so that large files need little memory."""
    from frugalboost.cli.predict import PredictOptions, run_predict

    if str(output) in STANDARD_OUTPUT:
        output = None
    options = PredictOptions(model, data, output, proba, tuple(keep or ()), force, spreadsheet_safe)
    n_rows = run_predict(options)
    if output is not None:
        typer.echo(f"{n_rows:,} predictions in {output}.")
