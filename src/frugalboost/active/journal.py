"""A labelling session on disk: every question and answer, saved as soon as it is given.

An entry is on disk when the call that adds it returns, so a killed process loses nothing.
Entries are added, never changed; `replay` returns the answers that result from them.
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
from frugalboost.active.replay import Entry, EntryKind
from frugalboost.active.session_file import SessionFile

COLUMNS = "number, time, kind, round, row, content, label, utility, reason, about"


class Journal:
    """A session file, created if it does not exist, and locked while it is open.

    Parameters
    ----------
    path : str or path
    data : dict or None
        `fingerprint` of the pool. A file that belongs to another pool is an error. None accepts
        any pool; a file without a fingerprint keeps the first one given.
    params : dict or None
        JSON-serializable values, stored in a new file and returned by `params`.

    Attributes
    ----------
    is_new : bool
        Whether the file was just created.

    A file that cannot be used (another pool, a newer format, not a session) raises a ValueError,
    a file that is open elsewhere or cannot be written an OSError; neither changes the file.

    Examples
    --------
    >>> import tempfile
    >>> from frugalboost.active.replay import replay
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
        """Save a label that was known before the first question; return the entry's number."""
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
        """Save a question; return the entry's number. For a whole query use `together`."""
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
        """Save an answer; return the entry's number, needed to correct or withdraw it."""
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
        """Save that a question was skipped; return the entry's number."""
        return self._add("skipped", round=round, row=row, content=content, reason=reason)

    def corrected(self, number: int, label: Any, *, reason: str = "") -> int:
        """Change the label of entry ``number``, which must be a current answer."""
        self._check_current(number, ("start", "answered"))
        return self._add("corrected", about=number, label=label, reason=reason)

    def withdrawn(self, number: int, *, reason: str = "") -> int:
        """Withdraw entry ``number``, which must be a current answer or skip."""
        self._check_current(number, ("start", "answered", "skipped"))
        return self._add("withdrawn", about=number, reason=reason)

    def together(self) -> AbstractContextManager[None]:
        """Save all entries of a ``with`` block at its end, or none, with a single disk write."""
        return self._file.together()

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries())

    def __len__(self) -> int:
        return int(self._file.rows("SELECT count(*) FROM entries")[0][0])

    def entries(self) -> list[Entry]:
        """Return all entries in order."""
        rows = self._file.rows(f"SELECT {COLUMNS} FROM entries ORDER BY number")
        data = self.data
        try:
            return list(checked(rows, None if data is None else data["rows"]))
        except ValueError as problem:
            raise self._damaged(problem) from None

    @property
    def params(self) -> dict[str, Any]:
        """The params the session began with, or that `change_params` has set."""
        return dict(self._file.get("params"))

    def change_params(self, **params: Any) -> None:
        """Update some of the params, for example with classes that came up later."""
        self._file.put("params", {**self.params, **params})

    @property
    def data(self) -> dict[str, Any] | None:
        """The fingerprint of the pool, or None."""
        data: dict[str, Any] | None = self._file.get("data")
        return data

    @property
    def library(self) -> str:
        """The version of frugalboost that began the session."""
        return str(self._file.get("library"))

    def close(self) -> None:
        """Close the file and release its lock."""
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
        """Raise an error if the file holds anything that a session does not write."""
        try:
            check_params(self._file.get("params"))
            check_data(self._file.get("data"))
            if not isinstance(self._file.get("library"), str):
                raise ValueError("library must be a string")
        except ValueError as problem:
            raise self._damaged(problem) from None
        self.entries()

    def _damaged(self, problem: ValueError) -> ValueError:
        """Return the error with the path of the file in it, once."""
        return problem if str(self.path) in str(problem) else self._file.damaged(problem)

    def _check_current(self, number: int, kinds: tuple[EntryKind, ...]) -> None:
        withdrawals = "SELECT 1 FROM entries WHERE kind = 'withdrawn' AND about = ?"
        rows = self._file.rows("SELECT kind FROM entries WHERE number = ?", [int(number)])
        if not rows or rows[0][0] not in kinds or self._file.rows(withdrawals, [int(number)]):
            raise ValueError(
                "number must be that of an entry that was not withdrawn and is one of "
                f"{', '.join(map(repr, kinds))}; got {number!r}."
            )

    def _add(self, kind: EntryKind, **values: Any) -> int:
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
    """Return a label as JSON, if it is read back unchanged."""
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
"""SQLite does not accept NumPy's numbers."""
