"""Fingerprints of tables, to check that a session is resumed with the data it began with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import narwhals as nw
import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray
from frugalboost.data import columns

BLOCK_ROWS = 4096


def fingerprint(X: Any) -> dict[str, Any]:
    """Return the number of rows and columns, the names (or None) and a sha256 of a table's content.

    Only the values and their order matter, neither the kind of table nor the type of its
    numbers.

    >>> import numpy as np
    >>> one = fingerprint(np.array([[1, 2], [3, 4]]))
    >>> one["rows"], one["columns"], one["names"]
    (2, 2, None)
    >>> one == fingerprint([[1.0, 2.0], [3.0, 4.0]])
    True
    >>> one == fingerprint([[1.0, 2.0], [3.0, 5.0]])
    False
    """
    table = X if columns.is_frame(X) or sparse.issparse(X) else np.asarray(X)
    n_rows, n_columns = table.shape
    names = None
    digest = hashlib.sha256(f"{n_rows} {n_columns}".encode())
    if columns.is_frame(X):
        frame = nw.from_native(X, eager_only=True)
        names = list(frame.columns) if all(isinstance(n, str) for n in frame.columns) else None
        pieces = _of_frame(frame)
    else:
        pieces = _of_sparse(X) if sparse.issparse(X) else _of_array(table)
    for piece in pieces:
        digest.update(piece)
    return {"rows": n_rows, "columns": n_columns, "names": names, "sha256": digest.hexdigest()}


def _of_array(X: AnyArray) -> Iterator[bytes]:
    for begin in range(0, len(X), BLOCK_ROWS):
        block = X[begin : begin + BLOCK_ROWS]
        if X.dtype.kind in "fiub":
            yield _numbers(block.T)
        else:
            for column in block.T:
                yield _texts(column.tolist())


def _of_frame(frame: nw.DataFrame[Any]) -> Iterator[bytes]:
    for begin in range(0, len(frame), BLOCK_ROWS):
        block = frame[begin : begin + BLOCK_ROWS]
        for series in block.iter_columns():
            if series.dtype.is_numeric() or series.dtype == nw.Boolean:
                values = columns.read_numbers(series, feature="a column")
                yield _numbers(values)
            else:
                yield _texts(series.to_list())


def _of_sparse(X: Any) -> Iterator[bytes]:
    """Hash the stored entries: a table of a million columns is never made dense."""
    rows = X.tocsr(copy=True)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    yield b"sparse"
    yield rows.indptr.astype(np.int64).tobytes()
    yield rows.indices.astype(np.int64).tobytes()
    yield _numbers(rows.data)


def _numbers(values: AnyArray) -> bytes:
    """Return bytes that are equal for equal numbers: one zero, one NaN, one type."""
    numbers = np.array(values, dtype=np.float64, order="C")
    numbers += 0.0  # turns -0 into 0
    numbers[np.isnan(numbers)] = np.nan
    return numbers.tobytes()


def _texts(values: list[Any]) -> bytes:
    return json.dumps([None if _is_missing(v) else str(v) for v in values]).encode()


def _is_missing(value: Any) -> bool:
    return value is None or bool(value != value)


def check_same_data(now: dict[str, Any], then: dict[str, Any], path: Any) -> None:
    """Raise an error if a session was begun with other data."""
    for name in ("rows", "columns"):
        if now[name] != then[name]:
            raise ValueError(
                f"session {path} must be opened with the data it began with, {then[name]} {name}; "
                f"got {now[name]} {name}."
            )
    if now["names"] and then["names"] and now["names"] != then["names"]:
        pairs = zip(now["names"], then["names"], strict=True)
        new, old = next(pair for pair in pairs if pair[0] != pair[1])
        raise ValueError(
            f"session {path} must be opened with the data it began with, column {old!r}; got "
            f"{new!r} in its place."
        )
    if now["sha256"] != then["sha256"]:
        raise ValueError(
            f"session {path} must be opened with the data it began with; got a table of the same "
            "shape with different values."
        )
