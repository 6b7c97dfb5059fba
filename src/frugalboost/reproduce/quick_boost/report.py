"""Tables and figures of Quick Boost, beside what the paper's text says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from frugalboost.plots import (
    AmongBestDisplay,
    CostErrorDisplay,
    GainDisplay,
    PreliminaryErrorsDisplay,
    SubsetMassDisplay,
)
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.judging import claim_section
from frugalboost.reproduce.paper import Cell, FigureOf, Section, Shape, TableOf, data_section
from frugalboost.reproduce.quick_boost import published
from frugalboost.reproduce.quick_boost.claims import CLAIMS, CRITERIA
from frugalboost.reproduce.quick_boost.findings import (
    Curves,
    Findings,
    error_at,
    fewer_errors,
    less_work,
    probability_at_knee,
    rows_of_90_percent,
    share_of_knee,
    speedup,
    speedup_at,
)
from frugalboost.reproduce.quick_boost.schedule_report import schedule_sections
from frugalboost.reproduce.text import count, decimals, percent


def sections(
    shapes: Mapping[str, Shape], absent: Mapping[str, str], findings: Findings
) -> list[Section]:
    title = "Training rows, test rows, features, classes"
    return [
        data_section(title, published.SHAPES, shapes, absent, STAND_INS),
        claim_section(CLAIMS.judged(findings), CRITERIA),
        *mass_sections(findings.masses),
        *preliminary_sections(findings),
        *schedule_sections(findings),
        *curve_sections(findings),
        *other_sections(findings),
        *pair_sections(findings.pairs),
    ]


STAND_INS = (
    "The paper's face and pedestrian images cannot be had. In their place stand MNIST images with "
    "as many rows and Haar-like features: digit 3 against the rest for faces, digits from 5 on "
    "against those below for pedestrians. Their errors say nothing about faces."
)


def mass_sections(masses: Mapping[str, Result]) -> list[Section]:
    """Figure 1."""
    if not masses:
        return []
    rows: list[list[Cell]] = []
    for variant, mass in masses.items():
        paper = published.ROWS_OF_90_PERCENT.get(variant)
        shares = [rows_of_90_percent(mass, line) for line in ("early_mass", "mass")]
        cells = [percent(share) for share in (*shares, mass["rows"][-1])]
        rows.append([variant, "" if paper is None else percent(paper), *cells])
    n = max(mass["rounds"][-1] for mass in masses.values())
    headings = ["rule", "paper", "first 200 rounds", f"all {n:,}", "last round"]
    title = "Figure 1: rows that hold 90 % of the weight, by the mean over rounds"

    def draw(axes: Sequence[Any]) -> None:
        some = next(iter(masses.values()))
        lines = {variant: mass["mass"] for variant, mass in masses.items()}
        SubsetMassDisplay(some["shares"], lines).plot(ax=axes[0])

    figure = FigureOf(
        "quick-boost-1", f"Figure 1: weight of the heaviest rows, {n:,} rounds.", draw
    )
    return [Section("The weight of few rows", MASSES, [TableOf(title, headings, rows)], [figure])]


MASSES = (
    "*logit* is LogitBoost, whose weights are p (1 - p); L2Boost has none, so the residuals' sizes "
    "or their squares stand for them."
)


def preliminary_sections(findings: Findings) -> list[Section]:
    """Figures 2 and 3, and the faulty training."""
    looks = findings.looks
    if looks is None or findings.late is None:
        return []
    late = findings.late["probabilities"]
    last = list(looks["stages"])[-1]

    def draw_errors(axes: Sequence[Any]) -> None:
        PreliminaryErrorsDisplay(looks["shares"], looks["example"]).plot(ax=axes[0])

    def draw_best(axes: Sequence[Any]) -> None:
        AmongBestDisplay(looks["shares"], late).plot(ax=axes[0])

    errors = f"Figure 2: preliminary errors of features, round {looks['example_round']:,}."
    best = f"Figure 3: is the best feature among the first? Rounds {last}."
    figures = [
        FigureOf("quick-boost-2", errors, draw_errors),
        FigureOf("quick-boost-3", best, draw_best),
    ]
    tables = [knee_table(looks), *faulty_tables(findings)]
    return [Section("Preliminary errors", tables=tables, figures=figures)]


def knee_table(looks: Result) -> TableOf:
    _, k, paper = published.KNEE
    shares = looks["shares"]
    rows: list[list[Cell]] = []
    for stage, result in looks["stages"].items():
        for name in result["probabilities"]:
            claimed = f"over {percent(paper)}" if name == k else ""
            first = share_of_knee(shares, result, name)
            here = percent(probability_at_knee(shares, result, name))
            since = "never" if first is None else percent(first)
            random = percent(result["random"]) if name == k else ""
            rows.append([stage, result["n_rounds"], name, claimed, here, since, random])
    headings = ["rounds", "looked at", "among the best", "paper, at 75 %", "here", "95 % from"]
    headings += ["as much weight on random rows"]
    return TableOf("Figure 3: how often the best feature is there", headings, rows)


def faulty_tables(findings: Findings) -> list[TableOf]:
    exact = findings.curves.get(("faces", "none"))
    if not findings.faulty:
        return []
    rows: list[list[Cell]] = []
    if exact is not None:
        rows.append(["exact", "", percent(1.0), exact["n_trees"], *early(exact), *ends(exact)])
    for (share, kept), result in findings.faulty.items():
        right = percent(result["share_right"])
        rows.append([percent(share), kept, right, result["n_trees"], *early(result), *ends(result)])
    headings = ["share of the weight", "features kept", "best feature taken", "trees"]
    headings += [f"area over ROC after {n}" for n in EARLY]
    return [TableOf("Faulty training", [*headings, "train loss", "area over ROC"], rows)]


EARLY = (20, 200)


def early(result: Result) -> list[str]:
    """Test errors after the first trees."""
    return [decimals(error_at(result, n), 5) for n in EARLY]


def ends(result: Result) -> tuple[str, str]:
    """Training loss and test error after all trees."""
    return count(result["train_loss"][-1]), decimals(result["test_area"][-1], 5)


def curve_sections(findings: Findings) -> list[Section]:
    """Figures 5 to 7."""
    names, curves = findings.data, findings.curves
    if not names:
        return []
    heads = ["data", "heuristic", "trees", "assessments, slow", "quick", "slow / quick"]
    heads += ["with bounds", "train loss", "area over ROC"]
    figures = [curve_figure(data, findings.of(data)) for data in names]
    tables = [TableOf("Figure 5", heads, curve_rows(curves)), growth_table(findings)]
    by_data = {data: findings.of(data) for data in names}
    return [
        Section("Cost and error", CURVES, tables, figures),
        gain_section(
            "6",
            FEWER,
            *({name: fewer_errors(by_data[name], bounds=each) for name in names} for each in BOTH),
        ),
        gain_section(
            "7",
            LESS,
            *({name: less_work(by_data[name], bounds=each) for name in names} for each in BOTH),
        ),
    ]


BOTH = (False, True)
CURVES = (
    "One fit with the quick search gives both costs: its own, and what the exhaustive search would "
    'have needed for the same trees. "With bounds" is the same ratio with an operation for each '
    "code gone through as well."
)
FEWER = (
    "Test error of the slow version divided by that of the quick one, both with the operations "
    "that the cheapest heuristic needed for all its trees. The paper: "
    f"{published.FEWER_ERRORS[0]:g} to {published.FEWER_ERRORS[1]:g}, less for weight trimming."
)
LESS = (
    "Operations of the slow version divided by those of the quick one, until the lowest test "
    f"error of the heuristic is reached. The paper: {published.LESS_WORK[0]:g} to "
    f"{published.LESS_WORK[1]:g}, {published.LESS_WORK_TRIM[0]:g} to "
    f"{published.LESS_WORK_TRIM[1]:g} for weight trimming."
)


def curve_rows(curves: Curves) -> list[list[Cell]]:
    rows: list[list[Cell]] = []
    for (data, heuristic), curve in curves.items():
        slow, quick = curve["slow"][-1], curve["quick"][-1]
        line: list[Cell] = [data, heuristic, curve["n_trees"], count(slow), count(quick)]
        factors = [decimals(speedup(curve, bounds=bounds), 2) for bounds in BOTH]
        rows.append([*line, *factors, *ends(curve)])
    return rows


def growth_table(findings: Findings) -> TableOf:
    marks = (20, 200, 1000, 2000, 4000)
    rows: list[list[Cell]] = []
    for (data, heuristic), curve in findings.curves.items():
        done = [mark for mark in marks if mark <= curve["n_trees"]]
        factors = [decimals(speedup_at(curve, mark, bounds=False), 2) for mark in done]
        rows.append([data, heuristic, *factors, *[""] * (len(marks) - len(done))])
    title = "Figure 5, by trees: slow / quick, assessments of all trees so far"
    return TableOf(title, ["data", "heuristic", *(f"{mark:,}" for mark in marks)], rows)


def curve_figure(data: str, chosen: Mapping[str, Result]) -> FigureOf:
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


Gains = Mapping[str, Mapping[str, float]]
"""Factors by data and heuristic."""


def gain_section(number: str, text: str, alone: Gains, every: Gains) -> Section:
    heuristics = list(dict.fromkeys(h for by_heuristic in alone.values() for h in by_heuristic))
    counted = {"assessments alone": alone, "with bounds": every}
    rows: list[list[Cell]] = [
        [
            h,
            *(
                decimals(by[h], 2) if h in by else ""
                for gains in counted.values()
                for by in gains.values()
            ),
        ]
        for h in heuristics
    ]
    headings = [
        "heuristic",
        *(f"{data}, {how}" for how, gains in counted.items() for data in gains),
    ]

    def draw(axes: Sequence[Any]) -> None:
        for ax, (how, gains) in zip(axes, counted.items(), strict=True):
            bars = {h: {data: by[h] for data, by in gains.items() if h in by} for h in heuristics}
            GainDisplay(bars).plot(ax=ax)
            ax.set_title(how)

    what = {"6": "Errors at a fixed cost", "7": "Cost of the lowest error"}[number]
    table = TableOf(f"Figure {number}: factors", headings, rows)
    figure = FigureOf(f"quick-boost-{number}", f"{what}.", draw, panels=2)
    return Section(what, text, [table], [figure])


def other_sections(findings: Findings) -> list[Section]:
    """Number of bins, other draws, more trimming."""
    tables = []
    if findings.bins:
        rows: list[list[Cell]] = [
            [each["most_bins"], *end_cells(each)] for each in findings.bins.values()
        ]
        tables.append(TableOf("Faces by number of bins", ["bins", *ENDS], rows))
    others = {f"lazy 0.9, draw {seed}": each for seed, each in findings.seeds.items()}
    others |= {f"trim {share:g}": each for share, each in findings.trims.items()}
    if others:
        rows = [[name, each["n_trees"], *end_cells(each)] for name, each in others.items()]
        title = "Faces: other draws and more trimming"
        tables.append(TableOf(title, ["heuristic", "trees", *ENDS], rows))
    return [Section("Other bins, draws and trims", tables=tables)] if tables else []


ENDS = ("train loss", "area over ROC")


def end_cells(each: Result) -> tuple[str, str]:
    return count(each["train_loss"]), decimals(each["test_area"], 5)


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
