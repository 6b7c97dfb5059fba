"""Files whatever their format: those in a folder, and their bytes with a progress bar."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from frugalboost.tables.arrow_threads import SharedObject
from frugalboost.tables.errors import ChoiceError
from frugalboost.tables.formats import codec_of, has_suffix

Advance: TypeAlias = Callable[[float], None]
Bar: TypeAlias = Callable[[str, float | None], AbstractContextManager[Advance]]
"""Shows a bar with a title and a total, and yields a function that advances it."""

LARGE_BYTES = 16 << 20
"""Smaller files are read in less than a second."""

BUFFER_BYTES = 1 << 20
"""How much is read, and reported, at a time."""


@contextmanager
def no_bar(title: str, total: float | None) -> Iterator[Advance]:
    """Show nothing."""
    yield lambda steps: None


def find_files(path: Any, suffixes: tuple[str, ...]) -> list[Path]:
    """Return ``path`` if it is a file, else the files below it with one of the suffixes.

    Their order does not depend on the file system. Hidden files and folders are left out, as are
    those that begin with ``_``, like the marker files of other programs.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be a file or a folder; got {path!r}.")
    root = Path(path)
    if root.is_file():
        return [arrow_named(root, "path")]
    if not root.is_dir():
        raise FileNotFoundError(f"path must be a file or a folder; {root} is neither.")
    below = [file for file in sorted(root.rglob("*")) if has_suffix(file, suffixes)]
    files = [file for file in below if not _is_hidden(file.relative_to(root)) and file.is_file()]
    if not files:
        raise ValueError(f"path must hold files ending in {', '.join(suffixes)}; {root} has none.")
    return [arrow_named(file, "path") for file in files]


def arrow_named(path: Path, option: str) -> Path:
    """Return a path that pyarrow can open; it takes names in UTF-8 only."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise ChoiceError(
            f"{option} must be a file whose name is UTF-8; got {str(path)!r}."
        ) from None
    return path


def _is_hidden(file: Path) -> bool:
    return any(part.startswith((".", "_")) for part in file.parts)


@contextmanager
def bytes_bar(bar: Bar, title: str, path: Path) -> Iterator[Advance]:
    """Show a bar for the bytes of a file, if it is large."""
    size = path.stat().st_size
    shown = no_bar if size < LARGE_BYTES else bar
    with shown(f"{title} {path.name}", size) as advance:
        yield advance


@contextmanager
def arrow_source(path: Path, bar: Bar) -> Iterator[Any]:
    """Yield what pyarrow is to read: a stream that moves the bar of a large file, else its name."""
    if path.stat().st_size < LARGE_BYTES or bar is no_bar:
        yield str(path)
        return
    import pyarrow as pa

    with counted_file(path, bar) as file:
        whole = pa.PythonFile(file, mode="r")
        codec = codec_of(path)
        stream = whole if codec is None else pa.CompressedInputStream(whole, codec)
        file.raw.shared.pass_to(file, stream)
        yield stream


@contextmanager
def counted_file(path: Path, bar: Bar) -> Iterator[Any]:
    """Yield an open file, with a bar if it is large."""
    with (
        bytes_bar(bar, "reading", path) as advance,
        io.BufferedReader(CountedBytes(path, advance), BUFFER_BYTES) as file,
    ):
        yield file


class CountedBytes(io.FileIO):
    """A file that reports how many bytes are read from it."""

    def __init__(self, path: Path, advance: Advance) -> None:
        super().__init__(path)
        self.advance = advance
        self.shared = SharedObject()

    def readinto(self, buffer: Any) -> int | None:
        with self.shared.called():
            n_bytes = super().readinto(buffer)
            self.advance(n_bytes or 0)
            return n_bytes
