"""Parquet and Arrow files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet

from frugalboost.cli.progress import bar
from frugalboost.cli.tables.arrow_rows import ArrowRows, kind_of
from frugalboost.cli.tables.table import Kind, Rows, TableFile, check_distinct

BLOCK_ROWS = 1 << 16


class ColumnFile(TableFile):
    """A file that knows the types of its columns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self.problems():
            self.schema = self._schema()
        self.names = check_distinct(self.schema.names, path)

    def _schema(self) -> Any:
        raise NotImplementedError

    def _batches(self, names: list[str] | None) -> Iterator[Any]:
        raise NotImplementedError

    def _count(self) -> int | None:
        """Rows of the file, where that is known."""
        return None

    def read(self) -> Rows:
        with self.problems(), self._bar() as advance:
            parts = []
            for part in map(checked, self._parts()):
                parts.append(part)
                advance(part.num_rows)
            return ArrowRows(pa.concat_tables(parts) if parts else self.schema.empty_table())

    def _parts(self) -> Iterator[Any]:
        """Tables that are all rows one after the other."""
        for batch in self._batches(None):
            yield pa.Table.from_batches([batch], schema=self.schema)

    def _bar(self) -> Any:
        return bar(f"reading {self.path.name}", self._count())

    def blocks(self, kinds: Mapping[str, Kind]) -> Iterator[Rows]:
        self.check_kinds(kinds)
        with self.problems(), self._bar() as advance:
            for batch in map(checked, self._batches(list(kinds))):
                for start in range(0, batch.num_rows, BLOCK_ROWS):
                    yield ArrowRows(pa.Table.from_batches([batch.slice(start, BLOCK_ROWS)]))
                advance(batch.num_rows)

    def check_kinds(self, kinds: Mapping[str, Kind]) -> None:
        """Numbers and booleans may stand for each other, words for nothing else."""
        for name, kind in kinds.items():
            type_ = self.schema.field(name).type
            is_words = kind in ("category", "other")
            if pa.types.is_null(type_):
                continue
            found = kind_of(type_)
            if found == "other" or (found == "category") != is_words:
                raise ValueError(
                    f"{self.path}: column {name!r} must hold "
                    f"{'words' if is_words else 'numbers'}; got {type_}."
                )

    @contextmanager
    def problems(self) -> Iterator[None]:
        try:
            yield
        except (pa.ArrowException, OSError) as problem:
            said = str(problem).partition("\n")[0][:300]
            raise ValueError(f"{self.path} cannot be read: {said.rstrip('.')}.") from None


def checked(table: Any) -> Any:
    """Arrow trusts its own files: a wrong offset would be followed without asking."""
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
    """An Arrow file, which is what Feather's second version is, or an Arrow stream."""

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
