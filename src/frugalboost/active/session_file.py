"""The SQLite file below a session: opened by one process at a time, ours or left alone."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from frugalboost._files import check_regular

FORMAT = 1
APPLICATION = 0x66624A4C  # "fbJL", where SQLite keeps whose file it is
MAGIC = b"SQLite format 3\x00"
ROLLBACK_MAGIC = bytes.fromhex("d9d505f920a163d7")

TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE entries (number INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT NOT NULL, "
    "kind TEXT NOT NULL, round INTEGER, row INTEGER, content TEXT, label TEXT, utility REAL, "
    "reason TEXT NOT NULL, about INTEGER)",
)


class SessionFile:
    """A locked file with a table of entries and some named values.

    What is executed outside `together` is on the disk when the call returns.
    """

    _open_files: ClassVar[set[tuple[int, int]]] = set()

    def __init__(self, path: Path, meta: Mapping[str, Any], owner: str) -> None:
        """Open the file, or make it with these named values; `is_new` says which."""
        self.path = path
        self.owner = owner
        self._identity: tuple[int, int] | None = None
        self._check_path()
        with self._explained():
            self._database = sqlite3.connect(
                path, timeout=0.0, isolation_level=None, check_same_thread=False
            )
        try:
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
        """All statements of the block, at its end, or none."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self.execute("ROLLBACK")
            raise

    def get(self, name: str) -> Any:
        return json.loads(self.rows("SELECT value FROM meta WHERE name = ?", [name])[0][0])

    def put(self, name: str, value: Any) -> None:
        self.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", [name, json.dumps(value)])

    def close(self) -> None:
        self._database.close()
        if self._identity is not None:
            self._open_files.discard(self._identity)
            self._identity = None

    def _check_path(self) -> None:
        if not self.path.absolute().parent.is_dir() or self.path.is_dir():
            raise OSError(
                f"{self.owner}: session must be a file in a folder that exists; got {self.path}."
            )
        if check_regular(self.path) is None:
            return
        # Closing a file drops all POSIX locks that this process has on it, so a file that is open
        # here already must not be looked into.
        if _identity(self.path) in self._open_files:
            raise self._in_use()
        if not self._may_be_ours():
            raise self._not_ours()

    def _may_be_ours(self) -> bool:
        """Before SQLite touches it. What a killed process left half-written, SQLite mends."""
        head = _first_bytes(self.path, 72)
        is_ours = head.startswith(MAGIC) and head[68:72] == APPLICATION.to_bytes(4, "big")
        rollback = self.path.with_name(self.path.name + "-journal")
        return is_ours or not head or _first_bytes(rollback, 8) == ROLLBACK_MAGIC

    def _lock(self) -> None:
        self.execute("PRAGMA locking_mode = EXCLUSIVE")  # kept until the file is closed
        self.execute("PRAGMA synchronous = FULL")
        self.execute("BEGIN EXCLUSIVE")
        self.execute("COMMIT")
        self._identity = _identity(self.path)
        self._open_files.add(self._identity)

    def _create_or_check(self, meta: Mapping[str, Any]) -> bool:
        if self.rows("SELECT count(*) FROM sqlite_master")[0][0]:
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
                f"{self.owner}: session {self.path} must have format {FORMAT} or older; got "
                f"{version}. A newer version of frugalboost has written it."
            )

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """SQLite's errors in the words of a session."""
        where = f"{self.owner}: session {self.path}"
        try:
            yield
        except sqlite3.OperationalError as problem:
            if "locked" in str(problem):
                raise self._in_use() from None
            raise OSError(f"{where} could not be read or written: {problem}.") from None
        except sqlite3.ProgrammingError:
            raise ValueError(f"{where} must be open; it was closed.") from None
        except sqlite3.DatabaseError as problem:
            raise ValueError(f"{where} must not be damaged: {problem}.") from None

    def _in_use(self) -> OSError:
        return OSError(
            f"{self.owner}: session {self.path} must not be open elsewhere; another process, or "
            "another part of this one, uses it now."
        )

    def _not_ours(self) -> ValueError:
        return ValueError(
            f"{self.owner}: session must be a file that a session has written, or a new one; "
            f"{self.path} is something else."
        )


def _identity(path: Path) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_dev, found.st_ino


def _first_bytes(path: Path, count: int) -> bytes:
    if not path.is_file():
        return b""
    with open(path, "rb") as file:
        return file.read(count)
