"""Run the jobs that have no result yet, then write the reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import frugalboost
from frugalboost.reproduce.jobs import Job, Result, Store
from frugalboost.reproduce.paper import Judgement, Paper, Section
from frugalboost.reproduce.processes import Recipe, run_in_processes
from frugalboost.reproduce.steps import OnStep, Steps, ignore_step
from frugalboost.reproduce.writing import write_report

Task = tuple["Run", Job]


@dataclass
class Run:
    """A paper, where its results are kept, and those that are there.

    Attributes
    ----------
    recipe : Recipe or None
        How another process makes the same paper; None: its jobs run in this process.
    """

    paper: Paper
    folder: Path
    recipe: Recipe | None = None
    results: dict[str, Result] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.store = Store(self.folder / "results", frugalboost.__version__)
        self.jobs = self.paper.jobs()

    @classmethod
    def of(cls, recipe: Recipe, folder: Path) -> Run:
        return cls(recipe.make(), folder, recipe)

    def find(self) -> None:
        """Take the results of earlier runs."""
        found = {job.key: self.store.find(job.key) for job in self.jobs}
        self.results |= {key: result for key, result in found.items() if result is not None}

    def keep(self, key: str, result: Result) -> None:
        self.store.keep(key, result)
        self.results[key] = result

    @property
    def left(self) -> list[Job]:
        return [job for job in self.jobs if job.key not in self.results]

    @property
    def name(self) -> str:
        return self.recipe.name if self.recipe else self.paper.title

    def judgements(self) -> list[Judgement]:
        return self.paper.judgements(self.results)

    def write(self) -> list[Section]:
        """Write the report of what is done."""
        sections = [*left_over(self), *self.paper.sections(self.results)]
        write_report(self.folder, self.paper.title, sections, self.results)
        return sections


class Interrupted(KeyboardInterrupt):
    """A run was interrupted; `sections` report what is done, a list for each paper."""

    def __init__(self, sections: list[list[Section]]) -> None:
        super().__init__()
        self.sections = sections


def reproduce(paper: Paper, folder: Path, on_step: OnStep = ignore_step) -> list[Section]:
    """Run a paper's jobs in this process and write the report into `folder`."""
    return reproduce_all([Run(paper, folder)], on_step=on_step)[0]


def reproduce_all(
    runs: Sequence[Run], n_processes: int = 1, on_step: OnStep = ignore_step
) -> list[list[Section]]:
    """Run the jobs of several papers and write their reports.

    Each result is saved at once, so an interrupted run continues after the last ones. The reports
    of an interrupted run cover what is done and list the rest.
    """
    for run in runs:
        run.find()
    left = [job for run in runs for job in run.left]
    steps = Steps(sum(len(run.jobs) for run in runs), left, n_processes, on_step)
    try:
        for (run, job), result in results_of(runs, n_processes, steps):
            run.keep(job.key, result)
            steps.finish(job)
    except KeyboardInterrupt:
        if not any(run.results for run in runs):
            raise
        raise Interrupted([run.write() for run in runs]) from None
    return [run.write() for run in runs]


def results_of(
    runs: Sequence[Run], n_processes: int, steps: Steps
) -> Iterator[tuple[Task, Result]]:
    """In order; with several processes as they come, and then what must run alone."""
    tasks = [(run, job) for run in runs for job in run.left]
    if n_processes > 1:
        yield from shared_results([task for task in tasks if not task[1].alone], n_processes)
        tasks = [task for task in tasks if task[1].alone]
    for run, job in tasks:
        steps.begin(job.key)
        yield (run, job), job.run()


def shared_results(tasks: Sequence[Task], n_processes: int) -> Iterator[tuple[Task, Result]]:
    """Papers with a long job first, and their long jobs first: all processes then end together."""
    longest: dict[Path, float] = {}
    for run, job in tasks:
        longest[run.folder] = max(job.seconds, longest.get(run.folder, 0.0))
    in_order = sorted(
        tasks, key=lambda task: (-longest[task[0].folder], str(task[0].folder), -task[1].seconds)
    )
    by_name = {(run.recipe, job.key): (run, job) for run, job in in_order if run.recipe}
    for recipe, key, result in run_in_processes(list(by_name), n_processes):
        yield by_name[recipe, key], result


LISTED = 20
"""Unfinished jobs that the report names."""


def left_over(run: Run) -> list[Section]:
    """The jobs that an interruption has left."""
    missing = [f"- {job.key}" for job in run.left]
    more = len(missing) - LISTED
    if more > 0:
        missing = [*missing[:LISTED], f"- and {more} more; {len(run.results)} are done"]
    text = "\n".join(["The run was interrupted before these jobs:", "", *missing])
    return [Section("Not run yet", text)] if missing else []
