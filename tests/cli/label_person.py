"""Somebody at a terminal who runs `frugalboost label`, looks at the screen and presses keys."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from multiprocessing.connection import Connection

import pytest

from forked import Running, server

TOKENS = re.compile(r"\x1b\[([0-9;?<=>$]*)([A-Za-z])|\x1b\][^\x07]*\x07|\x1b[^\[\]]|\x1b.*|[^\x1b]")
LEARNING = "learning ..."  # keys pressed meanwhile do not count
UNDRAWN = "\0"
PATIENCE = 60.0
"""Seconds after which a screen that did not come is a failure."""


class Display:
    """What a terminal shows: the full screen while there is one, else what was printed since.

    It asks programs to mark their frames (mode 2026), as modern terminals do; between the marks
    `is_drawing` says that the screen is not complete.
    """

    def __init__(self, width, height):
        self.resize(width, height)
        self.is_full_screen, self.printed, self._rest = False, "", ""
        self.is_asked_for_marks = self.has_marks = self.is_drawing = False

    def resize(self, width, height):
        """An empty window of another size: programs must draw all of it again."""
        self.width, self.height = width, height
        self.cells = [[UNDRAWN] * width for _ in range(height)]
        self.row = self.column = 0

    @property
    def text(self):
        if not self.is_full_screen:
            return self.printed
        return "\n".join(map("".join, self.cells))

    def feed(self, text):
        text, self._rest = self._rest + text, ""
        for token in TOKENS.finditer(text):
            is_cut = token[0].startswith("\x1b") and token.end() == len(text) and token[2] is None
            if is_cut:  # the rest comes with the next read
                self._rest = token[0]
            elif token[2] is not None:
                self._control(token[1], token[2])
            elif not token[0].startswith("\x1b"):
                self._put(token[0])

    def _control(self, values, name):
        if name == "H":
            row, column = ([int(value) for value in values.split(";") if value] + [1, 1])[:2]
            self.row, self.column = row - 1, column - 1
        elif values + name == "?2026$p":
            self.is_asked_for_marks = True
        elif values == "?2026":
            self.has_marks, self.is_drawing = True, name == "h"
        elif values == "?1049":
            self.is_full_screen, self.printed = name == "h", ""
            self.resize(self.width, self.height)

    def _put(self, character):
        if not self.is_full_screen:
            self.printed += character
        elif character in "\r\n":
            self.row, self.column = self.row + (character == "\n"), 0
        elif self.row < self.height and self.column < self.width:
            self.cells[self.row][self.column] = character
            self.column += 1


def at_terminal(environment):
    """Variables as a terminal has them."""
    without = {"COLUMNS", "LINES", "NO_COLOR"}
    kept = {name: value for name, value in environment.items() if name not in without}
    return {**kept, "TERM": "xterm-256color"}


def forked(command, streams, absent):
    context = server()
    if context is None:
        pytest.skip("needs a server that forks")
    ends = [stream if isinstance(stream, int) else stream.fileno() for stream in streams.values()]
    passed = [Connection(os.dup(end)) for end in ends]
    place = os.getcwd(), dict(os.environ)  # not those of the server, which began earlier
    process = Running(context, run_command, command, passed, absent, *place)
    for end in passed:
        end.close()
    return process


def run_command(command, ends, absent, folder, environment):
    """What the forked process does."""
    os.chdir(folder)
    os.setsid()
    for number, end in enumerate(ends):
        os.dup2(end.fileno(), number)
        end.close()
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(at_terminal(environment))
    if absent is not None:
        forget(absent)
    from frugalboost.cli import main

    sys.argv = ["frugalboost", *command]
    main()


def forget(package):
    """Import what may need this package once more, without it."""
    for name in [*sys.modules]:
        if name.partition(".")[0] == package or name.startswith("frugalboost.cli"):
            del sys.modules[name]
    sys.modules[package] = None


class Person:
    """Runs the command, as if the package `absent` were not installed; in a process that has
    imported everything already, unless it matters that an interpreter begins there or who it is
    a child of: then `is_forked` is false, and the other arguments are those of `Popen`."""

    def __init__(self, *arguments, wide=100, high=30, is_forked=True, absent=None, **more):
        self.terminal, self.program = pty.openpty()
        self.display = Display(wide, high)
        self._set_size(wide, high)
        self.before = termios.tcgetattr(self.program)
        command = ["label", *map(str, arguments)]
        streams = dict.fromkeys(("stdin", "stdout", "stderr"), self.program) | more
        if is_forked:
            self.process = forked(command, streams, absent)
        else:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "frugalboost", *command],
                env=at_terminal(os.environ), start_new_session=True, **streams,
            )  # fmt: skip
        self.decoder = codecs.getincrementaldecoder("utf-8")()  # reads may end within a character
        self.raw, self.rests = "", False

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.process.kill()
        self.process.wait()
        for end in {self.terminal, self.program} - {None}:
            os.close(end)

    def resize(self, wide, high):
        """Drag the window's corner."""
        self.display.resize(wide, high)
        self._set_size(wide, high)
        self.process.send_signal(signal.SIGWINCH)

    def _set_size(self, wide, high):
        fcntl.ioctl(self.program, termios.TIOCSWINSZ, struct.pack("HHHH", high, wide, 0, 0))

    def see(self, text):
        """Wait until the screen has this text and takes keys; return the text and the screen."""
        deadline = time.monotonic() + PATIENCE
        while (match := re.search(text, self.display.text)) is None or not self._is_ready():
            assert time.monotonic() < deadline, self.display.text
            self.look()
        return match[0], self.display.text

    def _is_ready(self):
        """Whether the screen is drawn and takes keys, or the program has printed its last line."""
        screen = self.display.text
        if self.display.is_full_screen:
            is_complete = not self.display.is_drawing and UNDRAWN not in screen
            return is_complete and LEARNING not in screen and (self.display.has_marks or self.rests)
        return screen.endswith("\n")

    def look(self, seconds=1.0):
        """Take in what was drawn meanwhile."""
        self.rests = not select.select([self.terminal], [], [], seconds)[0]
        if self.rests:
            return
        try:
            text = self.decoder.decode(os.read(self.terminal, 65536))
        except OSError:  # the other end was closed
            return
        self.raw += text
        self.display.feed(text)
        if self.display.is_asked_for_marks:
            self.display.is_asked_for_marks = False
            self.strike("\x1b[?2026;2$y")

    def strike(self, keys):
        os.write(self.terminal, keys.encode())

    def strike_and_see(self, keys, text):
        self.strike(keys)
        return self.see(text)

    def leave(self):
        """Wait for the end; the terminal must be as it was."""
        while self.process.poll() is None:
            self.look(0.1)
        self.look(0.1)
        assert termios.tcgetattr(self.program) == self.before
        return self.process.returncode

    def close_terminal(self):
        """As a window is closed."""
        os.close(self.terminal)
        os.close(self.program)
        self.terminal = self.program = None
