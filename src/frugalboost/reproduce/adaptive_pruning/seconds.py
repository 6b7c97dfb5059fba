"""The seconds of tables 2 and 3, and why they do not follow the assessments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from frugalboost.reproduce.adaptive_pruning import published
from frugalboost.reproduce.adaptive_pruning.findings import Findings, Work, share_saved
from frugalboost.reproduce.adaptive_pruning.published import SEARCHES
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.paper import Cell, Section, TableOf
from frugalboost.reproduce.text import percent


class Timing(NamedTuple):
    """Seconds and assessments of fits that ran alone."""

    data: str
    heuristic: str
    rounds: int
    paper: Work
    seconds: Work
    assessments: Work


def timings(findings: Findings) -> Iterator[Timing]:
    for (data, heuristic), printed in published.SECONDS.items():
        taken = findings.results.get(f"{data}-{heuristic.replace(' ', '-')}-seconds")
        if taken is not None:
            paper = dict(zip(published.PRINTED, printed, strict=True))
            counts = taken["seconds"], taken["assessments"]
            yield Timing(data, heuristic, taken["rounds"], paper, *counts)


def copies(results: Mapping[str, Result]) -> dict[int, Result]:
    """By how often each row of a6a is there."""
    found = {n: results.get(f"a6a-{n}-copies-seconds") for n in (1, 10)}
    return {n: result for n, result in found.items() if result is not None}


def saved(work: Mapping[str, float], search: str) -> str:
    share = share_saved(work, search)
    return "" if share is None else percent(share)


SECONDS = (
    "Fits that nothing ran beside; each search was timed in turn, and of several fits of a search "
    "the fastest counts. The paper's seconds are of all rounds. Of MNIST only the first rounds are "
    "timed, in which there is less to save."
)


def seconds_section(findings: Findings) -> Section:
    return Section("Seconds", SECONDS, [time_table(findings), copies_table(findings)])


def time_table(findings: Findings) -> TableOf:
    rows: list[list[Cell]] = [
        [
            each.data,
            each.heuristic,
            *(f"{each.paper[search]:.0f}" for search in published.PRINTED),
            saved(each.paper, "ap_boost"),
            each.rounds,
            *(f"{each.seconds[search]:.2f}" for search in SEARCHES),
            saved(each.seconds, "ap_boost"),
            saved(each.assessments, "ap_boost"),
        ]
        for each in timings(findings)
    ]
    headings = ["data", "heuristic", "paper: AP-Boost", "Quick Boost", "saved", "here: rounds"]
    headings += [*SEARCHES.values(), "saved by AP-Boost", "assessments saved in these rounds"]
    return TableOf("Tables 2 and 3: seconds", headings, rows)


def copies_table(findings: Findings) -> TableOf:
    rows: list[list[Cell]] = [
        [
            f"{n}",
            *(f"{each['seconds'][search]:.2f}" for search in SEARCHES),
            *(saved(each["seconds"], search) for search in ("ap_boost", "adaptive")),
            *(saved(each["assessments"], search) for search in ("ap_boost", "adaptive")),
        ]
        for n, each in copies(findings.results).items()
    ]
    headings = ["copies of each row", *(f"seconds, {name}" for name in SEARCHES.values())]
    headings += ["seconds saved, AP-Boost", "best first", "assessments saved, AP-Boost"]
    title = "Seconds when reads are more of the work: a6a, 100 rounds"
    return TableOf(title, [*headings, "best first"], rows)
