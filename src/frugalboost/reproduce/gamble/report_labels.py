"""Tables and figures of section 5.2: labels and seconds to the target."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from frugalboost.plots import LabelCurveDisplay
from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.boosters import AT_RANDOM, COMMITTEES, RACERS
from frugalboost.reproduce.gamble.claims_of_labels import (
    OTHERWISE,
    OWN,
    RANDOM_ROWS,
    SECONDS,
    TABLE,
    lowest_of,
    needed_by,
    times,
)
from frugalboost.reproduce.gamble.findings import Findings
from frugalboost.reproduce.gamble.labels import LabelRun, ratio, say
from frugalboost.reproduce.gamble.plan import FULL, START
from frugalboost.reproduce.paper import Cell, FigureOf, Section, TableOf
from frugalboost.reproduce.text import decimals

WAYS = {"active": "Active", "random": "Random"}
SHOWN = 1_000
"""Labels that the paper's figure of Pendigits shows."""


def label_sections(findings: Findings) -> list[Section]:
    names = [
        name for name in published.SHAPES if any((name, way) in findings.labels for way in WAYS)
    ]
    if not names:
        return []
    tables = [
        needed_table(findings, names),
        own_table(findings, names),
        *committee_tables(findings),
        *random_tables(findings),
        *race_tables(findings),
    ]
    return [Section("Labels", label_text(findings), tables, label_figures(findings, names))]


def label_text(findings: Findings) -> str:
    numbers = sorted({len(runs) for runs in findings.labels.values()})
    runs = " to ".join(str(n) for n in dict.fromkeys((numbers[0], numbers[-1])))
    return (
        f"Committees of {findings.committee} rounds, trained anew after each batch, from 20 random "
        f"labels on; runs: {runs}. Counts are "
        "labels of the first committee whose test error is at most the target, medians over runs. "
        "**A run that never reaches the target counts as above all others**; brackets say how many "
        "runs reached it, if not all did, and *> n* that the median lies above the n labels at "
        f"which runs end. Active is stopped at {findings.budget:,} labels. Random goes on to the "
        "last row; it is looked at every 10 labels (every 5 in small sets), from 100 on every "
        "tenth more, so its counts may be a tenth too high. The last column of table 2 is what the "
        "paper's seconds say of the rounds of its committees, if a tree takes as long as it has "
        "rows."
    )


def needed_table(findings: Findings, names: Sequence[str]) -> TableOf:
    """The paper's targets."""
    rows: list[list[Cell]] = []
    for name in names:
        theirs = published.EFFICIENCY[name]
        needed = [findings.needed(name, way) for way in WAYS]
        rows.append(
            [
                name,
                f"{runs_of(findings, name)[0].n_rows:,}",
                exactly(theirs.target),
                f"{theirs.active:,}",
                "" if needed[0] is None else say(needed[0]),
                f"{theirs.random:,}",
                "" if needed[1] is None else say(needed[1]),
                decimals(theirs.active / theirs.random, 2),
                ratio(*needed),
                f"{published.implied_rounds(theirs, published.SHAPES[name][0], *steps(name)):.0f}",
            ]
        )
    headings = ["data", "rows", "target", "paper: Active", "Active", "paper: Random", "Random"]
    headings += ["paper: Active / Random", "Active / Random", "paper: rounds by its seconds"]
    return TableOf(TABLE, headings, rows)


def steps(name: str) -> tuple[int, int]:
    """Labels to begin with, and of a batch, as here."""
    return START, 10 if published.SHAPES[name][0] > FULL.large else 5


def exactly(error: float) -> str:
    """
    >>> exactly(0.0471)
    '4.71 %'
    """
    return f"{100 * error:.2f} %"


def own_table(findings: Findings, names: Sequence[str]) -> TableOf:
    """As the paper defines the target: the lowest error of Batch in any of its rounds."""
    rows: list[list[Cell]] = []
    for name in names:
        theirs, runs = published.EFFICIENCY[name], findings.labels.get((name, "active"), ())
        needed = [findings.needed(name, way, own=True) for way in WAYS]
        best = findings.needed(name, "active", "least", own=True)
        rows.append(
            [
                name,
                exactly(theirs.target),
                exactly(float(np.median([run.target for run in runs_of(findings, name)]))),
                exactly(theirs.lowest),
                exactly(lowest_of(runs)) if runs else "",
                exactly(lowest_of(runs, "least")) if runs else "",
                *("" if each is None else say(each) for each in needed),
                ratio(*needed),
                "" if best is None else say(best),
            ]
        )
    headings = ["data", "paper: lowest of Batch", "lowest of Batch", "paper: lowest of Active"]
    headings += ["lowest of Active", "in any round", "Active", "Random", "Active / Random"]
    headings += ["Active, best round of each committee"]
    return TableOf(OWN, headings, rows)


def runs_of(findings: Findings, name: str) -> Sequence[LabelRun]:
    """Of either way: both have the same targets."""
    return findings.labels.get((name, "active")) or findings.labels[name, "random"]


def committee_tables(findings: Findings) -> list[TableOf]:
    """Active with other committees, to the paper's target."""
    names = list(dict.fromkeys(name for name, _ in findings.committees))
    rows: list[list[Cell]] = []
    for key, committee in COMMITTEES.items():
        needed = [needed_by(findings, name, key) for name in names]
        if any(needed):
            rows.append([committee.title, *("" if each is None else say(each) for each in needed)])
    return [TableOf(OTHERWISE, ["committee", *names], rows)] if rows else []


def random_tables(findings: Findings) -> list[TableOf]:
    rows: list[list[Cell]] = []
    for key, result in findings.random_rows.items():
        errors = result["errors"]
        cells = (float(np.mean(errors)), min(errors), max(errors))
        title = AT_RANDOM[key].title
        rows.append([title, len(errors), *(exactly(each) for each in cells)])
    headings = ["committee", "draws", "mean", "lowest", "highest"]
    return [TableOf(RANDOM_ROWS, headings, rows)] if rows else []


def race_tables(findings: Findings) -> list[TableOf]:
    """Training time: all committees up to the target, and Batch."""
    rows: list[list[Cell]] = []
    for (name, key), race in findings.races.items():
        theirs = published.EFFICIENCY[name]
        rows.append(
            [
                name,
                RACERS[key].title,
                f"{race['labels']:,}{'' if race['is_reached'] else ' (not reached)'}",
                f"{theirs.active_seconds:,}",
                decimals(race["seconds"], 1),
                f"{theirs.batch_seconds:,}",
                decimals(race["batch_seconds"], 1),
                decimals(theirs.active_seconds / theirs.batch_seconds, 2),
                times(race, "seconds"),
                times(race, "work"),
            ]
        )
    headings = ["data", "committees", "labels", "paper: Active", "Active", "paper: Batch", "Batch"]
    headings += ["paper: Active / Batch", "seconds, Active / Batch", "work, Active / Batch"]
    return [TableOf(SECONDS, headings, rows)] if rows else []


def label_figures(findings: Findings, names: Sequence[str]) -> list[FigureOf]:
    """Figure 5, and the same for the other data."""
    first = [name for name in ("pendigits", "satimage") if name in names]
    others = [name for name in names if name not in first]
    captions = {
        "gamble-5": ("Figure 5: errors by labels on Pendigits and Satimage.", first),
        "gamble-labels": ("Errors by labels on the other data.", others),
    }

    return [
        FigureOf(key, caption, partial(draw_all, findings, shown), panels=len(shown))
        for key, (caption, shown) in captions.items()
        if shown
    ]


def draw_all(findings: Findings, names: Sequence[str], axes: Sequence[Any]) -> None:
    for ax, name in zip(axes, names, strict=True):
        draw_labels(ax, findings, name)


def draw_labels(ax: Any, findings: Findings, name: str) -> None:
    curves = {
        title: common(runs)
        for way, title in WAYS.items()
        if (runs := findings.labels.get((name, way)))
    }
    target = float(np.median([run.target for run in runs_of(findings, name)]))
    lines = {"Batch": target, "the paper's target": published.EFFICIENCY[name].target}
    LabelCurveDisplay(curves, lines).plot(ax=ax)
    ax.set(title=name.capitalize(), xlim=(0, min(SHOWN, runs_of(findings, name)[0].n_rows)))
    ax.set(ylabel="test error")


def common(runs: Sequence[LabelRun]) -> tuple[list[int], list[list[float]]]:
    """Where all runs had as many labels; they may end differently, where rows are equal."""
    by_labels = [dict(zip(run.curve["labels"], run.curve["error"], strict=True)) for run in runs]
    shared = sorted(set.intersection(*(set(each) for each in by_labels)))
    return shared, [[each[n] for n in shared] for each in by_labels]
