"""The files of a run, opened so that reading them takes little memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from frugalboost.cli.stream_rows import files_of, kind_of
from frugalboost.cli.stream_store import LARGE_LIMIT
from frugalboost.streams import CsvOracle

if TYPE_CHECKING:
    from frugalboost.cli.stream import StreamOptions

IN_ORDER_BYTES, MIXED_BYTES = 1 << 19, 2 << 20
"""Of the rows that are read at a time in the order of the files, and of the rows that are mixed
with each other under a limit below `LARGE_LIMIT`. What reading takes is some times as much."""

PAGE_BYTES, CSV_BYTES = 2 << 20, 24 << 20
"""What is open of a column of a Parquet file, and of a CSV file."""

MIXED_READERS = 2
"""Several files or parts of them are open when rows are mixed, and Arrow keeps what it is given
back: twice what one takes, beside what is held at the beginning."""


def open_in_order(options: StreamOptions, path: Path, columns: Any = None) -> Any:
    """The rows once, as they are in the files."""
    return _reopen(options, path, columns, IN_ORDER_BYTES, 8192, recycle=False, shuffle=False)


def open_mixed(options: StreamOptions, path: Path) -> Any:
    """Rows of a few places in the files at a time, mixed with each other."""
    chosen = {"recycle": options.recycle, "shuffle": True}
    if options.memory_limit is None or options.memory_limit >= LARGE_LIMIT:
        return _open(options, path, None, **chosen)
    return _reopen(options, path, None, MIXED_BYTES, 65536, **chosen)


def _reopen(
    options: StreamOptions, path: Path, columns: Any, n_bytes: int, most: int, **chosen: Any
) -> Any:
    """Only an open table says how many columns there are, and so how many rows fit."""
    width = 8 * len(_open(options, path, columns, **chosen).feature_names)
    rows = max(256, min(most, n_bytes // width))
    return _open(options, path, columns, buffer_rows=rows, **chosen)


def _open(options: StreamOptions, path: Path, columns: Any, **chosen: Any) -> Any:
    columns = columns or options.columns
    return kind_of(path)(path, options.target, columns=columns, random_state=options.seed, **chosen)


def reading_bytes(path: Path, table: Any) -> int:
    """What an open file holds in memory, about."""
    size = sum(n for _, n, _ in files_of(path))
    if isinstance(table, CsvOracle):
        return min(CSV_BYTES, 8 * size)
    return min(PAGE_BYTES * (len(table.feature_names) + 1), 8 * size)


def count_rows(path: Path, table: Any) -> int | None:
    """How many rows there are; about, if they are lines, and None if those are compressed."""
    if table.n_rows is not None:
        return int(table.n_rows)
    files = files_of(path)
    if not all(name.lower().endswith(".csv") for name, _, _ in files):
        return None
    return sum(size // mean_line(name) for name, size, _ in files)


def mean_line(name: str) -> int:
    """Bytes of a line, by the first ones."""
    with open(name, "rb") as file:
        start = file.read(1 << 16)
    return max(1, len(start) // max(1, start.count(b"\n")))


def store_size(path: Path, table: Any) -> int:
    """About as many bytes as a block store of the rows has, rather more than less."""
    n_rows = table.n_rows
    if n_rows is not None:
        return int(n_rows) * 8 * (len(table.feature_names) + 1)
    # A number is two characters at least, and text compresses to a fifth or so.
    return sum(4 * n if name.endswith(".csv") else 20 * n for name, n, _ in files_of(path))
