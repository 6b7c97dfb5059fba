"""CSV files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from frugalboost.tables.arrow import ArrowRows
from frugalboost.tables.csv_reader import CsvReader
from frugalboost.tables.files import Bar, arrow_source
from frugalboost.tables.formats import NULLS, TAB_SEPARATED, has_suffix
from frugalboost.tables.table import Kind, Rows, TableFile, check_distinct

OTHER_DELIMITERS = ";\t|"
VALUE = re.compile(r"(?:Row #(\d+): )?.*invalid value '(.*)'", re.DOTALL)


class CsvTable(TableFile):
    """A CSV file with names in its first line; it may be compressed."""

    def __init__(self, path: Path, bar: Bar) -> None:
        self.path, self.bar = path, bar
        self.reader = CsvReader(delimiter_of(path), NULLS)
        self.names = check_distinct(self.reader.schema(str(path)).names, path)

    def read(self) -> Rows:
        with arrow_source(self.path, self.bar) as file:
            return ArrowRows(self.reader.whole(file, str(self.path)))

    def blocks(self, kinds: Mapping[str, Kind]) -> Iterator[Rows]:
        first = self.reader.schema(str(self.path))
        types = {}
        for name, kind in kinds.items():
            is_bool = pa.types.is_boolean(first.field(name).type)
            if kind == "boolean" or (kind == "any number" and is_bool):
                types[name] = pa.bool_()
            else:
                types[name] = pa.float64() if "number" in kind else pa.string()
        with arrow_source(self.path, self.bar) as file:
            batches = self.reader.blocks(file, str(self.path), types, self._misfit(kinds))
            for batch in batches:
                yield ArrowRows(pa.Table.from_batches([batch]))

    def copies(self, names: Sequence[str]) -> Iterator[Any]:
        """Yield the text of the cells to the letter, also NA; an empty cell has none.

        The file is read once more for that: pyarrow gives a column one type, and as a number 0010
        would become 10, and two long identifiers the same one.
        """
        reader = CsvReader(self.reader.delimiter, [""])
        types = dict.fromkeys(names, pa.string())
        misfit = self._misfit(dict.fromkeys(names, "other"))
        for batch in reader.blocks(str(self.path), str(self.path), types, misfit):
            yield pa.Table.from_batches([batch])

    def _misfit(self, kinds: Mapping[str, Kind]) -> Any:
        def say(name: str, message: str) -> str:
            value = VALUE.match(message)
            got = message if value is None else f"got {value[2][:40]!r}"
            line = "" if value is None or value[1] is None else f" in line {value[1]}"
            return f"column {name!r} must hold {PLURAL[kinds[name]]}; {got}{line}"

        return say


PLURAL = {
    "number": "numbers",
    "any number": "numbers",
    "boolean": "true or false",
    "category": "words",
    "other": "words",
}


def delimiter_of(path: Path) -> str:
    """Return a comma, unless the first line has only others, or the file name implies tabs."""
    if has_suffix(path, TAB_SEPARATED):
        return "\t"
    line = first_line(path)
    if "," in line:
        return ","
    return max(OTHER_DELIMITERS, key=line.count) if set(line) & set(OTHER_DELIMITERS) else ","


def first_line(path: Path) -> str:
    try:
        with pa.input_stream(str(path), compression="detect") as stream:
            start = bytes(stream.read(1 << 16))
    except (pa.ArrowException, OSError):
        return ""  # the reader will report it
    return start.partition(b"\n")[0].decode("utf-8", "replace")
