"""Judges of the ensemble pruning paper's statements on figure 1 and on means over domains."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from frugalboost.reproduce.ensemble_found import (
    METHODS,
    NAMES,
    Found,
    Outcomes,
    mean_relative,
    with_gain,
)
from frugalboost.reproduce.judging import Verdict
from frugalboost.reproduce.published_ensemble_pruning import ENOUGH, PRUNED

NEAR = 0.05
BEST = ("reduce_error", "kappa")
POOR = ("kl", "early_stopping")


def judge_cluster(found: Found) -> Verdict:
    if found.diagrams is None:
        return None
    boosted, bagged = found.diagrams["adaboost"], found.diagrams["bagging"]
    ratios = {key: float(np.std(bagged[key]) / np.std(boosted[key])) for key in ("kappa", "error")}
    text = f"deviations of kappa {ratios['kappa']:.2f}, of errors {ratios['error']:.2f} as large"
    return text, max(ratios.values()) <= 0.5


def judge_diversity(found: Found) -> Verdict:
    if found.diagrams is None:
        return None
    kappa, error = (
        [float(np.mean(found.diagrams[name][key])) for name in ("adaboost", "bagging")]
        for key in ("kappa", "error")
    )
    text = (
        f"mean kappa {kappa[0]:.2f} and {kappa[1]:.2f} (bagging), mean error {error[0]:.3f} and "
        f"{error[1]:.3f}"
    )
    return text, kappa[0] < kappa[1] and error[0] > error[1]


def judge_bagging(found: Found) -> Verdict:
    if not found.main:
        return None
    ahead = [name for name, each in found.main.items() if each.mean("whole") < each.mean("bagged")]
    text = f"on {len(ahead)} of {len(found.main)} domains: {', '.join(ahead)}"
    return text, len(ahead) > len(found.main) / 2


def judge_first(found: Found) -> Verdict:
    if not found.main:
        return None
    shares = [each.mean("first_is_best") for each in found.main.values()]
    share = float(np.mean(shares))
    return f"in {100 * share:.0f} % of the splits, mean of the domains", share > 0.5


def judge_gains(found: Found) -> Verdict:
    if not found.main:
        return None
    lacking = [name for name, each in found.main.items() if each.gain <= 0]
    unsure = [n for n, each in found.main.items() if each.gain > 0 and not each.is_sure]
    text = f"positive in {len(found.main) - len(lacking)} of {len(found.main)} domains"
    text += f", not in {', '.join(lacking)}" if lacking else ""
    text += f"; positive but within noise in {', '.join(unsure)}" if unsure else ""
    return text, not lacking


def at_level(domains: Outcomes, share: float) -> dict[str, float] | None:
    """Mean relative performance of the paper's methods, the best first."""
    lines = {key: mean_relative(domains, key) for key in METHODS}
    found = {
        key: float(line[PRUNED.index(share)]) for key, line in lines.items() if line is not None
    }
    return dict(sorted(found.items(), key=lambda item: -item[1])) or None


def say(values: Mapping[str, float], digits: int = 2) -> str:
    return ", ".join(f"{NAMES[key]} {value:.{digits}f}" for key, value in values.items())


def are_best(values: Mapping[str, float]) -> bool:
    return min(values[key] for key in BEST) > max(values[key] for key in POOR)


def judge_best(found: Found) -> Verdict:
    """At every level where something goes, both are ahead of both others."""
    levels = {share: at_level(found.main, share) for share in PRUNED[:-1]}
    known = {share: values for share, values in levels.items() if values is not None}
    if not known:
        return None
    text = "; ".join(f"{100 * share:.0f} %: {say(values)}" for share, values in known.items())
    return text, all(are_best(values) for values in known.values())


def judge_level(found: Found, only_sure: bool = False) -> Verdict:
    """At 60 % pruning."""
    domains = with_gain(found.main, only_sure=only_sure)
    values = at_level(domains, 0.6)
    if values is None:
        return None
    holds = are_best(values) and min(values[key] for key in BEST) >= ENOUGH
    return f"{say(values, 3)}; domains: {', '.join(domains)}", holds


def judge_hull(found: Found) -> Verdict:
    domains = with_gain(found.main)
    line = mean_relative(domains, "hull")
    if line is None:
        return None
    others = {key: float(np.mean([each.at_hull(key) for each in domains.values()])) for key in BEST}
    hull = float(line[0])
    return say({"hull": hull} | others), hull >= max(others.values()) - NEAR


def judge_backfitting(found: Found) -> Verdict:
    lines = [mean_relative(found.main, key) for key in ("kappa", "kappa_backfitting")]
    before, after = (None if line is None else float(line[PRUNED.index(0.6)]) for line in lines)
    if before is None or after is None:
        return None
    return f"{before:.3f}, with backfitting {after:.3f}", after > before


def judge_amount(found: Found) -> Verdict:
    lines = [mean_relative(found.main, key) for key in ("reduce_error", "reduce_error_auto")]
    fixed, chosen = lines
    if fixed is None or chosen is None:
        return None
    sizes = [each.mean("auto_size") for each in with_gain(found.main).values()]
    at = float(fixed[PRUNED.index(0.6)])
    text = f"{float(chosen[0]):.3f} with {np.mean(sizes):.1f} members, {at:.3f} at 60 %"
    return text, float(chosen[0]) >= at
