"""Tables and figures of ensemble pruning: data, gains, means over domains, noise and variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from frugalboost.plots import PruningCurveDisplay
from frugalboost.reproduce.ensemble_claims import CLAIMS, CRITERIA
from frugalboost.reproduce.ensemble_domain_report import (
    SHARES,
    Shape,
    diagram_sections,
    domain_sections,
    with_single,
)
from frugalboost.reproduce.ensemble_found import (
    NAMES,
    Found,
    Outcomes,
    mean_hull_share,
    mean_relative,
    with_gain,
)
from frugalboost.reproduce.ensemble_reasons import reason_sections
from frugalboost.reproduce.judging import claim_section
from frugalboost.reproduce.paper import Cell, FigureOf, Section, TableOf
from frugalboost.reproduce.published_ensemble_pruning import DOMAINS, PRUNED
from frugalboost.reproduce.text import absences, decimals, percent, shape

FURTHER = {
    **NAMES,
    "held_early_stopping": "Early stopping of the ensemble that Reduce-Error prunes",
}


def sections(found: Found, shapes: Mapping[str, Shape], absent: Mapping[str, str]) -> list[Section]:
    return [
        data_section(found, shapes, absent),
        claim_section(CLAIMS, CRITERIA, found),
        *diagram_sections(found),
        *gain_sections(found),
        *mean_sections(found),
        *domain_sections(found),
        *reason_sections(found),
    ]


def data_section(found: Found, shapes: Mapping[str, Shape], absent: Mapping[str, str]) -> Section:
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
                len(found.main[name].splits) if name in found.main else 0,
            ]
        )
    headings = ["domain", "paper", "here", "ten", "splits done"]
    title = "Table 2: training rows, test rows, classes"
    return Section("Data", absences(absent), [TableOf(title, headings, rows)])


def gain_sections(found: Found) -> list[Section]:
    if not found.main:
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
            decimals(each.mean("member_kappa")),
        ]
        for name, each in found.main.items()
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


def mean_sections(found: Found) -> list[Section]:
    """Figure 3."""
    domains = {
        "every domain with a positive Gain": with_gain(found.main),
        "domains with a sure Gain": with_gain(found.main, only_sure=True),
    }
    there = {title: each for title, each in domains.items() if each}
    if not there:
        return []

    def draw(axes: Sequence[Any]) -> None:
        for ax, (title, outcomes) in zip(axes, there.items(), strict=True):
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
    figure = FigureOf("ensemble-pruning-3", caption, draw, panels=len(there))
    tables = [mean_table(title, each) for title, each in there.items()]
    return [Section("Means over domains", MEANS, tables, [figure])]


MEANS = (
    "Kappa with backfitting is the paper's suggestion. Random members are not in the paper: the "
    "first of the members in a random order. Reduce-Error has an ensemble of its own, grown on "
    "85 % of the training rows, so that even all its members (0 % pruning) differ from AdaBoost; "
    "the last row stops that ensemble early, which shows what its choice adds."
)


def mean_table(title: str, outcomes: Outcomes) -> TableOf:
    rows: list[list[Cell]] = []
    for key, name in FURTHER.items():
        line = mean_relative(outcomes, key)
        if line is not None and key != "hull":
            rows.append([name, *(decimals(float(value)) for value in line)])
    hull = mean_relative(outcomes, "hull")
    if hull is not None:
        pruned = f"{decimals(float(hull[0]))} at {percent(mean_hull_share(outcomes))}"
        rows.append([NAMES["hull"], pruned, *[None] * (len(PRUNED) - 1)])
    names = f"Figure 3, {title}: {', '.join(outcomes)}"
    return TableOf(names, ["method", *SHARES], rows)
