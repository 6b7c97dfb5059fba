"""What a data file can do, whatever its format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from frugalboost._typing import AnyArray
from frugalboost.tables.errors import unknown_name

Kind = Literal["number", "boolean", "any number", "category", "other"]
"""Kind of a column: "other" is for dates and whatever else a model cannot learn from; "any number"
is requested where booleans will do, too."""


class Rows(ABC):
    """Some rows of a file, or all."""

    n_rows: int

    @abstractmethod
    def kind(self, name: str) -> Kind:
        """Return what a column holds."""

    @abstractmethod
    def values(self, name: str) -> AnyArray:
        """Return a column as an array: numbers with NaN, bools, or words with None where empty."""

    @abstractmethod
    def features(self, names: Sequence[str]) -> Any:
        """Return columns as a table that estimators accept: words are categories."""

    @abstractmethod
    def count_words(self, name: str) -> tuple[int, int]:
        """Return how many distinct words a column has, and in how many rows it has one."""

    @abstractmethod
    def type_name(self, name: str) -> str:
        """Return the type that the file gives a column, in the words of its format."""


class TableFile(ABC):
    """A file of rows, opened: its columns are known, its rows not yet read.

    Attributes
    ----------
    names : list of str
    is_named : bool
        Whether the file itself names its features; otherwise they are numbered.
    target : str or None
        The column of labels, where the format has one.
    is_padded : bool
        Whether absent features are zeros.
    shape : tuple of int, or None
        Shape of one row, if rows are images.
    first_number : int or None
        Number of the first feature, 0 or 1, where the format has numbers for names.
    """

    path: Path
    names: list[str]
    is_named = True
    target: str | None = None
    is_padded = False
    shape: tuple[int, ...] | None = None
    first_number: int | None = None

    @abstractmethod
    def read(self) -> Rows:
        """Return all rows, with types that fit all of them."""

    @abstractmethod
    def blocks(self, kinds: Mapping[str, Kind]) -> Iterator[Rows]:
        """Yield rows in their order, some at a time, with these columns as these kinds."""

    def copies(self, names: Sequence[str]) -> Iterator[Any]:
        """Yield Arrow tables of these columns as the file has them: all rows, in their order."""
        import pyarrow as pa

        rows = self.read()
        yield pa.table({name: pa.array(rows.values(name)) for name in names})

    @property
    def feature_names(self) -> list[str]:
        """Columns that a model can learn from."""
        return self.names

    def numbered_from(self, first: int | None) -> TableFile:
        """Return the file with its first feature at this number, where it has numbers."""
        return self

    def check(self, name: str, option: str) -> str:
        """Return the column name that an option was given, after checking that it exists."""
        if name not in self.names:
            raise unknown_name(option, name, self.names, str(self.path))
        return name


def check_distinct(names: Sequence[str], path: Path) -> list[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{path}: columns must have distinct names; got {name!r} twice.")
        seen.add(name)
    return list(names)
