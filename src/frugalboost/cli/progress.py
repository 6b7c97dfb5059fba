"""Progress bars on standard error: only where a person looks on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

LARGE_BYTES = 16 << 20
"""Files below this are read in less than a second."""


def is_watched() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def bar(title: str, total: float | None) -> Iterator[Callable[[float], None]]:
    """Give a function that moves a bar by some steps; it goes away at the end."""
    if not is_watched():
        yield lambda steps: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as Left

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), Left())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(title, total=total)
        yield lambda steps: shown.advance(task, steps)


@contextmanager
def reading_bar(path: Path) -> Iterator[Any]:
    """A large file, open and with a bar that says how much of it has been read; else its name."""
    size = path.stat().st_size
    if size < LARGE_BYTES or not is_watched():
        yield str(path)
        return
    import pyarrow as pa

    with bar(f"reading {path.name}", size) as advance, open(path, "rb") as file:
        whole = pa.PythonFile(Counted(file, advance), mode="r")
        codec = _codec(path)
        yield whole if codec is None else pa.CompressedInputStream(whole, codec)


def _codec(path: Path) -> str | None:
    codecs = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}
    return codecs.get(path.suffix.lower())


class Counted:
    """A file that tells how many bytes are read from it."""

    def __init__(self, file: Any, advance: Callable[[float], None]) -> None:
        self.file, self.advance = file, advance

    def read(self, size: int = -1) -> bytes:
        content: bytes = self.file.read(size)
        self.advance(len(content))
        return content

    @property
    def closed(self) -> bool:
        return bool(self.file.closed)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)
