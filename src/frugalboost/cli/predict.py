"""Predictions for the rows of a file, written as they come."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import frugalboost as fb
from frugalboost._files import whole_file
from frugalboost._typing import AnyArray
from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.outputs import check_output
from frugalboost.cli.rows_of_model import Block, ModelColumns
from frugalboost.cli.spreadsheets import harmless
from frugalboost.cli.tables import open_table
from frugalboost.streams.optional import require_pyarrow

PARQUET = (".parquet", ".pq")
ENDINGS = (".csv", ".csv.gz", *PARQUET)


@dataclass(frozen=True)
class PredictOptions:
    """What to predict; without an output, CSV goes to standard output."""

    model: Path
    data: Path
    output: Path | None = None
    proba: bool = False
    keep: tuple[str, ...] = ()
    force: bool = False
    spreadsheet_safe: bool = True

    @property
    def is_csv(self) -> bool:
        return self.output is None or not self.output.name.lower().endswith(PARQUET)

    def check(self) -> None:
        if self.output is not None:
            reads = {"MODEL": self.model, "DATA": self.data}
            check_output(self.output, force=self.force, reads=reads, endings=ENDINGS)


def run_predict(options: PredictOptions) -> int:
    """Write a line for each row, in their order; the number of rows."""
    options.check()
    pa = require_pyarrow()
    model = fb.load(options.model)
    if options.proba and not hasattr(model, "predict_proba"):
        raise BadUsageError(
            f"--proba needs a classifier; {options.model} is a {type(model).__name__}."
        )
    file = open_table(options.data)
    columns = ModelColumns.of(model)
    blocks = columns.blocks(file, keep=options.keep)
    n_rows = 0
    with writing(pa, options.output) as write:
        for block in blocks:
            table = answers(pa, model, block, options)
            if options.is_csv and options.spreadsheet_safe:
                table = harmless(pa, table)
            write(table)
            n_rows += table.num_rows
    return n_rows


def answers(pa: Any, model: Any, block: Block, options: PredictOptions) -> Any:
    """The lines of some rows: columns to keep, the prediction, and probabilities if asked for."""
    found = {name: pa.array(block.rows.values(name)) for name in options.keep}
    found["prediction"] = as_column(pa, model.predict(block.X))
    if options.proba:
        shares = model.predict_proba(block.X)
        for at, label in enumerate(model.classes_.tolist()):
            found[f"probability_{label}"] = pa.array(shares[:, at])
    return pa.table(found)


def as_column(pa: Any, labels: AnyArray) -> Any:
    """Labels as a column; those of several types as text."""
    if labels.dtype.kind != "O":
        return pa.array(labels)
    values = labels.tolist()
    is_one_type = len(set(map(type, values))) == 1
    return pa.array(values if is_one_type else [str(value) for value in values])


@contextmanager
def writing(pa: Any, path: Path | None) -> Iterator[Callable[[Any], None]]:
    """Give a function that writes tables one after the other to a file that is there in the end."""
    place = nullcontext(sys.stdout.buffer) if path is None else whole_file(path)
    with place as file, ExitStack() as opened:
        writers: list[Any] = []

        def write(table: Any) -> None:
            if not writers:
                writers.append(open_writer(pa, file, path, table.schema, opened))
            writers[0].write_table(table)

        yield write


def open_writer(pa: Any, file: Any, path: Path | None, schema: Any, opened: ExitStack) -> Any:
    """A writer by the ending of the name, which `opened` closes."""
    name = "" if path is None else path.name.lower()
    if name.endswith(PARQUET):
        return opened.enter_context(pa.parquet.ParquetWriter(file, schema))
    if name.endswith(".gz"):
        file = opened.enter_context(gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename=""))
    options = pa.csv.WriteOptions(quoting_style="needed")
    return opened.enter_context(pa.csv.CSVWriter(file, schema, write_options=options))
