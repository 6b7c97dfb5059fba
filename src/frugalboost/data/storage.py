"""Codes of all features: dense in one or two bytes, or sparse around a default code."""

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
