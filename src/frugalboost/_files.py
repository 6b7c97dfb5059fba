"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path, draft: Path | None = None) -> Iterator[BinaryIO]:
    """A file to write, which takes its name in one step when the block ends.

    Until then, and if the block fails or the process is killed, what had the name before has it
    still. Without `draft` every writer has one of its own, so that several can write at once and
    the last one wins.
    """
    if draft is None:
        draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with open(draft, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
        sync_folder(path.absolute().parent)
    finally:
        draft.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Let the new name of a file outlive a loss of power, where folders can be synced."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
