"""What the oracles of files and Arrow data sets have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from frugalboost._checks import check_bool, check_int
from frugalboost._typing import Ints
from frugalboost.data.targets import first_missing
from frugalboost.streams.chunks import ChunkOracle
from frugalboost.streams.oracle import Batch, permuted
from frugalboost.tables.errors import listed

MAX_OPEN = 4
OPEN_BYTES = 16 << 20
BUFFER_BYTES = 16 << 20


class TableOracle(ChunkOracle):
    """Rows of pieces of files, mixed in a buffer that holds a few slices of several pieces."""

    def __init__(
        self,
        target: str,
        *,
        recycle: bool,
        shuffle: bool,
        buffer_rows: int | None,
        random_state: Any,
    ) -> None:
        super().__init__(recycle=recycle, random_state=random_state)
        if not isinstance(target, str):
            raise TypeError(f"target must be the name of a column; got {target!r}.")
        self.target = target
        self.shuffle = check_bool(shuffle, name="shuffle")
        if buffer_rows is not None:
            check_int(buffer_rows, name="buffer_rows", low=1)
        self.buffer_rows = buffer_rows

    def _set(self, pieces: Sequence[Any], layout: Any, filter_: Any = None) -> None:
        self._pieces = list(pieces)
        self._layout = layout
        self._filter = filter_
        self.feature_names = np.array(layout.features, dtype=object)
        largest = max((piece.n_bytes for piece in pieces), default=0)
        room = max(1, min(MAX_OPEN, OPEN_BYTES // max(1, largest)))
        self._n_open = max(1, min(room, len(pieces))) if self.shuffle else 1
        n_rows = self.buffer_rows or min(65536, max(1024, BUFFER_BYTES // row_bytes(layout)))
        self._slice_rows = -(-n_rows // self._n_open)
        lengths = [piece.n_rows for piece in pieces]
        if filter_ is None and None not in lengths:
            numbers = np.cumsum([0, *lengths]).tolist()
            self._pieces = [
                replace(piece, number=number)
                for piece, number in zip(pieces, numbers, strict=False)
            ]
            self.n_rows = numbers[-1]

    def _settings(self) -> dict[str, Any]:
        return {"shuffle": self.shuffle, "open": self._n_open, "slice_rows": self._slice_rows}

    def _chunks(self, first: int) -> Iterator[Batch]:
        from frugalboost.streams.pieces import mix_slices

        pieces = self._pieces
        if self.shuffle:
            pieces = [pieces[at] for at in permuted(len(pieces), self.seed)]
        turns = mix_slices(pieces, size=self._slice_rows, n_open=self._n_open, first=first)
        for number, slices in enumerate(turns, first):
            yield self._batch(slices, (self.seed, number + 1))

    def _batch(self, slices: Sequence[Any], key: tuple[int, ...]) -> Batch:
        kept = [self._keep(part) for part in slices]
        labels = [self._labels(part, rows) for part, rows in kept]
        if not any(map(len, labels)):
            return Batch(np.empty((0, len(self._layout.features))), np.empty(0))
        y = np.concatenate(labels)
        order = permuted(len(y), *key).astype(np.int64) if self.shuffle else None
        rows = self._row_numbers(kept)
        X = self._layout.join([part.table for part, _ in kept], order)
        if order is None:
            return Batch(X, y, rows)
        return Batch(X, y[order], None if rows is None else rows[order])

    def _keep(self, part: Any) -> tuple[Any, Ints]:
        """Return the rows of a slice that pass the filter, and their numbers in the piece."""
        import pyarrow as pa

        rows = np.arange(part.first, part.first + part.table.num_rows)
        if self._filter is None:
            return part, rows
        numbered = part.table.append_column(ROW, pa.array(rows)).filter(self._filter)
        return part._replace(table=numbered.drop_columns([ROW])), numbered.column(ROW).to_numpy()

    def _labels(self, part: Any, rows: Ints) -> Any:
        labels = self._layout.labels(part.table)
        at = first_missing(labels)
        if at is not None:
            raise ValueError(
                f"{part.piece.file}: column {self.target!r} must have a label in "
                f"every row; got {labels.tolist()[at]!r} in {part.piece.name_row(int(rows[at]))}."
            )
        return labels

    def _row_numbers(self, kept: Iterable[tuple[Any, Ints]]) -> Ints | None:
        if self.n_rows is None:
            return None
        return np.concatenate([rows + part.piece.number for part, rows in kept])


ROW = "row number (frugalboost)"


def row_bytes(layout: Any) -> int:
    return len(layout.features) * (16 if layout.dtype is None else layout.dtype.itemsize)


def choose_columns(names: Sequence[str], target: str, columns: Any) -> list[str]:
    """Return the names of the features, after checking that they and the target exist."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"columns must have distinct names; got {twice!r} twice.")
    if isinstance(columns, str) or not (columns is None or isinstance(columns, Iterable)):
        raise TypeError(f"columns must be None or a list of names; got {columns!r}.")
    chosen = [name for name in names if name != target] if columns is None else list(columns)
    for parameter, name in [("target", target), *(("columns", name) for name in chosen)]:
        if name not in names:
            raise ValueError(
                f"{parameter} must be among the columns {listed(names)}; got {name!r}."
            )
    if target in chosen or not chosen or len(set(chosen)) < len(chosen):
        raise ValueError(
            "columns must be one or more names, each once, without the target "
            f"{target!r}; got {listed(chosen)}."
        )
    return chosen
