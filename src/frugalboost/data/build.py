"""From a table to codes and bins: what `BinnedDataset.from_data` is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from frugalboost._shares import OnShare, part_of
from frugalboost._typing import AnyArray, Bools, Floats, Ints
from frugalboost.data.categories import AnyLabels, encode_categories, find_categories
from frugalboost.data.cuts import (
    ColumnCuts,
    find_dense_cuts,
    find_sparse_cuts,
    write_dense_codes,
    write_sparse_codes,
)
from frugalboost.data.room import CodedColumn, CodeRoom
from frugalboost.data.storage import CodeStorage, Words
from frugalboost.data.tables import DenseTable, SparseTable, Table

_NO_THRESHOLDS: Floats = np.empty(0)

CUTTING = 0.7
"""Of the time, what finding the cuts takes, about; the rest is to write the codes."""


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
        """Note the categories of a feature and what its codes are like."""
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

    def make_room(self, n_rows: int) -> CodeRoom:
        return CodeRoom.make(n_rows, self.n_codes, self.most_frequent, self.n_others)


def bin_dense(
    table: DenseTable, is_categorical: Bools, max_bins: int, n_threads: int, on_share: OnShare
) -> tuple[Bins, CodeStorage]:
    numeric = np.flatnonzero(~is_categorical)
    heard = part_of(on_share, 0.0, CUTTING)
    cuts = find_dense_cuts(table, numeric.tolist(), max_bins, n_threads, heard)
    bins = Bins.of_numbers(table.n_features, numeric, cuts)
    coded = {
        feature: bins.set_categories(feature, *_encode(table, feature, table.categorical(feature)))
        for feature in np.flatnonzero(is_categorical).tolist()
    }
    room = bins.make_room(table.n_rows)
    heard = part_of(on_share, CUTTING, 1.0)
    write_dense_codes(table, numeric.tolist(), bins.thresholds, room, n_threads, heard)
    for feature in list(coded):
        room.write(feature, coded.pop(feature))
    return bins, room.finish()


def bin_sparse(
    table: SparseTable, is_categorical: Bools, max_bins: int, n_threads: int, on_share: OnShare
) -> tuple[Bins, CodeStorage]:
    cuts = find_sparse_cuts(table, max_bins, n_threads, part_of(on_share, 0.0, CUTTING))
    bins = Bins.of_numbers(table.n_features, np.arange(table.n_features), cuts)
    coded = {
        feature: bins.set_categories(feature, *_encode_sparse(table, feature))
        for feature in np.flatnonzero(is_categorical).tolist()
    }
    room = bins.make_room(table.n_rows)
    numeric = np.flatnonzero(~is_categorical).tolist()
    heard = part_of(on_share, CUTTING, 1.0)
    write_sparse_codes(table, numeric, bins.thresholds, room, n_threads, heard)
    for feature in list(coded):
        room.write(feature, coded.pop(feature))
    return bins, room.finish()


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
    where: dict[str, Any] = {"feature": table.describe(feature), "owner": table.owner}
    categories = find_categories(column, **where)
    codes = encode_categories(column, categories, **where)
    codes[np.isnan(codes)] = _count_bins(categories)
    return categories, codes.astype(np.uint16)


def _count_bins(categories: AnyArray) -> int:
    return max(1, len(categories))  # a column of missing values has one empty bin
