"""Tandems beside plain FilterBoost, as tables and a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from frugalboost.plots import CostErrorDisplay
from frugalboost.reproduce.filterboost.claims_methods import asides
from frugalboost.reproduce.filterboost.findings import Findings
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.paper import Cell, FigureOf, Section, TableOf
from frugalboost.reproduce.text import decimals

LABELS = {"plain": "FilterBoost", "tandem": "tandem"}
N_ROWS = 8
TEXT = (
    "A tandem (section 2.4) votes: each member is boosted to an error of 0.25 on the examples that "
    "the votes before leave open, or to its largest number of trees if it cannot reach that, which "
    "is so where labels are noisy. Probabilities are counted: how often so many votes were right. "
    "Stumps on Majority with 10 % of the labels flipped; trees of depth 6 on flights, for those "
    "that are more than 15 minutes late. Log loss is that of rows that were not drawn."
)


def tandem_sections(findings: Findings) -> list[Section]:
    found = asides(findings, "tandem-")
    data = list(dict.fromkeys(key.split("-")[0] for key in found))
    if not found:
        return []
    tables = [loss_table(name, found) for name in data]

    def draw(axes: Sequence[Any]) -> None:
        for ax, name in zip(axes, data, strict=True):
            lines = {
                LABELS[key.split("-")[1]]: (each["examples"], each["log_loss"])
                for key, each in found.items()
                if key.startswith(name)
            }
            CostErrorDisplay(lines).plot(ax=ax, marker="o")
            ax.set(xlabel="examples drawn", ylabel="log loss", title=name, xscale="log")

    caption = "Tandems beside FilterBoost: log loss by examples drawn."
    figure = FigureOf("filterboost-tandems", caption, draw, panels=len(data))
    return [Section("Boosting tandems", TEXT, [*tables, *proof_tables(findings)], [figure])]


def loss_table(data: str, found: dict[str, Result]) -> TableOf:
    """Log loss when so many examples had been drawn, at most."""
    curves = {kind: found[f"{data}-{kind}"] for kind in LABELS if f"{data}-{kind}" in found}
    drawn = sorted({n for each in curves.values() for n in each["examples"]})
    marks = np.geomspace(drawn[0], drawn[-1], N_ROWS).round(-2).astype(int).tolist()
    rows: list[list[Cell]] = []
    for mark in marks:
        cells: list[Cell] = [f"{mark:,}"]
        for each in curves.values():
            place = int(np.searchsorted(each["examples"], mark, side="right")) - 1
            for name in ("log_loss", "accuracy"):
                cells.append(decimals(each[name][place] if place >= 0 else None, 4))
        rows.append(cells)
    headings = ["examples"]
    for kind, each in curves.items():
        headings += [f"{LABELS[kind]}, {each['trees']} trees: log loss", "accuracy"]
    members = found.get(f"{data}-tandem")
    voted = (
        ""
        if members is None
        else (f": {members['reached']} of {members['members']} members reached their error")
    )
    return TableOf(f"Tandems on {data}{voted}", headings, rows)


def proof_tables(findings: Findings) -> list[TableOf]:
    """Certified runs on a small Majority without noise."""
    found = asides(findings, "proof-")
    labels = {"log": "FilterBoost", "mada": "MadaBoost", "tandem": "tandem"}
    rows: list[list[Cell]] = [
        [
            labels[key.split("-")[0]],
            key.split("-")[1],
            decimals(each["error"], 4),
            each["rounds"],
            f"{each['bound']:,.0f}",
            f"{each['examples']:,}",
        ]
        for key, each in found.items()
    ]
    headings = ["booster", "target error", "error", "trees", "at most, by theory", "examples"]
    return (
        [TableOf("Certified runs, Majority of 5 of 11 without noise", headings, rows)]
        if rows
        else []
    )
