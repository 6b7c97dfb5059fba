"""Row groups of Parquet files: read in slices, never as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from frugalboost.streams.columns import Survey
from frugalboost.streams.pieces import Piece

STREAM_BYTES = 1 << 16
PAGE_BYTES = 2 << 20  # per column chunk, including its decoded values


def row_groups(
    fragment: Any, schema: Any, columns: list[str], filter_: Any, survey: Survey
) -> list[Piece]:
    """Return the row groups of a file that may hold rows matching the filter.

    The footer is read, so that a file truncated by a crash is detected before training begins.
    """
    keys = ds.get_partition_keys(fragment.partition_expression)
    try:
        with fragment.open() as source:
            file = pq.ParquetFile(source)
            metadata, own_schema = file.metadata, file.schema_arrow
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{fragment.path} must be a complete Parquet file; {error}") from None
    for name in keys:
        if name not in own_schema.names and name in schema.names:
            own_schema = own_schema.append(schema.field(name))
    survey.add(own_schema, _nulls(metadata, set(survey.features)), fragment.path)
    chosen = _chosen(fragment, schema, filter_)
    stored = [name for name in columns if name in file.schema_arrow.names]
    constants = {name: keys[name] for name in columns if name not in stored and name in keys}
    pieces, start = [], 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        if chosen is None or number in chosen:
            read = RowGroup(fragment, number, stored, constants)
            n_bytes = min(group.total_byte_size, PAGE_BYTES * len(stored))
            pieces.append(Piece(fragment.path, read, group.num_rows, start, n_bytes=n_bytes))
        start += group.num_rows
    return pieces


class RowGroup:
    """Reads the columns of a row group page by page; pyarrow's scanner would decode all of it."""

    def __init__(
        self, fragment: Any, number: int, columns: list[str], constants: dict[str, Any]
    ) -> None:
        self.fragment = fragment
        self.number = number
        self.columns = columns
        self.constants = constants

    def __call__(self, n_rows: int) -> Iterator[Any]:
        with self.fragment.open() as source:
            file = pq.ParquetFile(source, buffer_size=STREAM_BYTES, pre_buffer=False)
            batches: Iterable[Any] = file.iter_batches(
                n_rows, row_groups=[self.number], columns=self.columns, use_threads=False
            )
            for batch in batches:
                table = pa.Table.from_batches([batch])
                for name, value in self.constants.items():
                    table = table.append_column(name, pa.repeat(value, batch.num_rows))
                yield table


def _chosen(fragment: Any, schema: Any, filter_: Any) -> set[int] | None:
    if filter_ is None:
        return None
    # A new fragment, as one once split keeps the statistics of all its columns in memory.
    fresh = fragment.format.make_fragment(
        fragment.path, fragment.filesystem, fragment.partition_expression
    )
    parts = fresh.split_by_row_group(filter_, schema=schema)
    return {group.id for part in parts for group in part.row_groups}


def _nulls(metadata: Any, names: set[str]) -> dict[str, bool]:
    """Return whether each column may hold null, by its type and its chunks' statistics."""
    nulls = {}
    for at in range(metadata.num_columns):
        column = metadata.schema.column(at)
        if column.path not in names:
            continue
        nulls[column.path] = column.max_definition_level > 0 and any(
            _may_hold_null(metadata.row_group(number).column(at))
            for number in range(metadata.num_row_groups)
        )
    return nulls


def _may_hold_null(chunk: Any) -> bool:
    statistics = chunk.statistics
    return statistics is None or not statistics.has_null_count or statistics.null_count > 0
