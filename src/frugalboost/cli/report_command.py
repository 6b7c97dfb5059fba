"""`frugalboost report`: a page about a model; the folder `report` makes it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from frugalboost.cli.options import AsJson, Data, Force, Model, Target, Weight
from frugalboost.cli.printing import print_json, print_lines, score_lines, size_text


def report_command(
    model: Model,
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the page.")],
    target: Target = None,
    weight: Weight = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a page about a model and its predictions for a file, to be opened in a browser.

    If DATA is the file that the model was fitted to, its held-out rows are used.
    """
    from frugalboost.cli.report.making import ReportOptions, run_report
    from frugalboost.cli.training import typed_command

    report = run_report(ReportOptions(model, data, output, target, weight, force, typed_command()))
    if as_json:
        print_json(report)
        return
    lines = [*score_lines(report["scores"], "tested on"), ("size", size_text(report["bytes"]))]
    print_lines(f"Report written to {output}", lines)
