"""Run the jobs that have no result yet, then write the reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import frugalboost
from frugalboost.reproduce.jobs import Failure, Job, Result, Store, outcome_of, write_whole
from frugalboost.reproduce.paper import Judgement, Paper, Section
from frugalboost.reproduce.processes import ProcessKilledError, Recipe, run_in_processes
from frugalboost.reproduce.steps import OnStep, Steps, ignore_step
from frugalboost.reproduce.writing import can_draw, drawn, markdown, write_report

Task = tuple["Run", Job]


@dataclass
class Run:
    """A paper, where its results are kept, and those that are there.

    Attributes
    ----------
    recipe : Recipe or None
        How another process makes the same paper; None: its jobs run in this process.
    failures : dict
        By key: the jobs that ended with an error.
    """

    paper: Paper
    folder: Path
    recipe: Recipe | None = None
    results: dict[str, Result] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)

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

    def take(self, results: Mapping[str, Result]) -> None:
        """Keep results of a run elsewhere, for jobs that have none; a ValueError refuses others."""
        known = {job.key for job in self.jobs} & results.keys()
        taken = {key: results[key] for key in known if self.store.find(key) is None}
        try:
            self._try_report(taken)  # once kept, every later report would have to read them
        except Exception as problem:  # no list of what a report needs of a result is kept anywhere
            reason = f"{type(problem).__name__}: {problem}"[:200]
            raise ValueError(
                f"results must be those of jobs of {self.name}; no report can be made of them "
                f"({reason})."
            ) from None
        for key, result in taken.items():
            self.store.keep(key, result)

    def _try_report(self, results: Mapping[str, Result]) -> None:
        """Figures read their results only when they are drawn."""
        sections = self.paper.sections(results)
        markdown(self.paper.title, sections, has_figures=False)
        for section in sections if can_draw() else ():
            for figure in section.figures:
                drawn(figure)

    def keep(self, key: str, outcome: Result | Failure) -> None:
        if isinstance(outcome, Failure):
            self.failures[key] = outcome
            write_whole(self.folder / "failures" / f"{key}.txt", outcome.traceback)
            return
        self.store.keep(key, outcome)
        self.results[key] = outcome

    @property
    def left(self) -> list[Job]:
        return [job for job in self.jobs if job.key not in self.results]

    @property
    def name(self) -> str:
        return self.recipe.name if self.recipe else self.paper.title

    def judgements(self) -> list[Judgement]:
        return self.paper.judgements(self.results)

    def write(self) -> list[Section]:
        """Write the report of what is done, in the order of the jobs."""
        self.results = {
            job.key: self.results[job.key] for job in self.jobs if job.key in self.results
        }
        sections = [*cut_short(self), *left_over(self), *self.paper.sections(self.results)]
        write_report(self.folder, self.paper.title, sections, self.results)
        return sections


class Interrupted(KeyboardInterrupt):
    """A run was interrupted; `sections` report what is done, a list for each paper."""

    def __init__(self, sections: list[list[Section]]) -> None:
        super().__init__()
        self.sections = sections


class FailedError(RuntimeError):
    """Jobs failed; `sections` report what is done, a list for each paper."""

    def __init__(self, message: str, sections: list[list[Section]]) -> None:
        super().__init__(message)
        self.sections = sections


def reproduce(paper: Paper, folder: Path, on_step: OnStep = ignore_step) -> list[Section]:
    """Run a paper's jobs in this process and write the report into `folder`."""
    return reproduce_all([Run(paper, folder)], on_step=on_step)[0]


def reproduce_all(
    runs: Sequence[Run], n_processes: int = 1, on_step: OnStep = ignore_step
) -> list[list[Section]]:
    """Run the jobs of several papers and write their reports.

    Each result is saved at once, so an interrupted run continues after the last ones. A job that
    fails does not keep the others from running. Afterwards, the reports cover what is done and
    list the rest.
    """
    for run in runs:
        run.find()
    try:
        run_jobs(runs, n_processes, on_step)
    except KeyboardInterrupt:
        if not any(run.results for run in runs):
            raise
        raise Interrupted(write_all(runs)) from None
    except ProcessKilledError as problem:
        raise FailedError(str(problem), write_all(runs)) from None
    sections = write_all(runs)
    if any(run.failures for run in runs):
        raise FailedError(what_failed(runs), sections)
    return sections


def write_all(runs: Sequence[Run]) -> list[list[Section]]:
    """Write the reports, but none without a result: an earlier one may have some."""
    return [run.write() if run.results or not run.left else left_over(run) for run in runs]


def run_jobs(runs: Sequence[Run], n_processes: int, on_step: OnStep) -> None:
    jobs = [job for run in runs for job in run.jobs]
    steps = Steps(jobs, [job for run in runs for job in run.left], n_processes, on_step)
    steps.begin()
    for (run, job), outcome in outcomes_of(runs, n_processes, steps):
        run.keep(job.key, outcome)
        steps.finish(job)


def outcomes_of(
    runs: Sequence[Run], n_processes: int, steps: Steps
) -> Iterator[tuple[Task, Result | Failure]]:
    """In order; with several processes as they come, and then what must run alone."""
    tasks = [(run, job) for run in runs for job in run.left]
    shared = [task for task in tasks if n_processes > 1 and can_share(*task)]
    yield from shared_outcomes(shared, n_processes)
    done = {id(job) for _, job in shared}
    for run, job in tasks:
        if id(job) not in done:
            steps.begin(job.key)
            yield (run, job), outcome_of(job.run)


def can_share(run: Run, job: Job) -> bool:
    """Whether a job may run in another process while others do."""
    return run.recipe is not None and not job.alone


def shared_outcomes(
    tasks: Sequence[Task], n_processes: int
) -> Iterator[tuple[Task, Result | Failure]]:
    """Papers with a long job first, and their long jobs first: all processes then end together."""
    if not tasks:
        return
    runs = list({id(run): run for run, _ in tasks}.values())
    runs.sort(key=lambda run: -max(job.seconds for each, job in tasks if each is run))
    numbers = {id(run): number for number, run in enumerate(runs)}
    in_order = sorted(tasks, key=lambda task: (numbers[id(task[0])], -task[1].seconds))
    by_name = {(numbers[id(run)], job.key): (run, job) for run, job in in_order}
    named = [(n, run.recipe, key) for (n, key), (run, _) in by_name.items() if run.recipe]
    for number, key, outcome in run_in_processes(named, n_processes):
        yield by_name[number, key], outcome


def cut_short(run: Run) -> list[Section]:
    """What a run with less than the paper's data or rounds is worth."""
    settings, less = run.paper.settings, []
    if settings.quick:
        less.append("smaller data and fewer rounds than the paper")
    if settings.rounds is not None:
        less.append(f"at most {settings.rounds} rounds")
    text = f"With {' and '.join(less)}, verdicts say little about the paper's claims."
    return [Section("A short run", text)] if less else []


LISTED = 20
"""Jobs without a result that the report names."""


def left_over(run: Run) -> list[Section]:
    """The jobs that failed, and those that an interruption has left."""
    failed = [f"{key}: {failure.reason}" for key, failure in run.failures.items()]
    missing = [job.key for job in run.left if job.key not in run.failures]
    return [
        *listed("Failed", "These jobs ended with an error:", failed, run),
        *listed("Not run yet", "The run was interrupted before these jobs:", missing, run),
    ]


def listed(title: str, text: str, jobs: Sequence[str], run: Run) -> list[Section]:
    if not jobs:
        return []
    lines = [f"- {each}" for each in jobs[:LISTED]]
    if len(jobs) > LISTED:
        lines.append(f"- and {len(jobs) - LISTED} more; {len(run.results)} are done")
    return [Section(title, "\n".join([text, "", *lines]))]


def what_failed(runs: Sequence[Run]) -> str:
    """All in one line: how many, and the first one."""
    n = sum(len(run.failures) for run in runs)
    run = next(run for run in runs if run.failures)
    key, failure = next(iter(run.failures.items()))
    jobs = "a job" if n == 1 else f"{n} jobs"
    return f"{jobs} failed, the first one being {key} of {run.name}: {failure.reason.rstrip('.')}."
