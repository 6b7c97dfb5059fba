"""From a table to codes and bins: what `BinnedDataset.from_data` is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from frugalboost._typing import AnyArray, Bools, Floats, Ints
from frugalboost.data.categories import Labels, encode_categories, find_categories
from frugalboost.data.cuts import (
    ColumnCuts,
    find_dense_cuts,
    find_sparse_cuts,
    write_dense_codes,
    write_sparse_codes,
)
from frugalboost.data.room import CodeRoom
from frugalboost.data.storage import CodeStorage, Words
from frugalboost.data.tables import DenseTable, SparseTable, Table

_NO_THRESHOLDS: Floats = np.empty(0)


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

    def set_categories(self, feature: int, categories: AnyArray, codes: Floats) -> AnyArray:
        """Note the categories of a feature and return its codes with one for missing values."""
        n_bins = max(1, len(categories))  # a column of missing values has one empty bin
        missing = np.isnan(codes)
        self.thresholds[feature] = _NO_THRESHOLDS
        self.categories[feature] = categories
        self.n_bins[feature] = n_bins
        self.has_missing[feature] = missing.any()
        codes[missing] = n_bins
        return codes.astype(np.min_scalar_type(n_bins))

    def count_codes(self, feature: int, counts: Ints) -> None:
        """Note which code of a feature is the most frequent."""
        self.most_frequent[feature] = counts.argmax()
        self.n_others[feature] = counts.sum() - counts.max()

    @property
    def n_codes(self) -> Ints:
        return self.n_bins.astype(np.int64) + self.has_missing

    def make_room(self, n_rows: int) -> CodeRoom:
        return CodeRoom.make(n_rows, self.n_codes, self.most_frequent, self.n_others)


def bin_dense(
    table: DenseTable, is_categorical: Bools, max_bins: int, n_threads: int
) -> tuple[Bins, CodeStorage]:
    numeric = np.flatnonzero(~is_categorical)
    cuts = find_dense_cuts(table, numeric.tolist(), max_bins, n_threads)
    bins = Bins.of_numbers(table.n_features, numeric, cuts)
    coded: dict[int, AnyArray] = {}
    for feature in np.flatnonzero(is_categorical).tolist():
        coded[feature] = _categories(table, feature, table.categorical(feature), bins)
        bins.count_codes(feature, np.bincount(coded[feature]))
    room = bins.make_room(table.n_rows)
    write_dense_codes(table, numeric.tolist(), bins.thresholds, room, n_threads)
    for feature in list(coded):
        room.write(feature, coded.pop(feature))
    return bins, room.finish()


def bin_sparse(
    table: SparseTable, is_categorical: Bools, max_bins: int, n_threads: int
) -> tuple[Bins, CodeStorage]:
    cuts = find_sparse_cuts(table, max_bins, n_threads)
    bins = Bins.of_numbers(table.n_features, np.arange(table.n_features), cuts)
    coded: dict[int, tuple[AnyArray, int]] = {}
    for feature in np.flatnonzero(is_categorical).tolist():
        coded[feature] = _sparse_categories(table, feature, bins)
    room = bins.make_room(table.n_rows)
    numeric = np.flatnonzero(~is_categorical).tolist()
    write_sparse_codes(table, numeric, bins.thresholds, room, n_threads)
    for feature, (stored, zero) in coded.items():
        column = np.full(table.n_rows, zero, dtype=np.uint16)
        column[table.rows(feature)] = stored
        room.write(feature, column)
    return bins, room.finish()


def _sparse_categories(table: SparseTable, feature: int, bins: Bins) -> tuple[AnyArray, int]:
    """Return the codes of the stored entries and that of zero, one more category."""
    stored = table.categorical(feature)
    n_zeros = table.n_rows - len(stored)
    zero = np.zeros(min(n_zeros, 1), dtype=stored.dtype)
    codes = _categories(table, feature, np.concatenate([stored, zero]), bins)
    counts = np.bincount(codes)
    if n_zeros == 0:
        bins.count_codes(feature, counts)
        return codes, 0  # never used
    counts[codes[-1]] += n_zeros - 1
    bins.count_codes(feature, counts)
    return codes[:-1], int(codes[-1])


def _categories(table: Table, feature: int, column: AnyArray | Labels, bins: Bins) -> AnyArray:
    where: dict[str, Any] = {"feature": table.describe(feature), "owner": table.owner}
    categories = find_categories(column, **where)
    codes = encode_categories(column, categories, **where)
    return bins.set_categories(feature, categories, codes)
