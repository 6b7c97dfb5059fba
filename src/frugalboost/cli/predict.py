"""`frugalboost predict`: predictions for the rows of a file, written block by block."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
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
from frugalboost.tables.errors import listed
from frugalboost.tables.formats import PARQUET, has_suffix
from frugalboost.tables.opening import require_pyarrow

if TYPE_CHECKING:  # imported when the command runs
    from frugalboost._typing import AnyArray
    from frugalboost.cli.model_rows import Block
    from frugalboost.tables.table import TableFile

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
    columns = ModelColumns.of(loaded)
    table = open_data(data).numbered_from(columns.first_feature)
    names = Names.of(loaded, proba)
    is_csv = not _ends_in(path, PARQUET)
    kept = KeptColumns(table, names.check(keep or (), table), is_csv)
    n_rows = 0
    with writing(pa, path) as write:
        for block in columns.blocks(table):
            copied = kept.take(pa, block.rows.n_rows)
            written = predictions(pa, loaded, block, copied, names)
            write(harmless(pa, written) if spreadsheet_safe and is_csv else written)
            n_rows += written.num_rows
    if path is not None:
        typer.echo(f"Wrote {counted(n_rows, 'prediction')} to {path}.")


@dataclass(frozen=True)
class Names:
    """What the columns of predictions are called.

    Attributes
    ----------
    texts : each class as text, in the model's order; empty if it has no classes
    proba : whether there are probabilities
    """

    texts: dict[Any, str]
    proba: bool

    @classmethod
    def of(cls, model: Any, proba: bool) -> Names:
        classes = model.classes_.tolist() if hasattr(model, "classes_") else []
        return cls(class_texts(classes), proba)

    @property
    def shares(self) -> list[str]:
        return [f"probability_{text}" for text in self.texts.values()] if self.proba else []

    def check(self, keep: Sequence[str], table: TableFile) -> list[str]:
        """Columns to keep, each once; none may have the name of one that is written anyway."""
        written = ["prediction", *self.shares]
        for name in keep:
            if table.check(name, "--keep") in written:
                raise BadUsageError(
                    "--keep must be a column with a name other than those of the predictions, "
                    f"{listed(written)}; got {name!r}. Rename it in {table.path}."
                )
        return list(dict.fromkeys(keep))


def class_texts(classes: Sequence[Any]) -> dict[Any, str]:
    """Classes as text, in quotes if otherwise a text would look like another class.

    >>> class_texts([1, "a"]), class_texts([1, "1"])
    ({1: '1', 'a': 'a'}, {1: '1', '1': "'1'"})
    """
    texts = {label: str(label) for label in classes}
    if len(set(texts.values())) == len(texts):
        return texts
    return {label: repr(label) if isinstance(label, str) else str(label) for label in classes}


class KeptColumns:
    """Columns that are copied, as many rows at a time as the model takes.

    They are read by themselves: a column that is also a feature becomes what the model needs,
    such as a double, in which long identifiers are no longer different.
    """

    def __init__(self, table: TableFile, names: list[str], is_csv: bool) -> None:
        self.path, self.names, self.is_csv = table.path, names, is_csv
        self._parts = table.copies(names)
        self._rest: Any = None

    def take(self, pa: Any, n_rows: int) -> dict[str, Any]:
        """The next rows."""
        while self.names and (self._rest is None or self._rest.num_rows < n_rows):
            part = next(self._parts, None)
            if part is None:
                raise ValueError(f"{self.path} changed while it was read.")
            if self.is_csv:
                self._check_cells(pa, part)
            self._rest = part if self._rest is None else pa.concat_tables([self._rest, part])
        if not self.names:
            return {}
        taken, self._rest = self._rest.slice(0, n_rows), self._rest.slice(n_rows)
        return dict(zip(self.names, taken.columns, strict=True))

    def _check_cells(self, pa: Any, part: Any) -> None:
        for name, type_ in zip(self.names, part.schema.types, strict=True):
            if not fits_a_cell(pa.types, type_):
                raise BadUsageError(
                    "--keep must be a column of numbers, words or dates where CSV is written; "
                    f"{name!r} of {self.path} is {type_}. Write .parquet instead."
                )


def fits_a_cell(types: Any, type_: Any) -> bool:
    """Whether pyarrow has a text for values of a type: not for bytes, lists and intervals."""
    is_text = types.is_string(type_) or types.is_large_string(type_)
    is_number = types.is_decimal(type_) or types.is_null(type_) or types.is_primitive(type_)
    return bool(is_text or is_number) and not types.is_interval(type_)


def predictions(pa: Any, model: Any, block: Block, kept: dict[str, Any], names: Names) -> Any:
    """An Arrow table: columns to keep, the prediction, and probabilities if asked for."""
    columns = {**kept, "prediction": as_column(pa, model.predict(block.X), names.texts)}
    if names.proba:
        columns |= zip(names.shares, map(pa.array, model.predict_proba(block.X).T), strict=True)
    return pa.table(columns)


def as_column(pa: Any, labels: AnyArray, texts: dict[Any, str]) -> Any:
    """Labels as a column; labels of several types become text, in every block."""
    if labels.dtype.kind != "O":
        return pa.array(labels)
    is_one_type = len(set(map(type, texts))) == 1
    values = labels.tolist()
    return pa.array(values if is_one_type else [texts[value] for value in values])


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
