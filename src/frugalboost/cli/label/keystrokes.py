"""Labelling with single keystrokes: what each key does, independent of how the screen is drawn."""

from __future__ import annotations

import asyncio
from typing import Protocol

from frugalboost.active import Entry
from frugalboost.cli.label.output import counted
from frugalboost.cli.label.pictures import write_png
from frugalboost.cli.label.run import LabelRun

ENTER, BACKSPACE, ESCAPE = "enter", "backspace", "escape"
LISTED = 9
"""Recent answers to choose from when one is to be corrected."""


class Screen(Protocol):
    """What a dialogue needs of the screen."""

    def draw(self, *, is_learning: bool = False) -> None:
        """Show what the dialogue says now."""

    async def next_key(self) -> str:
        """Wait for a character, or one of the names above."""

    async def forget_keys(self) -> None:
        """Drop the keys that were pressed before the latest drawing could be seen."""


class KeyDialogue:
    """Asks questions and handles one key after the other.

    Attributes
    ----------
    question : Entry or None
    message : str
        The last line of the screen.
    typed : str or None
        The line being typed; None unless `message` is a prompt.
    choices : answers to choose from
    page : of a row with many columns
    """

    def __init__(self, run: LabelRun, screen: Screen) -> None:
        self.run, self.session, self.keys = run, run.session, run.keys
        self._screen = screen
        self.question: Entry | None = None
        self.message = ""
        if not run.is_new:
            self.message = f"Welcome back. {counted(len(self.session.given), 'label')} so far."
        self.typed: str | None = None
        self.choices: list[str] = []
        self.page = 0

    async def label(self) -> None:
        """Return when the person stops or no questions are left."""
        await self._ask()
        while self.question is not None and await self._handle(await self._screen.next_key()):
            self._screen.draw()

    async def _ask(self) -> None:
        """Show the next question; keys pressed before it could be seen do not count."""
        self._screen.draw(is_learning=True)
        last, self.question = self.question, await asyncio.to_thread(self.session.question)
        if self.question is None:
            return
        if self.question != last:
            self.page = 0
        self._write_picture(self.question.row or 0)
        self._screen.draw(is_learning=True)
        await self._screen.forget_keys()
        self._screen.draw()

    def _write_picture(self, row: int) -> None:
        if self.run.pixels is not None:
            picture = self.run.pixels.picture(self.session.pool.X[row])
            write_png(self.run.options.image_file, picture)

    async def _handle(self, key: str) -> bool:
        """Return whether to continue."""
        name = self.keys.class_of.get(key)
        command = self.keys.command_of(key)
        if name in self.session.classes:
            await self._answer(name)
        elif key == ESCAPE or command == "stop":
            return False
        elif command == "skip":
            await self._skip()
        elif command == "undo":
            await self._undo()
        elif command == "correct":
            await self._correct()
        elif command == "new class":
            await self._new_class()
        elif command == "write CSV":
            self.message = self.run.write()
        elif command == "view more":
            self.page, self.message = self.page + 1, ""
        else:
            self.message = f"{key!r} isn't assigned; see the keys above."
        return True

    async def _answer(self, label: str) -> None:
        row = self.row_name()
        self.session.answer(label)
        self.keys.add(label)
        self.message = f"Saved: {row} is {label}."
        await self._ask()

    async def _skip(self) -> None:
        row = self.row_name()
        self.session.skip()
        self.message = f"Skipped {row}."
        await self._ask()

    async def _undo(self) -> None:
        last = self.session.undo()
        if last is None:
            self.message = "There is nothing to undo."
            return
        before = "skipped" if last.kind == "skipped" else str(last.label)
        self.message = f"Undone: {self.session.pool.name_of(last.row or 0)} was {before}."
        await self._ask()

    async def _correct(self) -> None:
        """Give one of the earlier answers another class."""
        if not self.session.given:
            self.message = "There is no answer to correct."
            return
        row = await self._choose_answer()
        if row is None or not (label := await self._read_class(row)):
            self.message = "Nothing was corrected."
            return
        self.session.correct(row, label)
        self.keys.add(label)
        self.message = f"Saved: {self.session.pool.name_of(row)} is {label}."
        await self._ask()

    async def _choose_answer(self) -> int | None:
        """The row of an earlier answer."""
        last = self.session.given[: -LISTED - 1 : -1]
        names = [f"{self.session.pool.name_of(a.row or 0)}: {a.label}" for a in last]
        self.choices = [f" {number}  {name}" for number, name in enumerate(names, 1)]
        typed = await self._read_line("Which answer is wrong? Its number, or a row:")
        self.choices = []
        row = chosen_row(typed, [answer.row or 0 for answer in last])
        return row if any(answer.row == row for answer in self.session.answers) else None

    async def _read_class(self, row: int) -> str:
        typed = await self._read_line(f"What is {self.session.pool.name_of(row)}? Key or name:")
        return self.keys.class_of.get(typed, typed)

    async def _new_class(self) -> None:
        """Answer with the name of a class that may have no key yet."""
        label = await self._read_line("Class of this row:")
        self.message = ""
        if label:
            await self._answer(label)

    async def _read_line(self, prompt: str) -> str:
        """A line of text; empty after Escape.

        The letters come from the same queue as all other keys. A text box would get the focus
        too late for somebody who types fast, and the first letters would be taken for answers.
        """
        self.message, self.typed = prompt, ""
        self._screen.draw()
        while (key := await self._screen.next_key()) not in (ENTER, ESCAPE):
            self.typed = self.typed[:-1] if key == BACKSPACE else self.typed + key
            self._screen.draw()
        typed, self.typed = self.typed, None
        return typed.strip() if key == ENTER else ""

    def row_name(self) -> str:
        """What the row in question is called."""
        return self.session.pool.name_of((self.question and self.question.row) or 0)


def chosen_row(typed: str, rows: list[int]) -> int | None:
    """A small number counts in the list; ``row 3`` or a larger number is a row.

    >>> chosen_row("2", [70, 80]), chosen_row("row 2", [70, 80]), chosen_row("12", [70, 80])
    (80, 2, 12)
    """
    text = typed.lower().removeprefix("row").strip()
    if not text.isdecimal():
        return None
    is_listed = text == typed and 1 <= int(text) <= len(rows)
    return rows[int(text) - 1] if is_listed else int(text)
