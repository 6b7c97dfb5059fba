"""Run the jobs that have no result yet, then write the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import frugalboost
from frugalboost.reproduce.jobs import Job, Result, Store
from frugalboost.reproduce.paper import Paper, Section
from frugalboost.reproduce.writing import write_report

Progress = Callable[[int, int, str], None]
"""Told how many jobs are done, of how many, and which one comes next."""


class Interrupted(KeyboardInterrupt):
    """A run was interrupted; `sections` report what is done."""

    def __init__(self, sections: list[Section]) -> None:
        super().__init__()
        self.sections = sections


def reproduce(paper: Paper, folder: Path, on_job: Progress | None = None) -> list[Section]:
    """Run a paper's jobs and write the report into `folder`.

    Each result is saved there at once, so an interrupted run continues after the last. The report
    of an interrupted run covers what is done and lists the rest.
    """
    results: dict[str, Result] = {}
    try:
        run_jobs(paper.jobs(), Store(folder / "results", frugalboost.__version__), results, on_job)
    except KeyboardInterrupt:
        if not results:
            raise
        raise Interrupted(write_sections(paper, folder, results)) from None
    return write_sections(paper, folder, results)


def run_jobs(
    jobs: list[Job], store: Store, results: dict[str, Result], on_job: Progress | None
) -> None:
    """Fill `results`, by key."""
    results |= {job.key: kept for job in jobs if (kept := store.find(job.key)) is not None}
    for done, job in enumerate(jobs):
        if on_job is not None:
            on_job(done, len(jobs), job.key)
        if job.key not in results:
            results[job.key] = job.run()
            store.keep(job.key, results[job.key])
    if on_job is not None:
        on_job(len(jobs), len(jobs), "")


def write_sections(paper: Paper, folder: Path, results: dict[str, Result]) -> list[Section]:
    sections = [*left_over(paper, results), *paper.sections(results)]
    write_report(folder, paper.title, sections, results)
    return sections


LISTED = 20
"""Unfinished jobs that the report names."""


def left_over(paper: Paper, results: dict[str, Result]) -> list[Section]:
    """The jobs that an interruption has left."""
    missing = [f"- {job.key}" for job in paper.jobs() if job.key not in results]
    more = len(missing) - LISTED
    if more > 0:
        missing = [*missing[:LISTED], f"- and {more} more; {len(results)} are done"]
    text = "\n".join(["The run was interrupted before these jobs:", "", *missing])
    return [Section("Not run yet", text)] if missing else []
