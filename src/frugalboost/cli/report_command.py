"""The options of `frugalboost report`, and what it prints."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from frugalboost.cli.options import AsJson, Data, Force, Model, Weight, typed_command


def report_command(
    model: Model,
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the page.")],
    target: Annotated[
        str | None, typer.Option(help="Column of the right answers; default: the model's target.")
    ] = None,
    weight: Weight = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write one page about a model and what it says of a file, to be opened in a browser.

    If DATA is the file of the fit, the model is judged by the rows that it has held out.
    """
    from frugalboost._texts import size_text
    from frugalboost.cli.printing import print_json, print_lines, score_lines
    from frugalboost.cli.report_inputs import ReportOptions, run_report

    options = ReportOptions(model, data, output, target, weight, force, typed_command())
    found = run_report(options)
    if as_json:
        print_json(found)
        return
    lines = [*score_lines(found["scores"], "judged by"), ("size", size_text(found["bytes"]))]
    print_lines(f"Report in {output}", lines)
