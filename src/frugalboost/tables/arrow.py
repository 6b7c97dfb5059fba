"""Parquet and Arrow files, and Arrow columns as numbers, words and features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.ipc
import pyarrow.parquet

from frugalboost._typing import AnyArray
from frugalboost.tables.files import Bar
from frugalboost.tables.table import Kind, Rows, TableFile, check_distinct

BLOCK_ROWS = 1 << 16
WORDS = ("is_string", "is_large_string", "is_string_view")


class ArrowRows(Rows):
    """Rows of an Arrow table."""

    def __init__(self, table: Any) -> None:
        self.table = table
        self.n_rows: int = table.num_rows

    def kind(self, name: str) -> Kind:
        return kind_of(self.table.schema.field(name).type)

    def type_name(self, name: str) -> str:
        return str(self.table.schema.field(name).type)

    def values(self, name: str) -> AnyArray:
        column = plain(self.table.column(name))
        if kind_of(column.type) == "number":
            return np.asarray(column.to_numpy())
        if kind_of(column.type) == "boolean" and not column.null_count:
            return np.asarray(column.to_numpy())
        words = np.empty(len(column), dtype=object)
        words[:] = column.to_pylist()
        return words

    def count_words(self, name: str) -> tuple[int, int]:
        column = plain(self.table.column(name))
        n_values = len(column) - column.null_count
        return int(pa.compute.count_distinct(column, mode="only_valid").as_py()), n_values

    def features(self, names: Sequence[str]) -> Any:
        return pa.table({name: _feature(self.table.column(name)) for name in names})


def kind_of(type_: Any) -> Kind:
    """Return what a column of this type holds."""
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
    """Return a column of numbers, booleans or words as the simplest Arrow type."""
    column = decoded(column)
    if pa.types.is_decimal(column.type) or pa.types.is_null(column.type):
        return column.cast(pa.float64())
    return column


def decoded(column: Any) -> Any:
    """Return a column without dictionary; string views become strings, which more kernels take."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    is_view = is_words(column.type) and not _has_offsets(column.type)
    return column.cast(pa.large_string()) if is_view else column


def _has_offsets(type_: Any) -> bool:
    return bool(pa.types.is_string(type_) or pa.types.is_large_string(type_))


def _feature(column: Any) -> Any:
    column = plain(column)
    if not is_words(column.type):
        return column
    if not pa.types.is_string(column.type):
        column = column.cast(pa.large_string() if len(column) else pa.string())
    return column.combine_chunks().dictionary_encode()


class ColumnFile(TableFile):
    """A file that stores the types of its columns."""

    def __init__(self, path: Path, bar: Bar) -> None:
        self.path, self.bar = path, bar
        with self.problems():
            self.schema = self._schema()
        self.names = check_distinct(self.schema.names, path)

    def _schema(self) -> Any:
        raise NotImplementedError

    def _batches(self, names: list[str] | None) -> Iterator[Any]:
        raise NotImplementedError

    def _count(self) -> int | None:
        """Return the number of rows, if known."""
        return None

    def read(self) -> Rows:
        with self.problems(), self._bar() as advance:
            parts = []
            for part in map(checked, self._parts()):
                parts.append(part)
                advance(part.num_rows)
            return ArrowRows(pa.concat_tables(parts) if parts else self.schema.empty_table())

    def _parts(self) -> Iterator[Any]:
        """Yield tables that together hold all rows, in order."""
        for batch in self._batches(None):
            yield pa.Table.from_batches([batch], schema=self.schema)

    def _bar(self) -> Any:
        return self.bar(f"reading {self.path.name}", self._count())

    def blocks(self, kinds: Mapping[str, Kind]) -> Iterator[Rows]:
        self.check_kinds(kinds)
        with self.problems(), self._bar() as advance:
            for batch in map(checked, self._batches(list(kinds))):
                for start in range(0, batch.num_rows, BLOCK_ROWS):
                    yield ArrowRows(pa.Table.from_batches([batch.slice(start, BLOCK_ROWS)]))
                advance(batch.num_rows)

    def copies(self, names: Sequence[str]) -> Iterator[Any]:
        with self.problems():
            for batch in map(checked, self._batches(list(names))):
                yield pa.table({name: decoded(batch.column(name)) for name in names})

    def check_kinds(self, kinds: Mapping[str, Kind]) -> None:
        """Refuse columns of other kinds; numbers and booleans may stand for each other."""
        for name, kind in kinds.items():
            type_ = self.schema.field(name).type
            is_words = kind in ("category", "other")
            if pa.types.is_null(type_):
                continue
            held = kind_of(type_)
            if held == "other" or (held == "category") != is_words:
                raise ValueError(
                    f"{self.path}: column {name!r} must hold "
                    f"{'words' if is_words else 'numbers'}; got {type_}."
                )

    @contextmanager
    def problems(self) -> Iterator[None]:
        try:
            yield
        except (pa.ArrowException, OSError) as problem:
            reason = str(problem).partition("\n")[0][:300]
            raise ValueError(f"{self.path} cannot be read: {reason.rstrip('.')}.") from None


def checked(table: Any) -> Any:
    """Validate a table: Arrow trusts its own files and would follow a wrong offset."""
    table.validate(full=True)
    return table


class ParquetTable(ColumnFile):
    """A Parquet file."""

    def _schema(self) -> Any:
        return pa.parquet.read_schema(self.path)

    def _count(self) -> int | None:
        return int(pa.parquet.read_metadata(self.path).num_rows)

    def _parts(self) -> Iterator[Any]:
        with pa.parquet.ParquetFile(self.path) as file:
            yield from map(file.read_row_group, range(file.num_row_groups))

    def _batches(self, names: list[str] | None) -> Iterator[Any]:
        with pa.parquet.ParquetFile(self.path) as file:
            yield from file.iter_batches(BLOCK_ROWS, columns=names)


class IpcTable(ColumnFile):
    """An Arrow file, such as Feather version 2, or an Arrow stream."""

    def _schema(self) -> Any:
        with pa.OSFile(str(self.path)) as file:
            return _open_ipc(file).schema

    def _batches(self, names: list[str] | None) -> Iterator[Any]:
        with pa.OSFile(str(self.path)) as file:
            reader = _open_ipc(file)
            numbers = getattr(reader, "num_record_batches", None)
            batches = reader if numbers is None else map(reader.get_batch, range(numbers))
            for batch in batches:
                yield batch if names is None else batch.select(names)


def _open_ipc(file: Any) -> Any:
    try:
        return pa.ipc.open_file(file)
    except pa.ArrowInvalid as problem:
        file.seek(0)
        try:
            return pa.ipc.open_stream(file)
        except pa.ArrowInvalid:
            raise problem from None
