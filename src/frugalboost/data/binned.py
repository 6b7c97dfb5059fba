"""The table that trees are grown on: small codes instead of values, dense or sparse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from frugalboost import native
from frugalboost._checks import NamesItself, check_int
from frugalboost._progress import OnShare, ignore_progress
from frugalboost._threads import count_threads
from frugalboost._typing import AnyArray, Bools, Floats, Ints, Rows
from frugalboost.data.binning import DENSE8, SPARSE, Bytes, Words, bin_dense, bin_sparse
from frugalboost.data.schema import Schema, freeze, select_categorical
from frugalboost.data.tables import DenseTable, SparseTable, Table, check_distinct, read_table


@dataclass(frozen=True, eq=False, repr=False)
class CodeStorage:
    """Where the codes of each feature are; the arrays are read-only."""

    n_rows: int
    dense8: Bytes  # (features, rows)
    dense16: Words
    sparse_indptr: Ints
    sparse_rows: Rows  # ascending in each column, only where the code is not the default
    sparse_codes: Words
    sparse_default: Words
    storage: npt.NDArray[np.int8]  # DENSE8, DENSE16 or SPARSE for each feature
    slot: npt.NDArray[np.int32]  # which column of that storage

    def __post_init__(self) -> None:
        freeze(self._arrays())

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        freeze(self._arrays())  # arrays come out of a pickle writeable

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self._arrays())

    def column_codes(self, feature: int) -> AnyArray:
        """Return the codes of one feature for all rows, as uint8 or uint16."""
        slot = int(self.slot[feature])
        if self.storage[feature] != SPARSE:
            dense: AnyArray = self.dense8 if self.storage[feature] == DENSE8 else self.dense16
            return dense[slot, :]
        codes = np.full(self.n_rows, self.sparse_default[slot])
        stored = slice(self.sparse_indptr[slot], self.sparse_indptr[slot + 1])
        codes[self.sparse_rows[stored]] = self.sparse_codes[stored]
        return codes

    def _arrays(self) -> Iterator[AnyArray]:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                yield value
            elif isinstance(value, tuple):
                yield from value

    def _stored_rows(self, rows: Ints) -> dict[str, Any]:
        """Return the fields that differ when only the given rows are kept, in their order."""
        # Entries with code 0 are stored like any other; scipy keeps explicit zeros when indexing.
        parts = (self.sparse_codes, self.sparse_rows.astype(np.int64), self.sparse_indptr)
        matrix = sparse.csc_array(parts, shape=(self.n_rows, len(self.sparse_default)))[rows]
        matrix.sort_indices()
        return {
            "n_rows": len(rows),
            "dense8": np.ascontiguousarray(self.dense8[:, rows]),
            "dense16": np.ascontiguousarray(self.dense16[:, rows]),
            "sparse_indptr": matrix.indptr.astype(np.int64),
            "sparse_rows": matrix.indices.astype(np.uint32),
            "sparse_codes": matrix.data,
        }


def check_max_bins(max_bins: Any) -> int:
    return check_int(max_bins, name="max_bins", low=2, high=native.MAX_BINS)


@dataclass(frozen=True, eq=False, repr=False)
class BinnedDataset(NamesItself, CodeStorage):
    """A table whose values are replaced by the numbers of their bins.

    The bin of a number x is the number of its feature's thresholds below x; the bin of a category
    is its position in the feature's categories. Missing values have the code after the last bin.
    A feature with at most ``max_bins`` distinct values is exact, others are cut at quantiles.
    A dataset never changes, so that many fits can share it.

    Attributes
    ----------
    n_rows, n_features : int
    n_bins : int32 array, number of bins of each feature, not counting that of missing values
    has_missing, is_categorical : bool arrays, one entry for each feature
    thresholds : tuple of float64 arrays, ``n_bins - 1`` cut values of each numeric feature
    categories : tuple of arrays, the categories of each categorical feature, None for the others
    schema : Schema, how to read tables for prediction
    dense8, dense16, sparse_indptr, sparse_rows, sparse_codes, sparse_default, storage, slot :
        the codes; see `CodeStorage`

    Examples
    --------
    >>> data = BinnedDataset.from_data([[1.0, 5.0], [2.0, float("nan")], [4.0, 5.0]])
    >>> data.thresholds[0]
    array([1.5, 3. ])
    >>> data.column_codes(1)
    array([0, 1, 0], dtype=uint8)
    """

    n_bins: npt.NDArray[np.int32]
    has_missing: Bools
    thresholds: tuple[Floats, ...]
    schema: Schema

    @classmethod
    def from_data(
        cls,
        X: Any,
        *,
        max_bins: int = 256,
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
        on_share: OnShare = ignore_progress,
    ) -> BinnedDataset:
        """Bin an array, a scipy.sparse matrix, or a pandas, polars or pyarrow table.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
        max_bins : int from 2 to 65535
            Maximum number of bins of a numeric feature; missing values have one more.
        categorical_features : "from_dtype", None, or a list of column names, indices or a mask
            Which features are categorical. "from_dtype": those with a category dtype.
        n_jobs : int or None
            Number of threads; None: every core that the process may use.
        on_share : callable
            Called now and then with the share of the work that is done.
        """
        return bin_table(
            X,
            max_bins=max_bins,
            categorical_features=categorical_features,
            n_jobs=n_jobs,
            on_share=on_share,
        )

    @property
    def n_features(self) -> int:
        return self.schema.n_features

    @property
    def shape(self) -> tuple[int, int]:
        return self.n_rows, self.n_features

    @property
    def is_categorical(self) -> Bools:
        return self.schema.is_categorical

    @property
    def categories(self) -> tuple[AnyArray | None, ...]:
        return self.schema.categories

    @cached_property
    def columns(self) -> native.Columns:
        """The codes as the core sees them."""
        return self._make_columns(n_threads=1)

    def _make_columns(self, n_threads: int) -> native.Columns:
        return native.Columns(
            n_rows=self.n_rows,
            dense8=self.dense8,
            dense16=self.dense16,
            sparse_indptr=self.sparse_indptr,
            sparse_rows=self.sparse_rows,
            sparse_codes=self.sparse_codes,
            sparse_default=self.sparse_default,
            storage=self.storage,
            slot=self.slot,
            n_bins=self.n_bins,
            has_missing=self.has_missing,
            is_categorical=self.is_categorical,
            n_threads=n_threads,
        )

    @cached_property
    def cuts(self) -> Floats:
        """The thresholds of all features, one after the other."""
        return np.concatenate([np.empty(0), *self.thresholds])

    @cached_property
    def cut_offsets(self) -> Ints:
        """Where the thresholds of each feature begin in `cuts`, and where the last end."""
        return np.cumsum([0, *map(len, self.thresholds)], dtype=np.int64)

    def take_rows(self, indices: Any) -> BinnedDataset:
        """Return a dataset of the given rows, in the given order, with the same bins.

        >>> data = BinnedDataset.from_data([[1.0], [2.0], [4.0]])
        >>> data.take_rows([2, 0]).column_codes(0)
        array([2, 0], dtype=uint8)
        """
        return replace(self, **self._stored_rows(self._row_numbers(indices)))

    def _row_numbers(self, indices: Any) -> Ints:
        rows = np.asarray(indices)
        if rows.dtype == bool and rows.shape == (self.n_rows,):
            rows = np.flatnonzero(rows)
        if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
            raise ValueError(
                f"indices must be a list of row numbers or a mask of all rows; got {indices!r}."
            )
        if rows.size and not 0 <= rows.min() <= rows.max() < self.n_rows:
            raise IndexError(
                f"indices must be from 0 to {self.n_rows - 1}; got {rows.min()} to {rows.max()}."
            )
        return rows.astype(np.int64)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        for name in ("columns", "cuts", "cut_offsets"):  # recomputed when needed
            state.pop(name, None)
        return state

    def __repr__(self) -> str:
        widest = int(self.n_bins.max())
        return (
            f"BinnedDataset({self.n_rows} rows, {self.n_features} features, "
            f"{int(self.is_categorical.sum())} categorical, at most {widest} bins, "
            f"{self.nbytes} bytes)"
        )


def bin_table(
    X: Any,
    *,
    max_bins: int = 256,
    categorical_features: Any = "from_dtype",
    n_jobs: int | None = None,
    on_share: OnShare = ignore_progress,
) -> BinnedDataset:
    """Do what `BinnedDataset.from_data` does, for callers that put their own name on errors."""
    max_bins = check_max_bins(max_bins)
    n_threads = count_threads(n_jobs)
    table = read_table(X)
    if table.n_rows > native.MAX_ROWS:
        raise ValueError(f"X must have at most {native.MAX_ROWS} rows; got {table.n_rows}.")
    is_categorical = select_categorical(
        categorical_features, table.n_features, table.names, table.has_category_dtype
    )
    check_distinct(table, np.flatnonzero(~is_categorical).tolist())
    return from_table(table, is_categorical, max_bins, n_threads, on_share)


def from_table(
    table: Table,
    is_categorical: Bools,
    max_bins: int,
    n_threads: int,
    on_share: OnShare = ignore_progress,
) -> BinnedDataset:
    if isinstance(table, SparseTable):
        bins, buffers = bin_sparse(table, is_categorical, max_bins, n_threads, on_share)
    else:
        assert isinstance(table, DenseTable)
        bins, buffers = bin_dense(table, is_categorical, max_bins, n_threads, on_share)
    dataset = BinnedDataset(
        **vars(buffers),
        n_bins=bins.n_bins,
        has_missing=bins.has_missing,
        thresholds=tuple(bins.thresholds),
        schema=Schema(table.n_features, table.names, is_categorical, tuple(bins.categories)),
    )
    # Only here is it known how many threads may look through the codes.
    dataset.__dict__["columns"] = dataset._make_columns(n_threads)
    return dataset
