"""CSV files, whole or in blocks: the types of their columns, and their rows as these types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute
import pyarrow.csv

from frugalboost.tables.csv_problems import (
    BLOCK_BYTES,
    encoding_problem,
    explain,
    file_problem,
)
from frugalboost.tables.csv_quotes import HexWatch, watched

READING_ERRORS = (pa.ArrowException, OSError, UnicodeDecodeError)
HEX = r"^[ \t]*0[xX]"
IN_COLUMN = re.compile(r"^In CSV column #(\d+): ")


class CsvReader:
    """Opens files of one dialect; errors begin with the name of the file."""

    def __init__(self, delimiter: str, null_values: Sequence[str]) -> None:
        if not isinstance(delimiter, str) or len(delimiter) != 1:
            raise ValueError(f"delimiter must be one character; got {delimiter!r}.")
        self.delimiter = delimiter
        self.null_values = list(null_values)

    def schema(self, file: str) -> Any:
        """Return the names and types of the columns, as they look at the beginning of the file."""
        try:
            hexes = HexWatch(self.delimiter)
            with watched(file, self.delimiter, hexes) as (stream, _), self._open(stream) as reader:
                schema = reader.schema
            list(schema.names)  # raises where they are not UTF-8
            if hexes.has_hex:
                schema = self._with_hex_as_words(file, schema)
        except READING_ERRORS as error:
            raise self._error(file, explain(error, file, self.delimiter)) from None
        self._check_text(schema, file)
        return schema

    def _with_hex_as_words(self, file: str, schema: Any) -> Any:
        """Return the schema with words where the rows that decided it hold 0x1f and the like.

        Where pyarrow may choose the type, it takes them for whole numbers. As a double, the
        type that every column of numbers is read as later, it refuses them.
        """
        types = dict.fromkeys(integers(schema), pa.string())
        if not types:
            return schema
        with self._open(file, column_types=types) as reader:
            rows = reader.read_next_batch()
        for at, field in enumerate(schema):
            if field.name in types and holds_hex(rows.column(at)):
                schema = schema.set(at, field.with_type(pa.string()))
        return schema

    def whole(self, file: Any, path: str) -> Any:
        """Return a table of a file or of an open stream of it, with types that fit all its rows."""
        try:
            hexes = HexWatch(self.delimiter)
            table = self._whole(file, hexes)
            names = table.column_names
            words = self._hex_columns(path, integers(table.schema)) if hexes.has_hex else []
            if words:
                table = table.select([name for name in names if name not in words])  # frees others
                types = dict.fromkeys(words, pa.string())
                texts = self._whole(path, column_types=types, include_columns=words)
                table = pa.table([(texts if n in words else table)[n] for n in names], names)
        except READING_ERRORS as error:
            if isinstance(error, pa.ArrowInvalid):
                error = self._with_row(path, error)
            raise self._error(path, explain(error, path, self.delimiter)) from None
        self._check_text(table.schema, path)
        return table

    def _hex_columns(self, path: str, names: Sequence[str]) -> list[str]:
        """Return those of some columns that hold 0x1f and the like; see `_with_hex_as_words`."""
        found: set[str] = set()
        for rows in self._batches(path, dict.fromkeys(names, pa.string())) if names else ():
            found.update(name for name in names if holds_hex(rows.column(name)))
        return sorted(found)

    def _whole(
        self, file: Any, hexes: HexWatch | None = None, *, use_threads: bool = True, **convert: Any
    ) -> Any:
        with watched(file, self.delimiter, hexes) as (stream, watch):
            table = pa.csv.read_csv(
                stream,
                read_options=pa.csv.ReadOptions(use_threads=use_threads),
                parse_options=self._parse_options(),
                convert_options=self._convert_options(**convert),
            )
            watch.check()
        list(table.column_names)  # raises where they are not UTF-8
        return table

    def _with_row(self, path: str, error: Exception) -> Exception:
        """Return the error with a row number, which pyarrow knows on a single thread only."""
        try:
            self._whole(path, use_threads=False)
        except READING_ERRORS as same_error:
            return same_error
        return error

    def _check_text(self, schema: Any, file: str) -> None:
        if has_bytes(schema):
            raise self._error(file, encoding_problem(file) or "a column is not UTF-8")

    def _error(self, file: str, what: str) -> ValueError:
        return ValueError(f"{file}: {what.rstrip('.')}.")

    def opener(self, file: str, types: Mapping[str, Any]) -> Callable[[int], Iterator[Any]]:
        """Return a function that starts reading these columns as these types."""
        return lambda n_rows: self._read(file, types)

    def _read(self, file: str, types: Mapping[str, Any]) -> Iterator[Any]:
        try:
            yield from self._batches(file, types)
        except pa.ArrowInvalid as error:
            raise pa.ArrowInvalid(self._explain(str(error), file)) from None

    def blocks(
        self, source: Any, file: str, types: Mapping[str, Any], misfit: Callable[[str, str], str]
    ) -> Iterator[Any]:
        """Yield the rows of these columns as these types; `misfit` words the error if one does not.

        `source` is the name of the file or a stream of it.
        """
        try:
            yield from self._batches(source, types)
        except READING_ERRORS as error:
            place = IN_COLUMN.match(str(error))
            if place is None or file_problem(file, self.delimiter) is not None:
                raise self._error(file, explain(error, file, self.delimiter)) from None
            name = self.schema(file).names[int(place[1])]
            raise self._error(file, misfit(name, str(error)[place.end() :])) from None

    def _batches(self, source: Any, types: Mapping[str, Any]) -> Iterator[Any]:
        """Yield batches of rows; the last one only once all quotes are known to be closed."""
        with (
            watched(source, self.delimiter) as (stream, watch),
            self._open(stream, column_types=types, include_columns=list(types)) as reader,
        ):
            batches = iter(reader)
            last = next(batches, None)
            for batch in batches:
                yield last
                last = batch
            watch.check()
            if last is not None:
                yield last

    def _open(self, file: Any, **convert: Any) -> Any:
        return pa.csv.open_csv(
            file,
            read_options=pa.csv.ReadOptions(use_threads=False, block_size=BLOCK_BYTES),
            parse_options=self._parse_options(),
            convert_options=self._convert_options(**convert),
        )

    def _parse_options(self) -> Any:
        return pa.csv.ParseOptions(delimiter=self.delimiter, newlines_in_values=True)

    def _convert_options(self, **convert: Any) -> Any:
        return pa.csv.ConvertOptions(
            null_values=self.null_values, strings_can_be_null=True, **convert
        )

    def _explain(self, message: str, file: str) -> str:
        """Name the column that does not fit its type."""
        place = IN_COLUMN.match(message)
        if place is None or file_problem(file, self.delimiter) is not None:
            return explain(pa.ArrowInvalid(message), file, self.delimiter)
        name = self.schema(file).names[int(place[1])]
        hint = "A feature listed in categories is read as text."
        return f"column {name!r}: {message[place.end() :]}. {hint}"


def integers(schema: Any) -> list[str]:
    """Return the columns that were read as whole numbers."""
    return [field.name for field in schema if pa.types.is_integer(field.type)]


def holds_hex(column: Any) -> bool:
    """Whether a column of text has a word like 0x1f."""
    return bool(pa.compute.any(pa.compute.match_substring_regex(column, HEX)).as_py())


def has_bytes(schema: Any) -> bool:
    """Whether a column was read as bytes, as pyarrow does with text that is not UTF-8."""
    return any(pa.types.is_binary(field.type) for field in schema)
