"""Files that hold a matrix, and what they have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.tables.files import Bar
from frugalboost.tables.table import Kind, Rows, TableFile, check_distinct

BLOCK_BYTES = 32 << 20
KINDS: dict[str, Kind] = {
    "b": "boolean",
    **dict.fromkeys("fiu", "number"),
    "U": "category",
}
"""What arrays hold, by NumPy's letter for their type."""


@dataclass(frozen=True, eq=False)
class Matrix:
    """The arrays of a file: one row of the matrix, and one entry of each of `asides`, per example.

    Attributes
    ----------
    X : (n_rows, n_features) numbers, dense or sparse
    names : names of the columns, numbered if the file has none
    is_named : whether the file has names
    asides : arrays beside the matrix, such as labels
    shape : shape of one row, if rows are images
    """

    X: Any
    names: list[str]
    is_named: bool
    asides: dict[str, AnyArray] = field(default_factory=dict)
    shape: tuple[int, ...] | None = None


class MatrixRows(Rows):
    """Rows of a matrix and of the arrays beside it."""

    def __init__(self, matrix: Matrix, rows: slice) -> None:
        self.matrix, self.rows = matrix, rows
        self.n_rows = len(range(*rows.indices(matrix.X.shape[0])))
        self._place = {name: at for at, name in enumerate(matrix.names)}

    def kind(self, name: str) -> Kind:
        return KINDS.get(self._array(name).dtype.kind, "other")

    def type_name(self, name: str) -> str:
        return str(self._array(name).dtype)

    def _array(self, name: str) -> Any:
        return self.matrix.asides.get(name, self.matrix.X)

    def values(self, name: str) -> AnyArray:
        if name in self.matrix.asides:
            return self.matrix.asides[name][self.rows]
        column = self.matrix.X[self.rows][:, self._place[name]]
        return np.asarray(column.toarray().ravel() if hasattr(column, "toarray") else column)

    def count_words(self, name: str) -> tuple[int, int]:
        return len(np.unique(self.values(name))), self.n_rows

    def features(self, names: Sequence[str]) -> Any:
        """Return the matrix; if other columns are requested, or it has names, a new table."""
        X = self.matrix.X[self.rows]
        places = [self._place[name] for name in names]
        if places != list(range(X.shape[1])):
            X = X[:, places]
        if not self.matrix.is_named or hasattr(X, "toarray"):
            return X
        return as_frame(X, names)


class MatrixFile(TableFile):
    """A file whose matrix is in memory as soon as it is open."""

    def __init__(self, path: Path, matrix: Matrix, target: str | None, bar: Bar) -> None:
        self.path, self.matrix, self.bar = path, matrix, bar
        self.is_named, self.shape = matrix.is_named, matrix.shape
        self.is_padded = hasattr(matrix.X, "toarray")
        self.names = check_distinct([*matrix.names, *matrix.asides], path)
        self.target = target if target in matrix.asides else None

    @property
    def feature_names(self) -> list[str]:
        return self.matrix.names

    def read(self) -> Rows:
        return MatrixRows(self.matrix, slice(None))

    def blocks(self, kinds: Mapping[str, Kind]) -> Iterator[Rows]:
        n_rows, n_features = self.matrix.X.shape
        step = max(1, BLOCK_BYTES // (8 * max(1, n_features)))
        with self.bar(f"reading {self.path.name}", n_rows) as advance:
            for start in range(0, n_rows, step):
                yield MatrixRows(self.matrix, slice(start, start + step))
                advance(step)


def as_frame(X: AnyArray, names: Sequence[str]) -> Any:
    """Return an array as a table with names, for estimators to remember."""
    import pyarrow as pa

    return pa.table({name: np.ascontiguousarray(X[:, at]) for at, name in enumerate(names)})


def numbered(n_features: int) -> list[str]:
    return [f"x{at}" for at in range(n_features)]
