"""The folder with the rows in random order, which a run has for itself while it needs them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frugalboost._files import remove_drafts_of_any_machine, whole_folder
from frugalboost.cli.errors import BadUsageError
from frugalboost.cli.progress import bar
from frugalboost.cli.stream.rows import LARGE_LIMIT
from frugalboost.filtering.memory import RESERVE, as_megabytes, resident_bytes
from frugalboost.streams import BlockStore

fcntl: Any
try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None

ROWS, MADE_FROM = "rows", "made-from.json"

STORE_FILES = ("meta.json", "X.npy", "y.npy")
"""The files of a block store. Without the first one it is unfinished, so that is removed first."""

OTHER_FILES = (".DS_Store",)
"""What the system puts into folders that somebody looks at."""

STORE_BYTES, SMALL_STORE_BYTES = 256 << 20, 32 << 20
"""Rows held in memory while a store is written, the second under a limit below `LARGE_LIMIT`. Only
two sizes, because they determine the order of the rows, and a resumed run needs the same order."""


@dataclass(frozen=True)
class WorkFolder:
    """A folder with a block store that contains a note of what it was made from.

    The note shows that the store is ours. Both appear in one step: without the note, a store could
    be one that the user has written. Earlier versions put the note beside the store. A folder that
    the user has named `is_kept` for the next run.
    """

    path: Path
    is_kept: bool

    @property
    def rows(self) -> Path:
        return self.path / ROWS

    def store(
        self,
        source: Any,
        made_from: dict[str, Any],
        limit: int | None,
        reading: int,
        n_rows: int | None,
    ) -> BlockStore:
        """The existing store if it was made from the same rows, else a new one.

        `reading` is the memory of the source while it is read, `n_rows` its approximate length.
        """
        n_bytes = STORE_BYTES if limit is None or limit >= LARGE_LIMIT else SMALL_STORE_BYTES
        made_from = {**made_from, "store_bytes": n_bytes}
        if self.has_rows() and self._made_from() == made_from:
            return BlockStore(self.rows)
        self._check_limit(limit, n_bytes + reading)
        self._remove_rows()
        # Each row counts twice: when it is read, and when it is written to its place.
        with bar("shuffling the rows", n_rows and 2 * n_rows) as advance:
            self._write(made_from, source, memory_limit=n_bytes, on_rows=advance)
        return BlockStore(self.rows)

    def check_own(self) -> None:
        """Refuse a folder with other files under the names that would be written there."""
        found = f"{self.path} is a {'link that leads nowhere' if self._is_lost else 'file'}"
        if self.path.is_dir() or not os.path.lexists(self.path):
            other = self._first_other()
            if other is None:
                return
            found = f"{self.path} contains something else: {other.relative_to(self.path)}"
        raise BadUsageError(f"--work-folder must be a new folder, or one made by stream; {found}.")

    @property
    def _is_lost(self) -> bool:
        return self.path.is_symlink() and not self.path.exists()

    def check_apart(self, output: Path) -> None:
        """Refuse to write the model where the folder or its files will be."""
        folder, place = (Path(os.path.realpath(each)) for each in (self.path, output))
        is_taken = place in (folder, folder / ROWS, folder / MADE_FROM)
        if is_taken or folder / ROWS in place.parents:
            raise BadUsageError(
                f"--output must be a different path from --work-folder, {self.path}, and what is "
                f"written there; got {output}."
            )

    def has_rows(self) -> bool:
        """Whether all rows have been written; those of a shuffle cut short are never used."""
        return (self.rows / STORE_FILES[0]).is_file() and self._made_from() is not None

    def has_room(self, n_bytes: int) -> bool:
        return shutil.disk_usage(self.path.absolute().parent).free > n_bytes

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Lock the folder; remove the rows at the end, unless they are kept or an interrupted run
        can resume."""
        with self._locked():
            self.check_own()  # again: what another run had there is gone or complete by now
            try:
                yield
            except KeyboardInterrupt:
                self._remove_if_empty()
                raise
            except BaseException:
                self._clear()
                raise
            self._clear()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Create and lock the folder, where folders can be locked. The system drops the lock of a
        process that is killed."""
        handle = self._lock()
        try:
            yield
        finally:
            if handle is not None:
                os.close(handle)

    def _lock(self) -> int | None:
        handle = self._open()
        if handle is None:
            return None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise self._in_use_elsewhere() from None
        except OSError:  # a file system without locks
            return handle
        if self._is_still(handle):
            return handle
        os.close(handle)  # the run that held the lock has removed this folder: make a new one
        return self._lock()

    def _open(self) -> int | None:
        self.path.mkdir(exist_ok=True)
        if fcntl is None:
            return None
        try:
            return os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:  # another run has just removed it
            return self._open()
        except PermissionError:  # it may still be written
            return None

    def _in_use_elsewhere(self) -> BadUsageError:
        others = "--work-folder" if self.is_kept else "--output or --work-folder"
        return BadUsageError(
            f"--work-folder must be a folder that no other run is using; {self.path} is in use by "
            f"another run. Use another {others}."
        )

    def _is_still(self, handle: int) -> bool:
        try:
            return os.path.samestat(os.fstat(handle), os.stat(self.path))
        except FileNotFoundError:
            return False

    def _write(self, made_from: dict[str, Any], source: Any, **options: Any) -> None:
        """Write the store and its note to a hidden folder, which then takes its name."""
        with whole_folder(self.rows) as draft, _naming(self.rows, draft / ROWS):
            BlockStore.write(draft / ROWS, source, random_state=made_from["seed"], **options)
            for name in STORE_FILES:
                (draft / ROWS / name).rename(draft / name)
            (draft / ROWS).rmdir()
            (draft / MADE_FROM).write_text(json.dumps(made_from), encoding="utf-8")

    def _first_other(self) -> Path | None:
        """A file or folder that stream did not make, under a name that it uses."""
        old_note = self.path / MADE_FROM
        if os.path.lexists(old_note) and not _read_note(old_note):
            return old_note
        if not os.path.lexists(self.rows):
            return None
        if self.rows.is_symlink() or not self.rows.is_dir():
            return self.rows
        known = {MADE_FROM, *STORE_FILES} if self._made_from() else set()
        known |= {*OTHER_FILES}
        with suppress(FileNotFoundError):  # another run has just removed them
            files = self.rows.iterdir()
            return min((f for f in files if f.name not in known or f.is_dir()), default=None)
        return None

    def _made_from(self) -> dict[str, Any] | None:
        return _read_note(self.rows / MADE_FROM) or _read_note(self.path / MADE_FROM)

    def _check_limit(self, limit: int | None, n_bytes: int) -> None:
        held, needed = resident_bytes(), n_bytes + RESERVE
        if limit is not None and held + needed > limit:
            raise BadUsageError(
                f"--memory-limit must be at least {as_megabytes(held + needed)} to shuffle the "
                f"rows; the process already uses {as_megabytes(held)} of it; got "
                f"{as_megabytes(limit)}."
            )

    def _clear(self) -> None:
        if not self.is_kept:
            self._remove_rows()
        self._remove_if_empty()

    def _remove_rows(self) -> None:
        """Remove the files of our store. The notes go last: until then the rest is known as ours,
        should the process be killed."""
        remove_drafts_of_any_machine(self.rows)
        if self._made_from() is not None:
            for name in (*STORE_FILES, *OTHER_FILES, MADE_FROM):
                (self.rows / name).unlink(missing_ok=True)
        with suppress(OSError):  # not there, or somebody has put a file there: that stays
            self.rows.rmdir()
        if _read_note(self.path / MADE_FROM):
            (self.path / MADE_FROM).unlink()

    def _remove_if_empty(self) -> None:
        if self.path.is_dir() and not any(self.path.iterdir()):
            self.path.rmdir()


def _read_note(path: Path) -> dict[str, Any] | None:
    """What a store was made from; None if this is no such note."""
    try:
        note = dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return note if "store_bytes" in note else None


@contextmanager
def _naming(path: Path, draft: Path) -> Iterator[None]:
    """Errors name the folder that the user knows, instead of its draft."""
    try:
        yield
    except OSError as problem:
        for name in ("strerror", "filename"):
            text = getattr(problem, name)
            if isinstance(text, str):
                setattr(problem, name, text.replace(str(draft), str(path)))
        raise
