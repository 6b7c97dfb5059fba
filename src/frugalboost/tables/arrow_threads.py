"""Python objects that pyarrow's threads use, and waiting for these threads before Python ends.

pyarrow reads ahead on threads of its own. One that calls a Python object, or drops the last
reference to one, needs the interpreter. Before Python 3.14, a thread that asks for an interpreter
that is shutting down is ended by force, and C++ then aborts the whole process: "terminate called
without an active exception".
"""

from __future__ import annotations

import atexit
import os
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

MOST_SECONDS = 2.0
QUIET_SECONDS = 0.02
"""Between its last look at a stream and its call of Python, a thread reads from the disk."""


def _gone() -> None:
    """Return what a weak reference returns when its object has gone."""


class SharedObject:
    """A Python object that a stream of pyarrow calls, from whatever thread."""

    def __init__(self) -> None:
        self._n_calls = 0
        self._used: Callable[[], Any] = _gone
        self._stream: Callable[[], Any] = _gone

    def pass_to(self, used: Any, stream: Any) -> None:
        """Note which object pyarrow calls, and the stream that calls it."""
        self._used, self._stream = weakref.ref(used), weakref.ref(stream)
        _shared[:] = [shared for shared in _shared if shared.is_alive()]
        _shared.append(self)

    @contextmanager
    def called(self) -> Iterator[None]:
        """Mark the time in which a thread is inside the object."""
        self._n_calls += 1
        try:
            yield
        finally:
            self._n_calls -= 1

    def is_alive(self) -> bool:
        return self._used() is not None

    def is_busy(self) -> bool:
        """Whether a thread is in a call, or has yet to drop an object whose stream has gone."""
        return self.is_alive() and (self._n_calls > 0 or self._stream() is None)


_shared: list[SharedObject] = []


def wait_for_threads() -> None:
    """Return when pyarrow's threads need the interpreter no longer, or after two seconds.

    A stream that is still open, such as that of an oracle, is read ahead for a few blocks only.
    """
    now = time.monotonic()
    end, quiet_until = now + MOST_SECONDS, now + QUIET_SECONDS
    while any(shared.is_alive() for shared in _shared) and now < min(end, quiet_until):
        time.sleep(0.001)  # without the interpreter, which other threads can have meanwhile
        now = time.monotonic()
        if any(shared.is_busy() for shared in _shared):
            quiet_until = now + QUIET_SECONDS


atexit.register(wait_for_threads)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_shared.clear)  # a child has none of these threads
