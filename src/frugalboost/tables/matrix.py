"""Files that hold a matrix: what they have in common, and LIBSVM."""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.tables.files import Bar, counted_file
from frugalboost.tables.formats import codec_of
from frugalboost.tables.table import Kind, Rows, TableFile, check_distinct

BLOCK_BYTES = 32 << 20
LABEL = "label"
KINDS: dict[str, Kind] = {
    "b": "boolean",
    **dict.fromkeys("fiu", "number"),
    "U": "category",
}
"""What arrays hold, by NumPy's letter for their type."""

MOST_FEATURES = 1_000_000
"""Limit for a LIBSVM file, where a single wrong number could mean billions."""


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


class LibsvmFile(MatrixFile):
    """Numbered features, most of them zero, and a label each.

    By its definition the format counts features from 1, but some programs count from 0. A file
    without a feature 0 cannot tell, as it may merely be zero in all rows: then it counts from 1,
    unless `numbered_from` says otherwise.
    """

    def __init__(self, path: Path, numbers: Any, y: AnyArray, bar: Bar, first: int) -> None:
        X = moved(numbers, -first)
        super().__init__(path, Matrix(X, numbered(X.shape[1]), False, {LABEL: y}), LABEL, bar)
        self.first_number = first

    def numbered_from(self, first: int | None) -> TableFile:
        if first == self.first_number or first not in (0, 1):
            return self
        X, y = self.matrix.X, self.matrix.asides[LABEL]
        if first == 0:
            return LibsvmFile(self.path, moved(X, 1), y, self.bar, 0)
        at = int(np.searchsorted(X.indptr, np.argmin(X.indices), side="right"))
        raise ValueError(
            f"{self.path}: features must have numbers from 1, as the model's have; got 0 in row "
            f"{at}."
        )


def moved(X: Any, by: int) -> Any:
    """Return a sparse matrix with its columns moved to the right, or to the left."""
    from scipy import sparse

    shape = X.shape[0], X.shape[1] + by
    return sparse.csr_matrix((X.data, X.indices + by, X.indptr), shape)


def as_frame(X: AnyArray, names: Sequence[str]) -> Any:
    """Return an array as a table with names, for estimators to remember."""
    import pyarrow as pa

    return pa.table({name: np.ascontiguousarray(X[:, at]) for at, name in enumerate(names)})


def numbered(n_features: int) -> list[str]:
    return [f"x{at}" for at in range(n_features)]


def read_libsvm(path: Path, bar: Bar) -> LibsvmFile:
    from sklearn.datasets import load_svmlight_file

    try:
        with warnings.catch_warnings(), counted_file(path, bar) as file:
            warnings.simplefilter("ignore")
            # scikit-learn decompresses a file if it is given the name.
            source = file if codec_of(path) is None else str(path)
            X, y = load_svmlight_file(source, zero_based=True)
    except (ValueError, OSError, EOFError, zlib.error, OverflowError, MemoryError) as problem:
        reason = " ".join(str(problem).split())[:200]
        raise ValueError(f"{path} cannot be read as LIBSVM: {reason}") from None
    if X.shape[0] == 0:
        raise ValueError(f"{path}: the file is empty.")
    if X.shape[1] - 1 > MOST_FEATURES:
        raise ValueError(
            f"{path}: features must have numbers up to {MOST_FEATURES:,}; got {X.shape[1] - 1:,}."
        )
    return LibsvmFile(path, X, y, bar, first=int(X.indices.min(initial=1)))
