"""Keeping a learner and its session file in agreement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from frugalboost._files import whole_path
from frugalboost.active.answers import Answers, is_skip
from frugalboost.active.fingerprint import fingerprint
from frugalboost.active.journal import Journal
from frugalboost.active.log import (
    LABELS,
    RESPONSES,
    Log,
    RowsOf,
    answers_after,
    is_same_event,
    write,
)
from frugalboost.active.params import read_classes
from frugalboost.active.replay import Entry
from frugalboost.active.rows import (
    append_rows,
    by_rows,
    count_columns,
    kind_of,
    row_contents,
    rows_from_contents,
)
from frugalboost.active.session_file import check_beside
from frugalboost.data import take_rows

PARAMS = (
    "batch_size",
    "utility",
    "diversity",
    "retrain",
    "warm_rounds",
    "pool_size",
    "block_size",
    "start_size",
    "classes",
    "verbose",
)
"""Parameters that a file keeps. The estimator is code; of random_state, the seed is kept."""


LARGEST_ITEM = 1 << 20
"""Maximum size in bytes of a string in a row, since a file states how long strings are."""


def open_session(
    path: Any, X_pool: Any, log: Log, answers: Answers, params: dict[str, Any]
) -> tuple[Journal, list[Entry]]:
    """Open or create a session file of this pool, and bring it up to date with the log.

    Returns the journal and its entries. One of log and file must begin with the other; if they
    differ, an error is raised and nothing is changed.
    """
    journal = Journal(path, data=fingerprint(X_pool), params=params)
    try:
        saved = journal.entries()
        contents = contents_of(log, answers)
        ours_in_full = map(with_content, log.entries, contents)
        for ours, theirs in zip(ours_in_full, saved, strict=False):
            if not is_same_event(ours, theirs):
                raise ValueError(
                    f"session {path} must agree with what this learner knows; entry "
                    f"{theirs.number} of the file is {describe(theirs)}, that of the "
                    f"learner is {describe(ours)}. "
                    "Use a new learner or a new file."
                )
        missing = log.entries[len(saved) :]
        write(journal, missing, contents[len(saved) :])
        return journal, [*saved, *missing]
    except BaseException:
        journal.close()
        raise


def with_content(entry: Entry, content: Any) -> Entry:
    return replace(entry, content=content)


def describe(entry: Entry) -> str:
    label = "" if entry.label is None else f" {entry.label!r}"
    return f"{entry.kind!r}{label}" + ("" if entry.row is None else f" for row {entry.row}")


def known_after(entries: Sequence[Entry], X_pool: Any) -> Answers:
    """Return the answers after the entries of a session on this pool."""
    return answers_after(entries, reader(by_rows(X_pool), by_rows(X_pool)))


def reader(pool: Any, like: Any) -> RowsOf:
    """Return a function that reads rows from the pool, if given, else from the entries."""

    def rows_of(entries: Sequence[Entry]) -> Any:
        table = None
        for is_placed, group in groupby(entries, lambda e: pool is not None and e.row is not None):
            neighbours = list(group)
            if is_placed:
                part = take_rows(pool, np.array([entry.row for entry in neighbours]))
            else:
                part = rows_from_contents([entry.content for entry in neighbours], like)
            table = part if table is None else append_rows(table, part)
        return table

    return rows_of


def save_session(path: Any, log: Log, answers: Answers, params: dict[str, Any]) -> None:
    """Write a session file completely or not at all; only a session is overwritten."""
    target = Path(path)
    if target.exists():
        Journal(target).close()  # raises if it is not a session, or in use
    else:
        check_beside(target)  # the draft has another name
    with (
        whole_path(target) as draft,
        Journal(draft, params=params) as journal,
    ):
        write(journal, log.entries, contents_of(log, answers))


def session_params(learner: Any, table: Any) -> dict[str, Any]:
    """Return the parameters of a learner, and the kind of its table, for a session file."""
    kept = {name: getattr(learner, name) for name in PARAMS}
    kept["classes"] = read_classes(learner.classes)
    return {
        "seed": learner._seed,
        "learner": kept,
        "estimator": repr(learner.estimator),
        "table": describe_table(table),
    }


def contents_of_skipped(rows: Any, answers: Sequence[Any]) -> list[Any]:
    """Return the contents of skipped rows, None for answered rows, which the answers hold."""
    places = [at for at, answer in enumerate(answers) if is_skip(answer)]
    contents: list[Any] = [None] * len(answers)
    if places:
        skipped = row_contents(take_rows(rows, np.array(places)))
        for at, content in zip(places, skipped, strict=True):
            contents[at] = content
    return contents


def contents_of(log: Log, answers: Answers) -> list[Any]:
    """Return the row of each entry that was answered or skipped, else None."""
    given = iter([] if answers.table is None else row_contents(answers.table))
    return [next(given) if entry.kind in LABELS else entry.content for entry in log.entries]


def read_session(path: Any, X_pool: Any) -> tuple[dict[str, Any], Log, Answers]:
    """Return the parameters, log and answers of a session file."""
    if not Path(path).is_file():
        raise FileNotFoundError(f"session must be an existing file; got {path}.")
    data = None if X_pool is None else fingerprint(X_pool)
    with Journal(path, data=data) as journal:
        params, entries = journal.params, journal.entries()
    if X_pool is not None:
        with damage_explained(path):
            return params, Log(tuple(entries)), known_after(entries, X_pool)
    without_content = [e for e in entries if e.kind in RESPONSES and e.content is None]
    with damage_explained(path):
        like = table_like(params.get("table"))
    if without_content or (like is None and any(e.kind in RESPONSES for e in entries)):
        raise ValueError(
            f"X_pool must be given to read session {path}, whose rows come from a data frame "
            "or are stored only by their position; got None."
        )
    with damage_explained(path):
        check_widths(entries, like)
        return params, Log(tuple(entries)), answers_after(entries, reader(None, like))


@contextmanager
def damage_explained(path: Any) -> Iterator[None]:
    """Turn any error in reading a file's content into one that names the file."""
    try:
        yield
    except (ArithmeticError, LookupError, MemoryError, TypeError, ValueError) as problem:
        reason = str(problem).rstrip(".")
        raise ValueError(f"session {path} must not be damaged: {reason[:300]}.") from None


def check_widths(entries: Sequence[Entry], like: Any) -> None:
    """Raise an error for rows of the wrong width, before a table of that width is made."""
    if like is None:
        return
    width = count_columns(like)
    for entry in entries:
        if entry.kind not in RESPONSES:
            continue
        if sparse.issparse(like):
            fits = len(entry.content) == 2 and all(isinstance(x, list) for x in entry.content)
            fits = fits and all(type(x) is int and 0 <= x < width for x in entry.content[0])
            fits = fits and len(entry.content[0]) == len(entry.content[1])
        else:
            fits = len(entry.content) == width
        if not fits:
            raise ValueError(f"entry {entry.number}: content must be a row of {width} values")


def describe_table(X: Any) -> dict[str, Any] | None:
    """Return what is needed to recreate rows of this kind; None for frames, which need more."""
    if X is None or kind_of(X).endswith("frame"):
        return None
    table = by_rows(X)
    return {"kind": kind_of(table), "dtype": table.dtype.str, "columns": count_columns(table)}


def table_like(described: dict[str, Any] | None) -> Any:
    """Return an empty table of the kind described."""
    if described is None:
        return None
    if not isinstance(described, dict) or not {"kind", "dtype", "columns"} <= set(described):
        raise ValueError(f"table must have a kind, a dtype and columns; got {described!r}")
    columns, dtype = described["columns"], np.dtype(described["dtype"])
    if type(columns) is not int or not 0 <= columns < 2**31:
        raise ValueError(f"columns of table must be a number of columns; got {columns!r}")
    if dtype.kind not in "biufUO" or dtype.itemsize > LARGEST_ITEM:
        raise ValueError(f"dtype of table must be numeric, string or object; got {dtype}")
    empty = np.zeros((0, described["columns"]), dtype=np.dtype(described["dtype"]))
    return sparse.csr_array(empty) if described["kind"] == "sparse matrix" else empty
