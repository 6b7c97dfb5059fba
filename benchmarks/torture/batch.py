"""Problems of one attack, one after the other, in a process that may crash."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .attack import Attack

Say = Callable[[dict[str, Any]], None]


@dataclass
class Batch:
    """A child that tries problems; the parent reads what it says, line by line."""

    attack: Attack
    seed: int
    slot: int
    pid: int
    pipe: int
    folder: Path
    heard: float = field(default_factory=time.monotonic)
    started: float = field(default_factory=time.monotonic)
    number: int | None = None
    rest: bytes = b""

    @property
    def is_late(self) -> bool:
        return time.monotonic() - self.heard > self.attack.seconds

    def lines(self) -> Iterator[dict[str, Any]] | None:
        """What it has said since; None when it has ended."""
        text = os.read(self.pipe, 1 << 16)
        if not text:
            return None
        self.heard = time.monotonic()
        *whole, self.rest = (self.rest + text).split(b"\n")
        return map(json.loads, whole)

    def end(self) -> int:
        """Its status, below 0 for a signal, after the end of all that it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        os.close(self.pipe)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        shutil.rmtree(self.folder, ignore_errors=True)
        return status

    def wait(self) -> int:
        """As `end`, of a child that has said all."""
        # It is ending by itself; its status is worth the moment that this takes.
        for _ in range(200):
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                os.close(self.pipe)
                shutil.rmtree(self.folder, ignore_errors=True)
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        return self.end()


def start(attack: Attack, seed: int, slot: int, numbers: Iterable[int], seconds: float) -> Batch:
    """Begin with the first of the numbers, until the time is over."""
    to_read, to_write = os.pipe()
    folder = Path(tempfile.mkdtemp(prefix="torture-"))
    pid = os.fork()
    if pid == 0:
        os.close(to_read)
        status = 1
        try:
            os.setsid()
            status = work(attack, seed, numbers, seconds, folder, to_write)
        finally:
            os._exit(status)
    os.close(to_write)
    return Batch(attack, seed, slot, pid, to_read, folder)


def work(
    attack: Attack, seed: int, numbers: Iterable[int], seconds: float, folder: Path, pipe: int
) -> int:
    """What the child does."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    warnings.simplefilter("ignore")
    if attack.memory is not None:
        limit_memory(attack.memory)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def say(line: dict[str, Any]) -> None:
        os.write(pipe, json.dumps(line).encode() + b"\n")

    until = time.monotonic() + seconds
    with silence():
        for number in numbers:
            try_one(attack, seed, number, folder, say)
            if time.monotonic() > until:
                break
    return 0


def limit_memory(n_bytes: int) -> None:
    """Of this process from now on; what limits all of its kind stays."""
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    if most != resource.RLIM_INFINITY:
        n_bytes = min(n_bytes, most)
    resource.setrlimit(resource.RLIMIT_AS, (n_bytes, most))


def try_one(attack: Attack, seed: int, number: int, folder: Path, say: Say) -> None:
    say({"began": number})
    place = folder / str(number)
    place.mkdir()
    try:
        say({"done": number, "counts": Counter(attack.run(seed, number, place))})
    except Exception:
        say({"failed": number, "text": traceback.format_exc()[-4000:]})
    shutil.rmtree(place, ignore_errors=True)


@contextmanager
def silence() -> Iterator[None]:
    """What commands print goes nowhere."""
    for stream in (1, 2):
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), stream)
    yield
