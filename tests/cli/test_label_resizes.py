"""The labelling screen and signals: drawing is never entered a second time, none is lost."""

from __future__ import annotations

import io
import os
import signal
import threading
import time

import pytest

pytest.importorskip("rich")
pty = pytest.importorskip("pty")

from rich.console import Console  # noqa: E402

from frugalboost.cli.label.keyboard import Keyboard  # noqa: E402

CHANGES = 3000
"""More than Python's stack is deep."""


class DraggedWindow(io.RawIOBase):
    """A terminal that changes its size in the middle of every write, until it rests."""

    def __init__(self):
        self.changes_left = CHANGES

    def writable(self):
        return True

    def write(self, content):
        if self.changes_left:
            self.changes_left -= 1
            signal.raise_signal(signal.SIGWINCH)
        return len(content)


@pytest.fixture
def terminal(monkeypatch):
    """The end of a terminal at which keys are struck; the other is the standard input."""
    keys, program = pty.openpty()
    with open(program) as file:
        monkeypatch.setattr("sys.stdin", file)
        yield keys
    os.close(keys)


def test_changes_of_size_in_the_middle_of_drawing(terminal):
    window = DraggedWindow()
    console = Console(file=io.TextIOWrapper(io.BufferedWriter(window)), force_terminal=True)
    depths, struck = [], []

    def draw():
        depths.append(1)
        assert len(depths) == 1, "drawing began while drawing"
        console.print("a row and its keys")
        console.file.flush()
        depths.pop()
        if not window.changes_left and not struck:
            struck.append(os.write(terminal, b"k"))

    with Keyboard(draw) as keyboard:
        draw()
        assert keyboard.key() == "k"
    assert window.changes_left == 0


def test_more_changes_than_a_pipe_holds_are_one_redraw(terminal):
    drawn = []

    def draw():
        drawn.append(1)
        os.write(terminal, b"k")

    with Keyboard(draw) as keyboard:
        for _ in range(100_000):
            signal.raise_signal(signal.SIGWINCH)
        assert not drawn
        assert keyboard.key() == "k"
    assert len(drawn) <= 100_000 // 4096 + 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_that_another_thread_receives_ends_the_wait_for_a_key(terminal, number):
    """As one does that arrives just before the wait: the system interrupts no wait for it."""
    is_over, timely = threading.Event(), []

    def send_here():
        time.sleep(0.2)  # the wait has begun; if it has not, the test is easier
        signal.pthread_kill(threading.get_ident(), number)
        timely.append(is_over.wait(30.0))
        os.write(terminal, b"k")  # a wait that goes on must end some time

    sender = threading.Thread(target=send_here)
    with Keyboard(lambda: None) as keyboard:
        sender.start()
        with pytest.raises(KeyboardInterrupt):
            keyboard.key()
        is_over.set()
    sender.join()
    assert timely == [True]


def test_an_interrupt_counts_where_the_shell_ignores_it(terminal):
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(KeyboardInterrupt), Keyboard(lambda: None):
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
