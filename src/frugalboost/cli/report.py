"""`frugalboost report`: a page about a model and its predictions for a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from frugalboost._files import whole_file
from frugalboost._texts import size_text
from frugalboost.cli.opening import open_model
from frugalboost.cli.options import AsJson, Data, Force, Model, Target, Weight
from frugalboost.cli.outputs import check_output
from frugalboost.cli.printing import print_json, print_lines, score_lines
from frugalboost.cli.progress import bar, open_data, stages

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost.cli.training import Examples
    from frugalboost.report import Subject

ENDINGS = (".html", ".htm")
TIMED_SECONDS = 0.1


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
    from frugalboost.cli.training import typed_command
    from frugalboost.report import make_report, require_libraries

    check_output(output, force=force, reads={"MODEL": model, "DATA": data}, endings=ENDINGS)
    require_libraries()
    subject = read_subject(model, data, target, weight)
    page, numbers = make_report(subject, f"{model.name} on {data.name}", typed_command())
    content = page.encode("utf-8")
    with whole_file(output) as file:
        file.write(content)
    if as_json:
        print_json({"report": str(output), "bytes": len(content), **numbers})
        return
    lines = [*score_lines(numbers["scores"], "tested on"), ("size", size_text(len(content)))]
    print_lines(f"Report written to {output}", lines)


def read_subject(path: Path, data: Path, target: str | None, weight: str | None) -> Subject:
    """Open both files. From the file of the fit, only the held-out rows are evaluated."""
    from frugalboost.cli.inspect import describe_model
    from frugalboost.cli.model_rows import ModelColumns, trees_of
    from frugalboost.cli.prune import microseconds_per_row
    from frugalboost.cli.training import Record, chosen_by, is_data_of, score_rows, split_again
    from frugalboost.report import Subject

    model = open_model(path)
    rows = ModelColumns.of(model).whole(open_data(data), target, weight)
    record, train, is_known = Record.of(model), None, False
    if record is not None and is_data_of(record, data):
        with bar("splitting the rows", 2) as advance:
            fitted, held_out = split_again(record, rows.y)
            advance(1)
            if len(held_out):
                train, rows = rows.take(fitted), rows.take(held_out)
        is_known = not len(held_out)
    check_rows(rows, data, hasattr(model, "classes_"))
    note = None if record is None or train is None else chosen_by(record.pruned)
    return Subject(
        model=model,
        trees=trees_of(model),
        about=describe_model(path),
        test=rows,
        scores=score_rows(model, rows),
        microseconds_per_row=microseconds_per_row(model, rows, TIMED_SECONDS),
        train=train,
        train_scores=None if train is None else score_rows(model, train),
        is_known=is_known,
        notes=[] if note is None else [note],
        weight=weight,
        stage=stages(),
    )


def check_rows(rows: Examples, data: Path, is_classifier: bool) -> None:
    """Refuse rows that could not tell a good model from a bad one."""
    if len(rows) < 2:
        raise ValueError(f"{data} must have at least two rows to evaluate a model; it has 1.")
    labels = {*rows.y.tolist()}
    if is_classifier and len(labels) < 2:
        raise ValueError(
            f"{data} must have rows of at least two classes to evaluate a model; all are "
            f"{labels.pop()!r}."
        )
