"""`frugalboost predict`: predictions for the rows of a file, written block by block."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frugalboost._files import whole_file
from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.opening import open_model
from frugalboost.cli.options import Data, Force, Model, SpreadsheetSafe
from frugalboost.cli.outputs import STANDARD_OUTPUT, check_output, harmless
from frugalboost.cli.printing import counted
from frugalboost.cli.progress import open_data
from frugalboost.tables.formats import PARQUET, has_suffix
from frugalboost.tables.opening import require_pyarrow

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost._typing import AnyArray
    from frugalboost.cli.model_rows import Block

ENDINGS = (".csv", ".csv.gz", *PARQUET)


def predict_command(
    model: Model,
    data: Data,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help=".csv, .csv.gz or .parquet file; default, or -: print CSV."
        ),
    ] = None,
    proba: Annotated[
        bool, typer.Option("--proba", help="Add the probability of each class.")
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(help="Column of DATA to copy, such as an id; can be repeated."),
    ] = None,
    spreadsheet_safe: SpreadsheetSafe = True,
    force: Force = False,
) -> None:
    """Predict every row of a file, in blocks, so that large files need little memory."""
    from frugalboost.cli.model_rows import ModelColumns

    path = None if str(output) in STANDARD_OUTPUT else output
    if path is not None:
        check_output(path, force=force, reads={"MODEL": model, "DATA": data}, endings=ENDINGS)
    pa = require_pyarrow()
    loaded = open_model(model)
    if proba and not hasattr(loaded, "predict_proba"):
        raise BadUsageError(f"--proba needs a classifier; {model} is a {type(loaded).__name__}.")
    kept = keep or []
    blocks = ModelColumns.of(loaded).blocks(open_data(data), keep=kept)
    is_guarded = spreadsheet_safe and not _ends_in(path, PARQUET)
    n_rows = 0
    with writing(pa, path) as write:
        for block in blocks:
            table = predictions(pa, loaded, block, kept, proba)
            write(harmless(pa, table) if is_guarded else table)
            n_rows += table.num_rows
    if path is not None:
        typer.echo(f"Wrote {counted(n_rows, 'prediction')} to {path}.")


def predictions(pa: Any, model: Any, block: Block, keep: Sequence[str], proba: bool) -> Any:
    """An Arrow table: columns to keep, the prediction, and probabilities if asked for."""
    columns = {name: pa.array(block.rows.values(name)) for name in keep}
    columns["prediction"] = as_column(pa, model.predict(block.X))
    if proba:
        shares = model.predict_proba(block.X)
        for at, label in enumerate(model.classes_.tolist()):
            columns[f"probability_{label}"] = pa.array(shares[:, at])
    return pa.table(columns)


def as_column(pa: Any, labels: AnyArray) -> Any:
    """Labels as a column; labels of several types become text."""
    if labels.dtype.kind != "O":
        return pa.array(labels)
    values = labels.tolist()
    is_one_type = len(set(map(type, values))) == 1
    return pa.array(values if is_one_type else [str(value) for value in values])


@contextmanager
def writing(pa: Any, path: Path | None) -> Iterator[Callable[[Any], None]]:
    """Yield a function that writes one table after another; the file appears at the end."""
    place = nullcontext(sys.stdout.buffer) if path is None else whole_file(path)
    with place as file, ExitStack() as opened:
        writers: list[Any] = []

        def write(table: Any) -> None:
            if not writers:
                writers.append(open_writer(pa, file, path, table.schema, opened))
            writers[0].write_table(table)

        yield write


def open_writer(pa: Any, file: Any, path: Path | None, schema: Any, opened: ExitStack) -> Any:
    """A writer for the ending of the name, closed by `opened`."""
    if _ends_in(path, PARQUET):
        return opened.enter_context(pa.parquet.ParquetWriter(file, schema))
    if _ends_in(path, (".gz",)):
        file = opened.enter_context(gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename=""))
    options = pa.csv.WriteOptions(quoting_style="needed")
    return opened.enter_context(pa.csv.CSVWriter(file, schema, write_options=options))


def _ends_in(path: Path | None, endings: tuple[str, ...]) -> bool:
    return path is not None and has_suffix(path, endings)
