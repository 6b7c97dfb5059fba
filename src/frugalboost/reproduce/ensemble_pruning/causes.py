"""Causes that an experiment shows: a thing is changed, and the effect goes away.

Each returns the cause with its figures and the table that has them, or None if the experiment
has not been run or does not show the effect.
"""

from __future__ import annotations

import numpy as np

from frugalboost.reproduce.ensemble_pruning.conditions import Found
from frugalboost.reproduce.ensemble_pruning.findings import (
    OWN_ENSEMBLE,
    Findings,
    Outcomes,
    mean_relative,
    with_gain,
)
from frugalboost.reproduce.ensemble_pruning.levels import SMOOTH, jump, mean_at
from frugalboost.reproduce.ensemble_pruning.published import PRUNED
from frugalboost.reproduce.text import percent

MEMBERS = "Mean error on the training rows of the members that are kept"
KAPPAS = "Mean kappa of the members that are kept"
GAINS = "Gain of each experiment"
SURE_MEANS = "Figure 3, domains with a sure Gain"
MANY_ROWS = "Reduce-Error with half of the test rows as the pruning set"
FIRST = "How often the first member is the best, with more rows of Expf"
AT_60 = PRUNED.index(0.6)


def kappa_keeps_bad_members(findings: Findings) -> Found:
    """Kappa is better if it may not choose those."""
    domains = with_gain(findings.main, only_sure=True)
    before, after = (mean_at(domains, key, 0.6) for key in ("kappa", "kappa_of_better"))
    if before is None or after is None or after <= before:
        return None
    text = (
        "Kappa keeps members that err: with 60 % pruned on "
        f"{percent(kept_error(domains, 'kappa'))} of the training rows, all members on "
        f"{percent(error_of_all(domains))}; with the better half of the members first it keeps "
        f"{after:.2f} of the sure gains instead of {before:.2f}"
    )
    return text, (MEMBERS, SURE_MEANS)


def first_are_best(findings: Findings) -> Found:
    """The last members do worse than the first, so boosting's order is one of quality."""
    domains = with_gain(findings.main, only_sure=True)
    first, last = (mean_at(domains, key, 0.6) for key in ("early_stopping", "last"))
    if first is None or last is None or first <= last:
        return None
    errors = [percent(kept_error(domains, key)) for key in ("early_stopping", "last")]
    text = (
        f"early stopping is not poor, as the first members err on {errors[0]} of the training rows "
        f"and the last on {errors[1]}: with 60 % pruned they keep {first:.2f} and {last:.2f}"
    )
    return text, (MEMBERS, SURE_MEANS)


def fewer_rows(findings: Findings) -> Found:
    """Reduce-Error's ensemble has grown on fewer rows than what it is measured against."""
    domains = with_gain(findings.main, only_sure=True)
    own = with_gain(findings.conditions[OWN_ENSEMBLE].main, only_sure=True)
    shared = [name for name in domains if name in own]
    before, after = (
        mean_at({name: each[name] for name in shared}, "reduce_error", 0.6)
        for each in (domains, own)
    )
    if before is None or after is None or after <= before:
        return None
    text = (
        "Reduce-Error has fewer rows to learn from: at 60 % it keeps "
        f"{before:.2f} of the gain, and {after:.2f} of that of its own ensemble"
    )
    return text, (SURE_MEANS,)


def first_is_not_best(findings: Findings) -> Found:
    """With more rows to grow on and to choose by, the first tree is the best more often."""
    if len(findings.sizes) < 2:
        return None
    (few, fewer), *_, (many, more) = ((n, first_share(findings, n)) for n in sorted(findings.sizes))
    if more <= fewer:
        return None
    text = (
        f"these domains are small: with {few:,} rows of Expf the first member is the best in "
        f"{100 * fewer:.0f} % of the splits, with {many:,} in {100 * more:.0f} %"
    )
    return text, (FIRST,)


def first_share(findings: Findings, n_rows: int) -> float:
    """How often the first member is the best on the pruning set, with so many rows of Expf."""
    return float(np.mean([each["first_is_best"] for each in findings.sizes[n_rows]]))


def few_rows_choose(findings: Findings) -> Found:
    """With a larger pruning set the amount is chosen better."""
    domains = with_gain(with_many_rows(findings))
    lines = [
        mean_relative(domains, key)
        for key in ("reduce_error_auto", "reduce_error_many_auto", "reduce_error_many")
    ]
    if any(line is None for line in lines):
        return None
    few, many, fixed = (
        float(line[-1 if len(line) == 1 else AT_60]) for line in lines if line is not None
    )
    if many <= few:
        return None
    text = (
        f"the pruning set is too small to tell how many: on {', '.join(domains)} its choice keeps "
        f"{few:.2f}, that of half the test rows {many:.2f} (these at 60 %: {fixed:.2f})"
    )
    return text, (MANY_ROWS,)


def with_many_rows(findings: Findings) -> Outcomes:
    """The domains with a large test set."""
    name = "reduce_error_many"
    return {key: each for key, each in findings.main.items() if name in each.splits[0]["errors"]}


def gain_is_noise(findings: Findings) -> Found:
    """A domain without a Gain has one in other experiments like the paper's."""
    texts = []
    for name, each in findings.main.items():
        n = sum(other.main[name].gain > 0 for other in findings.experiments)
        if each.gain <= 0 and n:
            texts.append(
                f"chance: on {name} the Gain is {100 * each.gain:.2f} points, with a standard "
                f"error of {100 * each.gain_noise:.2f} in ten splits, and is positive in {n} of "
                f"{findings.n_repeats} experiments"
            )
    return ("; ".join(texts), (GAINS,)) if texts else None


def small_gains_jump(findings: Findings) -> Found:
    """Domains whose Gain is more than noise are smooth."""
    domains, sure = (with_gain(findings.main, only_sure=only) for only in (False, True))
    smooth = {
        name for name, each in domains.items() if max(jump(each, key) for key in BOTH) <= SMOOTH
    }
    n_sure, n_unsure = (len(smooth & set(names)) for names in (sure, set(domains) - set(sure)))
    if len(sure) == 0 or n_sure / len(sure) <= n_unsure / max(len(domains) - len(sure), 1):
        return None
    text = (
        f"dividing by a small Gain makes jumps: {n_sure} of the {len(sure)} domains with a sure "
        f"Gain are smooth, {n_unsure} of the {len(domains) - len(sure)} others"
    )
    return text, ("Figure 4: Reduce-Error", "Figure 5: Kappa")


BOTH = ("kappa", "reduce_error")


def backfitting_finds_worse_members(findings: Findings) -> Found:
    """Lower kappas come with more errors."""
    domains = with_gain(findings.main, only_sure=True)
    if not domains:
        return None
    kappas, errors = (
        [
            float(np.mean([each.kept(what, key)[AT_60] for each in domains.values()]))
            for key in ("kappa", "kappa_backfitting")
        ]
        for what in ("kappa", "error")
    )
    if kappas[1] >= kappas[0] or errors[1] <= errors[0]:
        return None
    text = (
        f"it finds lower kappas, and so worse members: at 60 % a mean kappa of {kappas[1]:.3f} "
        f"instead of {kappas[0]:.3f}, and errors on {percent(errors[1])} of the training rows "
        f"instead of {percent(errors[0])}"
    )
    return text, (MEMBERS, KAPPAS)


def kept_error(domains: Outcomes, method: str) -> float:
    return float(np.mean([each.kept("error", method)[AT_60] for each in domains.values()]))


def error_of_all(domains: Outcomes) -> float:
    return float(np.mean([each.mean("member_error") for each in domains.values()]))
