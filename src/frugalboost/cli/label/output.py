"""The labels as a CSV file."""

from __future__ import annotations

import csv
import os
from pathlib import Path

from frugalboost.cli.label.session import Labelling, is_check

HOW = {"start": "known", "answered": "answered"}


def write_labels(path: Path, session: Labelling, id_name: str | None) -> None:
    """Write one line for each label that holds, in the order of the rows, in one step.

    Columns: ``row`` (from 0), the rows' own names if they have any, ``label``, and ``how``: known
    (it stood in the file), answered, or check (answered, and not learnt from).
    """
    names = ["row", *([] if id_name is None else [id_name]), "label", "how"]
    part = path.with_name(path.name + ".part")
    try:
        with open(part, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(names)
            writer.writerows(_lines(session, id_name))
        os.replace(part, path)
    except OSError as problem:
        raise OSError(
            f"--output could not be written to {path}: {problem.strerror}. The session keeps all "
            "answers."
        ) from None
    finally:
        part.unlink(missing_ok=True)


def counted(n: int, name: str) -> str:
    """A number with its noun.

    >>> counted(1, "label"), counted(20, "label")
    ('1 label', '20 labels')
    """
    return f"{n} {name}" if n == 1 else f"{n} {name}s"


def _lines(session: Labelling, id_name: str | None) -> list[list[object]]:
    lines: list[list[object]] = []
    for answer in sorted(session.answers, key=lambda answer: answer.row or 0):
        row = answer.row or 0
        ids = session.pool.ids
        name = [] if id_name is None or ids is None else [ids[row]]
        how = "check" if is_check(answer) else HOW[answer.kind]
        lines.append([row, *name, answer.label, how])
    return lines
