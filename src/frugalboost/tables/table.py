"""What a data file can do, whatever its format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from frugalboost._typing import AnyArray
from frugalboost.tables.errors import unknown_name

Kind = Literal["number", "boolean", "any number", "category", "other"]
"""Of a column: "other" are dates and whatever else a model cannot learn from; "any number" is asked
for where booleans will do, too."""


class Rows(ABC):
    """Some rows of a file, or all."""

    n_rows: int

    @abstractmethod
    def kind(self, name: str) -> Kind:
        """What a column holds."""

    @abstractmethod
    def values(self, name: str) -> AnyArray:
        """A column as an array: numbers with NaN, bools, or words with None where it is empty."""

    @abstractmethod
    def features(self, names: Sequence[str]) -> Any:
        """Columns as a table that estimators take: words are categories."""

    @abstractmethod
    def count_words(self, name: str) -> tuple[int, int]:
        """How many different words a column has, and in how many rows there is one."""


class TableFile(ABC):
    """A file of rows, opened: its columns are known, its rows not yet read.

    Attributes
    ----------
    names : list of str
    is_named : bool
        Whether the file itself has names of its features; else they are numbered.
    target : str or None
        The column of labels, where the format has one.
    is_padded : bool
        Whether features that are not there are zeros.
    shape : tuple of int, or None
        Of one row, if rows are images.
    """

    path: Path
    names: list[str]
    is_named = True
    target: str | None = None
    is_padded = False
    shape: tuple[int, ...] | None = None

    @abstractmethod
    def read(self) -> Rows:
        """All rows, with types that fit all of them."""

    @abstractmethod
    def blocks(self, kinds: Mapping[str, Kind]) -> Iterator[Rows]:
        """Rows in their order, some at a time, of these columns as these kinds."""

    @property
    def feature_names(self) -> list[str]:
        """Columns that can be learnt from."""
        return self.names

    def check(self, name: str, option: str) -> str:
        """Return the name of a column that an option has given, if there is one."""
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
