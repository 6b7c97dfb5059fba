"""Writing files and folders completely or not at all. All code that writes them uses this module.

Two kinds of files are exempt: scratch that nobody opens again, inside a draft that is removed as a
whole (`streams/external_shuffle.py`), and those that SQLite writes in its own way to the session
files of `active`.
"""

from __future__ import annotations

import errno
import hashlib
import io
import itertools
import os
import re
import secrets
import shutil
import signal
import socket
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

fcntl: Any
try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None

KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)

CANNOT_SYNC = (errno.EACCES, errno.EPERM, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP)
"""Errors of file systems that sync no folders; the last two differ on macOS."""

_claimed: dict[str, Path] = {}
"""Paths that were free when a command began, and the files they resolved to."""


class NameTakenError(ValueError):
    """The name of a new file was taken in the meantime; says where the file was saved instead.

    Not an OSError: writers take that to mean that a file was not written, and this one was.
    """


DRAFT = re.compile(r"\.frugalboost-[0-9a-f]{16}-[0-9a-f]{8}-([0-9]+)-[0-9a-f]{16}\.part")
"""Hashes of the target's name and of the machine, the process, a random part: always short."""


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a file to write, which takes its name in one step when the block ends.

    Until then, and if the block fails or the process is killed, any old file keeps the name. Every
    writer has its own draft, so several can write at once and the last one wins. A symbolic link
    stays and its target is replaced; an existing file keeps its mode.
    """
    with _drafted(path) as (handle, _), io.BufferedWriter(_NamedFile(handle, path)) as file:
        yield cast(BinaryIO, file)
        file.flush()
        with _naming(path):
            os.fsync(handle)


@contextmanager
def whole_path(path: Path) -> Iterator[Path]:
    """Like `whole_file`, for code that opens files by name: yield the path of an empty draft."""
    with _drafted(path) as (handle, draft):
        os.close(handle)
        yield draft


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Yield a hidden folder to fill, which takes its name, which must be free, when the block ends.

    If the block fails, the folder is removed with all that is in it. If the process is killed, the
    next that writes there removes it.
    """
    remove_leftovers(path)
    with _naming(path):
        handle, draft = _create_folder(path)
    try:
        yield draft
        with _naming(path):
            _sync_all(draft)
            os.rename(draft, path)
            sync_folder(path.parent)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        if handle is not None:
            os.close(handle)


def claim(path: Path) -> None:
    """Make the next file written here a new one: a file that appears meanwhile is not replaced."""
    _claimed[os.path.abspath(path)] = Path(os.path.realpath(path))


def release_claims() -> None:
    """Forget all claims: existing files are replaced again."""
    _claimed.clear()


def check_regular(path: Path) -> os.stat_result | None:
    """Return the status of the file that a path leads to, None for a new one.

    Anything but a regular file is rejected: replacing a device or a pipe with a file would break
    whatever uses it.
    """
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISREG(status.st_mode):
        return status
    kind = kind_of(status)
    number = errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.EINVAL
    raise OSError(number, f"it must be a regular file, not {kind}", str(path))


def kind_of(status: os.stat_result) -> str:
    """What a path leads to, other than a regular file."""
    return next((name for is_kind, name in KINDS if is_kind(status.st_mode)), "something else")


def remove_leftovers(target: Path) -> None:
    """Remove drafts of this target whose writers on this machine were killed."""
    if fcntl is None:
        return
    prefix = _prefix(target)
    with suppress(OSError):  # a folder that cannot be read may still be writable
        for draft in target.parent.iterdir():
            matched = DRAFT.fullmatch(draft.name) if draft.name.startswith(prefix) else None
            if matched is not None and not _is_running(int(matched[1])):
                _remove_unlocked(draft)


def remove_drafts_of_any_machine(target: Path) -> None:
    """Remove unlocked drafts of a target that only one process at a time writes.

    They may have the name of another machine: every container has a new one.
    """
    with suppress(OSError):
        for draft in target.parent.iterdir():
            if draft.name.startswith(_name_prefix(target)) and DRAFT.fullmatch(draft.name):
                _remove_unlocked(draft)


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Defer Ctrl-C until the block ends, for short steps that other libraries cannot undo.

    A second Ctrl-C interrupts at once: the block may be waiting for a disk that does not respond.
    """
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield  # only the main thread is interrupted
        return
    waiting: list[tuple[int, Any]] = []

    def wait(number: int, frame: Any) -> None:
        if waiting:
            usual(number, frame)
        waiting.append((number, frame))

    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if waiting:
            usual(*waiting[-1])


def sync_folder(folder: Path) -> None:
    """Make a file's new name survive a power failure, where folders can be opened and synced."""
    if os.name != "posix":
        return
    # The file has its name by now: writers must not report that it was not written.
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # such as a folder that may be written, but not read
        return
    try:
        os.fsync(handle)
    except OSError as problem:
        if problem.errno not in CANNOT_SYNC:
            raise
    finally:
        os.close(handle)


def _sync_all(folder: Path) -> None:
    """Otherwise the folder's name might survive a power failure and its files not."""
    for inside, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(inside, name), "r+b") as file:
                os.fsync(file.fileno())
        sync_folder(Path(inside))


@contextmanager
def _drafted(path: Path) -> Iterator[tuple[int, Path]]:
    claimed = _claimed.get(os.path.abspath(path))
    old = None if claimed else check_regular(path)
    target = claimed or Path(os.path.realpath(path))
    remove_leftovers(target)
    with _naming(path):
        handle, draft = _create(target, old)
    try:
        yield handle, draft
        with _naming(path):
            if claimed:
                _publish_new(draft, target)
            else:
                os.replace(draft, target)
            sync_folder(target.parent)
        _claimed.pop(os.path.abspath(path), None)  # from now on the file belongs to this process
    finally:
        draft.unlink(missing_ok=True)


def _publish_new(draft: Path, target: Path) -> None:
    """A draft may hold hours of work: if the target's name is taken, it gets another one."""
    try:
        _rename_to_free(draft, target)
    except FileExistsError:
        kept = _rename_to_any_free(draft, target)
        raise NameTakenError(
            f"{target} was created by another program in the meantime and was not replaced; the "
            f"new file was saved as {kept}."
        ) from None


def _rename_to_any_free(draft: Path, target: Path) -> Path:
    """Rename to the first of model-1.fboost, model-2.fboost, ... that is free."""
    ending = "".join(target.suffixes[-2:]) if target.suffix == ".gz" else target.suffix
    stem = target.name.removesuffix(ending)[:60]  # with a number it must still be a valid name
    for number in itertools.count(1):
        kept = target.with_name(f"{stem}-{number}{ending}")
        with suppress(FileExistsError):
            _rename_to_free(draft, kept)
            return kept
    raise AssertionError("there is always another number")


def _rename_to_free(draft: Path, target: Path) -> None:
    """Link, which fails if the name is taken: a rename would replace the file that has it."""
    try:
        os.link(draft, target)
    except FileExistsError:
        raise
    except OSError:  # no hard links here: a file may still appear between check and rename
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        os.rename(draft, target)


def _create(target: Path, old: os.stat_result | None) -> tuple[int, Path]:
    """Create a draft beside the target; O_EXCL does not follow a link that someone put there."""
    draft = _draft_of(target)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    mode = 0o666 if old is None else stat.S_IMODE(old.st_mode) & 0o777
    handle = os.open(draft, flags, mode)
    _lock(handle)
    if old is not None and os.name == "posix":
        _keep_access(handle, old)
    return handle, draft


def _create_folder(target: Path) -> tuple[int | None, Path]:
    """Create a draft beside the target, and open it where folders can be locked."""
    draft = _draft_of(target)
    draft.mkdir()  # fails if someone put anything there
    if fcntl is None:
        return None, draft
    try:
        handle = os.open(draft, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except BaseException:
        draft.rmdir()
        raise
    _lock(handle)
    return handle, draft


def _lock(handle: int) -> None:
    with suppress(OSError):  # where files cannot be locked, leftover drafts stay
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _keep_access(handle: int, old: os.stat_result) -> None:
    with suppress(OSError):  # only root may give files away
        os.fchown(handle, old.st_uid, old.st_gid)
    with suppress(OSError):  # some file systems have no modes
        os.fchmod(handle, stat.S_IMODE(old.st_mode) & 0o777)


def _draft_of(target: Path) -> Path:
    return target.with_name(f"{_prefix(target)}{os.getpid()}-{secrets.token_hex(8)}.part")


def _prefix(target: Path) -> str:
    machine = hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]
    return f"{_name_prefix(target)}{machine}-"


def _name_prefix(target: Path) -> str:
    return f".frugalboost-{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:16]}-"


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # another user's process
    return True


def _remove_unlocked(draft: Path) -> None:
    """Process numbers differ between containers, so the lock decides: a live writer holds it."""
    if fcntl is None:  # nothing tells whether there is one
        return
    with suppress(OSError):
        handle = os.open(draft, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if stat.S_ISDIR(os.fstat(handle).st_mode):
                shutil.rmtree(draft)
            else:
                draft.unlink()
        finally:
            os.close(handle)


class _NamedFile(io.FileIO):
    """A file whose errors name it, which those of a full disk would not do by themselves."""

    def __init__(self, handle: int, path: Path) -> None:
        super().__init__(handle, "wb")
        self._path = path

    def write(self, content: Any) -> int:
        with _naming(self._path):
            return super().write(content)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        if problem.errno is None:
            raise
        raise OSError(problem.errno, problem.strerror, str(path)) from None
