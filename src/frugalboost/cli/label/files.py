"""Files as columns of numbers and of words, in memory, to be shown and learnt from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.cli.progress import bar, open_data
from frugalboost.data.columns import MAX_CATEGORIES
from frugalboost.tables.errors import unknown_name
from frugalboost.tables.formats import LIBSVM
from frugalboost.tables.table import Kind, Rows


@dataclass(frozen=True, eq=False)
class Column:
    """Numbers with NaN for what is missing, or words with None.

    Attributes
    ----------
    name : str
    values : array of numbers, or object array of str and None
    kind : of a file's column; "other", such as dates, is to be shown only
    is_aside : whether it stands beside the table of an NPZ file: used if an option names it
    """

    name: str
    values: AnyArray
    kind: Kind = "number"
    is_aside: bool = False

    @property
    def is_usable(self) -> bool:
        """Whether it can be learnt from."""
        if self.is_aside or self.kind == "other":
            return False
        return self.kind != "category" or len(self._distinct) <= MAX_CATEGORIES

    def words(self) -> tuple[str, ...]:
        """The distinct ones in order."""
        return tuple(sorted(self._distinct))

    @cached_property
    def _distinct(self) -> set[str]:
        return {word for word in self.values if word is not None}

    def text(self, row: int) -> str:
        """What to show of one row."""
        label = self.label(row)
        return "missing" if label is None else label

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
    """Read a file by the suffix of its name."""
    file = open_data(path, without=LIBSVM)
    rows, features = file.read(), set(file.feature_names)
    if rows.n_rows == 0:
        raise ValueError(f"DATA must have at least one row; {path} has none.")
    columns = {}
    with bar("looking at the columns", len(file.names)) as advance:
        for name in file.names:
            columns[name] = _column(rows, name, is_aside=name not in features)
            advance(1)
    return Table(path, columns, rows.n_rows, file.shape)


def _column(rows: Rows, name: str, *, is_aside: bool) -> Column:
    kind, values = rows.kind(name), rows.values(name)
    if kind in ("category", "other"):
        words = [None if value is None else str(value) for value in values.tolist()]
        values = np.array(words, dtype=object)
    elif values.dtype.kind == "O":  # true, false and what is missing
        values = values.astype(np.float64)
    return Column(name, values, kind, is_aside)
