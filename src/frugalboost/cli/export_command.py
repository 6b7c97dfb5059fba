"""The options of `frugalboost export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from frugalboost.cli.options import Force, Model
from frugalboost.cli.outputs import STANDARD_OUTPUT


def export_command(
    model: Model,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="File to write: .onnx or .c says which form; - prints C."
        ),
    ],
    prefix: Annotated[str, typer.Option(help="What the names in a C file begin with.")] = "model",
    columns: Annotated[
        bool, typer.Option("--columns", help="ONNX: an input for each column, by its name.")
    ] = False,
    force: Force = False,
) -> None:
    """Write a model in a form that runs without this library: ONNX, or a single C file."""
    from frugalboost.cli.export import run_export

    n_bytes = run_export(model, output, prefix, columns=columns, force=force)
    if str(output) not in STANDARD_OUTPUT:
        typer.echo(f"{output}: {n_bytes:,} bytes.")
