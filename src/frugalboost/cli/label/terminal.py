"""Labelling by single keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.control import Control
from rich.screen import Screen as FullScreen

from frugalboost.active import Entry
from frugalboost.cli.label.image import write_png
from frugalboost.cli.label.keyboard import BACKSPACE, END, ENTER, ESCAPE, Keyboard
from frugalboost.cli.label.screen import Screen
from frugalboost.cli.label.session import Labelling

LISTED = 9
"""Answers to choose from when one is to be corrected."""


@dataclass
class Terminal:
    """Draws questions and takes keys until somebody stops or nothing is left to ask.

    `write` writes the labels and says where.
    """

    session: Labelling
    screen: Screen
    write: Callable[[], str]

    def run(self) -> None:
        """Return when the person stops; Ctrl-C and a closed terminal stop too."""
        console = self.screen.console
        self._asked: Entry | None = None
        with console.screen(), Keyboard(self._draw) as self._keyboard:
            self._is_running = True
            while self._is_running and (asked := self._next()) is not None:
                self._asked = asked
                self._show_picture(asked)
                self._draw()
                self._handle(self._keyboard.key())

    def _next(self) -> Entry | None:
        """The next question; whoever waits for it is told so."""
        if self._asked is None or not self.session.now.open:
            said, self.screen.message = self.screen.message, f"{self.screen.message} learning ..."
            self._draw()
            self.screen.message = said
        asked = self.session.question()
        if asked != self._asked:
            self.screen.page = 0
            self._keyboard.forget()
        return asked

    def _draw(self) -> None:
        console = self.screen.console
        console.control(Control.home())
        console.print(FullScreen(self.screen.draw(self._asked)), end="")

    def _show_picture(self, asked: Entry) -> None:
        screen = self.screen
        if screen.picture is not None and screen.image is not None:
            pixels = screen.picture.pixels(self.session.pool.X[asked.row or 0])
            write_png(screen.image, pixels)

    def _handle(self, key: str) -> None:
        name = self.screen.keys.class_of.get(key)
        if name in self.session.classes:
            self._answer(name)
        elif key in (END, ESCAPE):
            self._is_running = False
        else:
            command = self.screen.keys.command_of(key)
            {
                "skip": self._skip,
                "undo": self._undo,
                "correct": self._correct,
                "new class": self._new_class,
                "write CSV": self._write,
                "view more": self._turn_page,
                "stop": self._stop,
            }.get(command or "", lambda: self._unknown(key))()

    def _answer(self, name: str) -> None:
        where = self._name()
        self.session.answer(name)
        self.screen.keys.add(name)
        self.screen.message = f"Saved: {where} is {name}."

    def _skip(self) -> None:
        where = self._name()
        self.session.skip()
        self.screen.message = f"Skipped {where}."

    def _undo(self) -> None:
        last = self.session.undo()
        if last is None:
            self.screen.message = "There is nothing to undo."
            return
        was = "skipped" if last.kind == "skipped" else f"{last.label}"
        self.screen.message = f"Undone: {self.session.pool.name_of(last.row or 0)} was {was}."

    def _correct(self) -> None:
        """Choose one of the last answers, then its class."""
        last = self.session.given[: -LISTED - 1 : -1]
        if not last:
            self.screen.message = "There is no answer to correct."
            return
        names = [f"{self.session.pool.name_of(a.row or 0)}: {a.label}" for a in last]
        self.screen.choices = [f" {at}  {name}" for at, name in enumerate(names, 1)]
        chosen = self._read_line("Which answer is wrong? Its number, or a row:")
        self.screen.choices = []
        row = _row_of(chosen, [answer.row or 0 for answer in last])
        if row is None or all(answer.row != row for answer in self.session.answers):
            self.screen.message = "Nothing was corrected."
            return
        label = self._read_class(f"What is {self.session.pool.name_of(row)}?")
        if label:
            self.session.correct(row, label)
            self.screen.keys.add(label)
            self.screen.message = f"Saved: {self.session.pool.name_of(row)} is {label}."
        else:
            self.screen.message = "Nothing was corrected."

    def _new_class(self) -> None:
        """A class that has no key yet, by its name."""
        label = self._read_line("Class of this row:")
        if label:
            self._answer(label)
        else:
            self.screen.message = ""

    def _write(self) -> None:
        self.screen.message = self.write()

    def _turn_page(self) -> None:
        self.screen.page += 1
        self.screen.message = ""

    def _stop(self) -> None:
        self._is_running = False

    def _unknown(self, key: str) -> None:
        self.screen.message = f"{key!r} isn't assigned; see the keys above."

    def _name(self) -> str:
        return self.session.pool.name_of((self._asked and self._asked.row) or 0)

    def _read_class(self, prompt: str) -> str:
        """A class by its key or its name."""
        typed = self._read_line(prompt + " Key or name:")
        return self.screen.keys.class_of.get(typed, typed)

    def _read_line(self, prompt: str) -> str:
        """A line, empty after Escape."""
        self.screen.message, self.screen.typed = prompt, ""
        while True:
            self._draw()
            key = self._keyboard.key()
            if key in (ENTER, ESCAPE, END):
                break
            self.screen.typed = (
                self.screen.typed[:-1] if key == BACKSPACE else self.screen.typed + key
            )
        typed, self.screen.typed = self.screen.typed, None
        self._is_running = self._is_running and key != END
        return typed.strip() if key == ENTER else ""


def _row_of(chosen: str, rows: list[int]) -> int | None:
    """A short number counts in the list; ``row 3`` or a larger number is a row.

    >>> _row_of("2", [70, 80]), _row_of("row 2", [70, 80]), _row_of("12", [70, 80])
    (80, 2, 12)
    """
    text = chosen.lower().removeprefix("row").strip()
    if not text.isdecimal():
        return None
    is_place = text == chosen and 1 <= int(text) <= len(rows)
    return rows[int(text) - 1] if is_place else int(text)
