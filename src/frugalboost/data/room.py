"""Room for the codes of a table, made once it is known how much each column needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from frugalboost._typing import AnyArray, Ints, Rows
from frugalboost.data.storage import (
    DENSE8,
    DENSE16,
    Bytes,
    CodeStorage,
    Words,
    assign_slots,
    is_worth_sparse,
)


@dataclass(frozen=True)
class CodedColumn:
    """Codes that wait for their room, in no more memory than they will take there."""

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
class CodeRoom:
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
    def make(cls, n_rows: int, n_codes: Ints, most_frequent: Words, n_others: Ints) -> CodeRoom:
        """Make room for columns of `n_codes` codes; `n_others` rows do not hold the most frequent.

        >>> room = CodeRoom.make(100, np.array([2, 9]), np.array([1, 0]), np.array([3, 80]))
        >>> room.sparse_rows.shape, room.dense8.shape
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
