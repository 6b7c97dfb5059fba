"""The SQLite file of a session: locked by one process; files of other programs are untouched."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from frugalboost._files import check_regular
from frugalboost.active.entry_checks import from_json

FORMAT = 1
APPLICATION = 0x66624A4C  # "fbJL", SQLite's application id
MAGIC = b"SQLite format 3\x00"
ROLLBACK_MAGIC = bytes.fromhex("d9d505f920a163d7")
ROLLBACK_HEADS = (ROLLBACK_MAGIC, bytes(8), b"")
"""How a rollback journal begins: zeros until it is complete, and again after the commit."""

TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE entries (number INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT NOT NULL, "
    "kind TEXT NOT NULL, round INTEGER, row INTEGER, content TEXT, label TEXT, utility REAL, "
    "reason TEXT NOT NULL, about INTEGER)",
)
SCHEMA = {
    *(("table", text.split()[2], text) for text in TABLES),
    ("index", "sqlite_autoindex_meta_1", None),
    ("table", "sqlite_sequence", "CREATE TABLE sqlite_sequence(name,seq)"),
}
"""All that `sqlite_master` may list: SQLite would run a malicious view or trigger."""

STEPS_AT_ONCE = 10_000
LEAST_STEPS, STEPS_PER_BYTE = 10_000_000, 200
"""Limits on SQLite's steps while checking a file; intact files need a fraction of that."""

DISK = ("disk", "readonly", "unable to open", "permission")
"""Words in errors that are not caused by the content of the file."""


class SessionFile:
    """A locked file with a table of entries and some named values.

    Statements outside `together` are on disk when the call returns.
    """

    _open_files: ClassVar[set[tuple[int, int]]] = set()

    def __init__(self, path: Path, meta: Mapping[str, Any]) -> None:
        """Open the file, or create it with these named values; `is_new` tells which."""
        self.path = path
        self._identity: tuple[int, int] | None = None
        self._check_path()
        with self._explained():
            self._database = sqlite3.connect(
                path, timeout=0.0, isolation_level=None, check_same_thread=False
            )
        try:
            self._distrust()
            self._lock()
            self.is_new = self._create_or_check(meta)
        except BaseException:
            self.close()
            raise

    def execute(self, statement: str, values: list[Any] | None = None) -> sqlite3.Cursor:
        with self._explained():
            return self._database.execute(statement, values or [])

    def rows(self, statement: str, values: list[Any] | None = None) -> list[tuple[Any, ...]]:
        with self._explained():
            return self._database.execute(statement, values or []).fetchall()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Commit all statements of the block at its end, or none."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self.execute("ROLLBACK")
            raise

    def get(self, name: str) -> Any:
        rows = self.rows("SELECT value FROM meta WHERE name = ?", [name])
        try:
            if not rows:
                raise ValueError(f"{name} is missing")
            return from_json(rows[0][0], name)
        except ValueError as problem:
            raise self.damaged(problem) from None

    def put(self, name: str, value: Any) -> None:
        self.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", [name, json.dumps(value)])

    def close(self) -> None:
        self._database.close()
        if self._identity is not None:
            self._open_files.discard(self._identity)
            self._identity = None

    def _check_path(self) -> None:
        if not self.path.absolute().parent.is_dir() or self.path.is_dir():
            raise OSError(f"session must be a file in an existing folder; got {self.path}.")
        if check_regular(self.path) is None:
            check_beside(self.path)
            return
        # Closing a file drops all POSIX locks that this process has on it, so a file that this
        # process already has open must not be read.
        if _identity(self.path) in self._open_files:
            raise self._in_use()
        if not self._may_be_ours():
            raise self._not_ours()
        check_beside(self.path)

    def _may_be_ours(self) -> bool:
        """Check the header before SQLite opens it. SQLite recovers what a killed process left."""
        head = _first_bytes(self.path, 72)
        is_ours = head.startswith(MAGIC) and head[68:72] == APPLICATION.to_bytes(4, "big")
        is_ours = is_ours and head[18:20] == b"\x01\x01"  # never with a write-ahead log
        rollback = files_beside(self.path)[0]
        return is_ours or not head or _first_bytes(rollback, 8) == ROLLBACK_MAGIC

    def _distrust(self) -> None:
        self.execute("PRAGMA trusted_schema = OFF")
        self.execute("PRAGMA cell_size_check = ON")

    def _lock(self) -> None:
        self.execute("PRAGMA locking_mode = EXCLUSIVE")  # kept until the file is closed
        self.execute("PRAGMA synchronous = FULL")
        self.execute("BEGIN EXCLUSIVE")
        self.execute("COMMIT")
        self._identity = _identity(self.path)
        self._open_files.add(self._identity)

    def _create_or_check(self, meta: Mapping[str, Any]) -> bool:
        # The id is written in one transaction with the tables: a file has both or neither.
        application_id = self.rows("PRAGMA application_id")[0][0]
        if application_id or self.rows("SELECT count(*) FROM sqlite_master")[0][0]:
            self._check()
            return False
        with self.together():
            self.execute(f"PRAGMA application_id = {APPLICATION}")
            self.execute(f"PRAGMA user_version = {FORMAT}")
            for table in TABLES:
                self.execute(table)
            for name, value in meta.items():
                self.put(name, value)
        return True

    def _check(self) -> None:
        if self.rows("PRAGMA application_id")[0][0] != APPLICATION:
            raise self._not_ours()
        version = int(self.rows("PRAGMA user_version")[0][0])
        if version > FORMAT:
            raise ValueError(
                f"session {self.path} must have format {FORMAT} or older; got "
                f"{version}. It was written by a newer version of frugalboost."
            )
        with self._bounded():
            schema = self.rows("SELECT type, name, sql FROM sqlite_master")
            if len(schema) != len(SCHEMA) or set(schema) != SCHEMA:
                raise self.damaged("its tables are not those of a session")
            verdict = self.rows("PRAGMA quick_check(1)")[0][0]
            if verdict != "ok":
                raise self.damaged(verdict)

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        """Abort statements that take far more steps than a file of this size can need."""
        left = [LEAST_STEPS + STEPS_PER_BYTE * self.path.stat().st_size]

        def is_too_long() -> bool:
            left[0] -= STEPS_AT_ONCE
            return left[0] < 0

        self._database.set_progress_handler(is_too_long, STEPS_AT_ONCE)
        try:
            yield
        finally:
            self._database.set_progress_handler(None, 0)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Translate SQLite's errors into errors about the session."""
        where = f"session {self.path}"
        try:
            yield
        except sqlite3.OperationalError as problem:
            if "locked" in str(problem):
                raise self._in_use() from None
            if not any(word in str(problem) for word in DISK):
                raise self.damaged(problem) from None
            raise OSError(f"{where} could not be read or written: {problem}.") from None
        except sqlite3.ProgrammingError:
            raise ValueError(f"{where} must be open; it was closed.") from None
        except (sqlite3.Error, UnicodeError, MemoryError) as problem:
            raise self.damaged(problem) from None

    def damaged(self, reason: object) -> ValueError:
        """Return the error for any problem with the content."""
        text = " ".join(str(reason).split()) or "it takes too much memory"
        return ValueError(f"session {self.path} must not be damaged: {text[:300]}.")

    def _in_use(self) -> OSError:
        return OSError(
            f"session {self.path} must not be open elsewhere; another process, or "
            "another learner in this one, is using it."
        )

    def _not_ours(self) -> ValueError:
        return ValueError(
            f"session must be a session file, or a new file; {self.path} is something else."
        )


def files_beside(path: Path) -> list[Path]:
    """The names that SQLite uses beside a session file: it follows symbolic links first."""
    file = os.path.realpath(path)
    return [Path(file + ending) for ending in ("-journal", "-wal", "-shm")]


def check_beside(path: Path) -> None:
    """Refuse a session beside files of others that SQLite would take for its own, and delete."""
    for other in files_beside(path):
        # In this order: another process may be creating the session, and makes its file first.
        if os.path.lexists(other) and not (path.exists() and _is_left_behind(other)):
            raise ValueError(
                f"session {path} must not have files of others beside it; got {other}, which "
                "SQLite would delete. Move it, or choose another name for the session."
            )


def _is_left_behind(other: Path) -> bool:
    """Whether a killed process may have left this file; sessions have no write-ahead log."""
    is_journal = other.name.endswith("-journal") and other.is_file()
    return is_journal and _first_bytes(other, 8) in ROLLBACK_HEADS


def _identity(path: Path) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_dev, status.st_ino


def _first_bytes(path: Path, count: int) -> bytes:
    if not path.is_file():
        return b""
    with open(path, "rb") as file:
        return file.read(count)
