"""The files of a folder, in an order that does not depend on the file system."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def find_files(path: Any, suffixes: Sequence[str]) -> list[Path]:
    """Return ``path`` if it is a file, else the files below it with one of the suffixes.

    What is hidden, or begins with ``_`` as the marks of other programs do, is left out.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be a file or a folder; got {path!r}.")
    root = Path(path)
    if root.is_file():
        return [root]
    if not root.is_dir():
        raise FileNotFoundError(f"path must be a file or a folder; {root} is neither.")
    below = sorted(root.rglob("*"))
    files = [file for file in below if _is_wanted(file.relative_to(root), suffixes)]
    files = [file for file in files if file.is_file()]
    if not files:
        listed = ", ".join(suffixes)
        raise ValueError(f"path must hold files ending in {listed}; {root} has none.")
    return files


def _is_wanted(file: Path, suffixes: Sequence[str]) -> bool:
    return file.name.lower().endswith(tuple(suffixes)) and not any(
        part.startswith((".", "_")) for part in file.parts
    )
