"""Table 2 and figure 5 of GAMBLE: what labels buy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from frugalboost.plots import LabelCurveDisplay
from frugalboost.reproduce import published_gamble as published
from frugalboost.reproduce.gamble_found import Found, LabelRun
from frugalboost.reproduce.judge_labels import say
from frugalboost.reproduce.paper import Cell, FigureOf, Section, TableOf
from frugalboost.reproduce.text import decimals, percent

WAYS = {"active": "Active", "random": "Random"}
SHOWN = 1_000
"""Labels that the paper's figure of Pendigits shows."""


def label_sections(found: Found) -> list[Section]:
    names = [name for name in published.SHAPES if any((name, way) in found.labels for way in WAYS)]
    if not names:
        return []
    tables = [needed_table(found, names), least_table(found, names), time_table(found, names)]
    return [Section("Labels", text(found), tables, label_figures(found, names))]


def text(found: Found) -> str:
    return (
        f"Committees of {found.committee} rounds, trained anew after each batch, from 20 random "
        "labels on. The target is the lowest test error of Batch in any of "
        f"{found.rounds} rounds on the same split. Counts are labels of the first committee whose "
        "test error is at most the target, means over runs. **A run that never reaches the target "
        "counts as all rows, and is marked *never***. Active is stopped at "
        f"{found.budget:,} labels. Random goes on to the last row; it is looked at every 10 labels "
        "(every 5 in small sets), from 100 on every tenth more, so its counts may be a tenth too "
        "high."
    )


def needed_table(found: Found, names: Sequence[str]) -> TableOf:
    rows: list[list[Cell]] = []
    for name in names:
        theirs = published.EFFICIENCY[name]
        runs = runs_of(found, name)
        lowest = [min(r.curve["error"]) for r in found.labels.get((name, "active"), ())]
        target = float(np.mean([run.target for run in runs]))
        rows.append(
            [
                name,
                f"{runs[0].n_rows:,}",
                percent(theirs.target),
                percent(target),
                percent(theirs.lowest),
                percent(float(np.mean(lowest))) if lowest else "",
                f"{theirs.active:,}",
                count(found, name, "active"),
                f"{theirs.random:,}",
                count(found, name, "random"),
                decimals(theirs.active / theirs.random, 2),
                ratio(found, name),
            ]
        )
    headings = ["data", "rows", "paper: target", "target", "paper: lowest of Active"]
    headings += ["lowest of Active", "paper: Active", "Active", "paper: Random", "Random"]
    headings += ["paper: Active / Random", "Active / Random"]
    return TableOf(f"Table 2: labels to the target, {n_runs(found)}", headings, rows)


def runs_of(found: Found, name: str) -> Sequence[LabelRun]:
    """Of either way: both have the same targets."""
    return found.labels.get((name, "active")) or found.labels[name, "random"]


def n_runs(found: Found) -> str:
    numbers = sorted({len(runs) for runs in found.labels.values()})
    return f"{' or '.join(map(str, numbers))} {'run' if numbers == [1] else 'runs'}"


def count(found: Found, name: str, way: str, errors: str = "error") -> str:
    needed = found.needed(name, way, errors)
    return "" if needed is None else say(needed)


def ratio(found: Found, name: str, errors: str = "error") -> str:
    active, random = (found.needed(name, way, errors) for way in WAYS)
    return "" if active is None or random is None else decimals(active.mean / random.mean, 2)


def least_table(found: Found, names: Sequence[str]) -> TableOf:
    """With the best round of each committee, as of Batch: all rows reach the target then."""
    rows: list[list[Cell]] = [
        [
            name,
            count(found, name, "active", "least"),
            count(found, name, "random", "least"),
            ratio(found, name, "least"),
        ]
        for name in names
    ]
    headings = ["data", "Active", "Random", "Active / Random"]
    title = "The same, each committee judged by its best round, as Batch is"
    return TableOf(title, headings, rows)


def time_table(found: Found, names: Sequence[str]) -> TableOf:
    rows: list[list[Cell]] = []
    for name in names:
        theirs = published.EFFICIENCY[name]
        runs = found.labels.get((name, "active"), ())
        ours = decimals(float(np.mean([run.seconds for run in runs])), 1) if runs else ""
        batch = float(np.mean([run.batch["seconds"] for run in runs_of(found, name)]))
        rows.append(
            [name, theirs.active_seconds, ours, f"{theirs.batch_seconds:,}", decimals(batch, 1)]
        )
    headings = ["data", "paper: Active", "Active", "paper: Batch", "Batch"]
    title = (
        "Table 2: seconds of all committees up to the target, and of Batch (here: processor time)"
    )
    return TableOf(title, headings, rows)


def label_figures(found: Found, names: Sequence[str]) -> list[FigureOf]:
    """Figure 5, and the same for the other data."""
    first = [name for name in ("pendigits", "satimage") if name in names]
    others = [name for name in names if name not in first]
    captions = {
        "gamble-5": ("Figure 5: errors by labels on Pendigits and Satimage.", first),
        "gamble-labels": ("Errors by labels on the other data.", others),
    }

    return [
        FigureOf(key, caption, partial(draw_all, found, shown), panels=len(shown))
        for key, (caption, shown) in captions.items()
        if shown
    ]


def draw_all(found: Found, names: Sequence[str], axes: Sequence[Any]) -> None:
    for ax, name in zip(axes, names, strict=True):
        draw_labels(ax, found, name)


def draw_labels(ax: Any, found: Found, name: str) -> None:
    curves = {
        title: common(runs)
        for way, title in WAYS.items()
        if (runs := found.labels.get((name, way)))
    }
    target = float(np.mean([run.target for run in runs_of(found, name)]))
    LabelCurveDisplay(curves, {"Batch": target}).plot(ax=ax)
    ax.set(title=name.capitalize(), xlim=(0, min(SHOWN, runs_of(found, name)[0].n_rows)))
    ax.set(ylabel="test error")


def common(runs: Sequence[LabelRun]) -> tuple[list[int], list[list[float]]]:
    """Where all runs had as many labels; they may end differently, where rows are equal."""
    by_labels = [dict(zip(run.curve["labels"], run.curve["error"], strict=True)) for run in runs]
    shared = sorted(set.intersection(*(set(each) for each in by_labels)))
    return shared, [[each[n] for n in shared] for each in by_labels]
