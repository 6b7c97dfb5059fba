"""Tables and figures of AP-Boost, the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from frugalboost.plots import AssessmentsDisplay
from frugalboost.reproduce.adaptive_pruning import published
from frugalboost.reproduce.adaptive_pruning.claims import CLAIMS, CRITERIA
from frugalboost.reproduce.adaptive_pruning.findings import (
    Findings,
    above_bound,
    at_rounds,
    fit_of,
    gaps,
    gaps_by_batches,
    in_part,
    per_tree,
    savings,
    share_saved,
    units,
)
from frugalboost.reproduce.adaptive_pruning.published import NONE, SEARCHES, Published
from frugalboost.reproduce.adaptive_pruning.reasons import MUCH
from frugalboost.reproduce.adaptive_pruning.seconds import seconds_section
from frugalboost.reproduce.judging import claim_section
from frugalboost.reproduce.paper import Cell, FigureOf, Section, Shape, TableOf, data_section
from frugalboost.reproduce.text import change, count, decimals, difference, percent


def sections(
    shapes: Mapping[str, Shape], absent: Mapping[str, str], findings: Findings
) -> list[Section]:
    title = "Table 1: training rows, test rows, features, classes"
    return [
        data_section(title, published.SHAPES, shapes, absent),
        claim_section(CLAIMS.judged(findings), CRITERIA),
        *fit_sections(findings),
        order_section(findings),
        depth_section(findings),
        unit_section(findings),
        bound_section(findings),
        seconds_section(findings),
    ]


PRINTED_AND_BEST_FIRST = (
    "The paper's AP-Boost stands beside two searches: *here* is Algorithm 1 as printed "
    '(`search="ap_boost"`), *best first* is `search="adaptive"`. All searches grow the same trees, '
    "so errors are given once."
)
MEANS = (
    "Where features are drawn, figures are means over the draws that were made. Which of equally "
    "heavy rows are trimmed is left open in the paper; figures of weight trimming are means over "
    "several orders of the rows, that of the file among them. A fit that ended early, because a "
    "tree was no better than guessing, keeps its last figures; the column *trees* says how many "
    "it has."
)


def fit_sections(findings: Findings) -> list[Section]:
    """Tables 2 to 9 but for the seconds: AdaBoost as it is, then with each heuristic."""
    return [
        Section(
            "AdaBoost",
            PRINTED_AND_BEST_FIRST,
            [
                saving_table("Table 2: assessments that AP-Boost saves", findings, is_plain=True),
                error_table("Table 4: assessments and errors by rounds", findings, is_plain=True),
            ],
        ),
        Section(
            "LazyBoost and weight trimming",
            MEANS,
            [
                saving_table("Table 3: assessments that AP-Boost saves", findings, is_plain=False),
                error_table(
                    "Tables 5 to 9: assessments and errors by rounds", findings, is_plain=False
                ),
                trimming_table(findings),
            ],
        ),
    ]


def saving_table(title: str, findings: Findings, *, is_plain: bool) -> TableOf:
    rows: list[list[Cell]] = [
        [
            saving.data,
            saving.heuristic,
            saving.rounds,
            percent_or_none(share_saved(saving.paper, "ap_boost")),
            percent_or_none(share_saved(saving.here, "ap_boost")),
            percent_or_none(share_saved(saving.here, "adaptive")),
            "yes" if saving.is_same_model else "**no**",
        ]
        for saving in savings(findings)
        if (saving.heuristic == NONE) == is_plain
    ]
    headings = ["data", "heuristic", "rounds", "saved over Quick Boost, paper", "here"]
    return TableOf(title, [*headings, "best first", "same model"], rows)


def percent_or_none(share: float | None) -> str:
    return "" if share is None else percent(share)


def error_table(title: str, findings: Findings, *, is_plain: bool) -> TableOf:
    headings = ["data", "heuristic", "search", "rounds", "trees", "assessments, paper", "here"]
    headings += ["change", "best first", "change", "train error, paper", "here", "difference"]
    headings += ["test error, paper", "here", "difference"]
    cells = [cell for cell in published.ERRORS if (cell.heuristic == NONE) == is_plain]
    rows = [error_row(cell, findings) for cell in cells]
    return TableOf(title, headings, [row for row in rows if row is not None])


def error_row(cell: Published, findings: Findings) -> list[Cell] | None:
    """None: the fits are not there."""
    group = findings.groups().get((cell.data, cell.heuristic))
    if group is None:
        return None
    work = findings.assessments(group, cell.rounds)
    better = work.get("adaptive") if cell.search == "ap_boost" else None
    fits = group["quick"]  # every search has the same trees
    trees = [min(findings.results[trial.key]["n_trees"], cell.rounds) for trial in fits]
    train, test = (findings.mean(fits, name, cell.rounds) for name in ("train_error", "test_error"))
    return [
        cell.data,
        cell.heuristic,
        SEARCHES[cell.search],
        cell.rounds,
        f"{np.mean(trees):.0f}",
        count(cell.assessments),
        *counted(work.get(cell.search), cell.assessments),
        *counted(better, cell.assessments),
        *errors(cell.train_error, train),
        *errors(cell.test_error, test),
    ]


def counted(ours: float | None, theirs: float) -> list[Cell]:
    """Assessments and by how much they differ; blank where there are none."""
    return ["", ""] if ours is None else [count(ours), change(ours, theirs)]


def errors(paper: float | None, ours: float | None) -> list[Cell]:
    if ours is None:
        return [decimals(paper), "", ""]
    return [decimals(paper), decimals(ours, 4), difference(ours, paper)]


def trimming_table(findings: Findings) -> TableOf:
    rows: list[list[Cell]] = [
        [
            each.data,
            each.heuristic,
            SEARCHES[each.search],
            f"{each.n_trees:.0f}",
            count(each.paper),
            *counted(each.mean, each.paper),
            *counted(each.last, each.paper),
        ]
        for each in per_tree(findings)
    ]
    headings = ["data", "heuristic", "search", "trees", "paper, each round", "here, each tree"]
    headings += ["change", "the last tree", "change"]
    return TableOf("Weight trimming: assessments of one round", headings, rows)


def order_section(findings: Findings) -> Section:
    """What ties decide on the examples that are made of satimage's rows and labels."""
    text = "Satimage with the label's number as the last feature, and as the first: other ties."
    rows: list[list[Cell]] = []
    plain = findings.results.get("satimage-depth3-none-quick-seed0")
    other = findings.results.get("satimage-label-first")
    for name in ("train_error", "test_error"):
        if plain is None or other is None:
            break
        for at, rounds in enumerate(plain["marks"]):
            theirs = getattr(at_rounds("satimage", NONE, "quick", rounds), name)
            figures = decimals(theirs), decimals(plain[name][at], 4), decimals(other[name][at], 4)
            rows.append([name.replace("_", " "), rounds, *figures])
    headings = ["", "rounds", "paper", "label last", "label first"]
    return Section("The order of features", text, [TableOf("Ties on satimage", headings, rows)])


def depth_section(findings: Findings) -> Section:
    """Table 10; depth 3 is that of the other tables."""
    rows: list[list[Cell]] = []
    for (data, search), paper in published.DEPTHS.items():
        for depth, theirs in enumerate(paper, start=1):
            ours = findings.depth(data, search, depth)
            better = findings.depth(data, "adaptive", depth) if search == "ap_boost" else None
            if ours is not None:
                line: list[Cell] = [data, SEARCHES[search], depth, count(theirs)]
                rows.append([*line, *counted(ours, theirs), *counted(better, theirs)])
    headings = ["data", "search", "depth", "assessments, paper", "here", "change"]
    headings += ["best first", "change"]
    return Section("Depth of trees", "", [TableOf("Table 10: 500 rounds", headings, rows)])


UNITS = (
    "A feature that has one value in all rows cannot split anything. This library never looks at "
    "one; the paper does not say. In the columns *with them* such a feature is assessed like any "
    "other: its lower bound is the weight of the smaller class among the rows seen, until that "
    "rules it out. The model is the same."
)


def unit_section(findings: Findings) -> Section:
    rows: list[list[Cell]] = [
        [
            each.data,
            each.n_constants,
            SEARCHES[each.search],
            each.rounds,
            count(each.paper),
            *counted(each.without, each.paper),
            *counted(each.counted, each.paper),
            "with them" if each.counted_is_nearer else "without",
        ]
        for each in units(findings)
    ]
    headings = ["data", "constant features", "search", "rounds", "assessments, paper"]
    headings += ["without them", "change", "with them", "change", "nearer"]
    table = TableOf("Assessments with and without constant features", headings, rows)
    return Section("What counts as a feature", UNITS, [table])


BOUNDS = (
    "The exact bound is that of the linear relaxation, rounded up: a bound that holds. Shares of "
    "the gap are 0 at the exact bound and 1 at the exhaustive search."
)


def bound_section(findings: Findings) -> Section:
    """Figures 1 and 2, with tables of what is in them."""
    results = findings.results
    exact, totals = findings.with_bound("exact"), findings.with_bound("weight-order")
    return Section(
        "Lower bounds",
        BOUNDS,
        [
            exact_table(exact, findings),
            batch_table(exact, findings),
            weight_order_table(totals, findings),
        ],
        [
            *(gap_figure(data, results) for data in exact),
            *(total_figure(data, results) for data in totals),
        ],
    )


def exact_table(names: Sequence[str], findings: Findings) -> TableOf:
    rows: list[list[Cell]] = []
    for data in names:
        bound = findings.results[f"{data}-exact-bound"]
        doubt = max(u / e - 1 for u, e in zip(bound["upper"], bound["exact"], strict=True))
        by_round = gaps(data, findings.results)
        for name, shares in by_round.display.shares.items():
            known = shares[~np.isnan(shares)]  # the others have no gap
            parts = np.quantile(known, [0, 0.5, 1]) if len(known) else (0.0, 0.0, 0.0)
            figures = [*parts, by_round.together(name)]
            rows.append([data, name, *(decimals(each) for each in figures), percent(doubt)])
    headings = ["data", "", "least", "median", "most", "rounds together"]
    headings += ["exact bound unsure by at most"]
    return TableOf("Figure 1: share of the gap, stumps, every 10th round", headings, rows)


def batch_table(names: Sequence[str], findings: Findings) -> TableOf:
    rows: list[list[Cell]] = [
        [data, n, decimals(float(np.nanmedian(shares))), percent(in_part(shares, *MUCH))]
        for data in names
        for n, shares in gaps_by_batches(data, findings.results).items()
    ]
    headings = ["data", "batches", "median share of the gap", "rounds with 0.5 to 1"]
    return TableOf("Figure 1, by batches: Quick Boost, stumps, every 10th round", headings, rows)


def gap_figure(data: str, results: Mapping[str, Any]) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        gaps(data, results).display.plot(ax=axes[0])

    return FigureOf(f"ap-boost-1-{data}", f"Figure 1 on {data}: share of the gap by round.", draw)


def weight_order_table(names: Sequence[str], findings: Findings) -> TableOf:
    rows: list[list[Cell]] = []
    for data in names:
        for search, name in SEARCHES.items():
            above = above_bound(data, search, findings.results)
            figures = above.together, above.by_round.mean(), above.by_round.max()
            rows.append([data, name, *map(percent, figures), len(above.by_round)])
    headings = ["data", "search", "above the bound, rounds together", "mean", "most", "rounds"]
    return TableOf("Figure 2: assessments above the weight order bound", headings, rows)


def total_figure(data: str, results: Mapping[str, Any]) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        fits = {name: fit_of(data, search, results) for search, name in SEARCHES.items()}
        lines = {name: each["by_round"]["assessments"] for name, each in fits.items()}
        lines["exhaustive"] = fits["Quick Boost"]["by_round"]["full"]
        bound = results[f"{data}-weight-order-bound"]
        AssessmentsDisplay(lines, bounds=(bound["rounds"], bound["weight_order"])).plot(ax=axes[0])

    return FigureOf(f"ap-boost-2-{data}", f"Figure 2 on {data}: assessments in all.", draw)
