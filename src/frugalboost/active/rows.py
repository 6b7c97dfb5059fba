"""Rows of any kind of table: counting, slicing, appending, and keys by content."""

from __future__ import annotations

import math
from hashlib import blake2b
from numbers import Real
from typing import Any, cast

import narwhals as nw
import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray
from frugalboost.data.columns import is_frame


def count_rows(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def count_columns(X: Any) -> int:
    return int(X.shape[1]) if hasattr(X, "shape") else len(X[0])


def by_rows(X: Any) -> Any:
    """Return X in a form with fast row access: an array, a frame or a CSR matrix."""
    if is_frame(X):
        return X
    return cast(Any, X).tocsr() if sparse.issparse(X) else np.asarray(X)


def slice_rows(X: Any, part: slice) -> Any:
    """Return consecutive rows, as a view where the kind of table allows it."""
    if is_frame(X):
        return nw.from_native(X, eager_only=True)[part].to_native()
    if sparse.issparse(X):
        return cast(Any, X).tocsr()[part]
    return np.asarray(X)[part]


def append_rows(first: Any, second: Any) -> Any:
    """Append rows to a table of the same kind.

    >>> append_rows(np.array([[1, 2]]), np.array([[3.5, 4.0]]))
    array([[1. , 2. ],
           [3.5, 4. ]])
    """
    if is_frame(first):
        parts = [nw.from_native(part, eager_only=True) for part in (first, second)]
        return nw.concat(parts, how="vertical").to_native()
    if sparse.issparse(first):
        return cast(Any, sparse).vstack([first, second], format="csr")
    return np.concatenate([np.asarray(first), np.asarray(second)])


def kind_of(X: Any) -> str:
    """Return a name for the kind of table; only tables of one kind can be appended."""
    if is_frame(X):
        return f"{type(X).__module__.partition('.')[0]} data frame"
    return "sparse matrix" if sparse.issparse(X) else "array"


def row_contents(X: Any) -> list[Any]:
    """Return each row as a list of plain values that JSON can hold."""
    if is_frame(X):
        frame = nw.from_native(X, eager_only=True)
        columns = [series.to_list() for series in frame.iter_columns()]
        return [list(values) for values in zip(*columns, strict=True)]
    if sparse.issparse(X):
        rows = cast(Any, X).tocsr()
        parts = zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True)
        return [[rows.indices[a:b].tolist(), rows.data[a:b].tolist()] for a, b in parts]
    contents: list[Any] = np.asarray(X).tolist()
    return contents


def rows_from_contents(contents: list[Any], like: Any) -> Any:
    """Return the rows that `row_contents` has written, as the same kind of table as `like`.

    >>> rows_from_contents(row_contents(np.array([[1, 2]])), np.zeros((0, 2), dtype=np.int8))
    array([[1, 2]], dtype=int8)
    """
    if is_frame(like):
        return _frame_like(contents, like)
    if sparse.issparse(like):
        ends = np.cumsum([0, *(len(columns) for columns, _ in contents)])
        columns, values = ([x for row in contents for x in row[part]] for part in (0, 1))
        data = np.array(values, dtype=cast(Any, like).dtype)
        return sparse.csr_array((data, columns, ends), shape=(len(contents), count_columns(like)))
    table = np.empty((len(contents), count_columns(like)), dtype=np.asarray(like).dtype)
    table[:] = contents
    return table


def _frame_like(contents: list[Any], like: Any) -> Any:
    """Build the frame with its own library; narwhals would lose pandas' categories."""
    if nw.dependencies.is_pandas_dataframe(like):
        return type(like)(contents, columns=like.columns).astype(dict(like.dtypes))
    if nw.dependencies.is_polars_dataframe(like):
        return type(like)(contents, schema=like.schema, orient="row")
    rows = [dict(zip(like.column_names, row, strict=True)) for row in contents]
    return type(like).from_pylist(rows, schema=like.schema)


def row_keys(X: Any) -> list[bytes]:
    """Return a key for each row that is equal for rows of equal content.

    Numbers are compared by value: 1, 1.0 and True are equal, as are 0.0 and -0.0, and NaN and NaN.

    >>> row_keys(np.array([[1, 0]])) == row_keys(np.array([[1.0, -0.0]], dtype=np.float32))
    True
    """
    if is_frame(X):
        frame = nw.from_native(X, eager_only=True)
        columns = [series.to_list() for series in frame.iter_columns()]
        return [_key_of_values(values) for values in zip(*columns, strict=True)]
    if sparse.issparse(X):
        return _keys_of_sparse(cast(Any, X).tocsr())
    array = np.asarray(X)
    if array.dtype.kind in "biuf":
        return [_digest(row.tobytes()) for row in _canonical(array)]
    return [_key_of_values(values) for values in array.tolist()]


def _keys_of_sparse(rows: Any) -> list[bytes]:
    rows = rows.copy()
    rows.sum_duplicates()  # sorts the columns too
    rows.eliminate_zeros()
    columns, values = rows.indices.astype(np.int64), _canonical(rows.data)
    parts = zip(rows.indptr[:-1].tolist(), rows.indptr[1:].tolist(), strict=True)
    return [_digest(columns[a:b].tobytes() + values[a:b].tobytes()) for a, b in parts]


def _canonical(numbers: AnyArray) -> AnyArray:
    """Return float64 with one zero and one NaN, so that equal numbers have equal bytes."""
    values = np.ascontiguousarray(numbers, dtype=np.float64) + 0.0
    values[np.isnan(values)] = np.nan
    return values


def _key_of_values(values: Any) -> bytes:
    return _digest(repr([_plain(value) for value in values]).encode())


def _plain(value: Any) -> Any:
    if value is None or type(value).__name__ == "NAType":
        return None
    if isinstance(value, (Real, np.bool_)):
        number = float(value) + 0.0
        return None if math.isnan(number) else number
    return str(value) if isinstance(value, str) else value


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()
