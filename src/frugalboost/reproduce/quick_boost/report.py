"""Tables and figures of Quick Boost, beside what the paper's text says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from frugalboost.analysis import QuickSweep
from frugalboost.plots import (
    AmongBestDisplay,
    CostErrorDisplay,
    GainDisplay,
    PreliminaryErrorsDisplay,
    QuickSweepDisplay,
    SubsetMassDisplay,
)
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.paper import Cell, FigureOf, Section, Shape, TableOf, data_section
from frugalboost.reproduce.quick_boost import published
from frugalboost.reproduce.quick_boost.claims import (
    FEWER,
    LESS,
    Curves,
    fewer_errors,
    less_work,
    probability_at_knee,
    rows_of_90_percent,
    schedule_prices,
    share_of_knee,
)
from frugalboost.reproduce.text import count, decimals, percent


def sections(
    shapes: Mapping[str, Shape],
    absent: Mapping[str, str],
    subsets: Sequence[Result],
    curves: Curves,
    pairs: Curves,
) -> list[Section]:
    title = "Training rows, test rows, features, classes"
    return [
        data_section(title, published.SHAPES, shapes, absent, STAND_INS),
        *subset_sections(subsets),
        *curve_sections(curves),
        *pair_sections(pairs),
    ]


STAND_INS = (
    "The paper's face and pedestrian images cannot be had. In their place stand MNIST images with "
    "as many rows and Haar-like features: digit 3 against the rest for faces, digits from 5 on "
    "against those below for pedestrians. Their errors say nothing about faces."
)


def subset_sections(subsets: Sequence[Result]) -> list[Section]:
    """Figures 1 to 4."""
    if not subsets:
        return []
    mass, early, swept = subsets
    return [
        Section(
            "The weight of few rows",
            tables=[mass_table(mass), knee_table(early)],
            figures=[mass_figure(mass), error_figure(early), among_best_figure(early)],
        ),
        Section(
            "The schedule of subsets", tables=[sweep_table(swept)], figures=[sweep_figure(swept)]
        ),
    ]


def mass_table(mass: Result) -> TableOf:
    rows: list[list[Cell]] = []
    for rule, share in rows_of_90_percent(mass).items():
        paper = published.ROWS_OF_90_PERCENT.get(rule)
        rows.append([rule, "" if paper is None else percent(paper), percent(share)])
    title = f"Figure 1: rows that hold 90 % of the weight, mean of {mass['rounds']} rounds"
    return TableOf(title, ["rule", "paper", "here"], rows)


def mass_figure(mass: Result) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        SubsetMassDisplay(mass["shares"], mass["masses"]).plot(ax=axes[0])

    return FigureOf("quick-boost-1", "Figure 1: weight of the heaviest rows.", draw)


def knee_table(early: Result) -> TableOf:
    _, k, paper = published.KNEE
    rows: list[list[Cell]] = []
    for name in early["probabilities"]:
        claimed = f"over {percent(paper)}" if name == k else ""
        first = share_of_knee(early, name)
        here = percent(probability_at_knee(early, name))
        rows.append([name, claimed, here, "never" if first is None else percent(first)])
    headings = ["among the best", "paper, at 75 % of the weight", "here", "95 % from"]
    return TableOf("Figure 3: how often the best feature is there", headings, rows)


def error_figure(early: Result) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        PreliminaryErrorsDisplay(early["shares"], early["example"]).plot(ax=axes[0])

    caption = f"Figure 2: preliminary errors of features, round {early['example_round']}."
    return FigureOf("quick-boost-2", caption, draw)


def among_best_figure(early: Result) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        AmongBestDisplay(early["shares"], early["probabilities"]).plot(ax=axes[0])

    return FigureOf("quick-boost-3", "Figure 3: is the best feature among the first?", draw)


def as_sweep(swept: Result) -> QuickSweep:
    return QuickSweep(*(np.array(swept[name]) for name in ("masses", "steps", "shares")))


def sweep_table(swept: Result) -> TableOf:
    rows: list[list[Cell]] = [
        [name, mass, steps, percent(share)]
        for name, (mass, steps, share) in schedule_prices(as_sweep(swept)).items()
    ]
    headings = ["", "first mass", "subsets after it", "assessments, of exhaustive"]
    return TableOf(f"Figure 4: {swept['rounds']} rounds, depths 1 to 3", headings, rows)


def sweep_figure(swept: Result) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        QuickSweepDisplay(as_sweep(swept)).plot(ax=axes[0])

    return FigureOf("quick-boost-4", "Figure 4: assessments by first mass and subsets.", draw)


def curve_sections(curves: Curves) -> list[Section]:
    """Figures 5 to 7."""
    names = list(dict.fromkeys(data for data, _ in curves))
    if not names:
        return []
    heads = ["data", "heuristic", "trees", "assessments, slow", "quick", "slow / quick"]
    heads += ["train loss", "area over ROC"]
    figures = [curve_figure(data, curves) for data in names]
    return [
        Section(
            "Cost and error",
            tables=[TableOf("Figure 5", heads, curve_rows(curves))],
            figures=figures,
        ),
        gain_section("6", FEWER, {name: fewer_errors(name, curves) for name in names}),
        gain_section("7", LESS, {name: less_work(name, curves) for name in names}),
    ]


def curve_rows(curves: Curves) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for (data, heuristic), curve in curves.items():
        slow, quick = curve["slow"][-1], curve["quick"][-1]
        line: list[Cell] = [data, heuristic, curve["n_trees"], count(slow), count(quick)]
        ends = decimals(curve["train_loss"][-1], 4), decimals(curve["test_area"][-1], 4)
        rows.append([*line, decimals(slow / quick, 2), *ends])
    return rows


def curve_figure(data: str, curves: Curves) -> FigureOf:
    chosen = {heuristic: curve for (name, heuristic), curve in curves.items() if name == data}

    def draw(axes: Sequence[Any]) -> None:
        partners = {f"quick {heuristic}": heuristic for heuristic in chosen}
        for ax, error in zip(axes, ("train_loss", "test_area"), strict=True):
            lines = {name: (curve["slow"], curve[error]) for name, curve in chosen.items()}
            lines |= {
                f"quick {name}": (curve["quick"], curve[error]) for name, curve in chosen.items()
            }
            CostErrorDisplay(lines, partners).plot(ax=ax)
            ax.set_ylabel({"train_loss": "training loss", "test_area": "area over ROC"}[error])

    return FigureOf(f"quick-boost-5-{data}", f"Figure 5 on {data}: cost and error.", draw, panels=2)


def gain_section(number: str, text: str, gains: Mapping[str, Mapping[str, float]]) -> Section:
    heuristics = list(dict.fromkeys(h for by_heuristic in gains.values() for h in by_heuristic))
    rows: list[list[Cell]] = [
        [h, *(decimals(by_heuristic.get(h), 2) for by_heuristic in gains.values())]
        for h in heuristics
    ]

    def draw(axes: Sequence[Any]) -> None:
        bars = {h: {data: by[h] for data, by in gains.items() if h in by} for h in heuristics}
        GainDisplay(bars).plot(ax=axes[0])

    what = {"6": "Errors at a fixed cost", "7": "Cost of the lowest error"}[number]
    table = TableOf(f"Figure {number}: factors", ["heuristic", *gains], rows)
    return Section(what, text, [table], [FigureOf(f"quick-boost-{number}", f"{what}.", draw)])


def pair_sections(pairs: Curves) -> list[Section]:
    if not pairs:
        return []
    headings = ["data", "heuristic", "trees", "reads: slow", "quick", "adaptive", "auto"]
    headings += ["seconds: slow", "quick", "adaptive", "auto", "auto / slow", "same model"]
    rows: list[list[Cell]] = []
    for (data, heuristic), by_search in pairs.items():
        reads = [count(each["reads"]) for each in by_search.values()]
        seconds = [each["seconds"] for each in by_search.values()]
        is_same = len({each["digest"] for each in by_search.values()}) == 1
        ratio = by_search["auto"]["seconds"] / by_search["exhaustive"]["seconds"]
        line: list[Cell] = [data, heuristic, by_search["auto"]["n_trees"], *reads]
        line += [*(decimals(each, 2) for each in seconds), decimals(ratio, 2)]
        rows.append([*line, "yes" if is_same else "**no**"])
    table = TableOf("Every heuristic with every search, one after the other", headings, rows)
    return [Section("Seconds", SECONDS, [table])]


SECONDS = (
    "Assessments are the papers' unit; the exhaustive search here does not execute all of them "
    "(*reads* are the updates that were executed), so fewer assessments need not be fewer seconds."
)
