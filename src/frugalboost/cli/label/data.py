"""What a person labels: rows of a file, the numbers to learn from and what to show of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.cli.label.files import Column, Table, read_table
from frugalboost.cli.outputs import unguarded
from frugalboost.cli.progress import bar
from frugalboost.cli.training import why_not


@dataclass(frozen=True)
class DataOptions:
    """Which columns of a file are what."""

    label_column: str | None = None
    id_column: str | None = None
    columns: tuple[str, ...] | None = None
    show: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Pool:
    """The rows of a file.

    Attributes
    ----------
    X : (n_rows, n_features) numbers; categories are codes, what is missing NaN
    features : names of the columns of X
    words : for the columns of X that are categories, by their place, the words of the codes
    shown : further columns that are shown but not learnt from
    ids : what the rows are called, or None
    labels : those that the file holds, None where it has none
    shape : of one row as an image, if the file says so
    """

    X: AnyArray
    features: tuple[str, ...]
    words: dict[int, tuple[str, ...]] = field(default_factory=dict)
    shown: tuple[Column, ...] = ()
    ids: tuple[str, ...] | None = None
    labels: tuple[str | None, ...] = ()
    shape: tuple[int, ...] | None = None

    @property
    def n_rows(self) -> int:
        return len(self.X)

    def cells(self, row: int) -> list[tuple[str, str]]:
        """Name and value of everything to show of one row."""
        cells = [(column.name, column.text(row)) for column in self.shown]
        for at, value in enumerate(self.X[row].tolist()):
            cells.append((self.features[at], self._cell(at, value)))
        return cells

    def _cell(self, at: int, value: float) -> str:
        if value != value:
            return "missing"
        return self.words[at][int(value)] if at in self.words else number_text(value)

    def name_of(self, row: int) -> str:
        return f"row {row}" if self.ids is None else f"row {row}, {self.ids[row]}"


def read_pool(path: Path, options: DataOptions) -> Pool:
    """Read a file; errors name the option that does not fit it."""
    table = read_table(path)
    with bar("making the pool", None):
        return make_pool(table, options)


def make_pool(table: Table, options: DataOptions) -> Pool:
    ids = _labels(table, options.id_column, "--id-column")
    labels = _labels(table, options.label_column, "--label-column")
    features = _features(table, options)
    X, words = encode(features, None)
    names = options.show or _default_show(table, options, features)
    shown = [table.column(name, "--show") for name in names]
    return Pool(
        X,
        tuple(column.name for column in features),
        words,
        tuple(shown),
        None if ids is None else tuple(text or "" for text in ids),
        labels or (None,) * len(X),
        table.shape,
    )


def read_validation(path: Path, target: str, pool: Pool) -> tuple[AnyArray, AnyArray]:
    """Rows with labels, as the pool's: X and y without the rows that have no label."""
    table = read_table(path)
    labels = _labels(table, target, "--target")
    assert labels is not None
    features = [table.column(name, "--validation") for name in pool.features]
    X, _ = encode(features, pool)
    has_label = np.array([label is not None for label in labels])
    if not has_label.any():
        raise ValueError(f"--validation must have rows with a label; {path} has none.")
    return X[has_label], np.array([label for label in labels if label is not None])


def encode(
    features: Sequence[Column], like: Pool | None
) -> tuple[AnyArray, dict[int, tuple[str, ...]]]:
    """Columns as one array of numbers, and the words of those that are categories.

    With `like`, words have the codes that they have there; others count as missing.
    """
    words: dict[int, tuple[str, ...]] = {}
    arrays: list[AnyArray] = []
    for at, column in enumerate(features):
        if column.kind == "category":
            words[at] = column.words() if like is None else like.words.get(at, ())
            arrays.append(_codes(column, words[at]))
        else:
            arrays.append(column.values)
    return np.column_stack(arrays), words


def number_text(value: float) -> str:
    """A number as a person writes it.

    >>> number_text(3.0), number_text(0.1234567), number_text(123456789.0)
    ('3', '0.123457', '123456789')
    """
    is_whole = isinstance(value, (bool, int)) or (value.is_integer() and abs(value) < 1e15)
    return str(int(value)) if is_whole else f"{value:.6g}"


def _codes(column: Column, words: Sequence[str]) -> Floats:
    code_of = {word: float(code) for code, word in enumerate(words)}
    missing = float("nan")
    return np.array(
        [missing if word is None else code_of.get(word, missing) for word in column.values]
    )


def _labels(table: Table, name: str | None, option: str) -> tuple[str | None, ...] | None:
    if name is None:
        return None
    column = table.column(name, option)
    labels = map(column.label, range(table.n_rows))
    return tuple(None if label is None else unguarded(label) for label in labels)


def _features(table: Table, options: DataOptions) -> list[Column]:
    if options.columns is not None:
        chosen = [table.column(name, "--columns") for name in options.columns]
        useless = [column.name for column in chosen if not column.is_usable]
        if useless:
            raise ValueError(
                "--columns must be numbers, or text of at most 65535 words; got "
                f"{useless[0]!r}. --show shows a column without learning from it."
            )
        return chosen
    not_features = {options.label_column, options.id_column, *options.show}
    names = [name for name in table.names if name not in not_features]
    chosen = [column for name in names if is_telling(column := table.column(name, "DATA"))]
    if not chosen:
        listed = ", ".join(map(repr, table.names))
        raise ValueError(
            f"DATA must have a column of numbers or categories to learn from; got {listed}."
        )
    return chosen


def is_telling(column: Column) -> bool:
    """Whether a model can learn from it: not from words of which each stands in its own row."""
    if column.is_aside or column.kind != "category":
        return column.is_usable
    n_values = sum(word is not None for word in column.values)
    return why_not(len(column.words()), n_values) is None


def _default_show(table: Table, options: DataOptions, features: Sequence[Column]) -> Sequence[str]:
    """What is not learnt from, such as texts and dates, if the columns were not chosen by name."""
    if options.columns is not None:
        return ()
    known = {options.label_column, options.id_column, *(column.name for column in features)}
    columns = table.columns.values()
    return [c.name for c in columns if c.name not in known and not c.is_aside]
