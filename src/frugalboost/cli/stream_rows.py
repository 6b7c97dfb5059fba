"""The rows of a file: as two classes where a number is asked about, and some kept for a test."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Bools, Ints
from frugalboost.cli.spreadsheets import unguarded_labels
from frugalboost.data.frames import gather_rows
from frugalboost.streams import Batch, CsvOracle, ParquetOracle
from frugalboost.streams.csv_files import SUFFIXES as CSV

PARQUET = (".parquet", ".pq")

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
}


@dataclass(frozen=True)
class Positive:
    """Makes two classes of a numeric target.

    >>> Positive.parse("> 15")(np.array([10, 15, 20]))
    array([False, False,  True])
    """

    comparison: str
    number: float

    @classmethod
    def parse(cls, text: str) -> Positive:
        found = re.fullmatch(r"\s*(>=|<=|==|>|<)\s*(\S+)\s*", text)
        try:
            if found is not None:
                return cls(found[1], float(found[2]))
        except ValueError:
            pass
        raise ValueError(
            "--positive must be a comparison (>, >=, <, <= or ==) and a number, such as '> 15'; "
            f"got {text!r}."
        )

    def __str__(self) -> str:
        return f"{self.comparison} {self.number:g}"

    def __call__(self, labels: AnyArray) -> Bools:
        if labels.dtype.kind not in "iufb":
            raise ValueError(
                f"--positive needs a target of numbers; got {labels[0]!r} among its values."
            )
        return np.asarray(COMPARISONS[self.comparison](labels, self.number))


@dataclass(frozen=True)
class Split:
    """Which rows are kept for a test: decided by a row's number and the seed alone."""

    share: float
    seed: int

    def is_held_out(self, rows: Ints) -> Bools:
        """
        >>> bool(abs(Split(0.1, 0).is_held_out(np.arange(100_000)).mean() - 0.1) < 0.005)
        True
        """
        # The finaliser of MurmurHash3; sums and products of uint64 wrap around.
        start = (self.seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) % 2**64
        z = rows.astype(np.uint64) + np.uint64(start)
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            z = (z ^ (z >> np.uint64(33))) * np.uint64(factor)
        z ^= z >> np.uint64(33)
        return (z >> np.uint64(11)) * 2.0**-53 < self.share


class ChosenRows:
    """An oracle of some rows of another one, perhaps with labels of two classes.

    The other one must know the numbers of its rows, or give them in order, if there is a split.
    `reading_bytes` is what it may come to hold in memory; a run with a limit leaves that free.
    """

    def __init__(
        self,
        source: Any,
        *,
        positive: Positive | None = None,
        split: Split | None = None,
        held_out: bool = False,
        reading_bytes: int = 0,
    ) -> None:
        self.reading_bytes = reading_bytes
        self.source, self.positive, self.split, self.held_out = source, positive, split, held_out
        self.n_rows: int | None = source.n_rows
        self.recycle: bool = source.recycle
        self.feature_names = source.feature_names
        self._n_passed = 0

    def draw(self, n: int) -> Batch:
        while True:
            first = self.source.n_given
            batch = Batch(*self.source.draw(n))
            chosen = self._choose(batch, first)
            if len(chosen.y) or not len(batch.y):
                break
            self._pass(len(batch.y))
        self._n_passed = 0
        asked = unguarded_labels if self.positive is None else self.positive
        return chosen._replace(y=asked(chosen.y))

    def state(self) -> dict[str, Any]:
        return dict(self.source.state())

    def restore(self, state: dict[str, Any]) -> None:
        self.source.restore(state)

    def _choose(self, batch: Batch, first: int) -> Batch:
        if self.split is None:
            return batch
        rows = np.arange(first, first + len(batch.y)) if batch.rows is None else batch.rows
        at = np.flatnonzero(self.split.is_held_out(rows) == self.held_out)
        numbers = None if batch.rows is None else batch.rows[at]
        return Batch(gather_rows(batch.X, at), batch.y[at], numbers)

    def _pass(self, n: int) -> None:
        """Rows that begin again and again without a single one to give would never end."""
        self._n_passed += n
        if self.recycle and self.n_rows is not None and self._n_passed > 2 * self.n_rows:
            raise ValueError(f"--test-share leaves none of the {self.n_rows} rows to train on.")


def kind_of(path: Path) -> type[ParquetOracle] | type[CsvOracle]:
    """Which oracle reads a file, or the files of a folder."""
    if not path.exists():
        raise FileNotFoundError(f"DATA must be a file or a folder; {path} is neither.")
    names = [path.name] if path.is_file() else [file.name for file in sorted(path.rglob("*"))]
    found: set[type[ParquetOracle] | type[CsvOracle]] = set()
    for name in names:
        if name.lower().endswith(PARQUET):
            found.add(ParquetOracle)
        elif name.lower().endswith(CSV):
            found.add(CsvOracle)
    if len(found) == 1:
        return found.pop()
    known = ", ".join((*PARQUET, *CSV))
    if path.is_file():
        raise ValueError(f"DATA must end in {known}; got {path.name}.")
    what = "files of both kinds" if found else "none of either"
    raise ValueError(f"DATA must be a folder of Parquet or of CSV files ({known}); got {what}.")


def files_of(path: Path) -> list[tuple[str, int, int]]:
    """Name, size and time of change of each file."""
    files = (
        [path] if path.is_file() else [file for file in sorted(path.rglob("*")) if file.is_file()]
    )
    stats = [(file, file.stat()) for file in files]
    return [(str(file.absolute()), stat.st_size, stat.st_mtime_ns) for file, stat in stats]
