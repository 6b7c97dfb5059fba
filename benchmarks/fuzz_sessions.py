"""Damaged session files: each is one ValueError, or loads and is usable; nothing stays locked.

    python benchmarks/fuzz_sessions.py [--files 2000] [--seed 0]

Each file is a good one with a value, a row or some bytes changed. The first that is not treated
as it should be is kept, named, and makes the exit status 1.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import sqlite3
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np

from frugalboost.active import Journal, replay

COLUMNS = (
    *("number", "time", "kind", "round", "row"),
    *("content", "label", "utility", "reason", "about"),
)
VALUES = (
    None,
    "",
    "x",
    "[",
    "[" * 5000,
    "{}",
    "NaN",
    "null",
    b"\x00",
    b"\xff",
    -1,
    0,
    3,
    2**62,
    0.5,
)
SECONDS = 20
"""After which a file counts as a hang."""


def write_session(path: Path) -> None:
    with Journal(path, params={"seed": 1}) as journal:
        for row in range(30):
            journal.asked(row, round=row)
            journal.answered(row, "a", round=row, content=[1.0, 2.0])
        journal.corrected(2, "b")
        journal.skipped(40)
        journal.withdrawn(62)


def change_value(rng: np.random.Generator, path: Path) -> None:
    value = VALUES[rng.integers(len(VALUES))]
    database = sqlite3.connect(path, isolation_level=None)
    try:
        if rng.random() < 0.2:
            name = ("params", "data", "library")[rng.integers(3)]
            database.execute("UPDATE meta SET value = ? WHERE name = ?", [value, name])
        elif rng.random() < 0.1:
            database.execute("DELETE FROM entries WHERE number = ?", [int(rng.integers(1, 64))])
        else:
            column = COLUMNS[rng.integers(len(COLUMNS))]
            statement = f"UPDATE entries SET {column} = ? WHERE number = ?"
            database.execute(statement, [value, int(rng.integers(1, 64))])
    except sqlite3.IntegrityError:
        pass  # the table itself refuses it
    finally:
        database.close()


def change_bytes(rng: np.random.Generator, path: Path) -> None:
    content = bytearray(path.read_bytes())
    for at in rng.integers(len(content), size=rng.integers(1, 20)).tolist():
        content[at] = int(rng.integers(256))
    path.write_bytes(content[: rng.integers(len(content))] if rng.random() < 0.2 else content)


def damage(seed: int, number: int, path: Path) -> None:
    """Change a good file; not by the number itself, as a process may be given every second one."""
    rng = np.random.default_rng([seed, number])
    (change_value if rng.random() < 0.5 else change_bytes)(rng, path)


def try_file(path: Path) -> str:
    """Open, replay and add to what opens; anything but a ValueError is raised."""
    outcome = "loaded"
    try:
        with Journal(path) as journal:
            replay(journal)
            journal.answered(50, "c")
    except ValueError as problem:
        if str(path) not in str(problem):
            raise AssertionError(f"the error does not name the file: {problem}") from problem
        outcome = "refused"
    with contextlib.suppress(ValueError):
        Journal(path).close()
    return outcome


@cache
def good_file() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session"
        write_session(path)
        return path.read_bytes()


def problems(seed: int, number: int, folder: Path) -> str | None:
    """Try one file; return what is wrong with how it was treated."""
    path = folder / "session"
    path.write_bytes(good_file())
    damage(seed, number, path)
    try:
        try_file(path)
    except Exception as problem:
        return repr(problem)
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="fuzz-sessions-"))
    good, path = folder / "good", folder / "broken"
    write_session(good)
    outcomes: Counter[str] = Counter()
    for number in range(options.files):
        path.write_bytes(good.read_bytes())
        damage(options.seed, number, path)
        kept = path.read_bytes()
        signal.alarm(SECONDS)
        try:
            outcomes[try_file(path)] += 1
        except Exception as problem:
            path.write_bytes(kept)
            print(f"file {number}, kept as {path}: {problem!r}", file=sys.stderr)
            return 1
        signal.alarm(0)
    print(dict(outcomes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
