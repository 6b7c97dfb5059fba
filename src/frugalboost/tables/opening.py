"""One way to open a table: the suffix of its name says which format it has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frugalboost.tables import formats
from frugalboost.tables.errors import ChoiceError
from frugalboost.tables.files import Bar, no_bar

if TYPE_CHECKING:  # it needs NumPy, which commands that read nothing do without
    from frugalboost.tables.table import TableFile


def open_table(
    path: Path, option: str = "DATA", *, without: tuple[str, ...] = (), bar: Bar = no_bar
) -> TableFile:
    """Open a file; errors name it by `option`, as the caller's user knows it.

    Parameters
    ----------
    without : suffixes that the caller has no use for
    bar : shown while the file is read
    """
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise ChoiceError(f"{option} must be a file; {path} {what}.")
    for suffixes, read in READERS.items():
        if formats.has_suffix(path, suffixes) and not formats.has_suffix(path, without):
            if path.stat().st_size == 0:
                raise ValueError(f"{path}: the file is empty.")
            return read(path, bar)
    known = [suffix for suffixes in READERS for suffix in suffixes if suffix not in without]
    raise ChoiceError(f"{option} must end in {', '.join(known)}; got {path}.")


def require_pyarrow() -> Any:
    """Return pyarrow with the parts used here, or say how to install it."""
    try:
        import pyarrow
        import pyarrow.csv
        import pyarrow.dataset
        import pyarrow.parquet
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] != "pyarrow":
            raise  # something that pyarrow itself needs
        raise ImportError(
            'pyarrow is needed; install it with pip install "frugalboost[streams]".'
        ) from None
    return pyarrow


def _csv(path: Path, bar: Bar) -> TableFile:
    require_pyarrow()
    from frugalboost.tables.csv_table import CsvTable

    return CsvTable(path, bar)


def _parquet(path: Path, bar: Bar) -> TableFile:
    require_pyarrow()
    from frugalboost.tables.arrow import ParquetTable

    return ParquetTable(path, bar)


def _arrow(path: Path, bar: Bar) -> TableFile:
    require_pyarrow()
    from frugalboost.tables.arrow import IpcTable

    return IpcTable(path, bar)


def _libsvm(path: Path, bar: Bar) -> TableFile:
    from frugalboost.tables.matrix import read_libsvm

    return read_libsvm(path, bar)


def _npz(path: Path, bar: Bar) -> TableFile:
    from frugalboost.tables.npz import read_npz

    return read_npz(path, bar)


READERS: dict[tuple[str, ...], Callable[[Path, Bar], TableFile]] = {
    formats.CSV: _csv,
    formats.PARQUET: _parquet,
    formats.ARROW: _arrow,
    formats.LIBSVM: _libsvm,
    formats.NPZ: _npz,
}
