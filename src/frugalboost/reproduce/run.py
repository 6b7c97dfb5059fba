"""Do what is not done yet, then write the report."""

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
    """Somebody has stopped a run; `sections` tell what there is."""

    def __init__(self, sections: list[Section]) -> None:
        super().__init__()
        self.sections = sections


def reproduce(paper: Paper, folder: Path, on_job: Progress | None = None) -> list[Section]:
    """Run a paper's jobs and write the report into `folder`.

    Results are kept there one by one; a run that was broken off goes on after the last. When it is
    interrupted, the report is written of what there is, and says so.
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
    results |= {job.key: found for job in jobs if (found := store.find(job.key)) is not None}
    for done, job in enumerate(jobs):
        if on_job is not None:
            on_job(done, len(jobs), job.key)
        if job.key not in results:
            found = job.run()
            store.keep(job.key, found)
            results[job.key] = found
    if on_job is not None:
        on_job(len(jobs), len(jobs), "")


def write_sections(paper: Paper, folder: Path, results: dict[str, Result]) -> list[Section]:
    sections = [*left_over(paper, results), *paper.sections(results)]
    write_report(folder, paper.title, sections, results)
    return sections


LISTED = 20
"""Jobs that are named if not all were run."""


def left_over(paper: Paper, results: dict[str, Result]) -> list[Section]:
    """What an interruption has kept from being done."""
    missing = [f"- {job.key}" for job in paper.jobs() if job.key not in results]
    more = len(missing) - LISTED
    if more > 0:
        missing = [*missing[:LISTED], f"- and {more} more; {len(results)} are done"]
    text = "\n".join(["The run was interrupted before these jobs:", "", *missing])
    return [Section("Not run yet", text)] if missing else []
