"""Single keys of a terminal, without Enter and without an echo."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Callable
from types import TracebackType
from typing import Any

ENTER, BACKSPACE, ESCAPE, END = "enter", "backspace", "escape", "end"
NAMES = {"\r": ENTER, "\n": ENTER, "\x7f": BACKSPACE, "\x08": BACKSPACE, "\x04": END, "": END}
SEQUENCE_SECONDS = 0.05
"""What follows an escape sooner is an arrow or a function key, not a person's next key."""


class Keyboard:
    """Reads keys while a ``with`` block lasts, and leaves the terminal as it was.

    `redraw` is called when the window changes its size, or the program comes back to the front:
    while `key` waits, never in the middle of something else.
    """

    def __init__(self, redraw: Callable[[], None]) -> None:
        self._file = sys.stdin.fileno()
        self._redraw = redraw
        self._woken = self._waker = -1
        self._before: list[Any] = []
        self._handlers: dict[int, Any] = {}
        self._waker_before = -1

    def __enter__(self) -> Keyboard:
        self._before = termios.tcgetattr(self._file)
        tty.setcbreak(self._file)
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._waker, False)
        # Every signal writes to the pipe as it arrives. Without that, one that arrives just before
        # `select` begins, or on another thread, would not be noticed until the next key.
        self._waker_before = signal.set_wakeup_fd(self._waker, warn_on_full_buffer=False)
        self._handlers = {number: signal.signal(number, to) for number, to in HANDLERS.items()}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._waker_before)
        os.close(self._woken)
        os.close(self._waker)
        termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)

    def key(self) -> str:
        """Wait for a key: a character, or one of the names above; END when there is no terminal."""
        while True:
            self._wait()
            byte = self._byte()
            if byte == b"\x1b":
                if not self._rest_of_sequence():
                    return ESCAPE
                continue
            text = self._character(byte)
            if text in NAMES:
                return NAMES[text]
            if text.isprintable():
                return text

    def forget(self) -> None:
        """Drop keys that were struck before the row was to be seen: they are not about it."""
        termios.tcflush(self._file, termios.TCIFLUSH)

    def _wait(self) -> None:
        """Return when a byte can be read; redraw as often as that is asked for until then."""
        while self._woken in select.select([self._file, self._woken], [], [])[0]:
            os.read(self._woken, 4096)  # many changes of size, one redraw
            # A shell in front meanwhile has set it otherwise; keys struck since then stay.
            tty.setcbreak(self._file, termios.TCSANOW)
            self._redraw()

    def _byte(self) -> bytes:
        try:
            return os.read(self._file, 1)
        except OSError:  # the terminal was closed
            return b""

    def _character(self, first: bytes) -> str:
        found = first
        while len(found) < 4:
            try:
                return found.decode("utf-8")
            except UnicodeDecodeError:
                found += self._byte()
        return found.decode("utf-8", errors="replace")

    def _rest_of_sequence(self) -> bytes:
        found = b""
        while select.select([self._file], [], [], SEQUENCE_SECONDS)[0]:
            byte = self._byte()
            found += byte
            if not byte or (len(found) > 1 and (byte.isalpha() or byte == b"~")):
                break
        return found


def _interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def _only_wake(number: int, frame: Any) -> None:
    """Draw nothing here: a signal may come in the middle of drawing."""


HANDLERS = {
    # Also where a shell has told its children to ignore it: here somebody sits at a keyboard.
    signal.SIGINT: _interrupt,
    signal.SIGTERM: _interrupt,
    signal.SIGWINCH: _only_wake,
    signal.SIGCONT: _only_wake,
}
