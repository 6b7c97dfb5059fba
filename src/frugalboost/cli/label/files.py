"""CSV, Parquet, Arrow and NPZ files as columns of numbers and of words."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.data.categories import MAX_CATEGORIES
from frugalboost.streams.csv_files import NULLS
from frugalboost.streams.optional import require_pyarrow

CSV = (".csv", ".csv.gz", ".csv.bz2", ".csv.zst", ".tsv", ".tsv.gz")
PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc")
NPZ = (".npz",)
TABLE_NAMES = ("X", "x", "data", "images")
OWNER = "label"

Kind = Literal["number", "text", "other", "aside"]


@dataclass(frozen=True, eq=False)
class Column:
    """Numbers with NaN for what is missing, or words with None.

    Attributes
    ----------
    name : str
    values : array of numbers, or object array of str and None
    kind : "number", "text", "other" (such as dates: to be shown only) or "aside" (of an NPZ file,
        beside its table: used if an option names it)
    """

    name: str
    values: AnyArray
    kind: Kind = "number"

    @property
    def is_usable(self) -> bool:
        """Whether it can be learnt from."""
        is_words = self.kind == "text" and len(self._distinct) <= MAX_CATEGORIES
        return self.kind == "number" or is_words

    def words(self) -> tuple[str, ...]:
        """The distinct ones in order."""
        return tuple(sorted(self._distinct))

    @cached_property
    def _distinct(self) -> set[str]:
        return {word for word in self.values if word is not None}

    def text(self, row: int) -> str:
        """What to show of one row."""
        found = self.label(row)
        return "missing" if found is None else found

    def label(self, row: int) -> str | None:
        """A value as a label; numbers that are whole are written so.

        >>> column = Column("y", np.array([3.0, 0.5, np.nan]))
        >>> column.label(0), column.label(1), column.label(2)
        ('3', '0.5', None)
        """
        value = self.values[row]
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or value != value or value == "":
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return str(value).strip()


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of a file by name, and the shape of one row if rows are images."""

    path: Path
    columns: dict[str, Column]
    n_rows: int
    shape: tuple[int, ...] | None = None

    @property
    def names(self) -> list[str]:
        return list(self.columns)

    def column(self, name: str, option: str) -> Column:
        if name in self.columns:
            return self.columns[name]
        names = ", ".join(map(repr, self.names[:20])) + (", ..." if len(self.names) > 20 else "")
        raise ValueError(f"{option} must be a column of {self.path}, {names}; got {name!r}.")


def read_table(path: Path) -> Table:
    """Read a file by the ending of its name."""
    if not path.is_file():
        raise FileNotFoundError(f"DATA must be a file; {path} is none.")
    for endings, read in READERS.items():
        if path.name.lower().endswith(endings):
            table = read(path)
            if table.n_rows == 0:
                raise ValueError(f"DATA must have at least one row; {path} has none.")
            return table
    listed = ", ".join(ending for endings in READERS for ending in endings)
    raise ValueError(f"DATA must end in {listed}; got {path}.")


def _read_csv(path: Path) -> Table:
    pa = require_pyarrow(OWNER)
    delimiter = "\t" if ".tsv" in path.name.lower() else ","
    return _read_arrow(
        path,
        lambda: pa.csv.read_csv(
            path,
            parse_options=pa.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            convert_options=pa.csv.ConvertOptions(null_values=NULLS, strings_can_be_null=True),
        ),
    )


def _read_parquet(path: Path) -> Table:
    pa = require_pyarrow(OWNER)
    return _read_arrow(path, lambda: pa.parquet.read_table(path))


def _read_ipc(path: Path) -> Table:
    require_pyarrow(OWNER)
    from pyarrow import feather

    return _read_arrow(path, lambda: feather.read_table(path))


def _read_arrow(path: Path, read: Callable[[], Any]) -> Table:
    pa = require_pyarrow(OWNER)
    try:
        found = read()
    except (pa.ArrowException, OSError) as problem:
        raise ValueError(f"{path} cannot be read: {problem}") from None
    _check_distinct(found.column_names, path)
    columns = {
        name: _arrow_column(pa, name, found.column(at))
        for at, name in enumerate(found.column_names)
    }
    return Table(path, columns, found.num_rows)


def _arrow_column(pa: Any, name: str, values: Any) -> Column:
    kind = values.type.value_type if pa.types.is_dictionary(values.type) else values.type
    if pa.types.is_dictionary(values.type):
        values = values.cast(kind)
    types = pa.types
    if types.is_decimal(kind) or types.is_null(kind):
        values, kind = values.cast(pa.float64()), pa.float64()
    if types.is_boolean(kind) and values.null_count:
        values, kind = values.cast(pa.int8()), pa.int8()
    if types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind):
        return Column(name, values.to_numpy())
    is_text = types.is_string(kind) or types.is_large_string(kind)
    texts = [None if value is None else str(value) for value in values.to_pylist()]
    return Column(name, np.array(texts, dtype=object), "text" if is_text else "other")


def _check_distinct(names: list[str], path: Path) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"DATA must have distinct column names; {path} has {twice!r} twice.")


def _read_npz(path: Path) -> Table:
    try:
        with np.load(path, allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
    except (ValueError, OSError, zipfile.BadZipFile, zlib.error, EOFError) as problem:
        raise ValueError(f"{path} cannot be read: {problem}") from None
    tables = [
        name for name, array in arrays.items() if array.ndim > 1 and array.dtype.kind in "fiub"
    ]
    chosen = next((name for name in TABLE_NAMES if name in tables), None)
    if chosen is None and len(tables) == 1:
        chosen = tables[0]
    if chosen is None:
        raise ValueError(
            f"DATA must hold one array of numbers with a row for each example, or one called X; "
            f"{path} has {', '.join(map(repr, arrays)) or 'nothing'}."
        )
    return _array_table(path, arrays, chosen)


def _array_table(path: Path, arrays: dict[str, AnyArray], chosen: str) -> Table:
    X = arrays[chosen]
    shape = X.shape[1:] if X.ndim > 2 else None
    flat = X.reshape(len(X), -1)
    given = arrays.get("feature_names")
    is_named = given is not None and given.shape == flat.shape[1:]
    names = [str(name) for name in given] if is_named and given is not None else _numbered(flat)
    _check_distinct(names, path)
    columns = {name: Column(name, flat[:, at]) for at, name in enumerate(names)}
    for name, array in arrays.items():
        if array.ndim == 1 and len(array) == len(X) and name not in (chosen, "feature_names"):
            columns[name] = _array_column(name, array)
    return Table(path, columns, len(X), shape)


def _array_column(name: str, array: AnyArray) -> Column:
    if array.dtype.kind in "fiub":
        return Column(name, array, "aside")
    words = [str(word) or None for word in array.tolist()]
    return Column(name, np.array(words, dtype=object), "aside")


def _numbered(flat: AnyArray) -> list[str]:
    return [f"x{at}" for at in range(flat.shape[1])]


READERS: dict[tuple[str, ...], Callable[[Path], Table]] = {
    CSV: _read_csv,
    PARQUET: _read_parquet,
    ARROW: _read_ipc,
    NPZ: _read_npz,
}
