"""A session of labelling on disk: every question and answer, kept as soon as it is given.

An entry is on the disk when the call that adds it returns, so a process that is killed loses
nothing. Entries are added, never changed; `replay` says what they come to.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from frugalboost.active.entry_checks import check_data, check_params, checked
from frugalboost.active.fingerprint import check_same_data
from frugalboost.active.replay import Entry, Kind
from frugalboost.active.session_file import SessionFile

COLUMNS = "number, time, kind, round, row, content, label, utility, reason, about"


class Journal:
    """A session file, made if it is not there, and closed to all others while it is open.

    Parameters
    ----------
    path : str or path
    data : dict or None
        `fingerprint` of the pool. A file of another pool is refused. None: any pool; a file that
        knows of none yet keeps the first that is given.
    params : dict or None
        What JSON can hold, kept in a new file; `params` gives it back.
        Named in errors.

    Attributes
    ----------
    is_new : bool
        Whether the file was made now.

    What cannot be used (another pool, a newer format, a file of another kind) is a ValueError, a
    file that is open elsewhere or cannot be written an OSError; neither changes the file.

    Examples
    --------
    >>> import tempfile
    >>> from frugalboost.active.replay import (replay)
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Journal(folder.name + "/session") as journal:
    ...     _ = journal.asked(7, round=0, utility=31.9, reason="margin 0.031 between 3 and 8")
    ...     number = journal.answered(7, 8, round=0)
    ...     _ = journal.corrected(number, 3)
    >>> with Journal(folder.name + "/session") as journal:
    ...     [(answer.row, answer.label) for answer in replay(journal).answers]
    [(7, 3)]
    >>> folder.cleanup()
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        data: Mapping[str, Any] | None = None,
        params: Mapping[str, Any] | None = None,
    ) -> None:
        now = None if data is None else dict(data)
        meta = {"library": version("frugalboost"), "params": dict(params or {}), "data": now}
        self._file = SessionFile(Path(path), meta)
        self.is_new = self._file.is_new
        try:
            self._check_content()
            if now is not None:
                self._check_data(now)
        except BaseException:
            self.close()
            raise

    @property
    def path(self) -> Path:
        return self._file.path

    def start(self, row: int | None, label: Any, *, content: Any = None, reason: str = "") -> int:
        """Keep a label that was known before the first question; return the entry's number."""
        return self._add("start", row=row, content=content, label=label, reason=reason)

    def asked(
        self,
        row: int | None,
        *,
        round: int,
        utility: float | None = None,
        reason: str = "",
        content: Any = None,
    ) -> int:
        """Keep a question; return the entry's number. Several of one query: in `together`."""
        return self._add(
            "asked", round=round, row=row, content=content, utility=utility, reason=reason
        )

    def answered(
        self,
        row: int | None,
        label: Any,
        *,
        round: int | None = None,
        utility: float | None = None,
        reason: str = "",
        content: Any = None,
    ) -> int:
        """Keep an answer; return the entry's number, by which it is corrected or withdrawn."""
        return self._add(
            "answered",
            round=round,
            row=row,
            content=content,
            label=label,
            utility=utility,
            reason=reason,
        )

    def skipped(
        self, row: int | None, *, round: int | None = None, content: Any = None, reason: str = ""
    ) -> int:
        """Keep that a question has no answer; return the entry's number."""
        return self._add("skipped", round=round, row=row, content=content, reason=reason)

    def corrected(self, number: int, label: Any, *, reason: str = "") -> int:
        """Give the answer of entry ``number``, which must hold, another label."""
        self._check_holds(number, ("start", "answered"))
        return self._add("corrected", about=number, label=label, reason=reason)

    def withdrawn(self, number: int, *, reason: str = "") -> int:
        """Let the answer or skip of entry ``number``, which must hold, hold no more."""
        self._check_holds(number, ("start", "answered", "skipped"))
        return self._add("withdrawn", about=number, reason=reason)

    def together(self) -> AbstractContextManager[None]:
        """Keep all entries of a ``with`` block at its end, or none: one wait for the disk."""
        return self._file.together()

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries())

    def __len__(self) -> int:
        return int(self._file.rows("SELECT count(*) FROM entries")[0][0])

    def entries(self) -> list[Entry]:
        """Return all entries in order."""
        found = self._file.rows(f"SELECT {COLUMNS} FROM entries ORDER BY number")
        data = self.data
        try:
            return list(checked(found, None if data is None else data["rows"]))
        except ValueError as problem:
            raise self._damaged(problem) from None

    @property
    def params(self) -> dict[str, Any]:
        """What the session was begun with, or `change_params` has set."""
        return dict(self._file.get("params"))

    def change_params(self, **params: Any) -> None:
        """Keep other values for some of the params, such as classes that came up later."""
        self._file.put("params", {**self.params, **params})

    @property
    def data(self) -> dict[str, Any] | None:
        """The fingerprint of the pool, or None."""
        found: dict[str, Any] | None = self._file.get("data")
        return found

    @property
    def library(self) -> str:
        """Version of frugalboost that began the session."""
        return str(self._file.get("library"))

    def close(self) -> None:
        """Let others open the file."""
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _check_data(self, now: dict[str, Any]) -> None:
        known = self.data
        if known is None:
            self._file.put("data", now)
            return
        check_same_data(now, known, self.path)

    def _check_content(self) -> None:
        """Refuse a file in which anything is not as a session writes it, before it is used."""
        try:
            check_params(self._file.get("params"))
            check_data(self._file.get("data"))
            if not isinstance(self._file.get("library"), str):
                raise ValueError("library must be a text")
        except ValueError as problem:
            raise self._damaged(problem) from None
        self.entries()

    def _damaged(self, problem: ValueError) -> ValueError:
        """The error with the file's name, once."""
        return problem if str(self.path) in str(problem) else self._file.damaged(problem)

    def _check_holds(self, number: int, kinds: tuple[Kind, ...]) -> None:
        gone = "SELECT 1 FROM entries WHERE kind = 'withdrawn' AND about = ?"
        found = self._file.rows("SELECT kind FROM entries WHERE number = ?", [int(number)])
        if not found or found[0][0] not in kinds or self._file.rows(gone, [int(number)]):
            raise ValueError(
                "number must be that of an entry which holds and is one of "
                f"{', '.join(map(repr, kinds))}; got {number!r}."
            )

    def _add(self, kind: Kind, **values: Any) -> int:
        values = {"time": _now(), "kind": kind, **values}
        for name, convert in CONVERSIONS.items():
            if values.get(name) is not None:
                values[name] = convert(values[name])
        if kind in ("start", "answered", "corrected"):
            values["label"] = _label_to_json(values["label"])
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        added = self._file.execute(
            f"INSERT INTO entries ({names}) VALUES ({marks})", list(values.values())
        )
        return int(added.lastrowid or 0)


def _label_to_json(label: Any) -> str:
    """Only what comes back from JSON as it was."""
    value = label.item() if isinstance(label, np.generic) else label
    if not isinstance(value, (str, int, float, bool)) or value != value:
        raise TypeError(f"label must be a string, a number or a bool; got {label!r}.")
    return json.dumps(value)


def _content_to_json(content: Any) -> str:
    return json.dumps(content, default=_plain)


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else str(value)


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")


CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "round": int,
    "row": int,
    "about": int,
    "utility": float,
    "content": _content_to_json,
}
"""NumPy's numbers are no numbers to SQLite."""
