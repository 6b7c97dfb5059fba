"""Time, in turns, and peak memory, in a process of its own."""

from __future__ import annotations

import resource
import signal
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import scipy.sparse as sp
from threadpoolctl import threadpool_limits

from .contenders import Contender, Settings
from .data import Part

Key = TypeVar("Key", bound=Hashable)


class OutOfTimeError(Exception):
    """An action took longer than it may."""


class Timed(NamedTuple):
    """What an action returned and the seconds it took."""

    result: Any
    seconds: float


def timed(action: Callable[[], Any], n_threads: int | None = None) -> Timed:
    """Run an action; libraries that take no number of threads get theirs through OpenMP."""
    with threadpool_limits(n_threads):
        start = time.perf_counter()
        result = action()
        return Timed(result, time.perf_counter() - start)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise `OutOfTimeError` in the block after some seconds.

    An alarm reaches Python between two calls into a library, such as two rounds. It rings again
    every second: raised in a destructor or the callback of a weak reference, the error would be
    lost. Systems without alarms, and threads other than the main one, wait for the end.
    """
    has_alarm = hasattr(signal, "setitimer")
    if not has_alarm or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise OutOfTimeError(f"not finished in {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def runs_in_turns(
    actions: dict[Key, Callable[[], float | None]],
    repeats: int,
    limit_of: Callable[[Key], float] = lambda _: float("inf"),
) -> dict[Key, list[float]]:
    """What each action returns, such as seconds, in every repeat.

    All take their turn in every repeat, so that a machine that is busy for a while slows all of
    them; the order rotates, so that none always follows the same neighbour. One that has taken
    its limit, in seconds, gets no further turn, and one that returns None has failed and is left
    out.

    >>> runs_in_turns({"a": lambda: 1.0, "b": lambda: 2.0, "c": lambda: None}, repeats=3)
    {'a': [1.0, 1.0, 1.0], 'b': [2.0, 2.0, 2.0]}
    """
    names = list(actions)
    runs: dict[Key, list[float]] = {name: [] for name in names}
    left = {name: limit_of(name) for name in names}
    for turn in range(repeats):
        first = turn % len(names) if names else 0
        for name in names[first:] + names[:first]:
            if name not in runs or left[name] <= 0:
                continue
            found, seconds = timed(actions[name])
            left[name] -= seconds
            if found is None:
                del runs[name]
            else:
                runs[name].append(found)
    return runs


def affordable_rounds(before: float, one_round: float, wanted: int, budget: float) -> int:
    """Rounds, at least one, that fit into a budget, all in seconds.

    >>> affordable_rounds(before=1.0, one_round=2.0, wanted=100, budget=9.0)
    4
    """
    return max(1, min(wanted, int((budget - before) / max(one_round, 1e-9))))


def peak_memory(
    contender: Contender, part: Part, settings: Settings, folder: Path, limit: float | None = None
) -> int:
    """Bytes that building and training need at most above the table, in a fresh process."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    arguments = (theirs, contender, save(part, folder), settings)
    process = context.Process(target=send_peak, args=arguments, daemon=True)
    process.start()
    theirs.close()  # so that the end of the process ends the pipe
    try:
        if not ours.poll(limit):
            raise OutOfTimeError(f"not finished in {limit:g} s")
        found = ours.recv()
    except EOFError:
        process.join()
        raise RuntimeError(f"its process ended with code {process.exitcode}") from None
    finally:
        process.kill()
        process.join()
    if isinstance(found, Exception):
        raise found
    return int(found)


def send_peak(
    pipe: Connection, contender: Contender, files: list[Path], settings: Settings
) -> None:
    """Runs in the fresh process."""
    try:
        pipe.send(peak_of_fit(contender, files, settings))
    except Exception as problem:
        pipe.send(RuntimeError(f"{type(problem).__name__}: {problem}"))


def save(part: Part, folder: Path) -> list[Path]:
    """Write a part to files whose loading needs no memory besides the arrays themselves."""
    if part.is_sparse:
        table = part.X.tocsr()
        arrays = [table.data, table.indices, table.indptr, np.array(table.shape), part.y]
    else:
        arrays = [part.X, part.y]
    files = [folder / f"part{number}.npy" for number in range(len(arrays))]
    for file, array in zip(files, arrays, strict=True):
        np.save(file, array)
    return files


def load_part(files: list[Path]) -> Part:
    *table, y = (np.load(file) for file in files)
    if len(table) == 1:
        return Part(table[0], y)
    data, indices, indptr, shape = table
    return Part(sp.csr_matrix((data, indices, indptr), shape=tuple(shape)), y)


def peak_of_fit(contender: Contender, files: list[Path], settings: Settings) -> int:
    """What importing the library takes does not count."""
    part = load_part(files)
    warm_up(contender, part, settings)
    with threadpool_limits(settings.n_threads):
        before = reset_peak()
        contender.train(contender.build(part, settings), settings)
        return max(0, peak() - before)


def warm_up(contender: Contender, part: Part, settings: Settings) -> None:
    """Fit on a few rows, with both classes, to import what the library imports late."""
    rows = np.sort(np.concatenate([np.flatnonzero(part.y == k)[:10] for k in (0, 1)]))
    few = Part(part.X[rows], part.y[rows])
    contender.train(contender.build(few, settings), settings.with_rounds(1))


def reset_peak() -> int:
    """Forget the peak so far where the system can, and return the bytes to count from."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return peak()
    return status_bytes("VmRSS")


def peak() -> int:
    """Most bytes of memory that this process has had."""
    try:
        return status_bytes("VmHWM")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def status_bytes(key: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status has no {key}")
