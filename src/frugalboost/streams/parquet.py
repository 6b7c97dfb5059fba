"""Examples from Parquet files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from frugalboost.streams.arrow import ArrowOracle
from frugalboost.tables.files import find_files
from frugalboost.tables.formats import PARQUET
from frugalboost.tables.opening import require_pyarrow


class ParquetOracle(ArrowOracle):
    """The rows of a Parquet file, or of all Parquet files in a folder.

    Parameters
    ----------
    path : str or path
        A file, or a folder with files ending in .parquet or .pq at any depth. Folders named like
        ``year=2024`` become columns (Hive partitions).
    target, columns, filters, recycle, shuffle, buffer_rows, random_state
        See `ArrowOracle`.

    The footer of every file is read at once, so that an incomplete file is detected before
    training begins. Rows are read a few thousand at a time, whatever the size of row groups.

    Examples
    --------
    >>> import pyarrow as pa, pyarrow.parquet as pq, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = folder.name + "/sales.parquet"
    >>> sales = {"size": [1, 2, 3, 4], "city": [7, 7, 8, 8], "sold": ["no", "yes", "yes", "no"]}
    >>> pq.write_table(pa.table(sales), path)
    >>> oracle = ParquetOracle(path, "sold", filters=[("city", "=", 8)], random_state=0)
    >>> oracle.draw(10).X, oracle.n_given
    (array([[3, 8],
           [4, 8]]), 2)
    >>> folder.cleanup()
    """

    def __init__(
        self,
        path: Any,
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
            _dataset(path),
            target,
            columns=columns,
            filters=filters,
            recycle=recycle,
            shuffle=shuffle,
            buffer_rows=buffer_rows,
            random_state=random_state,
        )


def _dataset(path: Any) -> Any:
    pa = require_pyarrow()
    files = find_files(path, PARQUET)
    try:
        return pa.dataset.dataset(
            [str(file) for file in files],
            format="parquet",
            partitioning=pa.dataset.partitioning(flavor="hive"),
            partition_base_dir=str(path),
        )
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{files[0]} must be a complete Parquet file; {error}") from None
