"""Where the codes of a binned table are kept: dense in one or two bytes, or sparse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from frugalboost import native
from frugalboost._typing import AnyArray, Bools, Ints, Rows

DENSE8, DENSE16, SPARSE = map(native.STORAGES.index, ("dense8", "dense16", "sparse"))

# An entry of a sparse column takes 6 bytes. Two more, for it also costs a jump to read: what saves
# little memory should not cost time.
ENTRY_COST = 8

Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint16]


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


def freeze(arrays: Iterable[AnyArray]) -> None:
    """Make arrays read-only: a dataset may be shared by many fits."""
    for array in arrays:
        array.flags.writeable = False


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
    """Say which columns to store sparse, given how many rows do not hold their default.

    >>> is_worth_sparse(np.array([12, 13, 24]), np.array([256, 256, 257]), 100)
    array([ True, False,  True])
    """
    return np.asarray(n_others * ENTRY_COST <= n_rows * np.where(n_codes > 256, 2, 1))


@dataclass(frozen=True)
class CodedColumn:
    """Codes that wait for their place, in no more memory than they will take there."""

    n_codes: int
    most_frequent: int
    n_others: int
    rows: Rows | None  # None: every row
    codes: AnyArray

    @classmethod
    def of(cls, codes: AnyArray, n_codes: int) -> CodedColumn:
        """Take codes of all rows.

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
    """The arrays of a `CodeStorage`, still to be written."""

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
        """Return where the core is to write the codes of the features."""
        return {
            **{name: array for name, array in vars(self).items() if name != "n_rows"},
            "storage": self.storage[features],
            "slot": self.slot[features],
        }

    def write(self, feature: int, column: CodedColumn) -> None:
        """Write a column of which every row's code is known."""
        slot = int(self.slot[feature])
        if column.rows is not None:
            place = slice(self.sparse_indptr[slot], self.sparse_indptr[slot + 1])
            self.sparse_rows[place] = column.rows
            self.sparse_codes[place] = column.codes
        elif self.storage[feature] == DENSE8:
            self.dense8[slot] = column.codes
        else:
            self.dense16[slot] = column.codes

    def finish(self) -> CodeStorage:
        """Return the codes, which from now on are read-only."""
        return CodeStorage(**vars(self))
