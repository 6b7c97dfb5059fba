"""All questions and answers in order, in memory as in a session file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from frugalboost.active.answers import Answers, is_skip, plain_label
from frugalboost.active.journal import Journal
from frugalboost.active.loop import Questions
from frugalboost.active.replay import Entry, EntryKind
from frugalboost.active.rows import row_keys

RowsOf = Callable[[Sequence[Entry]], Any]
"""Maps entries about rows to a table of these rows."""

RESPONSES = ("start", "answered", "skipped")
LABELS = ("start", "answered")


@dataclass(frozen=True)
class Log:
    """Entries with the numbers that a `Journal` would give them. Adding returns a new log.

    >>> log = Log().add("asked", row=7, round=0).add("answered", row=7, round=0, label="cat")
    >>> [(entry.number, entry.kind) for entry in log.entries]
    [(1, 'asked'), (2, 'answered')]
    >>> log.add("corrected", about=log.entry_of(0), label="dog").entries[-1].about
    2
    """

    entries: tuple[Entry, ...] = ()

    def add(self, kind: EntryKind, **values: Any) -> Log:
        return self.extend([Entry(0, "", kind, **values)])

    def extend(self, entries: Sequence[Entry]) -> Log:
        """Return a log with these entries added and numbered."""
        numbered = (replace(entry, number=at) for at, entry in enumerate(entries, 1 + len(self)))
        return Log((*self.entries, *numbered))

    def __len__(self) -> int:
        return len(self.entries)

    def entry_of(self, number: int) -> int:
        """Return the number of the entry that holds the answer with this number."""
        return [entry.number for entry in self.entries if entry.kind in LABELS][number]

    @property
    def n_rounds(self) -> int:
        """Number of queries so far."""
        return 1 + max((e.round for e in self.entries if e.round is not None), default=-1)

    def ask(self, questions: Questions, contents: Sequence[Any] | None = None) -> Log:
        """Add the questions of one query, identified by their rows in the pool or their content."""
        explained = zip(questions.utilities.tolist(), questions.reasons, strict=True)
        rows: list[dict[str, Any]] = [{"content": content} for content in contents or ()]
        rows = rows or [{"row": row} for row in questions.indices.tolist()]
        number = self.n_rounds
        return self.extend(
            [
                Entry(0, "", "asked", round=number, utility=utility, reason=reason, **row)
                for row, (utility, reason) in zip(rows, explained, strict=True)
            ]
        )

    def was_just_asked(self, contents: Sequence[Any]) -> bool:
        """Return whether the last entries are a query of exactly these rows."""
        last = self.entries[len(self) - len(contents) :]
        is_one_query = len({entry.round for entry in last}) == 1
        is_asked = all(entry.kind == "asked" for entry in last)
        return is_one_query and is_asked and same_text([e.content for e in last], contents)

    def add_answers(self, answers: Sequence[Any], contents: Sequence[Any]) -> Log:
        """Add answers for rows outside a pool; the contents of skipped rows are kept."""
        kind: EntryKind = "answered" if self.n_rounds else "start"
        return self.extend(
            [
                Entry(0, "", "skipped", content=content)
                if is_skip(answer)
                else Entry(0, "", kind, label=plain_label(answer))
                for answer, content in zip(answers, contents, strict=True)
            ]
        )


def answers_after(entries: Sequence[Entry], rows_of: RowsOf) -> Answers:
    """Return the answers after these entries, each with its original number."""
    answers = Answers()
    number_of: dict[int, int] = {}
    key_of: dict[int, bytes] = {}
    for are_responses, group in groupby(entries, lambda entry: entry.kind in RESPONSES):
        batch = list(group)
        if are_responses:
            table = rows_of(batch)
            key_of |= zip([entry.number for entry in batch], row_keys(table), strict=True)
            for entry in batch:
                if entry.kind in LABELS:
                    number_of[entry.number] = len(number_of)
            answers = answers.add(table, [entry.label for entry in batch])
            continue
        for entry in batch:
            answers = after_change(answers, entry, number_of, key_of)
    return answers


def after_change(
    answers: Answers, entry: Entry, number_of: dict[int, int], key_of: dict[int, bytes]
) -> Answers:
    """Return the answers after a correction or withdrawal; questions change nothing."""
    about = entry.about or 0
    if entry.kind == "corrected":
        return answers.correct(number_of[about], entry.label)
    if entry.kind != "withdrawn":
        return answers
    if about in number_of:
        return answers.withdraw(number_of[about])
    return answers.unskip(key_of[about])


def write(journal: Journal, entries: Sequence[Entry], contents: Sequence[Any]) -> None:
    """Add entries to a journal that holds all earlier ones; they are on disk on return."""
    with journal.together():
        for entry, content in zip(entries, contents, strict=True):
            WRITERS[entry.kind](journal, replace(entry, content=content))


WRITERS: dict[str, Callable[[Journal, Entry], int]] = {
    "start": lambda to, e: to.start(e.row, e.label, content=e.content, reason=e.reason),
    "asked": lambda to, e: to.asked(
        e.row, round=e.round or 0, utility=e.utility, reason=e.reason, content=e.content
    ),
    "answered": lambda to, e: to.answered(
        e.row, e.label, round=e.round, utility=e.utility, reason=e.reason, content=e.content
    ),
    "skipped": lambda to, e: to.skipped(e.row, round=e.round, content=e.content, reason=e.reason),
    "corrected": lambda to, e: to.corrected(e.about or 0, e.label, reason=e.reason),
    "withdrawn": lambda to, e: to.withdrawn(e.about or 0, reason=e.reason),
}


def is_same_event(first: Entry, second: Entry) -> bool:
    """Return whether two entries record the same event; rows outside the pool by content."""
    names = ("kind", "round", "row", "label", "about")
    if any(getattr(first, name) != getattr(second, name) for name in names):
        return False
    return first.row is not None or same_text(first.content, second.content)


def same_text(first: Any, second: Any) -> bool:
    """Return whether two values are written the same way; unlike ``==``, NaN equals NaN."""
    return json.dumps(first, default=str) == json.dumps(second, default=str)
