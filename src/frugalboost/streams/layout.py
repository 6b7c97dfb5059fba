"""Which columns of an Arrow table are features, which is the label, and how they are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from frugalboost._typing import AnyArray
from frugalboost.tables.arrow import decoded, kind_of

Use = Literal["numeric", "text"]


@dataclass(frozen=True)
class Layout:
    """How tables become examples: all features are numbers of ``dtype``, or some are categories."""

    features: tuple[str, ...]
    target: str
    dtype: np.dtype[Any] | None

    def labels(self, table: Any) -> AnyArray:
        """Return the labels; None or NaN where one is missing."""
        column = decoded(table.column(self.target))
        if column.null_count and use_of(column.type) != "text":
            return np.array(column.to_pylist(), dtype=object)
        return np.asarray(column.to_numpy())

    def join(self, tables: Sequence[Any], order: AnyArray | None) -> Any:
        """Return the features of the concatenated tables, rows in the given order."""
        if self.dtype is None:
            return self._join_frames(tables, order)
        out = np.empty((sum(table.num_rows for table in tables), len(self.features)), self.dtype)
        start = 0
        for table in tables:
            part = out[start : start + table.num_rows]
            for at, name in enumerate(self.features):
                part[:, at] = _numbers(table.column(name))
            start += table.num_rows
        return out if order is None else out.take(order, axis=0)

    def _join_frames(self, tables: Sequence[Any], order: AnyArray | None) -> Any:
        """Text is encoded last, as the dictionaries of several tables would differ."""
        columns = {}
        for name in self.features:
            parts = [decoded(table.column(name)) for table in tables]
            wide = _widest([part.type for part in parts])
            chunks = [chunk for part in parts for chunk in part.cast(wide).chunks]
            column = pa.chunked_array(chunks, type=wide)
            if order is not None:
                column = column.take(pa.array(order))
            is_text = use_of(wide) == "text" or pa.types.is_dictionary(tables[0].column(name).type)
            columns[name] = column.combine_chunks().dictionary_encode() if is_text else column
        return pa.table(columns)


def use_of(type_: Any) -> Use | None:
    """Return whether a column of this type holds numbers or categories; None if neither.

    A dictionary means categories, even if its values are numbers.
    """
    kind = kind_of(type_)
    if pa.types.is_dictionary(type_) or kind == "category":
        return "text"
    return None if kind == "other" else "numeric"


def common_dtype(columns: Iterable[tuple[Any, bool]]) -> np.dtype[Any]:
    """Return the dtype that holds columns of these types; True marks those that may hold nulls.

    >>> common_dtype([(pa.int16(), False), (pa.int8(), False)])
    dtype('int16')
    >>> common_dtype([(pa.int16(), True), (pa.float32(), True)])
    dtype('float32')
    """
    dtypes = [_dtype(type_, may_be_null) for type_, may_be_null in columns]
    dtype: np.dtype[Any] = np.result_type(*dtypes)
    return np.dtype(np.float32) if dtype == np.float16 else dtype


def _dtype(type_: Any, may_be_null: bool) -> np.dtype[Any]:
    if pa.types.is_decimal(type_) or pa.types.is_null(type_):
        return np.dtype(np.float64)
    dtype = np.dtype(type_.to_pandas_dtype())
    return np.result_type(dtype, np.float16) if may_be_null else dtype  # NaN is a float


def _numbers(column: Any) -> AnyArray:
    """Return a column as numbers, NaN for null."""
    type_ = column.type
    if pa.types.is_decimal(type_) or pa.types.is_null(type_):
        column = column.cast(pa.float64())
    elif pa.types.is_boolean(type_) and column.null_count:
        column = column.cast(pa.int8())
    return np.asarray(column.to_numpy())


def _widest(types: Sequence[Any]) -> Any:
    """Files may differ in the width of numbers; those of one column are all numbers, or text."""
    if all(type_ == types[0] for type_ in types):
        return types[0]
    return pa.large_string() if use_of(types[0]) == "text" else pa.float64()
