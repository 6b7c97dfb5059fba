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
        Of the work, by the expected times of the jobs.
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
    """Counts jobs, and tells `on_step` at the beginning and of each that begins or ends.

    Parameters
    ----------
    jobs, left : all jobs, and those without a result
    """

    def __init__(
        self,
        jobs: Iterable[Job],
        left: Iterable[Job],
        n_processes: int = 1,
        on_step: OnStep = ignore_step,
    ) -> None:
        everything, self._left = list(jobs), {id(job): job for job in left}
        self._total, self._work = len(everything), work_of(everything)
        self._n_processes, self._on_step = n_processes, on_step
        self._finished, self._spent, self._last = 0.0, 0.0, time.perf_counter()

    def begin(self, title: str = "") -> None:
        if self._left:
            self._tell(title)

    def finish(self, job: Job) -> None:
        del self._left[id(job)]
        now = time.perf_counter()
        self._spent += (now - self._last) * (1 if job.alone else self._n_processes)
        self._last = now
        self._finished += job.seconds
        self._tell(job.key)

    def _tell(self, title: str) -> None:
        left = list(self._left.values())
        share = 1.0 - work_of(left) / self._work if self._work else 1.0
        pace = self._spent / self._finished if self._finished else 1.0
        seconds = seconds_left(left, pace, self._n_processes)
        self._on_step(Step(self._total - len(left), self._total, title, share, seconds))


def work_of(jobs: Iterable[Job]) -> float:
    """Expected seconds of all."""
    return sum(job.seconds for job in jobs)


def seconds_left(jobs: Iterable[Job], pace: float, n_processes: int) -> float:
    """Time for these jobs, if each takes `pace` times as long as expected.

    >>> jobs = [Job("fit", dict, 40.0), Job("times", dict, 10.0, alone=True)]
    >>> seconds_left(jobs, 1.0, 1), seconds_left(jobs, 2.0, 4)
    (50.0, 40.0)
    """
    return sum(pace * job.seconds / (1 if job.alone else n_processes) for job in jobs)
