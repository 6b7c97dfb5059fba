"""Which reader a file needs, by the ending of its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.tables.table import TableFile

CSV = (".csv", ".csv.gz", ".csv.bz2", ".csv.zst", ".tsv", ".tsv.gz")
PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather", ".ipc")
LIBSVM = tuple(f"{name}{more}" for name in (".libsvm", ".svm", ".svmlight") for more in ("", ".gz"))
NPZ = (".npz",)


def _csv(path: Path) -> TableFile:
    from frugalboost.cli.tables.csv_table import CsvTable

    return CsvTable(path)


def _parquet(path: Path) -> TableFile:
    from frugalboost.cli.tables.arrow_tables import ParquetTable

    return ParquetTable(path)


def _arrow(path: Path) -> TableFile:
    from frugalboost.cli.tables.arrow_tables import IpcTable

    return IpcTable(path)


def _libsvm(path: Path) -> TableFile:
    from frugalboost.cli.tables.matrices import read_libsvm

    return read_libsvm(path)


def _npz(path: Path) -> TableFile:
    from frugalboost.cli.tables.matrices import read_npz

    return read_npz(path)


READERS: dict[tuple[str, ...], Callable[[Path], TableFile]] = {
    CSV: _csv,
    PARQUET: _parquet,
    ARROW: _arrow,
    LIBSVM: _libsvm,
    NPZ: _npz,
}
ENDINGS = tuple(ending for endings in READERS for ending in endings)


def open_table(path: Path, option: str = "DATA", without: tuple[str, ...] = ()) -> TableFile:
    """Open a file; errors name it. `without` are endings that the command has no use for."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise BadUsageError(f"{option} must be a file; {path} {what}.")
    name = path.name.lower()
    for endings, read in READERS.items():
        if name.endswith(endings) and not name.endswith(without):
            if path.stat().st_size == 0:
                raise ValueError(f"{path}: the file is empty.")
            return read(path)
    known = [ending for ending in ENDINGS if ending not in without]
    raise BadUsageError(f"{option} must end in {', '.join(known)}; got {path}.")
