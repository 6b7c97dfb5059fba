"""Tables and figures of AP-Boost, the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frugalboost.plots import AssessmentsDisplay, GapDisplay
from frugalboost.reproduce import published_ap_boost as published
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.paper import Cell, FigureOf, Section, TableOf
from frugalboost.reproduce.text import (
    absences,
    change,
    count,
    decimals,
    difference,
    percent,
    shape,
)

if TYPE_CHECKING:
    from frugalboost.reproduce.adaptive_pruning import Trial

Results = Mapping[str, Result]
NAMES = {"adaptive": "AP-Boost", "quick": "Quick Boost"}


def data_section(shapes: Mapping[str, tuple[int, ...]], absent: Mapping[str, str]) -> Section:
    rows: list[list[Cell]] = [
        [name, shape(paper), shape(shapes.get(name))] for name, paper in published.SHAPES.items()
    ]
    table = TableOf(
        "Table 1: training rows, test rows, features, classes", ["data", "paper", "here"], rows
    )
    return Section("Data", absences(absent), [table])


def fit_sections(trials: Sequence[Trial], results: Results) -> list[Section]:
    """Tables 2 to 9: AdaBoost as it is, then with each heuristic."""
    finished = finished_groups(trials, results)
    plain = [trial for trial in finished if trial.heuristic == published.NONE]
    others = [trial for trial in finished if trial.heuristic != published.NONE]
    return [
        Section(
            "AdaBoost",
            tables=[
                work_table("Table 2: seconds and assessments", plain, results),
                error_table("Table 4: assessments and errors by rounds", plain, results),
            ],
        ),
        Section(
            "LazyBoost and weight trimming",
            MEANS,
            [
                work_table("Table 3: seconds and assessments", others, results),
                error_table("Tables 5 to 9: assessments and errors by rounds", others, results),
            ],
        ),
    ]


def finished_groups(trials: Sequence[Trial], results: Results) -> list[Trial]:
    """Trials without those whose data and heuristic an interruption has left unfinished."""
    lacking = {(trial.data, trial.heuristic) for trial in trials if trial.key not in results}
    return [trial for trial in trials if (trial.data, trial.heuristic) not in lacking]


MEANS = (
    "Where features are drawn, figures are means over the draws that were made. Which of equally "
    "heavy rows are trimmed is left open in the paper; figures of weight trimming are means over "
    "several orders of the rows, that of the file among them. A fit that ended early, because a "
    "tree was no better than guessing, keeps its last figures; the column *trees* says how many "
    "it has."
)


def mean_of(trials: Sequence[Trial], results: Results, name: str) -> Any:
    """Mean over seeds of a list of the results."""
    return np.mean([results[trial.key][name] for trial in trials], axis=0)


def grouped(trials: Sequence[Trial]) -> dict[tuple[str, str], dict[str, list[Trial]]]:
    """By data and heuristic, then by search: the trials of all seeds."""
    groups: dict[tuple[str, str], dict[str, list[Trial]]] = {}
    for trial in trials:
        by_search = groups.setdefault((trial.data, trial.heuristic), {})
        by_search.setdefault(trial.search, []).append(trial)
    return groups


def work_table(title: str, trials: Sequence[Trial], results: Results) -> TableOf:
    headings = ["data", "heuristic", "seconds, paper: AP", "QB", "seconds, here: AP", "QB"]
    headings += ["saved by AP, paper: assessments", "here", "paper: seconds", "here", "same model"]
    rows: list[list[Cell]] = []
    for (data, heuristic), found in grouped(trials).items():
        ap_seconds, qb_seconds = published.SECONDS[data, heuristic]
        ap_paper, qb_paper = (
            last_published(data, heuristic, search) for search in ("adaptive", "quick")
        )
        ap, qb = (mean_of(found[search], results, "assessments")[-1] for search in NAMES)
        ap_time, qb_time = (mean_of(found[search], results, "seconds")[-1] for search in NAMES)
        digests = [[results[trial.key]["digest"] for trial in found[search]] for search in NAMES]
        rows.append(
            [
                data,
                heuristic,
                f"{ap_seconds:.0f}",
                f"{qb_seconds:.0f}",
                f"{ap_time:.2f}",
                f"{qb_time:.2f}",
                percent(1 - ap_paper / qb_paper),
                percent(1 - ap / qb),
                percent(1 - ap_seconds / qb_seconds),
                percent(1 - ap_time / qb_time),
                "yes" if digests[0] == digests[1] else "**no**",
            ]
        )
    return TableOf(title, headings, rows)


def last_published(data: str, heuristic: str, search: str) -> float:
    """Assessments of all rounds."""
    return max(
        cell.assessments
        for cell in published.ERRORS
        if (cell.data, cell.heuristic, cell.search) == (data, heuristic, search)
    )


def error_table(title: str, trials: Sequence[Trial], results: Results) -> TableOf:
    headings = ["data", "heuristic", "search", "rounds", "trees", "assessments, paper", "here"]
    headings += ["change", "train error, paper", "here", "difference"]
    headings += ["test error, paper", "here", "difference"]
    groups = grouped(trials)
    rows: list[list[Cell]] = []
    for cell in published.ERRORS:
        if (cell.data, cell.heuristic) not in groups:
            continue
        seeds = groups[cell.data, cell.heuristic][cell.search]
        at = results[seeds[0].key]["marks"].index(cell.rounds)
        assessments, train, test = (
            mean_of(seeds, results, name)[at]
            for name in ("assessments", "train_error", "test_error")
        )
        trees = np.mean([min(results[trial.key]["n_trees"], cell.rounds) for trial in seeds])
        rows.append(
            [
                cell.data,
                cell.heuristic,
                NAMES[cell.search],
                cell.rounds,
                f"{trees:.0f}",
                count(cell.assessments),
                count(assessments),
                change(assessments, cell.assessments),
                *errors(cell.train_error, train),
                *errors(cell.test_error, test),
            ]
        )
    return TableOf(title, headings, rows)


def errors(paper: float | None, ours: float) -> list[Cell]:
    return [decimals(paper), decimals(ours, 4), difference(ours, paper)]


def depth_section(results: Results) -> Section:
    """Table 10; depth 3 is that of the other tables."""
    rows: list[list[Cell]] = []
    for (data, search), paper in published.DEPTHS.items():
        for depth, theirs in enumerate(paper, start=1):
            key = f"{data}-depth{depth}-none-{search}-seed0"
            if key in results:
                ours = results[key]["assessments"][-1]
                line: list[Cell] = [data, NAMES[search], depth, count(theirs), count(ours)]
                rows.append([*line, change(ours, theirs)])
    headings = ["data", "search", "depth", "assessments, paper", "here", "change"]
    return Section("Depth of trees", "", [TableOf("Table 10: 500 rounds", headings, rows)])


def bound_section(chosen: Sequence[str], results: Results) -> Section:
    """Figures 1 and 2, with tables of what is in them."""
    totals = [data for data in chosen if f"{data}-weight-order-bound" in results]
    exact = [data for data in chosen if f"{data}-exact-bound" in results]
    return Section(
        "Lower bounds",
        BOUNDS,
        [exact_table(exact, results), weight_order_table(totals, results)],
        [*(gap_figure(data, results) for data in exact)]
        + [total_figure(data, results) for data in totals],
    )


BOUNDS = (
    "The exact bound is that of the linear relaxation, rounded up: a bound that holds. Shares of "
    "the gap are 0 at the exact bound and 1 at the exhaustive search."
)


def fit_of(data: str, search: str, results: Results) -> Result:
    depth = 4 if data == "mnist" else 3
    return results[f"{data}-depth{depth}-none-{search}-seed0"]


def of_rounds(fit: Result, name: str, rounds: Sequence[int]) -> Any:
    return np.array(fit["by_round"][name], dtype=float)[np.array(rounds) - 1]


class Gaps(NamedTuple):
    """Figure 1: the exact bound, the exhaustive search, and by name what lies between them."""

    rounds: list[int]
    exact: Any
    full: Any
    counts: dict[str, Any]

    @property
    def display(self) -> GapDisplay:
        return GapDisplay.from_counts(*self)

    def together(self, name: str) -> float:
        """Share of the gaps of all rounds."""
        room = float((self.full - self.exact).sum())
        return float((self.counts[name] - self.exact).sum()) / room if room else 0.0


def gaps(data: str, results: Results) -> Gaps:
    bound = results[f"{data}-exact-bound"]
    rounds, exact = bound["rounds"], np.array(bound["exact"], dtype=float)
    stumps = {s: results[f"{data}-depth1-none-{s}-seed0"] for s in NAMES}
    counts = {NAMES[s]: of_rounds(stumps[s], "assessments", rounds) for s in NAMES}
    counts["weight order bound"] = np.array(bound["weight_order"], dtype=float)
    return Gaps(rounds, exact, of_rounds(stumps["quick"], "full", rounds), counts)


def exact_table(names: Sequence[str], results: Results) -> TableOf:
    rows: list[list[Cell]] = []
    for data in names:
        bound = results[f"{data}-exact-bound"]
        doubt = max(u / e - 1 for u, e in zip(bound["upper"], bound["exact"], strict=True))
        found = gaps(data, results)
        for name, shares in found.display.shares.items():
            known = shares[~np.isnan(shares)]  # the others have no gap
            parts = np.quantile(known, [0, 0.5, 1]) if len(known) else (0.0, 0.0, 0.0)
            figures = [*parts, found.together(name)]
            rows.append([data, name, *(decimals(each) for each in figures), percent(doubt)])
    headings = ["data", "", "least", "median", "most", "rounds together"]
    headings += ["exact bound unsure by at most"]
    return TableOf("Figure 1: share of the gap, stumps, every 10th round", headings, rows)


def gap_figure(data: str, results: Results) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        gaps(data, results).display.plot(ax=axes[0])

    return FigureOf(f"ap-boost-1-{data}", f"Figure 1 on {data}: share of the gap by round.", draw)


def weight_order_table(names: Sequence[str], results: Results) -> TableOf:
    rows: list[list[Cell]] = []
    for data in names:
        bound = results[f"{data}-weight-order-bound"]
        least = np.array(bound["weight_order"], dtype=float)
        for search, name in NAMES.items():
            seen = of_rounds(fit_of(data, search, results), "assessments", bound["rounds"])
            over = seen / least - 1
            rows.append([data, name, percent(over.mean()), percent(over.max()), len(over)])
    headings = ["data", "search", "above the bound, mean", "most", "rounds"]
    return TableOf("Figure 2: assessments above the weight order bound", headings, rows)


def total_figure(data: str, results: Results) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        fits = {name: fit_of(data, search, results) for search, name in NAMES.items()}
        lines = {name: each["by_round"]["assessments"] for name, each in fits.items()}
        lines["exhaustive"] = fits["Quick Boost"]["by_round"]["full"]
        bound = results[f"{data}-weight-order-bound"]
        AssessmentsDisplay(lines, bounds=(bound["rounds"], bound["weight_order"])).plot(ax=axes[0])

    return FigureOf(f"ap-boost-2-{data}", f"Figure 2 on {data}: assessments in all.", draw)
