"""Progress bars on standard error, shown only on a terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # imported when bars are shown
    from frugalboost._progress import Stage

LARGE_BYTES = 16 << 20
"""Smaller files are read in less than a second."""

BUFFER_BYTES = 1 << 20
"""How much is read, and reported, at a time."""


def is_watched() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def bar(title: str, total: float | None) -> Iterator[Callable[[float], None]]:
    """Yield a function that advances a bar, which disappears at the end."""
    if not is_watched():
        yield lambda steps: None
        return
    from frugalboost._progress import passing_bar

    with passing_bar(title, total) as update:
        yield lambda steps: update(advance=steps)


def stages() -> Stage:
    """Steps of the library's own work, with bars on a terminal."""
    from frugalboost._progress import stages as library_stages

    return library_stages(int(is_watched()))


@contextmanager
def bytes_bar(title: str, path: Path) -> Iterator[Callable[[float], None]]:
    """A bar for the bytes of a file, if it is large."""
    size = path.stat().st_size
    if size < LARGE_BYTES:
        yield lambda steps: None
        return
    with bar(f"{title} {path.name}", size) as advance:
        yield advance


@contextmanager
def reading_bar(path: Path) -> Iterator[Any]:
    """A large file, open and with a bar for how much has been read; otherwise its name."""
    if path.stat().st_size < LARGE_BYTES or not is_watched():
        yield str(path)
        return
    import pyarrow as pa

    with counted_file(path) as file:
        whole = pa.PythonFile(file, mode="r")
        codec = _codec(path)
        yield whole if codec is None else pa.CompressedInputStream(whole, codec)


@contextmanager
def counted_file(path: Path) -> Iterator[Any]:
    """An open file, with a bar if it is large."""
    with (
        bytes_bar("reading", path) as advance,
        io.BufferedReader(CountedBytes(path, advance), BUFFER_BYTES) as file,
    ):
        yield file


def _codec(path: Path) -> str | None:
    codecs = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}
    return codecs.get(path.suffix.lower())


class CountedBytes(io.FileIO):
    """A file that reports how many bytes are read from it."""

    def __init__(self, path: Path, advance: Callable[[float], None]) -> None:
        super().__init__(path)
        self.advance = advance

    def readinto(self, buffer: Any) -> int | None:
        n_bytes = super().readinto(buffer)
        self.advance(n_bytes or 0)
        return n_bytes
