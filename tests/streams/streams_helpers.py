"""One of each oracle over the same few rows, and ways to empty it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from frugalboost.streams import (
    ArrayOracle,
    ArrowOracle,
    BlockOracle,
    BlockStore,
    CsvOracle,
    IterableOracle,
    Oracle,
    ParquetOracle,
)

N_ROWS = 53


def small_table(n_rows: int = N_ROWS) -> tuple[np.ndarray, np.ndarray]:
    """Rows that tell their number, so that each can be recognised."""
    number = np.arange(n_rows)
    return np.column_stack([number, number % 7]).astype(np.float64), number % 3


def batches(*, size: int = 7) -> list[tuple[np.ndarray, np.ndarray]]:
    X, y = small_table()
    return [(X[at : at + size], y[at : at + size]) for at in range(0, N_ROWS, size)]


def write_parquet(path: Path, *, n_files: int = 3, group: int = 8) -> Path:
    """Write the table to several files of several row groups; the order of rows is kept."""
    folder = path / f"parquet{n_files}"
    if not folder.exists():
        folder.mkdir()
        for number, table in enumerate(parts(n_files)):
            pq.write_table(table, folder / f"{number}.parquet", row_group_size=group)
    return folder


def write_csv(path: Path, *, n_files: int = 3) -> Path:
    folder = path / f"csv{n_files}"
    if not folder.exists():
        folder.mkdir()
        for number, table in enumerate(parts(n_files)):
            csv.write_csv(table, folder / f"{number}.csv")
    return folder


def parts(n: int) -> list[pa.Table]:
    X, y = small_table()
    whole = pa.table({"number": X[:, 0], "rest": X[:, 1], "label": y})
    size = -(-N_ROWS // n)
    return [whole.slice(at, size) for at in range(0, N_ROWS, size)]


def arrow_oracle(path: Path, **kw: Any) -> ArrowOracle:
    return ArrowOracle(ds.dataset(parts(4)), "label", buffer_rows=10, random_state=3, **kw)


def parquet_oracle(path: Path, n_files: int = 3, **kw: Any) -> ParquetOracle:
    folder = write_parquet(path, n_files=n_files)
    return ParquetOracle(folder, "label", **{"buffer_rows": 12, "random_state": 3, **kw})


def filtered_oracle(path: Path, **kw: Any) -> ParquetOracle:
    """A filter that lets every row pass, which the oracle cannot know."""
    return parquet_oracle(path, filters=[[("rest", "<", 4)], [("rest", ">", 2)]], **kw)


def csv_oracle(path: Path, n_files: int = 3, **kw: Any) -> CsvOracle:
    folder = write_csv(path, n_files=n_files)
    return CsvOracle(folder, "label", **{"buffer_rows": 12, "random_state": 3, **kw})


def block_oracle(path: Path, **kw: Any) -> BlockOracle:
    store = path / "store"
    if not store.exists():
        BlockStore.write(store, batches(), block_rows=9, random_state=1)
    return BlockOracle(store, random_state=3, **kw)


Make = Callable[..., Any]

MAKERS: dict[str, Make] = {
    "array": lambda path, **kw: ArrayOracle(*small_table(), random_state=3, **kw),
    "array in order": lambda path, **kw: ArrayOracle(*small_table(), shuffle=False, **kw),
    "array with replacement": lambda path, **kw: ArrayOracle(
        *small_table(), replace=True, random_state=3, **kw
    ),
    "batches": lambda path, **kw: IterableOracle(batches(), **kw),
    "rows": lambda path, **kw: IterableOracle(lambda: zip(*small_table(), strict=True), **kw),
    "arrow": arrow_oracle,
    "parquet": parquet_oracle,
    "parquet in order": lambda path, **kw: parquet_oracle(path, shuffle=False, **kw),
    "parquet, whole buffer": lambda path, **kw: parquet_oracle(path, buffer_rows=None, **kw),
    "parquet, one file": lambda path, **kw: parquet_oracle(path, 1, **kw),
    "parquet, filtered": filtered_oracle,
    "csv": csv_oracle,
    "csv in order": lambda path, **kw: csv_oracle(path, shuffle=False, buffer_rows=9, **kw),
    "csv, one file": lambda path, **kw: csv_oracle(path, 1, **kw),
    "blocks": block_oracle,
}


# What getrusage says would begin with the peak of the process that started this one.
PEAK = """
def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
"""

needs_proc = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="reads the peak of memory from /proc"
)


def run(code: str) -> str:
    """Run a program of its own and return what it prints."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def take(oracle: Oracle, n: int, sizes: Sequence[int] = (11,)) -> list[tuple[Any, ...]]:
    """Return the next ``n`` examples as tuples, drawn by the given sizes in turn."""
    out: list[tuple[Any, ...]] = []
    for turn in range(10 * n + 10):
        if len(out) == n:
            break
        X, y = oracle.draw(min(sizes[turn % len(sizes)], n - len(out)))[:2]
        if len(y) == 0:
            break
        out += [(*row, label) for row, label in zip(rows_of(X), np.asarray(y), strict=True)]
    return out


def rows_of(X: Any) -> list[tuple[Any, ...]]:
    if hasattr(X, "to_pylist"):
        return [tuple(row.values()) for row in X.to_pylist()]
    return [tuple(row) for row in np.asarray(X).tolist()]
