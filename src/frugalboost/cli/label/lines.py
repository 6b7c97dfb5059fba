"""Labelling with lines of text: for scripts, and when the input is not a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from frugalboost.active import Entry
from frugalboost.cli.label.keys import ClassKeys
from frugalboost.cli.label.output import counted
from frugalboost.cli.label.session import LabelSession

ALLOWED = "a class or its key, skip, undo, new NAME, correct ROW NAME, write or stop"
WORDS = {
    "s": "skip",
    "u": "undo",
    "w": "write",
    "q": "stop",
    "quit": "stop",
    "n": "new",
    "c": "correct",
}


@dataclass
class LineDialogue:
    """Prints a line for each question and reads one for each answer.

    An answer is on disk before it is printed as kept.
    """

    session: LabelSession
    keys: ClassKeys
    lines: Iterator[str]
    write: Callable[[], str]
    echo: Callable[[str], None]
    as_json: bool = False

    def run(self) -> None:
        """Return after `stop` or the last question.

        Raises
        ------
        EOFError
            If the input ends before a question is answered.
        ValueError
            If a line is not an answer; all answers before it are kept.
        """
        self._number, self._is_running = 0, True
        while self._is_running and (asked := self.session.question()) is not None:
            self._ask(asked)
            self._handle(self._next_line(), asked.row or 0)

    def _next_line(self) -> str:
        for line in self.lines:
            self._number += 1
            text = line.strip()
            if text and not text.startswith("#"):
                return text
        raise EOFError(
            "the input ended before a row was answered; the session keeps "
            f"{counted(len(self.session.given), 'label')}, and the same command continues it."
        )

    def _ask(self, asked: Entry) -> None:
        pool, row = self.session.pool, asked.row or 0
        if self.as_json:
            known = {} if pool.ids is None else {"id": pool.ids[row]}
            utility = None if asked.utility in (None, float("inf")) else asked.utility
            question = {"ask": row, **known, "reason": asked.reason, "utility": utility}
            self.echo(json.dumps({**question, "values": dict(pool.cells(row))}))
        else:
            self.echo(f"ask {pool.name_of(row)}: {asked.reason}")

    def _handle(self, text: str, row: int) -> None:
        classes = self.session.classes
        label = text if text in classes else self.keys.class_of.get(text)
        if label in classes:
            self._answer(row, label)
            return
        if text.startswith("+"):
            text = f"new {text[1:]}"
        word, _, rest = text.removeprefix(":").partition(" ")
        self._command(WORDS.get(word, word), rest.strip(), row)

    def _command(self, word: str, rest: str, row: int) -> None:
        alone = {"skip": self._skip, "undo": self._undo, "write": self._write, "stop": self._stop}
        if word in alone and not rest:
            alone[word](row)
        elif word == "new" and rest:
            self._answer(row, rest)
        elif word == "correct" and rest:
            self._correct(*rest.partition(" ")[::2])
        else:
            raise self._not_allowed(f"{word} {rest}".strip())

    def _not_allowed(self, text: str) -> ValueError:
        classes = ", ".join(self.session.classes)
        return ValueError(
            f"line {self._number} of the input must be {ALLOWED} (classes: {classes or 'none'}); "
            f"got {text!r}. All answers before it are kept."
        )

    def _answer(self, row: int, label: str) -> None:
        self.session.answer(label)
        self.keys.add(label)
        self._say("kept", row, label)

    def _correct(self, row: str, label: str) -> None:
        label = self.keys.class_of.get(label.strip(), label.strip())
        rows = {str(answer.row) for answer in self.session.answers}
        if row not in rows or not label:
            raise ValueError(
                f"line {self._number} of the input must correct a row that was answered, such as "
                f"'correct 3 cat'; got row {row!r} and class {label!r}."
            )
        self.session.correct(int(row), label)
        self._say("kept", int(row), label)

    def _skip(self, row: int) -> None:
        self.session.skip()
        self._say("skipped", row)

    def _undo(self, row: int) -> None:
        last = self.session.undo()
        if last is None:
            raise ValueError(
                f"line {self._number} of the input must not be undo: nothing has been answered yet."
            )
        self._say("undone", last.row or 0)

    def _write(self, row: int) -> None:
        said = self.write()
        self.echo(json.dumps({"wrote": said}) if self.as_json else said)

    def _stop(self, row: int) -> None:
        self._is_running = False

    def _say(self, what: str, row: int, label: str | None = None) -> None:
        if self.as_json:
            self.echo(json.dumps({what: row} if label is None else {what: row, "label": label}))
        else:
            self.echo(f"{what} row {row}" + ("" if label is None else f" = {label}"))
