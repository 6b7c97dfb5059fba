"""What `frugalboost report` reads, and the page written whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import frugalboost as fb
from frugalboost._files import whole_file
from frugalboost.cli.examples import Examples
from frugalboost.cli.held_out import chosen_by, is_data_of, split_again
from frugalboost.cli.inspect import run_inspect, trees_of
from frugalboost.cli.outputs import check_output
from frugalboost.cli.progress import bar, stages
from frugalboost.cli.prune import best_time
from frugalboost.cli.record import Record
from frugalboost.cli.rows_of_model import ModelColumns
from frugalboost.cli.tables import open_table
from frugalboost.cli.testing import score_rows
from frugalboost.report import Subject, make_report, require_libraries

ENDINGS = (".html", ".htm")
TIMED_ROWS, TIMED_SECONDS = 10_000, 0.1


@dataclass(frozen=True)
class ReportOptions:
    """What to report on, and where."""

    model: Path
    data: Path
    output: Path
    target: str | None = None
    weight: str | None = None
    force: bool = False
    command: str = ""


def run_report(options: ReportOptions) -> dict[str, Any]:
    """Write the page; return all numbers that are on it, by section."""
    reads = {"MODEL": options.model, "DATA": options.data}
    check_output(options.output, force=options.force, reads=reads, endings=ENDINGS)
    require_libraries()
    title = f"{options.model.name} on {options.data.name}"
    page, numbers = make_report(read_subject(options), title, options.command)
    content = page.encode("utf-8")
    with whole_file(options.output) as file:
        file.write(content)
    return {"report": str(options.output), "bytes": len(content), **numbers}


def read_subject(options: ReportOptions) -> Subject:
    """Open both files. From the file of the fit, only the rows held out are evaluated."""
    model = fb.load(options.model)
    rows = ModelColumns.of(model).whole(open_table(options.data), options.target, options.weight)
    record, train, is_known = Record.of(model), None, False
    if record is not None and is_data_of(record, options.data):
        with bar("splitting the rows", 2) as advance:
            fitted, held = split_again(record, rows.y)
            advance(1)
            if len(held):
                train, rows = rows.take(fitted), rows.take(held)
        is_known = not len(held)
    check_rows(rows, options.data, hasattr(model, "classes_"))
    note = None if record is None or train is None else chosen_by(record.pruned)
    return Subject(
        model=model,
        trees=trees_of(model),
        about=run_inspect(options.model),
        test=rows,
        scores=score_rows(model, rows),
        microseconds_per_row=prediction_time(model, rows),
        train=train,
        train_scores=None if train is None else score_rows(model, train),
        is_known=is_known,
        notes=[] if note is None else [note],
        weight=options.weight,
        stage=stages(),
    )


def prediction_time(model: Any, rows: Examples) -> float:
    """Microseconds that the model takes for a row."""
    sample = rows.take(np.arange(min(len(rows), TIMED_ROWS)))
    return 1e6 * best_time(model, sample.X, TIMED_SECONDS) / len(sample)


def check_rows(rows: Examples, data: Path, is_classifier: bool) -> None:
    """Refuse rows that could not tell a good model from a bad one."""
    if len(rows) < 2:
        raise ValueError(f"{data} must have at least two rows to evaluate a model; it has 1.")
    labels = {*np.asarray(rows.y).tolist()}
    if is_classifier and len(labels) < 2:
        raise ValueError(
            f"{data} must have rows of at least two classes to evaluate a model; all are "
            f"{labels.pop()!r}."
        )
