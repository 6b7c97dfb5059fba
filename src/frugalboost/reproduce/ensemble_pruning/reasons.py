"""Tables that ask why ensemble pruning came out as it did: noise, members, other conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from frugalboost._typing import Floats
from frugalboost.reproduce.ensemble_pruning.causes import (
    FIRST,
    GAINS,
    KAPPAS,
    MANY_ROWS,
    MEMBERS,
    first_share,
    with_many_rows,
)
from frugalboost.reproduce.ensemble_pruning.claims import CLAIMS
from frugalboost.reproduce.ensemble_pruning.conditions import TABLE, holds, true_experiments
from frugalboost.reproduce.ensemble_pruning.findings import (
    FURTHER,
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
from frugalboost.reproduce.ensemble_pruning.variants import PAPER, VARIANTS
from frugalboost.reproduce.paper import Cell, Section, TableOf
from frugalboost.reproduce.text import decimals

CHOOSING = (
    "early_stopping",
    "kl",
    "kappa",
    "kappa_backfitting",
    "kappa_of_better",
    "random",
    "last",
)
"""Methods that choose among the members of one and the same ensemble."""


def reason_sections(findings: Findings) -> list[Section]:
    return [
        *noise_sections(findings),
        *member_sections(findings),
        *many_rows_sections(findings),
        *condition_sections(findings),
    ]


def noise_sections(findings: Findings) -> list[Section]:
    """What a single experiment, as the paper has, may show."""
    if findings.n_repeats < 2:
        return []
    sure = list(with_gain(findings.main, only_sure=True))
    chosen = [{name: each.main[name] for name in sure} for each in findings.experiments]
    rows: list[list[Cell]] = []
    for key in (*METHODS, *OURS):
        lines = [line for each in chosen if (line := mean_relative(each, key)) is not None]
        if lines:
            rows.append([NAMES[key], *ranges(np.array(lines))])
    title = f"Lowest and highest mean of {findings.n_repeats} experiments, domains with a sure Gain"
    table = TableOf(title, ["method", *LEVELS], rows)
    return [Section("Noise", NOISE, [table, *winner_tables(chosen), gain_table(findings)])]


NOISE = (
    "The paper has one experiment of ten splits for each domain. Here it is repeated with other "
    "folds and draws (Letters less often), and each repeat is evaluated as the paper does it."
)


def ranges(lines: Floats) -> list[str]:
    low, high = lines.min(axis=0), lines.max(axis=0)
    return [f"{a:.2f} to {b:.2f}" for a, b in zip(low, high, strict=True)]


def winner_tables(experiments: Sequence[Outcomes]) -> list[TableOf]:
    """How often each of the paper's methods had the highest mean."""
    best = np.zeros((len(METHODS), len(PRUNED)), dtype=int)
    for outcomes in experiments:
        lines = [mean_relative(outcomes, key) for key in METHODS]
        known = np.array([line for line in lines if line is not None])
        if len(known) == len(METHODS):
            best[known.argmax(axis=0), np.arange(len(PRUNED))] += 1
    rows: list[list[Cell]] = [
        [NAMES[key], *(int(n) for n in counts[:-1])]
        for key, counts in zip(METHODS, best, strict=True)
    ]
    title = "Experiments in which a method had the highest mean"
    return [TableOf(title, ["method", *LEVELS[:-1]], rows)]


def gain_table(findings: Findings) -> TableOf:
    rows: list[list[Cell]] = [
        [name, *(decimals(100 * each.main[name].gain, 2) for each in findings.experiments)]
        for name in findings.main
    ]
    headings = ["domain", *(str(i + 1) for i in range(findings.n_repeats))]
    return TableOf(f"{GAINS}, points", headings, rows)


def member_sections(findings: Findings) -> list[Section]:
    """Which members a method keeps: good ones, or bad ones."""
    domains = with_gain(findings.main, only_sure=True)
    if not domains:
        return []
    tables = [
        TableOf(title, ["domain", "method", *LEVELS], kept_rows(domains, what))
        for title, what in ((MEMBERS, "error"), (KAPPAS, "kappa"))
    ]
    return [Section("Members kept", MEMBERS_TEXT, tables)]


def kept_rows(domains: Outcomes, quantity: str) -> list[list[Cell]]:
    """Means of the domains, then each of them."""
    lines = {
        (name, key): each.kept(quantity, key) for name, each in domains.items() for key in CHOOSING
    }
    means = {
        ("mean", key): np.mean([lines[name, key] for name in domains], axis=0) for key in CHOOSING
    }
    return [
        [name, FURTHER[key], *(decimals(float(value)) for value in line)]
        for (name, key), line in {**means, **lines}.items()
    ]


MEMBERS_TEXT = (
    "Domains with a sure Gain. The last column is the mean of all members. Two members agree least "
    "where at least one of them is often wrong: see the upper left of figure 1."
)


def many_rows_sections(findings: Findings) -> list[Section]:
    """What Reduce-Error does with a pruning set of 500 rows or more."""
    domains = with_gain(with_many_rows(findings))
    rows: list[list[Cell]] = []
    for name, each in domains.items():
        shares = [100 * each.mean(f"first_is_best{which}") for which in ("", "_on_test")]
        for key, title in PRUNING_SETS.items():
            line, chosen = each.relative(key), each.relative(f"{key}_auto")
            if line is not None and chosen is not None:
                values = (decimals(float(value)) for value in (*line, chosen[0]))
                rows.append([name, title, *values, f"{shares.pop(0):.0f} %"])
    headings = ["domain", "pruning set", *LEVELS, "amount chosen too", "first member is best"]
    tables = [TableOf(MANY_ROWS, headings, rows)] if rows else []
    tables += [first_table(findings)] if findings.sizes else []
    return [Section("More rows", MANY_ROWS_TEXT, tables)] if tables else []


def first_table(findings: Findings) -> TableOf:
    rows: list[list[Cell]] = [
        [
            f"{n:,}",
            f"{100 * first_share(findings, n):.0f} %",
            decimals(float(np.mean([each["better"] for each in results])), 1),
        ]
        for n, results in sorted(findings.sizes.items())
    ]
    headings = ["rows", "first member is best on the pruning set", "members better than the first"]
    return TableOf(FIRST, headings, rows)


PRUNING_SETS = {
    "reduce_error": "15 % of the training rows",
    "reduce_error_many": "half of the test rows",
}
MANY_ROWS_TEXT = (
    "Each half of the test rows chooses members, and the other half tests them. The last column is "
    "how often the first member has the lowest error of all, on the pruning set and on all test "
    "rows. The last table has Expf with more rows, 15 % of which are the pruning set."
)


def condition_sections(findings: Findings) -> list[Section]:
    """Whether one thing done otherwise brings the paper's order about."""
    conditions = {VARIANTS[PAPER].title: findings, **findings.conditions}
    names = [
        name
        for name in with_gain(findings.main, only_sure=True)
        if all(name in with_gain(each.main) for each in conditions.values())
    ]
    if len(conditions) < 3 or not names:
        return []
    mains = {title: {name: each.main[name] for name in names} for title, each in conditions.items()}
    tables = [
        *(means_table(mains, i) for i in range(len(PRUNED) - 1)),
        by_domain_table(mains, "kappa"),
        by_domain_table(mains, "reduce_error"),
        spread_table(mains),
        claims_table(findings),
    ]
    text = OTHERWISE + f" Means are over {', '.join(names)}."
    return [Section("One thing done otherwise", text, tables)]


OTHERWISE = (
    "The same splits; fewer experiments than above, and of Letters fewer splits. A claim is judged "
    "under a condition as if that were the paper's experiment. There are many conditions, so a "
    "claim on a single domain may hold under one of them by chance."
)


def means_table(mains: Mapping[str, Outcomes], place: int) -> TableOf:
    methods = (*METHODS, *OURS)
    rows: list[list[Cell]] = []
    for title, domains in mains.items():
        lines = [mean_relative(domains, key) for key in methods]
        rows.append([title, *(decimals(None if x is None else float(x[place])) for x in lines)])
    heading = f"Means with {LEVELS[place]}, by what is done otherwise"
    return TableOf(heading, ["", *(NAMES[key] for key in methods)], rows)


def by_domain_table(mains: Mapping[str, Outcomes], method: str) -> TableOf:
    rows = [
        [title, *(decimals(at_60(each.relative(method))) for each in domains.values())]
        for title, domains in mains.items()
    ]
    names = list(next(iter(mains.values())))
    return TableOf(
        f"{NAMES[method]} with 60 % pruned, by what is done otherwise", ["", *names], rows
    )


def at_60(line: Floats | None) -> float | None:
    return None if line is None else float(line[PRUNED.index(0.6)])


def spread_table(mains: Mapping[str, Outcomes]) -> TableOf:
    """How much worse than others the members are that Kappa keeps."""
    place = PRUNED.index(0.6)
    rows: list[list[Cell]] = []
    trained = [variant.title for variant in VARIANTS.values() if variant.title in mains]
    for title in trained:
        domains = mains[title]
        values = {
            key: np.mean([each.kept("error", key)[place] for each in domains.values()])
            for key in ("kappa", "early_stopping")
        }
        everyone = float(np.mean([each.mean("member_error") for each in domains.values()]))
        rows.append([title, *(decimals(float(v)) for v in (*values.values(), everyone))])
    headings = ["", "kept by Kappa", "the first", "all members"]
    return TableOf("Training error of members with 60 % pruned", headings, rows)


def claims_table(findings: Findings) -> TableOf:
    """Each claim under each condition, and how many single experiments it holds in."""
    bare = replace(findings, diagrams=None)
    rows: list[list[Cell]] = []
    for claim in CLAIMS:
        test = holds(claim.judge)
        if (here := test(bare)) is not None:
            verdicts = [say(here), *(say(test(each)) for each in bare.conditions.values())]
            n = f"{true_experiments(test, bare)} of {bare.n_repeats}"
            rows.append([claim.where, claim.quote, *verdicts, n])
    headings = ["where", "the paper", "here", *findings.conditions, "single experiments"]
    return TableOf(TABLE, headings, rows)


def say(verdict: bool | None) -> str:
    return "" if verdict is None else "yes" if verdict else "no"
