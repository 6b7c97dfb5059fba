"""CSV files in blocks: which types their columns have, and their rows as these types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.csv

from frugalboost.streams.columns import Survey
from frugalboost.streams.csv_problems import encoding_problem, explain, file_problem, has_bytes
from frugalboost.streams.csv_quotes import watched
from frugalboost.streams.layout import Layout, kind_of
from frugalboost.streams.table_oracle import listed

READING_ERRORS = (pa.ArrowException, OSError, UnicodeDecodeError)
BLOCK_BYTES = 1 << 19  # of which pyarrow holds some forty; a row must fit in one
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
            with self._open(file) as stream:
                found = stream.schema
            list(found.names)  # raises where they are not UTF-8
        except READING_ERRORS as error:
            raise self._error(file, explain(error, file, self.delimiter)) from None
        self._check_text(found, file)
        return found

    def whole(self, file: Any, path: str) -> Any:
        """Return a table of a file or of an open stream of it, with types that fit all its rows."""
        try:
            found = self._whole(file, use_threads=True)
        except READING_ERRORS as error:
            if isinstance(error, pa.ArrowInvalid):
                error = self._with_row(path, error)
            raise self._error(path, explain(error, path, self.delimiter)) from None
        self._check_text(found.schema, path)
        return found

    def _whole(self, file: Any, *, use_threads: bool) -> Any:
        with watched(file, self.delimiter) as (stream, watch):
            found = pa.csv.read_csv(
                stream,
                read_options=pa.csv.ReadOptions(use_threads=use_threads),
                parse_options=self._parse_options(),
                convert_options=self._convert_options(),
            )
            watch.check()
        list(found.column_names)  # raises where they are not UTF-8
        return found

    def _with_row(self, path: str, error: Exception) -> Exception:
        """Several threads do not know the number of a row; one does."""
        try:
            self._whole(path, use_threads=False)
        except READING_ERRORS as found:
            return found
        return error

    def _check_text(self, schema: Any, file: str) -> None:
        if has_bytes(schema):
            found = encoding_problem(file) or "a column is not UTF-8"
            raise self._error(file, found)

    def _error(self, file: str, what: str) -> ValueError:
        return ValueError(f"{file}: {what.rstrip('.')}.")

    def opener(self, file: str, types: Mapping[str, Any]) -> Callable[[int], Iterator[Any]]:
        """Return a function that begins to read these columns as these types."""
        return lambda n_rows: self._read(file, types)

    def _read(self, file: str, types: Mapping[str, Any]) -> Iterator[Any]:
        try:
            yield from self._batches(file, types)
        except pa.ArrowInvalid as error:
            raise pa.ArrowInvalid(self._explain(str(error), file)) from None

    def blocks(
        self, source: Any, file: str, types: Mapping[str, Any], misfit: Callable[[str, str], str]
    ) -> Iterator[Any]:
        """Yield the rows of these columns as these types; `misfit` words what does not fit.

        `source` is the name of the file or a stream of it.
        """
        try:
            yield from self._batches(source, types)
        except READING_ERRORS as error:
            found = IN_COLUMN.match(str(error))
            if found is None or file_problem(file, self.delimiter) is not None:
                raise self._error(file, explain(error, file, self.delimiter)) from None
            name = self.schema(file).names[int(found[1])]
            raise self._error(file, misfit(name, str(error)[found.end() :])) from None

    def _batches(self, source: Any, types: Mapping[str, Any]) -> Iterator[Any]:
        """Batches of rows; the last one only when it is known that all quotes are closed."""
        with (
            watched(source, self.delimiter) as (stream, watch),
            self._open(stream, column_types=types, include_columns=list(types)) as found,
        ):
            batches = iter(found)
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
        found = IN_COLUMN.match(message)
        if found is None or file_problem(file, self.delimiter) is not None:
            return explain(pa.ArrowInvalid(message), file, self.delimiter)
        name = self.schema(file).names[int(found[1])]
        hint = "A feature listed in categories is read as text."
        return f"column {name!r}: {message[found.end() :]}. {hint}"


def common_types(
    schemas: Mapping[str, Any], features: Sequence[str], target: str, texts: set[str]
) -> dict[str, Any]:
    """Return the type to read each column as, in all files."""
    types = {}
    for name in (*features, target):
        found = [_type_of(name, schema, f"{file}") for file, schema in schemas.items()]
        if name in texts:
            types[name] = pa.string()
        elif name == target and len(set(found)) == 1 and not pa.types.is_null(found[0]):
            types[name] = found[0]
        else:
            types[name] = _common_type(found)
    return types


def layout_of(types: Mapping[str, Any], target: str) -> Layout:
    """Return how rows of these types become examples."""
    survey = Survey([name for name in types if name != target], target)
    survey.add(pa.schema(list(types.items())))
    return survey.layout()


def _type_of(name: str, schema: Any, where: str) -> Any:
    if schema.names.count(name) != 1:
        raise ValueError(
            f"{where}: column {name!r} must be there once; got {listed(schema.names)}."
        )
    return schema.field(name).type


def _common_type(found: Sequence[Any]) -> Any:
    """Numbers are read as floats: whole ones at the beginning may have fractions further down."""
    types = [type_ for type_ in found if not pa.types.is_null(type_)]
    odd = next((type_ for type_ in types if kind_of(type_) is None), None)
    if odd is not None:
        return odd  # refused by the survey
    if types and all(map(pa.types.is_boolean, types)):
        return pa.bool_()
    is_number = [kind_of(t) == "numeric" and not pa.types.is_boolean(t) for t in types]
    return pa.float64() if all(is_number) else pa.string()
