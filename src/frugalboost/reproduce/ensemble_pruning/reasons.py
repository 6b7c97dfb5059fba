"""Tables that ask why ensemble pruning came out as it did: noise, members kept, variants."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from frugalboost._typing import Floats
from frugalboost.reproduce.ensemble_pruning.findings import (
    LEVELS,
    METHODS,
    NAMES,
    OURS,
    Findings,
    Outcomes,
    mean_relative,
    with_gain,
)
from frugalboost.reproduce.ensemble_pruning.published import PRUNED
from frugalboost.reproduce.paper import Cell, Section, TableOf
from frugalboost.reproduce.text import decimals

VARIANTS = {
    "c45": "as above, first experiment",
    "unpruned": "trees not pruned",
    "held30": "30 % held out for Reduce-Error",
}


def reason_sections(findings: Findings) -> list[Section]:
    return [*noise_sections(findings), *member_sections(findings), *variant_sections(findings)]


def noise_sections(findings: Findings) -> list[Section]:
    """What a single experiment, as the paper has, may show."""
    if findings.n_repeats < 2:
        return []
    sure = list(with_gain(findings.main, only_sure=True))
    repeats = [findings.outcomes(repeat=repeat) for repeat in range(findings.n_repeats)]
    chosen = [{name: each[name] for name in sure} for each in repeats]
    rows: list[list[Cell]] = []
    for key in (*METHODS, *OURS):
        lines = [line for each in chosen if (line := mean_relative(each, key)) is not None]
        if lines:
            rows.append([NAMES[key], *ranges(np.array(lines))])
    title = f"Lowest and highest mean of {findings.n_repeats} experiments, domains with a sure Gain"
    table = TableOf(title, ["method", *LEVELS], rows)
    return [Section("Noise", NOISE, [table, *winner_tables(chosen)])]


NOISE = (
    "The paper has one experiment of ten splits for each domain. Here it is repeated with other "
    "folds and draws (Letters less often), and each repeat is evaluated as the paper does it."
)


def ranges(lines: Floats) -> list[str]:
    low, high = lines.min(axis=0), lines.max(axis=0)
    return [f"{a:.2f} to {b:.2f}" for a, b in zip(low, high, strict=True)]


def winner_tables(repeats: Sequence[Outcomes]) -> list[TableOf]:
    """How often each of the paper's methods had the highest mean."""
    best = np.zeros((len(METHODS), len(PRUNED)), dtype=int)
    for outcomes in repeats:
        lines = [mean_relative(outcomes, key) for key in METHODS]
        known = np.array([line for line in lines if line is not None])
        if len(known) == len(METHODS):
            best[known.argmax(axis=0), np.arange(len(PRUNED))] += 1
    rows: list[list[Cell]] = [
        [NAMES[key], *(int(n) for n in counts[:-1])]
        for key, counts in zip(METHODS, best, strict=True)
    ]
    return [TableOf("Experiments in which a method had the highest mean", ROWS, rows)]


ROWS = ["method", *LEVELS[:-1]]


def member_sections(findings: Findings) -> list[Section]:
    """Which members a method keeps: good ones, or bad ones."""
    domains = with_gain(findings.main, only_sure=True)
    rows: list[list[Cell]] = [
        [name, NAMES[key], *(decimals(float(value)) for value in each.kept_error(key))]
        for name, each in domains.items()
        for key in ("early_stopping", "kl", "kappa", "kappa_backfitting")
    ]
    if not rows:
        return []
    title = "Mean error on the training rows of the members that are kept"
    return [Section("Members kept", MEMBERS, [TableOf(title, ["domain", "method", *LEVELS], rows)])]


MEMBERS = (
    "The last column is the mean of all members. Two members agree least where at least one of "
    "them is often wrong: see the upper left of figure 1."
)


def variant_sections(findings: Findings) -> list[Section]:
    """Whether one thing done otherwise brings the paper's order about."""
    # The first experiment of each, on the same splits.
    outcomes = {of: findings.outcomes(of, repeat=0) for of in findings.variants if of in VARIANTS}
    if len(outcomes) < 2:
        return []
    names = [
        name
        for name in with_gain(findings.main, only_sure=True)
        if all(name in each and each[name].gain > 0 for each in outcomes.values())
    ]
    rows: list[list[Cell]] = []
    for variant, each in outcomes.items():
        domains = {name: each[name] for name in names}
        for key in CONCERNED.get(variant, (*METHODS, *OURS)):
            line = mean_relative(domains, key)
            if line is not None:
                cells = [decimals(float(value)) for value in line]
                rows.append([VARIANTS[variant], NAMES[key], *cells])
    table = TableOf(f"Means over {', '.join(names)}", ["", "method", *LEVELS], rows)
    return [Section("One thing done otherwise", OTHERWISE, [table])]


OTHERWISE = "One experiment of ten splits each, on the same splits."
CONCERNED = {"held30": ("reduce_error",)}
"""Methods that a variant makes a difference to, where that is not all."""
