"""CSV files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import frugalboost.streams.optional as optional
from frugalboost.cli.progress import reading_bar
from frugalboost.cli.tables.table import Kind, Rows, TableFile, check_distinct
from frugalboost.streams.csv_files import NULLS

OTHER_DELIMITERS = ";\t|"
VALUE = re.compile(r"(?:Row #(\d+): )?.*invalid value '(.*)'", re.DOTALL)


class CsvTable(TableFile):
    """A CSV file with names in its first line; compressed ones are read as they are."""

    def __init__(self, path: Path) -> None:
        optional.require_pyarrow()
        from frugalboost.streams.csv_reader import CsvReader

        self.path = path
        self.reader = CsvReader(delimiter_of(path), NULLS)
        self.names = check_distinct(self.reader.schema(str(path)).names, path)

    def read(self) -> Rows:
        from frugalboost.cli.tables.arrow_rows import ArrowRows

        with reading_bar(self.path) as file:
            return ArrowRows(self.reader.whole(file, str(self.path)))

    def blocks(self, kinds: Mapping[str, Kind]) -> Iterator[Rows]:
        import pyarrow as pa

        from frugalboost.cli.tables.arrow_rows import ArrowRows

        first = self.reader.schema(str(self.path))
        asked = {}
        for name, kind in kinds.items():
            is_bool = pa.types.is_boolean(first.field(name).type)
            if kind == "boolean" or (kind == "any number" and is_bool):
                asked[name] = pa.bool_()
            else:
                asked[name] = pa.float64() if "number" in kind else pa.string()
        with reading_bar(self.path) as file:
            batches = self.reader.blocks(file, str(self.path), asked, self._misfit(kinds))
            for batch in batches:
                yield ArrowRows(pa.Table.from_batches([batch]))

    def _misfit(self, kinds: Mapping[str, Kind]) -> Any:
        def say(name: str, message: str) -> str:
            found = VALUE.match(message)
            got = message if found is None else f"got {found[2][:40]!r}"
            line = "" if found is None or found[1] is None else f" in line {found[1]}"
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
    """A comma, unless the first line has none and has another one, or the name says tabs."""
    if ".tsv" in path.name.lower():
        return "\t"
    line = first_line(path)
    if "," in line:
        return ","
    return max(OTHER_DELIMITERS, key=line.count) if set(line) & set(OTHER_DELIMITERS) else ","


def first_line(path: Path) -> str:
    import pyarrow as pa

    try:
        with pa.input_stream(str(path), compression="detect") as stream:
            start = bytes(stream.read(1 << 16))
    except (pa.ArrowException, OSError):
        return ""  # the reader will say it
    return start.partition(b"\n")[0].decode("utf-8", "replace")
