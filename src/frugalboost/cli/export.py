"""Write a saved model as an ONNX or a C file."""

from __future__ import annotations

import sys
from pathlib import Path

from frugalboost import export, load
from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.outputs import STANDARD_OUTPUT, check_output
from frugalboost.cli.progress import bar

ENDINGS = (".onnx", ".c")


def run_export(
    source: Path, output: Path, prefix: str = "model", *, columns: bool = False, force: bool = False
) -> int:
    """Write a model in the form that the output's ending asks for; return how many bytes it has.

    To standard output goes C, which is text.
    """
    is_printed = str(output) in STANDARD_OUTPUT
    if not is_printed:
        check_output(output, force=force, reads={"MODEL": source}, endings=ENDINGS)
    is_onnx = output.suffix.lower() == ".onnx"
    if columns and not is_onnx:
        raise BadUsageError(f"--columns must be left out for a C file; got it with {output.name}.")
    model = load(source)
    if is_printed:
        text = export.to_c(model, prefix=prefix)
        return sys.stdout.write(text)
    with bar(f"writing {output.name}", None):
        if is_onnx:
            export.to_onnx(model, output, inputs="columns" if columns else "matrix")
        else:
            export.to_c(model, output, prefix=prefix)
    return output.stat().st_size
