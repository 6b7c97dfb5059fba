"""From a table to codes and bins: the steps of `BinnedDataset.from_data`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from frugalboost import native
from frugalboost._progress import OnShare, part_of
from frugalboost._typing import AnyArray, Bools, Floats, Ints, Rows
from frugalboost.data.columns import AnyLabels, encode_categories, find_categories
from frugalboost.data.tables import DenseTable, SparseTable, Table, runs_of

DENSE8, DENSE16, SPARSE = map(native.STORAGES.index, ("dense8", "dense16", "sparse"))

# An entry of a sparse column takes 6 bytes. Two more, as reading it also costs a jump: saving a
# little memory should not cost time.
ENTRY_COST = 8

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint16]


CELLS_PER_BLOCK = 100_000_000
COPIED_CELLS_PER_BLOCK = 500_000

COLUMNS_PER_BLOCK = 16
"""Fewest columns per block of a table that is read in place: a cache line of a row-major one."""


class ColumnCuts:
    """Thresholds of some columns, and statistics of each column's codes."""

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
    buffers: CodeBuffers,
    n_threads: int,
    on_share: OnShare,
) -> None:
    """Write the codes of the features; `thresholds` has an entry for every feature."""
    for block in _feature_blocks(table, features):
        chosen = list(features[block])
        flat, offsets = _join([thresholds[feature] for feature in chosen])
        parts = table.parts(chosen)
        native.encode(parts, flat, offsets, **buffers.places(chosen), n_threads=n_threads)
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
    buffers: CodeBuffers,
    n_threads: int,
    on_share: OnShare,
) -> None:
    """Write the codes of the features; `thresholds` has an entry for every feature."""
    for run in runs_of(features):
        for block in _column_blocks(table.indptr, run.start, run.stop):
            data, rows, indptr = _columns(table, block)
            flat, offsets = _join(thresholds[block])
            places = {**buffers.places(block), "n_threads": n_threads}
            native.encode_sparse(data, rows, indptr, table.n_rows, flat, offsets, **places)
            on_share(block.stop / table.n_features)


def _feature_blocks(table: DenseTable, features: Sequence[int]) -> Iterator[slice]:
    """Yield slices of features. A block may have fewer features than there are threads: these
    divide the rows if there are many."""
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


def assign_slots(
    n_codes: Ints, is_sparse: Bools
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int32]]:
    """Return the storage of each feature and its number there, in the order of the features.

    >>> assign_slots(np.array([2, 300, 256]), np.array([True, False, False]))
    (array([2, 1, 0], dtype=int8), array([0, 0, 0], dtype=int32))
    """
    storage = np.where(is_sparse, SPARSE, np.where(n_codes > 256, DENSE16, DENSE8))
    slot = np.empty(len(storage), dtype=np.int32)
    for kind in (DENSE8, DENSE16, SPARSE):
        members = np.flatnonzero(storage == kind)
        slot[members] = np.arange(len(members))
    return storage.astype(np.int8), slot


def is_worth_sparse(n_others: Ints, n_codes: Ints, n_rows: int) -> Bools:
    """Whether to store each column sparse, given how many rows do not hold its default.

    >>> is_worth_sparse(np.array([12, 13, 24]), np.array([256, 256, 257]), 100)
    array([ True, False,  True])
    """
    return np.asarray(n_others * ENTRY_COST <= n_rows * np.where(n_codes > 256, 2, 1))


@dataclass(frozen=True)
class CodedColumn:
    """Codes that wait for their place in the buffers, using no more memory than they will there."""

    n_codes: int
    most_frequent: int
    n_others: int
    rows: Rows | None  # None: every row
    codes: AnyArray

    @classmethod
    def of(cls, codes: AnyArray, n_codes: int) -> CodedColumn:
        """Make a column from the codes of all rows.

        >>> CodedColumn.of(np.array([3] * 15 + [1]), n_codes=4).rows
        array([15], dtype=uint32)
        """
        counts = np.bincount(codes)
        most_frequent, n_others = int(counts.argmax()), int(len(codes) - counts.max())
        rows = None
        if is_worth_sparse(np.array([n_others]), np.array([n_codes]), len(codes))[0]:
            rows = np.flatnonzero(codes != most_frequent).astype(np.uint32)
            codes = codes[rows]
        codes = codes.astype(np.uint8 if n_codes <= 256 else np.uint16)
        return cls(n_codes, most_frequent, n_others, rows, codes)


@dataclass
class CodeBuffers:
    """The arrays of a `CodeStorage`, yet to be filled."""

    n_rows: int
    dense8: Bytes
    dense16: Words
    sparse_indptr: Ints
    sparse_rows: Rows
    sparse_codes: Words
    sparse_default: Words
    storage: npt.NDArray[np.int8]
    slot: npt.NDArray[np.int32]

    @classmethod
    def make(cls, n_rows: int, n_codes: Ints, most_frequent: Words, n_others: Ints) -> CodeBuffers:
        """Make buffers for columns of `n_codes` codes; `n_others` rows hold a rarer one.

        >>> buffers = CodeBuffers.make(100, np.array([2, 9]), np.array([1, 0]), np.array([3, 80]))
        >>> buffers.sparse_rows.shape, buffers.dense8.shape
        ((3,), (1, 100))
        """
        is_sparse = is_worth_sparse(n_others, n_codes, n_rows)
        storage, slot = assign_slots(n_codes, is_sparse)
        indptr = np.cumsum([0, *n_others[is_sparse]], dtype=np.int64)
        return cls(
            n_rows=n_rows,
            dense8=np.empty((np.count_nonzero(storage == DENSE8), n_rows), dtype=np.uint8),
            dense16=np.empty((np.count_nonzero(storage == DENSE16), n_rows), dtype=np.uint16),
            sparse_indptr=indptr,
            sparse_rows=np.empty(indptr[-1], dtype=np.uint32),
            sparse_codes=np.empty(indptr[-1], dtype=np.uint16),
            sparse_default=most_frequent[is_sparse].astype(np.uint16),
            storage=storage,
            slot=slot,
        )

    def places(self, features: list[int] | slice) -> dict[str, Any]:
        """Return where the core should write the codes of the features."""
        return {
            **{name: array for name, array in vars(self).items() if name != "n_rows"},
            "storage": self.storage[features],
            "slot": self.slot[features],
        }

    def write(self, feature: int, column: CodedColumn) -> None:
        """Write a column whose code is known for every row."""
        slot = int(self.slot[feature])
        if column.rows is not None:
            place = slice(self.sparse_indptr[slot], self.sparse_indptr[slot + 1])
            self.sparse_rows[place] = column.rows
            self.sparse_codes[place] = column.codes
        elif self.storage[feature] == DENSE8:
            self.dense8[slot] = column.codes
        else:
            self.dense16[slot] = column.codes


_NO_THRESHOLDS: Floats = np.empty(0)

CUTTING = 0.7
"""Rough share of the time that finding the cuts takes; writing the codes takes the rest."""


@dataclass
class Bins:
    """What the codes of each feature stand for."""

    thresholds: list[Floats]
    categories: list[AnyArray | None]
    n_bins: npt.NDArray[np.int32]
    has_missing: Bools
    most_frequent: Words  # of the codes
    n_others: Ints  # rows with another code

    @classmethod
    def of_numbers(cls, n_features: int, features: Ints, cuts: ColumnCuts) -> Bins:
        bins = cls(
            thresholds=[_NO_THRESHOLDS] * n_features,
            categories=[None] * n_features,
            n_bins=np.ones(n_features, dtype=np.int32),
            has_missing=np.zeros(n_features, dtype=bool),
            most_frequent=np.zeros(n_features, dtype=np.uint16),
            n_others=np.zeros(n_features, dtype=np.int64),
        )
        for feature, thresholds in zip(features.tolist(), cuts.thresholds, strict=True):
            bins.thresholds[feature] = thresholds
            bins.n_bins[feature] = len(thresholds) + 1
        bins.has_missing[features] = cuts.has_missing
        bins.most_frequent[features] = cuts.most_frequent
        bins.n_others[features] = cuts.n_others
        return bins

    def set_categories(self, feature: int, categories: AnyArray, codes: Words) -> CodedColumn:
        """Record the categories of a feature and statistics of its codes."""
        n_bins = _count_bins(categories)
        has_missing = bool((codes == n_bins).any())
        column = CodedColumn.of(codes, n_bins + has_missing)
        self.thresholds[feature] = _NO_THRESHOLDS
        self.categories[feature] = categories
        self.n_bins[feature] = n_bins
        self.has_missing[feature] = has_missing
        self.most_frequent[feature] = column.most_frequent
        self.n_others[feature] = column.n_others
        return column

    @property
    def n_codes(self) -> Ints:
        return self.n_bins.astype(np.int64) + self.has_missing

    def make_buffers(self, n_rows: int) -> CodeBuffers:
        return CodeBuffers.make(n_rows, self.n_codes, self.most_frequent, self.n_others)


def bin_dense(
    table: DenseTable, is_categorical: Bools, max_bins: int, n_threads: int, on_share: OnShare
) -> tuple[Bins, CodeBuffers]:
    numeric = np.flatnonzero(~is_categorical)
    on_part = part_of(on_share, 0.0, CUTTING)
    cuts = find_dense_cuts(table, numeric.tolist(), max_bins, n_threads, on_part)
    bins = Bins.of_numbers(table.n_features, numeric, cuts)
    coded = {
        feature: bins.set_categories(feature, *_encode(table, feature, table.categorical(feature)))
        for feature in np.flatnonzero(is_categorical).tolist()
    }
    buffers = bins.make_buffers(table.n_rows)
    on_part = part_of(on_share, CUTTING, 1.0)
    write_dense_codes(table, numeric.tolist(), bins.thresholds, buffers, n_threads, on_part)
    for feature in list(coded):
        buffers.write(feature, coded.pop(feature))
    return bins, buffers


def bin_sparse(
    table: SparseTable, is_categorical: Bools, max_bins: int, n_threads: int, on_share: OnShare
) -> tuple[Bins, CodeBuffers]:
    cuts = find_sparse_cuts(table, max_bins, n_threads, part_of(on_share, 0.0, CUTTING))
    bins = Bins.of_numbers(table.n_features, np.arange(table.n_features), cuts)
    coded = {
        feature: bins.set_categories(feature, *_encode_sparse(table, feature))
        for feature in np.flatnonzero(is_categorical).tolist()
    }
    buffers = bins.make_buffers(table.n_rows)
    numeric = np.flatnonzero(~is_categorical).tolist()
    on_part = part_of(on_share, CUTTING, 1.0)
    write_sparse_codes(table, numeric, bins.thresholds, buffers, n_threads, on_part)
    for feature in list(coded):
        buffers.write(feature, coded.pop(feature))
    return bins, buffers


def _encode_sparse(table: SparseTable, feature: int) -> tuple[AnyArray, Words]:
    """Return the categories and the codes of all rows; zero is a category like any other."""
    stored = table.categorical(feature)
    zero = np.zeros(int(len(stored) < table.n_rows), dtype=stored.dtype)
    categories, codes = _encode(table, feature, np.concatenate([stored, zero]))
    column = np.full(table.n_rows, codes[-1])
    column[table.rows(feature)] = codes[: len(stored)]
    return categories, column


def _encode(table: Table, feature: int, column: AnyArray | AnyLabels) -> tuple[AnyArray, Words]:
    """Return the categories of a column and its codes, with one more for missing values."""
    name = table.describe(feature)
    categories = find_categories(column, feature=name)
    codes = encode_categories(column, categories, feature=name)
    codes[np.isnan(codes)] = _count_bins(categories)
    return categories, codes.astype(np.uint16)


def _count_bins(categories: AnyArray) -> int:
    return max(1, len(categories))  # a column of missing values has one empty bin
