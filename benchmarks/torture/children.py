"""Tasks in a forked process, which starts at once: everything is imported already."""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass

Task = Callable[[], str]


@dataclass(frozen=True)
class Ending:
    """How a task ended: what it returned, the exception that it raised, or its signal."""

    result: str | None = None
    error: str | None = None
    signal: int | None = None

    def value(self) -> str:
        if self.result is None:
            raise AssertionError(f"a task ended by signal {self.signal}, error {self.error}")
        return self.result


def run(task: Task, kill_after: float | None = None) -> Ending:
    """Run a task; after so many seconds it is killed, as by ``kill -9``."""
    to_read, to_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(to_read)
        execute(task, to_write)
    os.close(to_write)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(pid, signal.SIGKILL)
    with os.fdopen(to_read, "rb") as pipe:
        told = pipe.read().decode()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status == 0:
        return Ending(result=told)
    return Ending(signal=-status) if status < 0 else Ending(error=f"status {status}: {told}")


def execute(task: Task, pipe: int) -> None:
    """In the child, which never returns."""
    status = 1
    try:
        told = task()
        status = 0
    except BaseException:
        told = traceback.format_exc()[-3000:]
    try:
        os.write(pipe, told.encode())
    finally:
        os._exit(status)
