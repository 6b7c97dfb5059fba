"""Tables and figures of AP-Boost, the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from frugalboost.plots import AssessmentsDisplay
from frugalboost.reproduce.adaptive_pruning import published
from frugalboost.reproduce.adaptive_pruning.claims import (
    Results,
    above_bound,
    fit_of,
    gaps,
    grouped,
    mean_of,
    savings,
    share_saved,
)
from frugalboost.reproduce.adaptive_pruning.published import SEARCHES
from frugalboost.reproduce.paper import Cell, FigureOf, Section, Shape, TableOf, data_section
from frugalboost.reproduce.text import change, count, decimals, difference, percent

if TYPE_CHECKING:
    from frugalboost.reproduce.adaptive_pruning.experiment import Trial


def sections(
    shapes: Mapping[str, Shape],
    absent: Mapping[str, str],
    trials: Sequence[Trial],
    chosen: Sequence[str],
    results: Results,
) -> list[Section]:
    title = "Table 1: training rows, test rows, features, classes"
    return [
        data_section(title, published.SHAPES, shapes, absent),
        *fit_sections(trials, results),
        depth_section(results),
        bound_section(chosen, results),
    ]


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
    """Trials of the data and heuristics that no interruption has left unfinished."""
    lacking = {(trial.data, trial.heuristic) for trial in trials if trial.key not in results}
    return [trial for trial in trials if (trial.data, trial.heuristic) not in lacking]


MEANS = (
    "Where features are drawn, figures are means over the draws that were made. Which of equally "
    "heavy rows are trimmed is left open in the paper; figures of weight trimming are means over "
    "several orders of the rows, that of the file among them. A fit that ended early, because a "
    "tree was no better than guessing, keeps its last figures; the column *trees* says how many "
    "it has."
)


def work_table(title: str, trials: Sequence[Trial], results: Results) -> TableOf:
    headings = ["data", "heuristic", "seconds, paper: AP", "QB", "seconds, here: AP", "QB"]
    headings += ["saved by AP, paper: assessments", "here", "paper: seconds", "here", "same model"]
    rows: list[list[Cell]] = [
        [
            saving.data,
            saving.heuristic,
            *(f"{seconds:.0f}" for seconds in saving.published_seconds),
            *(f"{seconds:.2f}" for seconds in saving.seconds),
            percent(share_saved(saving.published_assessments)),
            percent(share_saved(saving.assessments)),
            percent(share_saved(saving.published_seconds)),
            percent(share_saved(saving.seconds)),
            "yes" if saving.is_same_model else "**no**",
        ]
        for saving in savings(trials, results)
    ]
    return TableOf(title, headings, rows)


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
                SEARCHES[cell.search],
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
                line: list[Cell] = [data, SEARCHES[search], depth, count(theirs), count(ours)]
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
        [
            *(gap_figure(data, results) for data in exact),
            *(total_figure(data, results) for data in totals),
        ],
    )


BOUNDS = (
    "The exact bound is that of the linear relaxation, rounded up: a bound that holds. Shares of "
    "the gap are 0 at the exact bound and 1 at the exhaustive search."
)


def exact_table(names: Sequence[str], results: Results) -> TableOf:
    rows: list[list[Cell]] = []
    for data in names:
        bound = results[f"{data}-exact-bound"]
        doubt = max(u / e - 1 for u, e in zip(bound["upper"], bound["exact"], strict=True))
        by_round = gaps(data, results)
        for name, shares in by_round.display.shares.items():
            known = shares[~np.isnan(shares)]  # the others have no gap
            parts = np.quantile(known, [0, 0.5, 1]) if len(known) else (0.0, 0.0, 0.0)
            figures = [*parts, by_round.together(name)]
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
        for search, name in SEARCHES.items():
            above = above_bound(data, search, results)
            rows.append([data, name, percent(above.mean()), percent(above.max()), len(above)])
    headings = ["data", "search", "above the bound, mean", "most", "rounds"]
    return TableOf("Figure 2: assessments above the weight order bound", headings, rows)


def total_figure(data: str, results: Results) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        fits = {name: fit_of(data, search, results) for search, name in SEARCHES.items()}
        lines = {name: each["by_round"]["assessments"] for name, each in fits.items()}
        lines["exhaustive"] = fits["Quick Boost"]["by_round"]["full"]
        bound = results[f"{data}-weight-order-bound"]
        AssessmentsDisplay(lines, bounds=(bound["rounds"], bound["weight_order"])).plot(ax=axes[0])

    return FigureOf(f"ap-boost-2-{data}", f"Figure 2 on {data}: assessments in all.", draw)
