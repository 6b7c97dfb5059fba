"""`frugalboost export`: write a saved model as an ONNX or a C file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

import frugalboost as fb
from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.opening import open_model
from frugalboost.cli.options import Force, Model
from frugalboost.cli.outputs import STANDARD_OUTPUT, check_output
from frugalboost.cli.progress import bar

ENDINGS = (".onnx", ".c")


def export_command(
    model: Model,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="File to write, ending in .onnx or .c; - prints C."),
    ],
    prefix: Annotated[str, typer.Option(help="C: prefix of all names.")] = "model",
    columns: Annotated[
        bool, typer.Option("--columns", help="ONNX: one named input per column.")
    ] = False,
    force: Force = False,
) -> None:
    """Write a model in a form that runs without this library: ONNX, or a single C file."""
    is_printed, is_onnx = str(output) in STANDARD_OUTPUT, output.suffix.lower() == ".onnx"
    if not is_printed:
        check_output(output, force=force, reads={"MODEL": model}, endings=ENDINGS)
    if columns and not is_onnx:
        raise BadUsageError(f"--columns must be omitted for a C file; got it with {output.name}.")
    loaded = open_model(model)
    if is_printed:
        sys.stdout.write(fb.export.to_c(loaded, prefix=prefix))
        return
    with bar(f"writing {output.name}", None):
        if is_onnx:
            fb.export.to_onnx(loaded, output, inputs="columns" if columns else "matrix")
        else:
            fb.export.to_c(loaded, output, prefix=prefix)
    typer.echo(f"Wrote {output} ({output.stat().st_size:,} bytes).")
