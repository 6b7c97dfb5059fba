"""Jobs in several processes, each with papers of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from joblib import Parallel, delayed

from frugalboost.reproduce.jobs import Job, Result
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


# One at a time: tables of several papers would stay in memory. Jobs come paper by paper.
@lru_cache(maxsize=1)
def jobs_of(recipe: Recipe) -> dict[str, Job]:
    """A paper's jobs by key; this process keeps them, and the tables that they have read."""
    return {job.key: job for job in recipe.make().jobs()}


def run_one(recipe: Recipe, key: str) -> tuple[Recipe, str, Result]:
    return recipe, key, jobs_of(recipe)[key].run()


def run_in_processes(
    tasks: Sequence[tuple[Recipe, str]], n_processes: int
) -> Iterator[tuple[Recipe, str, Result]]:
    """Run jobs by their keys; the results come as they are ready.

    A process takes the next job when it has finished one. If this process is interrupted, the
    others end.
    """
    pool = Parallel(
        n_jobs=n_processes,
        backend="loky",
        return_as="generator_unordered",
        batch_size=1,
        pre_dispatch=n_processes,
    )
    yield from pool(delayed(run_one)(*task) for task in tasks)
