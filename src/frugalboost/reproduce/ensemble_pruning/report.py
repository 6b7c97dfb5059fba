"""Tables and figures of ensemble pruning: data, gains, means over domains, single domains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.analysis import KappaError
from frugalboost.plots import KappaErrorDisplay, PruningCurveDisplay
from frugalboost.reproduce.ensemble_pruning.claims import CLAIMS, CRITERIA
from frugalboost.reproduce.ensemble_pruning.findings import (
    FURTHER,
    LEVELS,
    METHODS,
    NAMES,
    OURS,
    OWN_ENSEMBLE,
    Findings,
    Outcomes,
    mean_hull_share,
    mean_points,
    mean_relative,
    median_relative,
    with_gain,
)
from frugalboost.reproduce.ensemble_pruning.published import DOMAINS, PRUNED
from frugalboost.reproduce.ensemble_pruning.reasons import reason_sections
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.judging import claim_section
from frugalboost.reproduce.paper import Cell, FigureOf, Section, Shape, TableOf
from frugalboost.reproduce.text import absences, decimals, percent, shape

ENSEMBLES = {"adaboost": "AdaBoost", "bagging": "Bagging"}
BOTTOM = -1.0
"""Of the figures: a small gain may put a method far below C4.5."""


def sections(
    findings: Findings, shapes: Mapping[str, Shape], absent: Mapping[str, str]
) -> list[Section]:
    return [
        data_section(findings, shapes, absent),
        claim_section(CLAIMS.judged(findings), CRITERIA),
        *diagram_sections(findings),
        *gain_sections(findings),
        *mean_sections(findings),
        *domain_sections(findings),
        *reason_sections(findings),
    ]


def data_section(
    findings: Findings, shapes: Mapping[str, Shape], absent: Mapping[str, str]
) -> Section:
    """Table 2."""
    rows: list[list[Cell]] = []
    for name, domain in DOMAINS.items():
        here = shapes.get(name)
        rows.append(
            [
                name,
                shape((domain.n_train, domain.n_test, domain.n_classes)),
                "absent" if here is None else shape((here[0], here[1], here[3])),
                "folds" if domain.is_folded else "random splits",
                len(findings.main[name].splits) if name in findings.main else 0,
                domain.note,
            ]
        )
    headings = ["domain", "paper", "here", "ten", "splits done", "note"]
    title = "Table 2: training rows, test rows, classes"
    return Section("Data", absences(absent), [TableOf(title, headings, rows)])


def gain_sections(findings: Findings) -> list[Section]:
    if not findings.main:
        return []
    rows: list[list[Cell]] = [
        [
            name,
            len(each.splits),
            *(decimals(each.mean(key), 4) for key in ("single", "whole", "bagged")),
            decimals(100 * each.gain, 2),
            decimals(100 * each.gain_noise, 2),
            "none" if each.gain <= 0 else "sure" if each.is_sure else "within noise",
            decimals(each.mean("member_error")),
            decimals(float(each.kept("kappa", "early_stopping")[-1])),
        ]
        for name, each in findings.main.items()
    ]
    headings = [
        "domain",
        "splits",
        "C4.5",
        "AdaBoost",
        "bagging",
        "Gain, points",
        "its standard error, ten splits",
        "Gain is",
        "training error of a member",
        "kappa of a pair",
    ]
    table = TableOf("Test errors of C4.5, AdaBoost and bagging", headings, rows)
    return [Section("Gain", GAIN, [table])]


GAIN = (
    "Gain is the error of C4.5 less that of AdaBoost, over all splits. Relative performance is "
    "what is left of it. **Without a positive Gain it is not defined: such a domain has no line "
    "in the figures and no part in the means.** A Gain below two of its own standard errors, as "
    "ten splits have it, is *within noise*: dividing by it gives numbers of any size, so means are "
    "given with and without such domains."
)


def mean_sections(findings: Findings) -> list[Section]:
    """Figure 3."""
    domains = {
        "every domain with a positive Gain": with_gain(findings.main),
        "domains with a sure Gain": with_gain(findings.main, only_sure=True),
    }
    groups = {title: each for title, each in domains.items() if each}
    if not groups:
        return []

    def draw(axes: Sequence[Any]) -> None:
        for ax, (title, outcomes) in zip(axes, groups.items(), strict=True):
            curves = {
                NAMES[key]: with_single(line)
                for key in NAMES
                if key != "hull" and (line := mean_relative(outcomes, key)) is not None
            }
            hull = mean_relative(outcomes, "hull")
            if hull is not None:
                curves[NAMES["hull"]] = [mean_hull_share(outcomes)], hull.tolist()
            PruningCurveDisplay(curves).plot(ax=ax)
            ax.set(title=title, ylim=(-0.5, 1.2))

    caption = "Figure 3: mean relative performance by the share of members pruned, cut at -0.5."
    figure = FigureOf("ensemble-pruning-3", caption, draw, panels=len(groups))
    own = findings.conditions[OWN_ENSEMBLE].main
    tables = [
        *(mean_table(title, each, own) for title, each in groups.items()),
        median_table(groups),
        points_table(findings.main, own),
    ]
    return [Section("Means over domains", MEANS, tables, [figure])]


MEANS = (
    "Kappa with backfitting is the paper's suggestion. What follows the hull is not in the paper: "
    "random members are the first of the members in a random order, the last members are those of "
    "the last rounds, and Kappa may be told to choose first among the half of the members with the "
    "fewest training errors. Reduce-Error has an ensemble of its own, grown on 85 % of the "
    "training rows, so that even all its members (0 % pruning) differ from AdaBoost. It is "
    "measured against C4.5 and AdaBoost on all training rows, as in the paper, and once against "
    "both on the same 85 %. Points of error need no Gain, so they are over all domains."
)


def mean_table(title: str, outcomes: Outcomes, own: Outcomes) -> TableOf:
    rows: list[list[Cell]] = []
    for key, name in FURTHER.items():
        line = mean_relative(outcomes, key)
        if line is not None and key != "hull":
            rows.append([name, *(decimals(float(value)) for value in line)])
    line = mean_relative({name: own[name] for name in outcomes}, "reduce_error")
    if line is not None:
        rows.append([OWN_ENSEMBLE, *(decimals(float(value)) for value in line)])
    hull = mean_relative(outcomes, "hull")
    if hull is not None:
        pruned = f"{decimals(float(hull[0]))} at {percent(mean_hull_share(outcomes))}"
        rows.append([NAMES["hull"], pruned, *[None] * (len(PRUNED) - 1)])
    names = f"Figure 3, {title}: {', '.join(outcomes)}"
    return TableOf(names, ["method", *LEVELS], rows)


def median_table(groups: Mapping[str, Outcomes]) -> TableOf:
    """The same as medians."""
    rows: list[list[Cell]] = [
        [title, NAMES[key], *(decimals(float(value)) for value in line)]
        for title, outcomes in groups.items()
        for key in (*METHODS, *OURS)
        if (line := median_relative(outcomes, key)) is not None
    ]
    return TableOf("Medians over the domains", ["domains", "method", *LEVELS], rows)


def points_table(outcomes: Outcomes, own: Outcomes) -> TableOf:
    """What pruning costs in points of error."""
    lines = {FURTHER[key]: mean_points(outcomes, key) for key in FURTHER if key != "hull"}
    lines[OWN_ENSEMBLE] = mean_points(own, "reduce_error")
    rows: list[list[Cell]] = [
        [name, *(decimals(float(value), 2) for value in line)] for name, line in lines.items()
    ]
    title = f"Points of error above AdaBoost's, mean of all {len(outcomes)} domains"
    return TableOf(title, ["method", *LEVELS], rows)


def with_single(line: Floats) -> tuple[list[float], list[float]]:
    """Shares and values, with C4.5 alone as 100 % pruning."""
    return [1.0, *PRUNED], [0.0, *line.tolist()]


def diagram_sections(findings: Findings) -> list[Section]:
    """Figure 1."""
    if findings.diagrams is None:
        return []
    results = findings.diagrams
    rows: list[list[Cell]] = [
        [
            title,
            *(decimals(float(np.mean(results[name][key]))) for key in ("kappa", "error")),
            *(decimals(float(np.std(results[name][key]))) for key in ("kappa", "error")),
            results[name]["hull_members"],
            decimals(results[name]["test_error"], 4),
        ]
        for name, title in ENSEMBLES.items()
    ]
    headings = [
        "ensemble",
        "mean kappa",
        "mean error of pairs",
        "deviation of kappa",
        "of errors",
        "members on the hull",
        "test error",
    ]

    def draw(axes: Sequence[Any]) -> None:
        for ax, (name, title) in zip(axes, ENSEMBLES.items(), strict=True):
            KappaErrorDisplay({title: as_diagram(results[name])}).plot(ax=ax)
            ax.set(title=title, **limits(results))

    caption = "Figure 1: Kappa-Error diagrams of AdaBoost and bagging on Expf, training rows."
    figure = FigureOf("ensemble-pruning-1", caption, draw, panels=2)
    table = TableOf("Figure 1: pairs of members on Expf, first split", headings, rows)
    return [Section("Kappa-Error diagrams", "", [table], [figure])]


def as_diagram(result: Result) -> KappaError:
    """What a display draws; it needs no pairs."""
    none: AnyArray = np.empty((0, 2), dtype=np.int64)
    kappa, error, hull = (np.array(result[key]) for key in ("kappa", "error", "hull"))
    return KappaError(none, kappa, error, hull, np.empty(0))


def limits(results: Result) -> dict[str, tuple[float, float]]:
    """The same axes for both."""
    kappa, error = (
        np.concatenate([results[name][key] for name in ENSEMBLES]) for key in ("kappa", "error")
    )
    return {
        "xlim": (float(kappa.min()) - 0.02, float(kappa.max()) + 0.02),
        "ylim": (float(error.min()) - 0.01, float(error.max()) + 0.01),
    }


def domain_sections(findings: Findings) -> list[Section]:
    """Figures 4, 5 and 6, and the same for the other methods."""
    domains = with_gain(findings.main)
    if not domains:
        return []
    figures = [
        method_figure(4, "reduce_error", domains),
        method_figure(5, "kappa", domains),
        hull_figure(domains),
    ]
    tables = [
        method_table("Figure 4: Reduce-Error", "reduce_error", domains),
        method_table("Figure 5: Kappa", "kappa", domains),
        hull_table(domains),
        *(
            method_table(f"The same for {NAMES[key]}", key, domains)
            for key in ("early_stopping", "kl", *OURS)
        ),
        amount_table(domains),
    ]
    return [Section("Relative performance on each domain", "", tables, figures)]


def method_figure(number: int, method: str, domains: Outcomes) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        curves = {
            name: with_single(line)
            for name, each in domains.items()
            if (line := each.relative(method)) is not None
        }
        plot(curves, axes[0])

    caption = f"Figure {number}: relative performance of {NAMES[method]} pruning, cut at {BOTTOM}."
    return FigureOf(f"ensemble-pruning-{number}", caption, draw)


def hull_figure(domains: Outcomes) -> FigureOf:
    def draw(axes: Sequence[Any]) -> None:
        curves = {
            name: ([0.0, each.hull_share, 1.0], [1.0, float(line[0]), 0.0])
            for name, each in domains.items()
            if (line := each.relative("hull")) is not None
        }
        plot(curves, axes[0])

    caption = (
        f"Figure 6: relative performance of Convex Hull pruning, cut at {BOTTOM}; AdaBoost to the "
        "left, C4.5 to the right."
    )
    return FigureOf("ensemble-pruning-6", caption, draw)


def plot(curves: dict[str, Any], ax: Any) -> None:
    PruningCurveDisplay(curves).plot(ax=ax)
    top = max(max(values) for _, values in curves.values())
    ax.set_ylim(BOTTOM, min(max(top + 0.1, 1.1), 2.0))


def method_table(title: str, method: str, domains: Outcomes) -> TableOf:
    rows: list[list[Cell]] = [
        [name, *(decimals(float(value)) for value in line)]
        for name, each in domains.items()
        if (line := each.relative(method)) is not None
    ]
    return TableOf(title, ["domain", *LEVELS], rows)


def hull_table(domains: Outcomes) -> TableOf:
    rows: list[list[Cell]] = [
        [
            name,
            decimals(each.mean("hull_size"), 1),
            percent(each.hull_share),
            decimals(float(line[0])),
            *(decimals(each.at_hull(key)) for key in METHODS),
        ]
        for name, each in domains.items()
        if (line := each.relative("hull")) is not None
    ]
    headings = ["domain", "members", "pruned", NAMES["hull"], *METHODS.values()]
    return TableOf("Figure 6: Convex Hull, beside others at its level", headings, rows)


def amount_table(domains: Outcomes) -> TableOf:
    rows: list[list[Cell]] = [
        [name, decimals(each.mean("auto_size"), 1), decimals(float(line[0]))]
        for name, each in domains.items()
        if (line := each.relative("reduce_error_auto")) is not None
    ]
    headings = ["domain", "members", "relative performance"]
    return TableOf("Reduce-Error, the pruning set choosing how many stay", headings, rows)
