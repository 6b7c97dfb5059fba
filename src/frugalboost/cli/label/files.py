"""CSV, Parquet, Arrow and NPZ files as columns of numbers and of words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.cli.errors import unknown_name
from frugalboost.cli.progress import bar
from frugalboost.cli.tables import open_table
from frugalboost.cli.tables.matrices import Matrix, MatrixFile
from frugalboost.cli.tables.opening import LIBSVM
from frugalboost.data.columns import MAX_CATEGORIES

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
        raise unknown_name(option, name, self.names, str(self.path))


def read_table(path: Path) -> Table:
    """Read a file by the ending of its name."""
    file = open_table(path, without=LIBSVM)
    if isinstance(file, MatrixFile):
        table = _matrix_table(path, file.matrix)
    else:
        table = _arrow_table(path, file.read())
    if table.n_rows == 0:
        raise ValueError(f"DATA must have at least one row; {path} has none.")
    return table


def _arrow_table(path: Path, rows: Any) -> Table:
    columns = {}
    names = rows.table.schema.names
    with bar("looking at the columns", len(names)) as advance:
        for name in names:
            columns[name] = _arrow_column(name, rows.table.column(name))
            advance(1)
    return Table(path, columns, rows.n_rows)


def _arrow_column(name: str, values: Any) -> Column:
    import pyarrow as pa

    from frugalboost.cli.tables.arrow_rows import kind_of, plain

    values = plain(values)
    kind = kind_of(values.type)
    if kind == "boolean" and values.null_count:
        values = values.cast(pa.int8())
    if kind in ("boolean", "number"):
        return Column(name, values.to_numpy())
    texts = [None if value is None else str(value) for value in values.to_pylist()]
    return Column(name, np.array(texts, dtype=object), "text" if kind == "category" else "other")


def _matrix_table(path: Path, matrix: Matrix) -> Table:
    columns = {name: Column(name, matrix.X[:, at]) for at, name in enumerate(matrix.names)}
    asides = {name: _array_column(name, array) for name, array in matrix.asides.items()}
    return Table(path, {**columns, **asides}, len(matrix.X), matrix.shape)


def _array_column(name: str, array: AnyArray) -> Column:
    if array.dtype.kind in "fiub":
        return Column(name, array, "aside")
    words = [str(word) or None for word in array.tolist()]
    return Column(name, np.array(words, dtype=object), "aside")
