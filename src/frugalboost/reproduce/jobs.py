"""Jobs whose results stay on disk."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frugalboost._files import whole_file

Result = dict[str, Any]
"""The result of a job: numbers, text, lists and dicts of them, as JSON keeps them."""


@dataclass(frozen=True)
class Job:
    """One piece of work.

    Attributes
    ----------
    key : str
        Names the work with all that decides its result; also the name of its file.
    run : callable
        Does it.
    seconds : float
        Expected on one core, to estimate the time left.
    alone : bool
        Its result holds times that are compared: no other job may run meanwhile.
    """

    key: str
    run: Callable[[], Result]
    seconds: float = 1.0
    alone: bool = False


@dataclass(frozen=True)
class Failure:
    """A job that ended with an error.

    Attributes
    ----------
    reason : str
        In one line.
    traceback : str
    """

    reason: str
    traceback: str


def outcome_of(run: Callable[[], Result]) -> Result | Failure:
    """Run a job; the others can still be run if it fails."""
    try:
        return run()
    except Exception as problem:  # a paper's jobs may raise anything that NumPy or a fit raises
        reason = f"{type(problem).__name__}: {problem}".rstrip(": ")
        return Failure(reason, traceback.format_exc())


class Store:
    """Results by key, a file for each.

    A result of another version of the library does not count.
    """

    def __init__(self, folder: Path, version: str) -> None:
        self._folder, self._version = folder, version

    def find(self, key: str) -> Result | None:
        """The result of an earlier run, or None; a damaged file counts as none."""
        kept = self.read(self._path(key))
        return kept["result"] if kept and kept["version"] == self._version else None

    @staticmethod
    def read(path: Path) -> dict[str, Any] | None:
        """What a file of a result holds, of whatever version; None for any other file."""
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
        except (FileNotFoundError, IsADirectoryError, ValueError, RecursionError):
            return None
        if not isinstance(kept, dict) or "version" not in kept:
            return None
        return kept if isinstance(kept.get("result"), dict) and kept["result"] else None

    def keep(self, key: str, result: Result) -> None:
        kept = {"key": key, "version": self._version, "result": result}
        write_whole(self._path(key), json.dumps(kept))

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"


def is_result(path: Path) -> bool:
    """Whether a file is one that a `Store` of any version has kept."""
    return Store.read(path) is not None


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all, even if the process is killed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(text.encode("utf-8"))
