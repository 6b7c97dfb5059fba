"""Calls of the core that find thresholds and write codes, a block of columns at a time.

Blocks are small enough that a bar moves, and that columns which must be converted for the core take
little memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from frugalboost import native
from frugalboost._shares import OnShare
from frugalboost._typing import AnyArray, Bools, Floats, Ints
from frugalboost.data.room import CodeRoom
from frugalboost.data.storage import Words
from frugalboost.data.tables import DenseTable, SparseTable, runs_of

CELLS_PER_BLOCK = 100_000_000
COPIED_CELLS_PER_BLOCK = 500_000

COLUMNS_PER_BLOCK = 16
"""At least, of a table that is read in place: of a row-major one that is a cache line."""


class ColumnCuts:
    """Thresholds of some columns, and what each column's codes will be like."""

    def __init__(self) -> None:
        self.thresholds: list[Floats] = []
        self.has_missing: list[bool] = []
        self.most_frequent: list[int] = []
        self.n_others: list[int] = []

    def add(
        self,
        thresholds: Floats,
        offsets: Ints,
        has_missing: Bools,
        most_frequent: Words,
        n_others: Ints,
    ) -> None:
        self.thresholds += [thresholds[a:b] for a, b in pairwise(offsets.tolist())]
        self.has_missing += has_missing.tolist()
        self.most_frequent += most_frequent.tolist()
        self.n_others += n_others.tolist()


def find_dense_cuts(
    table: DenseTable,
    features: Sequence[int],
    max_bins: int,
    n_threads: int,
    on_share: OnShare,
) -> ColumnCuts:
    cuts = ColumnCuts()
    for block in _feature_blocks(table, features):
        cuts.add(*native.find_bins(table.parts(features[block]), max_bins, n_threads))
        on_share(block.stop / len(features))
    return cuts


def write_dense_codes(
    table: DenseTable,
    features: Sequence[int],
    thresholds: Sequence[Floats],
    room: CodeRoom,
    n_threads: int,
    on_share: OnShare,
) -> None:
    """Write the codes of the features; thresholds are by feature, too."""
    for block in _feature_blocks(table, features):
        chosen = list(features[block])
        flat, offsets = _join([thresholds[feature] for feature in chosen])
        parts = table.parts(chosen)
        native.encode(parts, flat, offsets, **room.places(chosen), n_threads=n_threads)
        on_share(block.stop / len(features))


def find_sparse_cuts(
    table: SparseTable, max_bins: int, n_threads: int, on_share: OnShare
) -> ColumnCuts:
    cuts = ColumnCuts()
    for block in _column_blocks(table.indptr, 0, table.n_features):
        data, _, indptr = _columns(table, block)
        cuts.add(*native.find_bins_sparse(data, indptr, table.n_rows, max_bins, n_threads))
        on_share(block.stop / table.n_features)
    return cuts


def write_sparse_codes(
    table: SparseTable,
    features: Sequence[int],
    thresholds: Sequence[Floats],
    room: CodeRoom,
    n_threads: int,
    on_share: OnShare,
) -> None:
    """Write the codes of the features; thresholds are by feature, too."""
    for run in runs_of(features):
        for block in _column_blocks(table.indptr, run.start, run.stop):
            data, rows, indptr = _columns(table, block)
            flat, offsets = _join(thresholds[block])
            places = {**room.places(block), "n_threads": n_threads}
            native.encode_sparse(data, rows, indptr, table.n_rows, flat, offsets, **places)
            on_share(block.stop / table.n_features)


def _feature_blocks(table: DenseTable, features: Sequence[int]) -> Iterator[slice]:
    """Yield slices of features. A block may have fewer than there are threads: of many rows, they
    divide the rows."""
    if table.is_read_in_place:
        step = max(COLUMNS_PER_BLOCK, CELLS_PER_BLOCK // table.n_rows)
        step -= step % COLUMNS_PER_BLOCK
    else:
        step = max(1, COPIED_CELLS_PER_BLOCK // table.n_rows)
    for start in range(0, len(features), step):
        yield slice(start, min(start + step, len(features)))


def _column_blocks(indptr: Ints, start: int, end: int) -> Iterator[slice]:
    """Yield slices of columns, each with at most CELLS_PER_BLOCK entries or a single column."""
    while start < end:
        last = np.searchsorted(indptr, indptr[start] + CELLS_PER_BLOCK, side="right") - 1
        stop = min(max(int(last), start + 1), end)
        yield slice(start, stop)
        start = stop


def _columns(table: SparseTable, block: slice) -> tuple[AnyArray, AnyArray, Ints]:
    indptr = table.indptr[block.start : block.stop + 1]
    stored = slice(indptr[0], indptr[-1])
    return table.data[stored], table.indices[stored], indptr - indptr[0]


def _join(thresholds: Sequence[Floats]) -> tuple[Floats, Ints]:
    lengths = [len(each) for each in thresholds]
    return np.concatenate(thresholds), np.cumsum([0, *lengths], dtype=np.int64)
