"""Examples from Arrow data sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from frugalboost.streams.table_oracle import TableOracle, choose_columns
from frugalboost.tables.errors import listed
from frugalboost.tables.opening import require_pyarrow


class ArrowOracle(TableOracle):
    """The rows of a ``pyarrow.dataset.Dataset``.

    Parameters
    ----------
    dataset : pyarrow.dataset.Dataset
        Files in any location and format that pyarrow reads, or tables in memory.
    target : str
        The column of labels.
    columns : list of str, or None
        The features; only they are read. None: all columns but the target.
    filters : pyarrow.compute.Expression, list of tuples, or None
        Which rows to draw. Files and row groups without such rows are not opened.
    recycle : bool
        Whether to start again after the last row; otherwise the oracle ends.
    shuffle : bool
        Whether to read files and row groups in a random order, several at a time, and to permute
        their rows in a buffer. Rows far apart in one row group are never in the buffer together:
        a file sorted by time or class needs a `BlockStore`.
    buffer_rows : int or None
        How many rows the buffer holds. None: up to 65536, in about 16 MB.
    random_state : int, generator or None

    A batch's X is a NumPy array if all features are numbers or booleans (null becomes NaN), else
    a pyarrow table whose text columns are dictionaries, which the estimators treat as
    categories.

    Examples
    --------
    >>> import pyarrow as pa, pyarrow.dataset as ds
    >>> data = ds.dataset(pa.table({"size": [1.5, 2.5, None], "sold": ["no", "yes", "yes"]}))
    >>> oracle = ArrowOracle(data, "sold", shuffle=False, recycle=False)
    >>> oracle.draw(3)[:2]
    (array([[1.5],
           [2.5],
           [nan]]), array(['no', 'yes', 'yes'], dtype=object))
    """

    def __init__(
        self,
        dataset: Any,
        target: str,
        *,
        columns: Iterable[str] | None = None,
        filters: Any = None,
        recycle: bool = True,
        shuffle: bool = True,
        buffer_rows: int | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            target,
            recycle=recycle,
            shuffle=shuffle,
            buffer_rows=buffer_rows,
            random_state=random_state,
        )
        pa = require_pyarrow()
        if not isinstance(dataset, pa.dataset.Dataset):
            raise TypeError(
                f"dataset must be a pyarrow.dataset.Dataset; got {type(dataset).__name__}."
            )
        self._plan(dataset, columns, as_expression(filters))

    def _plan(self, dataset: Any, columns: Any, filter_: Any) -> None:
        from pyarrow.dataset import ParquetFileFragment

        from frugalboost.streams.columns import Survey
        from frugalboost.streams.row_groups import row_groups

        schema = dataset.schema
        features = choose_columns(schema.names, self.target, columns)
        filtered = filtered_columns(schema, filter_)
        wanted = list(dict.fromkeys([*features, self.target, *filtered]))
        survey = Survey(features, self.target)
        pieces = []
        for fragment in dataset.get_fragments(filter=filter_):
            if isinstance(fragment, ParquetFileFragment):
                pieces += row_groups(fragment, schema, wanted, filter_, survey)
            else:
                survey.add(schema)
                pieces.append(whole_fragment(fragment, schema, wanted))
        self._set(pieces, survey.layout(), filter_)


def whole_fragment(fragment: Any, schema: Any, columns: list[str]) -> Any:
    """Return a piece for a fragment whose batch sizes are up to pyarrow."""
    from frugalboost.streams.pieces import Piece

    def read(n_rows: int) -> Iterator[Any]:
        batches: Iterator[Any] = fragment.to_batches(
            schema=schema, columns=columns, batch_size=n_rows, batch_readahead=1, use_threads=False
        )
        return batches

    return Piece(getattr(fragment, "path", "table in memory"), read)


def as_expression(filters: Any) -> Any:
    """Return filters as a pyarrow expression, or None."""
    pa = require_pyarrow()
    if filters is None or isinstance(filters, pa.compute.Expression):
        return filters
    try:
        return pa.parquet.filters_to_expression(filters)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "filters must be a pyarrow.compute.Expression or a list of tuples "
            f"(column, operator, value); got {filters!r} ({error})."
        ) from None


def filtered_columns(schema: Any, filter_: Any) -> list[str]:
    """Return the columns that a filter uses: those without which it fails."""
    pa = require_pyarrow()
    if filter_ is None:
        return []
    empty = schema.empty_table()
    try:
        empty.filter(filter_)
    except pa.ArrowException as error:
        raise ValueError(f"filters must fit the columns {listed(schema.names)}; {error}") from None
    return [name for name in schema.names if not _can_filter(empty.drop_columns([name]), filter_)]


def _can_filter(empty: Any, filter_: Any) -> bool:
    try:
        empty.filter(filter_)
    except ValueError:  # pyarrow's error for a missing column
        return False
    return True
