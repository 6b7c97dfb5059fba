"""NPZ files: the table among their arrays."""

from __future__ import annotations

import json
import math
import os
import shlex
import subprocess
import tokenize
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.tables.files import Bar, counted_file, no_bar
from frugalboost.tables.matrix import Matrix, MatrixFile, numbered

TABLE_NAMES = ("X", "x", "data", "images")
NAME_ARRAYS = ("names", "feature_names")
NPZ_ERRORS = (
    *(ValueError, OSError, EOFError, KeyError, NotImplementedError, SyntaxError, TypeError),
    *(zipfile.BadZipFile, zlib.error, tokenize.TokenError),
)
"""What NumPy raises for a damaged file."""
MOST_LETTERS = 200


def read_npz(path: Path, bar: Bar) -> MatrixFile:
    try:
        arrays = load_arrays(path, bar)
    except (*NPZ_ERRORS, MemoryError) as problem:  # it may claim a size beyond all memory
        raise ValueError(f"{path} cannot be read: {_reason(problem)}") from None
    return MatrixFile(path, matrix_of(arrays, path), "y", bar)


def load_arrays(path: Path, bar: Bar = no_bar) -> dict[str, AnyArray]:
    """Return all arrays of a file; a damaged one raises one of `NPZ_ERRORS`."""
    # Pickled objects can run code when they are loaded; no table needs them.
    # NumPy would leave open a file that it opened itself and cannot read.
    with counted_file(path, bar) as file:
        loaded = np.load(file, allow_pickle=False)
        if isinstance(loaded, np.ndarray):
            raise ValueError("it is one array (.npy), not an NPZ file.")
        with loaded:
            held = {name: _array(loaded, name) for name in loaded.files}
    return {name: each for name, each in held.items() if isinstance(each, np.ndarray)}


def _array(loaded: Any, name: str) -> Any:
    try:
        return loaded[name]
    # NumPy trusts the header: a shape of (True, 2) is a TypeError, a claim beyond all memory a
    # MemoryError, and other headers fail in yet other ways.
    except Exception as problem:
        raise ValueError(f"its array {name!r}: {_reason(problem)}") from None


def _reason(problem: Exception) -> str:
    """One short line: NumPy repeats the header, which may have thousands of characters."""
    text = " ".join(str(problem).split()) or type(problem).__name__
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}..."


def matrix_of(arrays: dict[str, AnyArray], path: Path) -> Matrix:
    """Return the table among some arrays, and the arrays with an entry for each of its rows."""
    chosen = _chosen(arrays, path)
    X = arrays[chosen]
    _check_size(X, chosen, path)
    flat = X.reshape(len(X), math.prod(X.shape[1:]))
    names = _given_names(arrays, flat.shape[1])
    asides = {
        name: array
        for name, array in arrays.items()
        if array.ndim == 1 and len(array) == len(X) and name not in (chosen, *NAME_ARRAYS)
    }
    return Matrix(
        flat,
        names or numbered(flat.shape[1]),
        names is not None,
        asides,
        X.shape[1:] if X.ndim > 2 else None,
    )


def _check_size(X: AnyArray, name: str, path: Path) -> None:
    """Refuse a table without cells: its header may claim any number of rows or columns.

    Otherwise there are no more columns than numbers in the file; each needs a name in memory.
    """
    shape = f"Its array {name!r} has the shape {X.shape}."
    if len(X) == 0:
        raise ValueError(f"{path} must have at least one row; it has none. {shape}")
    if X.size == 0:
        raise ValueError(f"{path} must have a column to learn from; it has none. {shape}")


def _chosen(arrays: dict[str, AnyArray], path: Path) -> str:
    tables = [name for name, array in arrays.items() if array.ndim > 1 and _is_numeric(array)]
    named = [name for name in TABLE_NAMES if name in tables]
    if named or len(tables) == 1:
        return (named or tables)[0]
    parts = [name.removeprefix("X_") for name in tables if name.startswith("X_")]
    if len(parts) > 1:
        raise ValueError(several_tables(path, parts))
    raise ValueError(
        f"DATA must hold one array of numbers with a row for each example, or one called X; "
        f"{path} has {', '.join(map(repr, arrays)) or 'nothing'}."
    )


def _is_numeric(array: AnyArray) -> bool:
    return array.dtype.kind in "fiub"


def _given_names(arrays: dict[str, AnyArray], n_features: int) -> list[str] | None:
    for name in NAME_ARRAYS:
        if name in arrays and arrays[name].shape == (n_features,):
            return [str(each) for each in arrays[name]]
    return None


def several_tables(path: Path, parts: Sequence[str]) -> str:
    """Return a message that one is needed, and how to write each to a file of its own.

    Which of them a command should take is not clear for all commands: rows to choose trees by,
    for example, should be neither those of the fit nor those of the test.
    """
    return (
        f"{path} must hold one table; it has {', '.join(f'X_{part}' for part in parts)}. "
        f"This writes each to its own file: {splitting(path, parts)}"
    )


def splitting(path: Path, parts: Sequence[str]) -> str:
    """Return a shell command that writes NAME-train.npz and NAME-test.npz beside NAME.npz."""
    whole, stem = (json.dumps(each.as_posix()) for each in (path, path.with_suffix("")))
    code = (
        f"import numpy as np; z = np.load({whole}); "
        f'[np.savez({stem} + "-" + p, '
        '**{k.removesuffix("_" + p): z[k] for k in z if k.endswith(("_" + p, "names"))}) '
        f"for p in {json.dumps(list(parts))}]"
    )
    line = ["python", "-c", code]
    return subprocess.list2cmdline(line) if os.name == "nt" else shlex.join(line)
