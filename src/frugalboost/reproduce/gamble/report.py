"""Tables and figures of GAMBLE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from frugalboost.plots import LabelCurveDisplay, RoundsDisplay
from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.claims import CLAIMS, CRITERIA, say
from frugalboost.reproduce.gamble.findings import (
    LEARNERS,
    RIVALS,
    Findings,
    LabelRun,
    at_round,
    mean_curve,
    sign_test,
)
from frugalboost.reproduce.judging import claim_section
from frugalboost.reproduce.paper import Cell, FigureOf, Section, Shape, TableOf, data_section
from frugalboost.reproduce.text import decimals, percent

CURVES = ("glass", "segmentation")
"""Figure 4."""
MARKERS = ("o", "s", "^")


def sections(
    findings: Findings, shapes: Mapping[str, Shape], absent: Mapping[str, str]
) -> list[Section]:
    title = "Table 1: training rows, test rows, features, classes"
    return [
        data_section(title, published.SHAPES, shapes, absent),
        claim_section(CLAIMS.judged(findings), CRITERIA),
        *size_sections(findings),
        *duel_sections(findings),
        *label_sections(findings),
        *sphere_sections(findings),
        *further_sections(findings, shapes),
    ]


def size_sections(findings: Findings) -> list[Section]:
    """Figure 2."""
    if not findings.sizes:
        return []
    marks = sorted(
        mark for mark in {*findings.marks, published.ALIKE_FROM} if mark <= findings.rounds
    )
    rows: list[list[Cell]] = [
        [
            leaves,
            *(decimals(at_round(run["test_error"], mark), 4) for mark in marks),
            decimals(min(run["test_error"]), 4),
            int(np.argmin(run["test_error"])) + 1,
            decimals(run["seconds"], 1),
        ]
        for leaves, run in findings.sizes.items()
    ]
    headings = ["leaves", *(f"after {mark}" for mark in marks), "lowest", "in round", "seconds"]

    def draw(axes: Sequence[Any]) -> None:
        lines = {f"T = {n}": drawn(run["test_error"]) for n, run in findings.sizes.items()}
        RoundsDisplay(lines, "test error").plot(ax=axes[0])
        axes[0].set(xscale="log", yscale="log")

    table = TableOf("Figure 2: test error on Pendigits by the size of the trees", headings, rows)
    figure = FigureOf("gamble-2", "Figure 2: trees of different sizes on Pendigits.", draw)
    return [Section("Tree sizes", "", [table], [figure])]


def drawn(errors: Sequence[float]) -> tuple[list[int], list[float]]:
    """Rounds and errors at some rounds: a line of a thousand points shows no more."""
    n = len(errors)
    rounds = sorted({int(mark) for mark in np.geomspace(1, n, min(n, 120)).round()})
    return rounds, [errors[mark - 1] for mark in rounds]


def duel_sections(findings: Findings) -> list[Section]:
    """Figures 3 and 4."""
    names = [name for name in published.SHAPES if (name, "gamble") in findings.curves]
    duels = findings.duels(names)
    if not duels:
        return []
    test = sign_test(duels)
    wins = published.SIGN_WINS
    rows: list[list[Cell]] = [
        ["paper", wins, 24 - wins, 0, decimals(published.SIGN_TEST, 4)],
        ["here", test.wins, test.losses, test.ties, decimals(test.p_value, 4)],
    ]
    headings = ["", "GAMBLE lower", "SAMME lower", "equal", "p (two-sided)"]
    sign = TableOf("Sign test over data sets and rounds", headings, rows)

    def draw(axes: Sequence[Any]) -> None:
        for marker, mark in zip(MARKERS, findings.marks, strict=False):
            points = [(theirs, ours) for _, at, ours, theirs in duels if at == mark]
            axes[0].scatter(*zip(*points, strict=True), marker=marker, label=f"{mark} rounds")
        end = max(max(ours, theirs) for *_, ours, theirs in duels) * 1.05
        axes[0].plot([0, end], [0, end], color="grey", linestyle="--", linewidth=0.8)
        axes[0].set(xlabel="test error of SAMME", ylabel="test error of GAMBLE")
        axes[0].legend()

    figures = [
        FigureOf("gamble-3", "Figure 3: GAMBLE and SAMME, below the line GAMBLE wins.", draw)
    ]
    figures += curve_figures(findings)
    tables = [learner_table("Figure 3: test errors", findings, names), sign]
    return [Section("GAMBLE and SAMME", DUELS, tables, figures)]


DUELS = (
    "Errors of Glass and Splice are means over random splits of the paper's sizes, the others are "
    "of the official split. Both boosters have the same trees, 15 leaves by Gini. The two last "
    'columns are not the paper\'s: smaller steps, and the rule "real" with the same trees.'
)


def learner_table(title: str, findings: Findings, names: Sequence[str]) -> TableOf:
    rows: list[list[Cell]] = []
    for name in names:
        runs = max(len(findings.curves.get((name, key), ())) for key in LEARNERS)
        for mark in findings.marks:
            errors = [decimals(findings.error(name, key, mark), 4) for key in LEARNERS]
            rows.append([name, runs, mark, *errors])
    return TableOf(title, ["data", "splits", "rounds", *LEARNERS.values()], rows)


def curve_figures(findings: Findings) -> list[FigureOf]:
    names = [n for n in CURVES if all((n, key) in findings.curves for key in RIVALS)]
    if not names:
        return []

    def draw(axes: Sequence[Any]) -> None:
        for ax, name in zip(axes, names, strict=True):
            lines = {
                LEARNERS[key]: drawn(
                    mean_curve(findings.curves[name, key], "test_error", findings.rounds).tolist()
                )
                for key in RIVALS
            }
            RoundsDisplay(lines, "test error").plot(ax=ax)
            ax.set(title=name.capitalize(), xscale="log")

    caption = "Figure 4: test errors on Glass and Segmentation, where they are there."
    return [FigureOf("gamble-4", caption, draw, panels=len(names))]


def sphere_sections(findings: Findings) -> list[Section]:
    """Figure 6."""
    if not findings.spheres:
        return []
    rows: list[list[Cell]] = []
    for (n_classes, key), runs in findings.spheres.items():
        for which in ("train_error", "test_error"):
            errors = mean_curve(runs, which, findings.rounds)
            cells = [decimals(float(errors[mark - 1]), 4) for mark in findings.marks]
            kind = which.partition("_")[0]
            rows.append([n_classes, LEARNERS[key], len(runs), kind, *cells])
    headings = ["classes", "booster", "runs", "error", *(f"after {m}" for m in findings.marks)]
    numbers = list(dict.fromkeys(n for n, _ in findings.spheres))

    def draw(axes: Sequence[Any]) -> None:
        for ax, n_classes in zip(axes, numbers, strict=True):
            lines = {
                f"{LEARNERS[key]}, {which.partition('_')[0]}": drawn(
                    mean_curve(runs, which, findings.rounds).tolist()
                )
                for (n, key), runs in findings.spheres.items()
                for which in ("train_error", "test_error")
                if n == n_classes
            }
            RoundsDisplay(lines, "error").plot(ax=ax)
            ax.set(title=f"{n_classes} classes", xscale="log")

    table = TableOf("Figure 6: errors on concentric spheres, means over runs", headings, rows)
    figure = FigureOf("gamble-6", "Figure 6: concentric spheres.", draw, panels=len(numbers))
    return [Section("Concentric spheres", "", [table], [figure])]


def further_sections(findings: Findings, shapes: Mapping[str, Shape]) -> list[Section]:
    """Data sets that the paper does not have."""
    names = [n for n in shapes if n not in published.SHAPES and (n, "gamble") in findings.curves]
    duels = findings.duels(names)
    if not duels:
        return []
    test = sign_test(findings.duels([*published.SHAPES, *names]))
    text = (
        f"Over these and the paper's data together, GAMBLE's error is lower than SAMME's in "
        f"{test.wins} comparisons, higher in {test.losses} and equal in {test.ties}: "
        f"p = {test.p_value:.4f}."
    )
    return [Section("Other data", text, [learner_table("Test errors", findings, names)])]


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
        least_table(findings, names),
        time_table(findings, names),
    ]
    return [Section("Labels", label_text(findings), tables, label_figures(findings, names))]


def label_text(findings: Findings) -> str:
    return (
        f"Committees of {findings.committee} rounds, trained anew after each batch, from 20 random "
        f"labels on. The target is the lowest test error of Batch in any of {findings.rounds} "
        "rounds on the same split. Counts are labels of the first committee whose "
        "test error is at most the target, means over runs. **A run that never reaches the target "
        f"counts as all rows, and is marked *never***. Active is stopped at {findings.budget:,} "
        "labels. Random goes on to the last row; it is looked at every 10 labels "
        "(every 5 in small sets), from 100 on every tenth more, so its counts may be a tenth too "
        "high."
    )


def needed_table(findings: Findings, names: Sequence[str]) -> TableOf:
    rows: list[list[Cell]] = []
    for name in names:
        theirs = published.EFFICIENCY[name]
        runs = runs_of(findings, name)
        lowest = [min(r.curve["error"]) for r in findings.labels.get((name, "active"), ())]
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
                count(findings, name, "active"),
                f"{theirs.random:,}",
                count(findings, name, "random"),
                decimals(theirs.active / theirs.random, 2),
                ratio(findings, name),
            ]
        )
    headings = ["data", "rows", "paper: target", "target", "paper: lowest of Active"]
    headings += ["lowest of Active", "paper: Active", "Active", "paper: Random", "Random"]
    headings += ["paper: Active / Random", "Active / Random"]
    return TableOf(f"Table 2: labels to the target, {n_runs(findings)}", headings, rows)


def runs_of(findings: Findings, name: str) -> Sequence[LabelRun]:
    """Of either way: both have the same targets."""
    return findings.labels.get((name, "active")) or findings.labels[name, "random"]


def n_runs(findings: Findings) -> str:
    numbers = sorted({len(runs) for runs in findings.labels.values()})
    return f"{' or '.join(map(str, numbers))} {'run' if numbers == [1] else 'runs'}"


def count(findings: Findings, name: str, way: str, errors: str = "error") -> str:
    needed = findings.needed(name, way, errors)
    return "" if needed is None else say(needed)


def ratio(findings: Findings, name: str, errors: str = "error") -> str:
    active, random = (findings.needed(name, way, errors) for way in WAYS)
    return "" if active is None or random is None else decimals(active.mean / random.mean, 2)


def least_table(findings: Findings, names: Sequence[str]) -> TableOf:
    """With the best round of each committee, as of Batch: all rows reach the target then."""
    rows: list[list[Cell]] = [
        [
            name,
            count(findings, name, "active", "least"),
            count(findings, name, "random", "least"),
            ratio(findings, name, "least"),
        ]
        for name in names
    ]
    headings = ["data", "Active", "Random", "Active / Random"]
    title = "The same, each committee judged by its best round, as Batch is"
    return TableOf(title, headings, rows)


def time_table(findings: Findings, names: Sequence[str]) -> TableOf:
    rows: list[list[Cell]] = []
    for name in names:
        theirs = published.EFFICIENCY[name]
        runs = findings.labels.get((name, "active"), ())
        ours = decimals(float(np.mean([run.seconds for run in runs])), 1) if runs else ""
        batch = float(np.mean([run.batch["seconds"] for run in runs_of(findings, name)]))
        rows.append(
            [name, theirs.active_seconds, ours, f"{theirs.batch_seconds:,}", decimals(batch, 1)]
        )
    headings = ["data", "paper: Active", "Active", "paper: Batch", "Batch"]
    title = (
        "Table 2: seconds of all committees up to the target, and of Batch (here: processor time)"
    )
    return TableOf(title, headings, rows)


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
    target = float(np.mean([run.target for run in runs_of(findings, name)]))
    LabelCurveDisplay(curves, {"Batch": target}).plot(ax=ax)
    ax.set(title=name.capitalize(), xlim=(0, min(SHOWN, runs_of(findings, name)[0].n_rows)))
    ax.set(ylabel="test error")


def common(runs: Sequence[LabelRun]) -> tuple[list[int], list[list[float]]]:
    """Where all runs had as many labels; they may end differently, where rows are equal."""
    by_labels = [dict(zip(run.curve["labels"], run.curve["error"], strict=True)) for run in runs]
    shared = sorted(set.intersection(*(set(each) for each in by_labels)))
    return shared, [[each[n] for n in shared] for each in by_labels]
