"""From a table to codes and bins: what `BinnedDataset.from_data` is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from frugalboost._typing import AnyArray, Bools, Floats, Ints
from frugalboost.data.categories import encode_categories, find_categories
from frugalboost.data.cuts import (
    ColumnCuts,
    find_dense_cuts,
    find_sparse_cuts,
    sparse_codes,
    write_dense_codes,
)
from frugalboost.data.storage import (
    DENSE8,
    MAX_SPARSE_SHARE,
    CodeStorage,
    Words,
    assign_slots,
    empty_dense,
)
from frugalboost.data.tables import DenseTable, SparseTable

_NO_THRESHOLDS: Floats = np.empty(0)


@dataclass
class Bins:
    """What the codes of each feature stand for."""

    thresholds: list[Floats]
    categories: list[AnyArray | None]
    n_bins: npt.NDArray[np.int32]
    has_missing: Bools

    @classmethod
    def of_numbers(cls, n_features: int, features: Ints, cuts: ColumnCuts) -> Bins:
        bins = cls(
            thresholds=[_NO_THRESHOLDS] * n_features,
            categories=[None] * n_features,
            n_bins=np.ones(n_features, dtype=np.int32),
            has_missing=np.zeros(n_features, dtype=bool),
        )
        for feature, thresholds in zip(features.tolist(), cuts.thresholds, strict=True):
            bins.thresholds[feature] = thresholds
            bins.n_bins[feature] = len(thresholds) + 1
        bins.has_missing[features] = cuts.has_missing
        return bins

    def set_categories(self, feature: int, categories: AnyArray, codes: Floats) -> AnyArray:
        """Note the categories of a feature and return its codes with one for missing values."""
        n_bins = max(1, len(categories))  # a column of missing values has one empty bin
        missing = np.isnan(codes)
        self.thresholds[feature] = _NO_THRESHOLDS
        self.categories[feature] = categories
        self.n_bins[feature] = n_bins
        self.has_missing[feature] = missing.any()
        return np.where(missing, n_bins, codes).astype(np.uint16)

    @property
    def n_codes(self) -> Ints:
        return self.n_bins.astype(np.int64) + self.has_missing


def bin_dense(
    table: DenseTable, is_categorical: Bools, max_bins: int, n_threads: int
) -> tuple[Bins, CodeStorage]:
    numeric = np.flatnonzero(~is_categorical)
    cuts = find_dense_cuts(table, numeric.tolist(), max_bins, n_threads)
    bins = Bins.of_numbers(table.n_features, numeric, cuts)
    coded: dict[int, AnyArray] = {}
    for feature in np.flatnonzero(is_categorical).tolist():
        column = table.categorical(feature)
        where: dict[str, Any] = {"feature": table.describe(feature), "owner": table.owner}
        categories = find_categories(column, **where)
        codes = encode_categories(column, categories, **where)
        coded[feature] = bins.set_categories(feature, categories, codes)
    storage, slot = assign_slots(bins.n_codes, np.zeros(table.n_features, dtype=bool))
    dense = empty_dense(storage, table.n_rows)
    write_dense_codes(table, numeric.tolist(), bins.thresholds, dense, storage, slot, n_threads)
    for feature, column_codes in coded.items():
        dense[storage[feature]][slot[feature]] = column_codes
    return bins, CodeStorage(
        n_rows=table.n_rows,
        dense8=dense[0],
        dense16=dense[1],
        sparse_indptr=np.zeros(1, dtype=np.int64),
        sparse_rows=np.empty(0, dtype=np.uint32),
        sparse_codes=np.empty(0, dtype=np.uint16),
        sparse_default=np.empty(0, dtype=np.uint16),
        storage=storage,
        slot=slot,
    )


def bin_sparse(
    table: SparseTable, is_categorical: Bools, max_bins: int, n_threads: int
) -> tuple[Bins, CodeStorage]:
    cuts = find_sparse_cuts(table, max_bins, n_threads)
    bins = Bins.of_numbers(table.n_features, np.arange(table.n_features), cuts)
    codes = sparse_codes(table, bins.thresholds, n_threads)
    # The bin of a value is the number of thresholds below it; zero is what is not stored.
    default = np.array([np.searchsorted(t, 0.0) for t in bins.thresholds], dtype=np.uint16)
    for feature in np.flatnonzero(is_categorical).tolist():
        entries = slice(table.indptr[feature], table.indptr[feature + 1])
        codes[entries], default[feature] = _sparse_categories(table, feature, bins)
    return bins, _store(table, bins.n_codes, codes, default)


def _sparse_categories(table: SparseTable, feature: int, bins: Bins) -> tuple[AnyArray, int]:
    """Return the codes of the stored entries and that of zero, one more category."""
    where: dict[str, Any] = {"feature": table.describe(feature), "owner": table.owner}
    stored = table.categorical(feature)
    zero = np.zeros(int(len(stored) < table.n_rows), dtype=stored.dtype)
    column = np.concatenate([stored, zero])
    categories = find_categories(column, **where)
    floats = encode_categories(column, categories, **where)
    codes = bins.set_categories(feature, categories, floats)
    # Without a row that is zero and not stored, the default is never used.
    return codes[: len(stored)], int(codes[-1]) if len(zero) else 0


def _store(table: SparseTable, n_codes: Ints, codes: Words, default: Words) -> CodeStorage:
    """Drop entries with the default code; keep columns sparse where few entries remain."""
    lengths = np.diff(table.indptr)
    keep = codes != np.repeat(default, lengths)
    kept_before = np.concatenate([[0], np.cumsum(keep, dtype=np.int64)])
    n_kept = np.diff(kept_before[table.indptr])
    is_sparse = n_kept <= MAX_SPARSE_SHARE * table.n_rows
    storage, slot = assign_slots(n_codes, is_sparse)
    dense = empty_dense(storage, table.n_rows)
    for feature in np.flatnonzero(~is_sparse).tolist():
        entries = slice(table.indptr[feature], table.indptr[feature + 1])
        column = dense[0 if storage[feature] == DENSE8 else 1][slot[feature]]
        column.fill(default[feature])
        column[table.indices[entries]] = codes[entries]
    keep &= np.repeat(is_sparse, lengths)
    return CodeStorage(
        n_rows=table.n_rows,
        dense8=dense[0],
        dense16=dense[1],
        sparse_indptr=np.concatenate([[0], np.cumsum(n_kept[is_sparse], dtype=np.int64)]),
        sparse_rows=table.indices[keep].astype(np.uint32),
        sparse_codes=codes[keep],
        sparse_default=default[is_sparse],
        storage=storage,
        slot=slot,
    )
