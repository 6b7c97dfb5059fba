"""The sweep: which task with how many threads next, ours and LightGBM's in turns."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from frugalboost._threads import allowed_threads
from peers.contenders import CONTENDERS, OURS, YARDSTICK
from peers.entrants import progress
from peers.measure import runs_in_turns

from .results import Cell, Outcome, Results, check_digest
from .tasks import Task
from .works import WORKS, Work, warm_up

GIBIBYTE = 2**30
LARGE_MEMORY, LARGE_THREADS = 64 * GIBIBYTE, 8
SHORT_RUNS = 5  # of a short task, for each run of another
MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")


@dataclass(frozen=True)
class Options:
    """`limit`: seconds after which a side has no further turn in a cell; `minutes`: of the run."""

    threads: list[int]
    repeats: int = 5
    limit: float = 20.0
    minutes: float = math.inf
    quick: bool = False
    started: float = field(default_factory=time.monotonic)

    @property
    def is_over(self) -> bool:
        return time.monotonic() - self.started >= 60 * self.minutes


class AbsentError(Exception):
    """A task cannot be measured here."""


def thread_counts(n_allowed: int) -> list[int]:
    """Powers of two, and all.

    >>> thread_counts(16), thread_counts(6)
    ([1, 2, 4, 8, 16], [1, 2, 4, 6])
    """
    powers = [2**power for power in range(n_allowed.bit_length())]
    return sorted({*(n for n in powers if n <= n_allowed), n_allowed})


def passes(counts: list[int]) -> list[list[int]]:
    """All tasks are measured with the most threads and the fewest before any with others.

    >>> passes([1, 2, 4, 8, 16])
    [[16, 1], [4, 8, 2]]
    >>> passes([1])
    [[1], []]
    """
    most, fewest = max(counts), min(counts)
    middle = math.log2(most * fewest) / 2
    others = set(counts) - {most, fewest}
    ends = list(dict.fromkeys([most, fewest]))
    return [ends, sorted(others, key=lambda n: (abs(math.log2(n) - middle), -n))]


def order(tasks: list[Task], counts: list[int]) -> Iterator[tuple[Task, int]]:
    for some in passes(counts):
        for task in tasks:
            for n_threads in some:
                yield task, n_threads


def memory() -> int:
    """Bytes that this process may use: the machine's, or its container's."""
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        return min(whole, int(MEMORY_LIMIT.read_text()))
    except (OSError, ValueError):  # not in a container, or "max"
        return whole


def prepare(task: Task, options: Options) -> Work:
    """Load the table; `AbsentError` says why a task is left out."""
    is_small_machine = memory() < LARGE_MEMORY or allowed_threads() < LARGE_THREADS
    if task.is_large and not options.quick and is_small_machine:
        wanted = f"{LARGE_MEMORY // GIBIBYTE} GiB of memory and {LARGE_THREADS} threads"
        raise AbsentError(f"needs {wanted}")
    size = task.quick if options.quick else task.size
    try:
        work = WORKS[task.kind](task, size, max(options.threads))
    except FileNotFoundError:
        raise AbsentError("its data is not available") from None
    except ModuleNotFoundError as missing:
        raise AbsentError(str(missing)) from None
    work.make_ready(has_theirs())
    return work


def has_theirs() -> bool:
    return CONTENDERS[YARDSTICK].is_installed()


def measure_cell(work: Work, n_threads: int, options: Options) -> Cell:
    """Runs of both sides in turns; `DigestError` if ours do not all give the same model."""
    digests: list[str] = []

    def ours() -> float:
        run = work.ours(n_threads)
        digests.append(run.digest)
        return run.value

    actions: dict[str, Callable[[], float | None]] = {OURS: ours}
    if has_theirs():
        actions[YARDSTICK] = lambda: work.theirs(n_threads).value
    repeats = options.repeats * (SHORT_RUNS if work.task.is_short else 1)
    runs = runs_in_turns(actions, repeats, lambda _: options.limit)
    cell = Cell(n_threads, runs[OURS], runs.get(YARDSTICK, []), digests[0])
    for number, digest in enumerate(digests, start=1):
        check_digest(work.task.title, f"run {number}", digest, cell)
    return cell


def sweep(
    tasks: list[Task], options: Options, results: Results, keep: Callable[[Results], None]
) -> list[tuple[Task, int]]:
    """Measure what `results` lack, handing them to `keep` after each cell; return what is left."""
    prepared = cache(lambda name: prepare(by_name[name], options))
    by_name = {task.name: task for task in tasks}
    left = [pair for pair in order(tasks, options.threads) if is_open(results, *pair)]
    warm_up(has_theirs())
    while left and not options.is_over:
        task, n_threads = left[0]
        outcome = results.outcome(task.name) or Outcome(task.name, task.title, task.unit)
        try:
            work = prepared(task.name)
        except AbsentError as reason:
            progress(f"{task.title}: left out, {reason}")
            outcome.absent = str(reason)
            left = [pair for pair in left if pair[0] is not task]
        else:
            cell = measure_cell(work, n_threads, options)
            outcome.about, outcome.absent = work.describe(), ""
            outcome.add(cell)
            left = left[1:]
            progress(line(task, cell))
        results.put(outcome)
        keep(results)
    return left


def is_open(results: Results, task: Task, n_threads: int) -> bool:
    outcome = results.outcome(task.name)
    return outcome is None or outcome.cell(n_threads) is None


def line(task: Task, cell: Cell) -> str:
    theirs = "" if cell.their_median is None else f" / {cell.their_median:.4g}"
    runs = f"{len(cell.ours)} and {len(cell.theirs)} runs"
    return (
        f"{task.name}, {cell.threads} threads: {cell.our_median:.4g}{theirs} {task.unit} ({runs})"
    )
