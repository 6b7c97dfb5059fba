"""The one way to open a table: the suffix of its name says which format it has."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frugalboost.tables import formats
from frugalboost.tables.errors import ChoiceError
from frugalboost.tables.files import Bar, arrow_named, no_bar

if TYPE_CHECKING:  # it needs NumPy, which commands that read nothing do without
    from frugalboost.tables.table import TableFile

READERS = {
    formats.CSV: ("csv_table", "CsvTable"),
    formats.PARQUET: ("arrow", "ParquetTable"),
    formats.ARROW: ("arrow", "IpcTable"),
    formats.LIBSVM: ("libsvm", "read_libsvm"),
    formats.NPZ: ("npz", "read_npz"),
}
"""Module and function, which takes a path and a bar; modules are imported on first use."""

WITH_PYARROW = ("arrow", "csv_table")


def open_table(
    path: Path, option: str = "DATA", *, without: tuple[str, ...] = (), bar: Bar = no_bar
) -> TableFile:
    """Open a file; errors call it `option`, the name under which the user knows it.

    Parameters
    ----------
    without : suffixes that the caller does not accept
    bar : shown while the file is read
    """
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise ChoiceError(f"{option} must be a file; {path} {what}.")
    for suffixes, (module, function) in READERS.items():
        if formats.has_suffix(path, suffixes) and not formats.has_suffix(path, without):
            if path.stat().st_size == 0:
                raise ValueError(f"{path}: the file is empty.")
            if module in WITH_PYARROW:
                arrow_named(path, option)
            return _reader(module, function)(path, bar)
    known = [suffix for suffixes in READERS for suffix in suffixes if suffix not in without]
    raise ChoiceError(f"{option} must end in {', '.join(known)}; got {path}.")


def _reader(module: str, function: str) -> Callable[[Path, Bar], TableFile]:
    if module in WITH_PYARROW:
        require_pyarrow()
    read: Callable[[Path, Bar], TableFile] = getattr(
        import_module(f"frugalboost.tables.{module}"), function
    )
    return read


def require_pyarrow() -> Any:
    """Return pyarrow with the parts used here, or say how to install it."""
    from frugalboost._checks import needing  # imports NumPy, which completing a line does without

    message = 'pyarrow is needed; install it with pip install "frugalboost[streams]".'
    with needing("pyarrow", message):
        import pyarrow
        import pyarrow.csv
        import pyarrow.dataset
        import pyarrow.parquet
    return pyarrow
