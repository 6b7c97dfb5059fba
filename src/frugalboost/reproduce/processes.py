"""Jobs in several processes, each with papers of its own."""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from joblib import Parallel, delayed

from frugalboost.reproduce.jobs import Failure, Job, Result, outcome_of
from frugalboost.reproduce.paper import Paper, Settings


@dataclass(frozen=True)
class Recipe:
    """All that another process needs to make the same paper."""

    name: str
    data: Path | None
    settings: Settings

    def make(self) -> Paper:
        # The papers import this module.
        from frugalboost.reproduce.papers import make_paper

        return make_paper(self.name, self.data, self.settings)


Task = tuple[int, Recipe, str]
"""A number by which the sender knows the paper's run, the paper, and the key of a job."""


class ProcessKilledError(RuntimeError):
    """A process ended before its job did, for example because memory ran out."""


# One at a time: tables of several papers would stay in memory. Jobs come paper by paper.
@lru_cache(maxsize=1)
def jobs_of(recipe: Recipe) -> dict[str, Job]:
    """A paper's jobs by key; this process keeps them, and the tables that they have read."""
    return {job.key: job for job in recipe.make().jobs()}


def run_one(number: int, recipe: Recipe, key: str) -> tuple[int, str, Result | Failure]:
    return number, key, outcome_of(lambda: jobs_of(recipe)[key].run())


def end_with(parent: int) -> None:
    """End this process soon after the one that started it, which may be killed.

    Otherwise it would finish its job, whose result nobody takes, and then wait for more.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(SECONDS_BETWEEN_LOOKS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


SECONDS_BETWEEN_LOOKS = 1.0


def run_in_processes(
    tasks: Sequence[Task], n_processes: int
) -> Iterator[tuple[int, str, Result | Failure]]:
    """Run jobs by their keys; the results come as they are ready.

    A process takes the next job when it has finished one. If this process is interrupted or
    killed, the others end.
    """
    pool = Parallel(
        n_jobs=n_processes,
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        pre_dispatch=n_processes,
        initializer=end_with,
        initargs=(os.getpid(),),
    )
    results = pool(delayed(run_one)(*task) for task in tasks)
    try:
        # Not `yield from`, which would pass an interruption on before warnings are ignored.
        for result in results:  # noqa: UP028
            yield result
    except BrokenProcessPool:
        raise ProcessKilledError(
            "a process was killed, perhaps because memory ran out; run the same again to "
            "continue, with fewer processes."
        ) from None
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that jobs have been cancelled
            results.close()
