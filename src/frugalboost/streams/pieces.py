"""Parts of files, read from their beginning, several at a time, slice by slice.

Slices count rows as stored in the file, before any filter, so that it is known which slices a
row group has, and those drawn before a restore need not be decoded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import pyarrow as pa


@dataclass(frozen=True)
class Piece:
    """A row group of a file, or a whole file."""

    file: str
    read: Callable[[int], Iterable[Any]]
    """Given a number of rows, iterates over tables or batches of about that many."""
    n_rows: int | None = None
    start: int = 0
    """The number of its first row in the file."""
    has_header: bool = False
    n_bytes: int = 0
    """Memory that it takes while open."""
    number: int = 0
    """The number of its first row in the whole data set, if all lengths are known."""

    def name_row(self, row: int) -> str:
        """Describe a row's place in the file, given its number in the piece."""
        if self.has_header:
            return f"row {self.start + row + 2} (the header is row 1)"
        return f"row {self.start + row} (counted from 0)"


class Slice(NamedTuple):
    """Consecutive rows of a piece."""

    piece: Piece
    first: int
    table: Any


class SliceReader:
    """Reads a piece in slices of equal size, the last one smaller."""

    def __init__(self, piece: Piece, size: int) -> None:
        self.piece = piece
        self.is_done = False
        self._size = size
        self._n_passed = 0
        self._slices: Iterator[Any] | None = None

    def skip(self) -> None:
        """Skip a slice, without decoding it if the number of rows is known."""
        if self.piece.n_rows is None:
            self.read()
        else:
            self._count(is_full=True)

    def read(self) -> Slice | None:
        """Return the next slice; None at the end of a piece of unknown length."""
        first = self._n_passed * self._size
        try:
            table = next(self._open(), None)
        except (pa.ArrowException, OSError) as error:
            raise ValueError(f"{self.piece.file}: {error}") from None
        self._count(is_full=table is not None and table.num_rows == self._size)
        return None if table is None else Slice(self.piece, first, table)

    def _count(self, *, is_full: bool) -> None:
        self._n_passed += 1
        n_rows = self.piece.n_rows
        is_end = n_rows is not None and self._n_passed * self._size >= n_rows
        self.is_done = is_end or not is_full

    def _open(self) -> Iterator[Any]:
        if self._slices is None:
            self._slices = slices_of(self.piece.read(self._size), self._size)
            for _ in range(self._n_passed):
                next(self._slices)
        return self._slices


def slices_of(batches: Iterable[Any], size: int) -> Iterator[Any]:
    """Yield tables of ``size`` rows, and finally one of the remaining rows."""
    rest, n_rows = [], 0
    for batch in batches:
        rest.append(pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch)
        n_rows += batch.num_rows
        while n_rows >= size:
            table = pa.concat_tables(rest)
            rest, n_rows = [table.slice(size)], n_rows - size
            yield table.slice(0, size)
    if n_rows:
        yield pa.concat_tables(rest)


def mix_slices(
    pieces: Iterable[Piece], *, size: int, n_open: int, first: int
) -> Iterator[list[Slice]]:
    """Yield the next slice of each open piece, from turn ``first`` on.

    When a piece is done, the next takes its place.
    """
    waiting, reading = deque(pieces), list[SliceReader]()
    for turn in count():
        while waiting and len(reading) < n_open:
            reading.append(SliceReader(waiting.popleft(), size))
        if not reading:
            return
        if turn >= first:
            yield [part for reader in reading if (part := reader.read()) is not None]
        else:
            for reader in reading:
                reader.skip()
        reading = [reader for reader in reading if not reader.is_done]
