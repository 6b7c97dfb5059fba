"""How far a run is, and how long it will still take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from frugalboost.reproduce.jobs import Job


@dataclass(frozen=True)
class Step:
    """How far a run is.

    Attributes
    ----------
    done, total : int
        Jobs.
    title : str
        The job that began last, or ended last if there are several processes.
    share : float
        Of the work that was left when the run began, by the expected times of the jobs.
    seconds_left : float
        By these times, and by how far off they were until now.
    """

    done: int
    total: int
    title: str
    share: float
    seconds_left: float


OnStep = Callable[[Step], None]


def ignore_step(step: Step) -> None:
    """Where nobody watches."""


class Steps:
    """Counts jobs, and tells `on_step` of each that begins or ends."""

    def __init__(
        self, total: int, left: Iterable[Job], n_processes: int, on_step: OnStep = ignore_step
    ) -> None:
        jobs = list(left)
        self._total, self._done = total, total - len(jobs)
        self._work, self._finished = sum(job.seconds for job in jobs), 0.0
        self._n_processes, self._on_step = n_processes, on_step
        self._start = time.perf_counter()

    def begin(self, title: str) -> None:
        self._tell(title)

    def finish(self, job: Job) -> None:
        self._done += 1
        self._finished += job.seconds
        self._tell(job.key)

    def _tell(self, title: str) -> None:
        share = self._finished / self._work if self._work else 1.0
        elapsed = time.perf_counter() - self._start
        left = seconds_left(self._work, self._finished, elapsed, self._n_processes)
        self._on_step(Step(self._done, self._total, title, share, left))


def seconds_left(work: float, finished: float, elapsed: float, n_processes: int) -> float:
    """Time for the rest, if it takes as much longer than expected as what is finished did.

    >>> seconds_left(100.0, 0.0, 5.0, 2)
    50.0
    >>> seconds_left(100.0, 20.0, 20.0, 2)
    80.0
    """
    pace = elapsed / finished if finished else 1.0 / n_processes
    return (work - finished) * pace
