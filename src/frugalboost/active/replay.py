"""Entries of a session, and the current answers that result from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

EntryKind = Literal["start", "asked", "answered", "skipped", "corrected", "withdrawn"]

KINDS: tuple[EntryKind, ...] = get_args(EntryKind)


@dataclass(frozen=True)
class Entry:
    """One line of a session.

    Attributes
    ----------
    number : int
        1, 2, ... in chronological order.
    time : str
        In UTC, such as ``"2026-05-01T12:30:00.000+00:00"``.
    kind : str
        "start": a label known before the first question; "asked": a question; "answered";
        "skipped"; "corrected": a new label for an answer; "withdrawn": an answer or skip taken
        back.
    round : int or None
        Number of the query that the row came from.
    row : int or None
        Position of the row in the pool; None if it is not in the pool.
    content : list or None
        The row itself, if it is not in the pool.
    label : str, number or bool; None unless "start", "answered" or "corrected"
    utility : float or None
        Utility of the row when it was asked about.
    reason : str
        Why it was asked about, such as "margin 0.031 between 3 and 8".
    about : int or None
        Number of the entry that is corrected or withdrawn.
    """

    number: int
    time: str
    kind: EntryKind
    round: int | None = None
    row: int | None = None
    content: Any = None
    label: Any = None
    utility: float | None = None
    reason: str = ""
    about: int | None = None


@dataclass(frozen=True)
class Answer:
    """A current label; `number` and `reason` are those of the entry that first gave it."""

    number: int
    kind: Literal["start", "answered"]
    row: int | None
    content: Any
    label: Any
    round: int | None
    reason: str = ""


@dataclass(frozen=True)
class Replay:
    """The state after all entries.

    Attributes
    ----------
    answers : tuple of Answer
        In the order in which they were given; a corrected answer keeps its position.
    skipped : tuple of Entry
        Questions that were skipped and must not be asked again.
    open : tuple of Entry
        Unanswered questions of the last query, best first.
    n_rounds : int
        Number of queries.
    """

    answers: tuple[Answer, ...]
    skipped: tuple[Entry, ...]
    open: tuple[Entry, ...]
    n_rounds: int


def replay(entries: Iterable[Entry]) -> Replay:
    """Return the state after these entries, from a `Journal` or a list.

    >>> ask = Entry(1, "", "asked", round=0, row=7)
    >>> answer = Entry(2, "", "answered", round=0, row=7, label="cat")
    >>> better = Entry(3, "", "corrected", label="dog", about=2)
    >>> replay([ask, answer, better]).answers[0].label
    'dog'
    >>> replay([ask, answer, Entry(3, "", "withdrawn", about=2)]).open == (ask,)
    True
    """
    answers: dict[int, Answer] = {}
    skipped: dict[int, Entry] = {}
    asked: list[Entry] = []
    for entry in entries:
        if entry.kind == "asked":
            asked.append(entry)
        elif entry.kind == "skipped":
            skipped[entry.number] = entry
        elif entry.kind == "corrected":
            answers[_about(entry)] = replace(answers[_about(entry)], label=entry.label)
        elif entry.kind == "withdrawn":
            if answers.pop(_about(entry), None) is None:
                del skipped[_about(entry)]
        else:
            answers[entry.number] = _answer(entry, entry.kind)
    return _after(answers, skipped, asked)


def _after(answers: dict[int, Answer], skipped: dict[int, Entry], asked: list[Entry]) -> Replay:
    rounds = {entry.round for entry in asked if entry.round is not None}
    last = [entry for entry in asked if entry.round == max(rounds, default=None)]
    done = {answer.row for answer in answers.values()} | {entry.row for entry in skipped.values()}
    still_open = tuple(entry for entry in last if entry.row not in done)
    return Replay(tuple(answers.values()), tuple(skipped.values()), still_open, len(rounds))


def _answer(entry: Entry, kind: Literal["start", "answered"]) -> Answer:
    fields = (entry.row, entry.content, entry.label, entry.round, entry.reason)
    return Answer(entry.number, kind, *fields)


def _about(entry: Entry) -> int:
    if entry.about is None:
        raise KeyError(f"entry {entry.number} must say which entry it is about")
    return entry.about
