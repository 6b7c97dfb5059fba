"""From files to rows: how files are opened, and which rows are chosen."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from frugalboost._typing import AnyArray, Bools, Ints
from frugalboost.cli.outputs import unguarded_labels
from frugalboost.cli.printing import counted
from frugalboost.streams import Batch, CsvOracle, ParquetOracle
from frugalboost.streams.oracle import gather_rows
from frugalboost.tables.files import find_files
from frugalboost.tables.formats import COMMA_SEPARATED, PARQUET, codec_of, has_suffix
from frugalboost.tables.opening import require_pyarrow

if TYPE_CHECKING:
    from frugalboost.cli.stream.run import StreamOptions

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
}

IN_ORDER_BYTES, MIXED_BYTES = 1 << 19, 2 << 20
"""Size of the rows read at a time in file order, and of the rows mixed with each other under a
limit below `LARGE_LIMIT`. Reading them takes several times as much memory."""

PAGE_BYTES, CSV_BYTES = 2 << 20, 24 << 20
"""Memory for an open column of a Parquet file, and for an open CSV file."""

MIXED_READERS = 2
"""Several files or parts of them are open when rows are mixed, and Arrow keeps the memory it has
used: twice as much as for one, in addition to what is held at the start."""

LARGE_LIMIT = 1_000_000_000


def kind_of(path: Path) -> type[ParquetOracle] | type[CsvOracle]:
    """The oracle that reads a file, or the files of a folder."""
    if not path.exists():
        raise FileNotFoundError(f"DATA must be a file or a folder; {path} does not exist.")
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    is_parquet = any(has_suffix(file, PARQUET) for file in files)
    is_csv = any(has_suffix(file, COMMA_SEPARATED) for file in files)
    if is_parquet != is_csv:
        return ParquetOracle if is_parquet else CsvOracle
    known = ", ".join((*PARQUET, *COMMA_SEPARATED))
    if path.is_file():
        raise ValueError(f"DATA must end in {known}; got {path.name}.")
    what = "both kinds" if is_parquet else "neither"
    raise ValueError(
        f"DATA must be a folder of either Parquet or CSV files ({known}); {path} has {what}."
    )


def files_of(path: Path) -> list[tuple[str, int, int]]:
    """Name, size and modification time of each file."""
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    stats = [(file, file.stat()) for file in files if file.is_file()]
    return [(str(file.absolute()), stat.st_size, stat.st_mtime_ns) for file, stat in stats]


def open_in_order(options: StreamOptions, path: Path, columns: Any = None) -> Any:
    """The rows in file order, once."""
    return _reopen(options, path, columns, IN_ORDER_BYTES, 8192, recycle=False, shuffle=False)


def open_mixed(options: StreamOptions, path: Path) -> Any:
    """Rows from a few places in the files at a time, mixed with each other."""
    chosen = {"recycle": options.recycle, "shuffle": True}
    if options.memory_limit is None or options.memory_limit >= LARGE_LIMIT:
        return _open(options, path, None, **chosen)
    return _reopen(options, path, None, MIXED_BYTES, 65536, **chosen)


def _reopen(
    options: StreamOptions, path: Path, columns: Any, n_bytes: int, most: int, **chosen: Any
) -> Any:
    """Open twice: only an open table tells how many columns it has, and so how many rows fit."""
    width = 8 * len(_open(options, path, columns, **chosen).feature_names)
    rows = max(256, min(most, n_bytes // width))
    return _open(options, path, columns, buffer_rows=rows, **chosen)


def _open(options: StreamOptions, path: Path, columns: Any, **chosen: Any) -> Any:
    kind, columns = kind_of(path), columns or options.columns
    if kind is CsvOracle:
        chosen["delimiter"] = delimiter_in(path)
    return kind(path, options.target, columns=columns, random_state=options.seed, **chosen)


def delimiter_in(path: Path) -> str:
    """What separates the values of a CSV file, or of the first one in a folder."""
    require_pyarrow()
    from frugalboost.tables.csv_table import delimiter_of

    return delimiter_of(find_files(path, COMMA_SEPARATED)[0])


def reading_bytes(path: Path, table: Any) -> int:
    """Approximate memory of an open file."""
    size = sum(n for _, n, _ in files_of(path))
    if isinstance(table, CsvOracle):
        return min(CSV_BYTES, 8 * size)
    return min(PAGE_BYTES * (len(table.feature_names) + 1), 8 * size)


def count_rows(path: Path, table: Any) -> int | None:
    """Number of rows; approximate for CSV files, None if they are compressed."""
    if table.n_rows is not None:
        return int(table.n_rows)
    files = files_of(path)
    if not all(_is_plain_csv(name) for name, _, _ in files):
        return None
    return sum(size // mean_line(name) for name, size, _ in files)


def mean_line(name: str) -> int:
    """Bytes per line, judging by the first ones."""
    with open(name, "rb") as file:
        start = file.read(1 << 16)
    return max(1, len(start) // max(1, start.count(b"\n")))


def store_size(path: Path, table: Any) -> int:
    """Approximate bytes of a block store of the rows, rather too many than too few."""
    n_rows = table.n_rows
    if n_rows is not None:
        return int(n_rows) * 8 * (len(table.feature_names) + 1)
    # A number has at least two characters, and text compresses to about a fifth.
    return sum((4 if _is_plain_csv(name) else 20) * n for name, n, _ in files_of(path))


def _is_plain_csv(name: str) -> bool:
    return has_suffix(name, COMMA_SEPARATED) and codec_of(name) is None


@dataclass(frozen=True)
class Positive:
    """Turns a numeric target into two classes.

    >>> Positive.parse("> 15")(np.array([10, 15, 20]))
    array([False, False,  True])
    """

    comparison: str
    number: float

    @classmethod
    def parse(cls, text: str) -> Positive:
        parts = re.fullmatch(r"\s*(>=|<=|==|>|<)\s*(\S+)\s*", text)
        try:
            if parts is not None:
                return cls(parts[1], float(parts[2]))
        except ValueError:
            pass
        raise ValueError(
            "--positive must be a comparison (>, >=, <, <= or ==) with a number, such as '> 15'; "
            f"got {text!r}."
        )

    def __str__(self) -> str:
        return f"{self.comparison} {self.number:g}"

    def __call__(self, labels: AnyArray) -> Bools:
        if labels.dtype.kind not in "iufb":
            raise ValueError(
                f"--positive needs a numeric target; its values include {labels[0]!r}."
            )
        return np.asarray(COMPARISONS[self.comparison](labels, self.number))


@dataclass(frozen=True)
class Split:
    """Which rows are held out for testing; depends only on a row's number and the seed."""

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
    """An oracle of some rows of another oracle, optionally with labels turned into two classes.

    With a split, the other oracle must number its rows or return them in order. `reading_bytes` is
    how much memory it may come to use; a run with a limit leaves that free.
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
        """Stop when all rows have been passed over: recycled, they would never end."""
        self._n_passed += n
        if self.recycle and self.n_rows is not None and self._n_passed > 2 * self.n_rows:
            raise ValueError(
                f"--test-share leaves no rows to train on; got {counted(self.n_rows, 'row')}."
            )
