"""Columns of Arrow: their kinds, and how they become numbers, words and features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from frugalboost._typing import AnyArray
from frugalboost.cli.tables.table import Kind, Rows

WORDS = ("is_string", "is_large_string", "is_string_view")


class ArrowRows(Rows):
    """Rows of an Arrow table."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.n_rows: int = table.num_rows

    def kind(self, name: str) -> Kind:
        return kind_of(self.table.schema.field(name).type)

    def values(self, name: str) -> AnyArray:
        column = plain(self.table.column(name))
        if kind_of(column.type) == "number":
            return np.asarray(column.to_numpy())
        if kind_of(column.type) == "boolean" and not column.null_count:
            return np.asarray(column.to_numpy())
        found = np.empty(len(column), dtype=object)
        found[:] = column.to_pylist()
        return found

    def count_words(self, name: str) -> tuple[int, int]:
        column = plain(self.table.column(name))
        n_values = len(column) - column.null_count
        return int(pa.compute.count_distinct(column, mode="only_valid").as_py()), n_values

    def features(self, names: Sequence[str]) -> Any:
        return pa.table({name: _feature(self.table.column(name)) for name in names})


def kind_of(type_: Any) -> Kind:
    """What a column of this type holds."""
    types = pa.types
    if types.is_dictionary(type_):
        type_ = type_.value_type
    if types.is_boolean(type_):
        return "boolean"
    if is_number(type_):
        return "number"
    return "category" if is_words(type_) else "other"


def is_number(type_: Any) -> bool:
    types = pa.types
    is_plain = types.is_integer(type_) or types.is_floating(type_)
    return bool(is_plain or types.is_decimal(type_) or types.is_null(type_))


def is_words(type_: Any) -> bool:
    return any(getattr(pa.types, name, lambda _: False)(type_) for name in WORDS)


def plain(column: Any) -> Any:
    """A column of numbers, booleans or words as Arrow's simplest type of them."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_decimal(column.type) or pa.types.is_null(column.type):
        return column.cast(pa.float64())
    return column


def _feature(column: Any) -> Any:
    column = plain(column)
    if not is_words(column.type):
        return column
    if not pa.types.is_string(column.type):
        column = column.cast(pa.large_string() if len(column) else pa.string())
    return column.combine_chunks().dictionary_encode()
