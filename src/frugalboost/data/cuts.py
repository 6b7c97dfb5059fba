"""Calls of the core that find thresholds and write codes, a block of columns at a time.

Blocks are small enough that Ctrl-C is answered between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from frugalboost import native
from frugalboost._typing import Bools, Floats, Ints
from frugalboost.data.storage import DENSE16, Bytes, Words
from frugalboost.data.tables import DenseTable, SparseTable

CELLS_PER_BLOCK = 20_000_000


class ColumnCuts:
    """Thresholds of some columns and whether each has missing values."""

    def __init__(self) -> None:
        self.thresholds: list[Floats] = []
        self.has_missing: list[bool] = []

    def add(self, thresholds: Floats, offsets: Ints, has_missing: Bools) -> None:
        starts = offsets.tolist()
        self.thresholds += [thresholds[a:b] for a, b in pairwise(starts)]
        self.has_missing += has_missing.tolist()


def find_dense_cuts(
    table: DenseTable, features: Sequence[int], max_bins: int, n_threads: int
) -> ColumnCuts:
    cuts = ColumnCuts()
    for block in _feature_blocks(features, table.n_rows):
        cuts.add(*native.find_bins(table.parts(features[block]), max_bins, n_threads))
    return cuts


def write_dense_codes(
    table: DenseTable,
    features: Sequence[int],
    thresholds: Sequence[Floats],
    dense: tuple[Bytes, Words],
    storage: npt.NDArray[np.int8],
    slot: npt.NDArray[np.int32],
    n_threads: int,
) -> None:
    """Write the codes of the features to their slots; the other arguments are by feature, too."""
    for block in _feature_blocks(features, table.n_rows):
        chosen = list(features[block])
        flat, offsets = _join([thresholds[feature] for feature in chosen])
        is_wide = storage[chosen] == DENSE16
        parts = table.parts(chosen)
        native.encode(parts, flat, offsets, *dense, is_wide, slot[chosen], n_threads)


def find_sparse_cuts(table: SparseTable, max_bins: int, n_threads: int) -> ColumnCuts:
    cuts = ColumnCuts()
    for block in _column_blocks(table.indptr):
        data, indptr = _columns(table, block)
        cuts.add(*native.find_bins_sparse(data, indptr, table.n_rows, max_bins, n_threads))
    return cuts


def sparse_codes(table: SparseTable, thresholds: Sequence[Floats], n_threads: int) -> Words:
    """Return a code for every stored entry."""
    codes = np.empty(len(table.data), dtype=np.uint16)
    for block in _column_blocks(table.indptr):
        data, indptr = _columns(table, block)
        flat, offsets = _join(thresholds[block])
        out = codes[table.indptr[block.start] : table.indptr[block.stop]]
        native.encode_sparse(data, indptr, table.n_rows, flat, offsets, out, n_threads)
    return codes


def _feature_blocks(features: Sequence[int], n_rows: int) -> Iterator[slice]:
    step = max(1, CELLS_PER_BLOCK // n_rows)
    for start in range(0, len(features), step):
        yield slice(start, min(start + step, len(features)))


def _column_blocks(indptr: Ints) -> Iterator[slice]:
    """Yield slices of columns, each with at most CELLS_PER_BLOCK entries or a single column."""
    start, end = 0, len(indptr) - 1
    while start < end:
        last = np.searchsorted(indptr, indptr[start] + CELLS_PER_BLOCK, side="right") - 1
        stop = min(max(int(last), start + 1), end)
        yield slice(start, stop)
        start = stop


def _columns(table: SparseTable, block: slice) -> tuple[npt.NDArray[np.generic], Ints]:
    indptr = table.indptr[block.start : block.stop + 1]
    return table.data[indptr[0] : indptr[-1]], indptr - indptr[0]


def _join(thresholds: Sequence[Floats]) -> tuple[Floats, Ints]:
    lengths = [len(each) for each in thresholds]
    return np.concatenate(thresholds), np.cumsum([0, *lengths], dtype=np.int64)
