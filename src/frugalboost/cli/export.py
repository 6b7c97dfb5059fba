"""Write a saved model as an ONNX or a C file."""

from __future__ import annotations

from pathlib import Path

from frugalboost import export, load
from frugalboost.cli.outputs import check_apart, check_output
from frugalboost.cli.progress import bar

ENDINGS = (".onnx", ".c")


def run_export(source: Path, output: Path, prefix: str, *, force: bool) -> int:
    """Write a model in the form that the output's ending asks for; return how many bytes it has."""
    check_apart(check_output(output, force=force, endings=ENDINGS), {"the model": source})
    model = load(source)
    with bar(f"writing {output.name}", None):
        if output.suffix.lower() == ".onnx":
            export.to_onnx(model, output)
        else:
            export.to_c(model, output, prefix=prefix)
    return output.stat().st_size
