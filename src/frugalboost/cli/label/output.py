"""The labels as a CSV file."""

from __future__ import annotations

import csv
import hashlib
import io
from pathlib import Path

from frugalboost._files import whole_file
from frugalboost.active import Journal
from frugalboost.cli.label.session import LabelSession
from frugalboost.cli.outputs import guarded

HOW = {"start": "known", "answered": "answered"}

WRITTEN = "labels_sha256"
"""Where a session notes what it has written, so that it overwrites nothing else."""


def write_labels(
    path: Path, session: LabelSession, id_name: str | None, spreadsheet_safe: bool = True
) -> None:
    """Write one line for each label, in the order of the rows, in one step.

    Columns: ``row`` (from 0), the names of the rows if they have any, ``label``, and ``how``: known
    (it was in the file), answered, or check (answered, but not learnt from).
    """
    as_cell = guarded if spreadsheet_safe else str
    names = ["row", *([] if id_name is None else [id_name]), "label", "how"]
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(map(as_cell, names))
    writer.writerows(map(as_cell, line) for line in _lines(session, id_name))
    content = text.getvalue().encode("utf-8")
    # Noted beforehand, along with the last one: after a kill in between, either file is recognised.
    written = session.journal.params.get(WRITTEN, [])
    session.journal.change_params(**{WRITTEN: [*written[-1:], _digest(content)]})
    try:
        with whole_file(path) as file:
            file.write(content)
    except OSError as problem:
        raise OSError(
            f"--output could not be written to {path}: {problem.strerror}. All answers are kept in "
            "the session."
        ) from None


def is_written_by(journal: Journal, path: Path) -> bool:
    """Whether a file is exactly what the labelling session wrote."""
    return path.is_file() and _digest(path.read_bytes()) in journal.params.get(WRITTEN, [])


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def counted(n: int, name: str) -> str:
    """A number with its noun.

    >>> counted(1, "label"), counted(20, "label")
    ('1 label', '20 labels')
    """
    return f"{n} {name}" if n == 1 else f"{n} {name}s"


def _lines(session: LabelSession, id_name: str | None) -> list[list[str]]:
    lines: list[list[str]] = []
    for answer in sorted(session.answers, key=lambda answer: answer.row or 0):
        row = answer.row or 0
        ids = session.pool.ids
        name = [] if id_name is None or ids is None else [ids[row]]
        how = "check" if session.is_check(answer) else HOW[answer.kind]
        lines.append([str(row), *name, str(answer.label), how])
    return lines
