"""What the text of the ensemble pruning paper says of its plots, and how each claim is judged.

A judge returns what was measured and whether the claim holds, or None if its results are missing.
`CRITERIA` says how words without numbers are read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from frugalboost.reproduce.ensemble_pruning import published
from frugalboost.reproduce.ensemble_pruning.findings import (
    METHODS,
    NAMES,
    Findings,
    Outcome,
    Outcomes,
    mean_relative,
    with_gain,
)
from frugalboost.reproduce.ensemble_pruning.published import ENOUGH, HULL_IS_BEST, PRUNED
from frugalboost.reproduce.judging import Claims, Verdict

CRITERIA = (
    "Words without numbers are taken thus: *competitive* and *equal* are at most 0.05 of relative "
    "performance below, *comparable* is at least 0.80, *substantial* and *badly* is below 0.80, "
    "*very bad* below 0 (worse than C4.5 alone), *improves* is above 1 at some level of pruning, "
    "*much tighter* at most half the standard deviation, *typically* and *usually* more than half "
    "of the cases. Means over domains are over those with a positive Gain. A statement on several "
    "domains holds if it holds on all of those that are here and have a positive Gain."
)
NEAR = 0.05
BEST = ("reduce_error", "kappa")
POOR = ("kl", "early_stopping")

CLAIMS = Claims[Findings]()


@CLAIMS.add(
    "figure 1", "the classifiers produced by bagging form a much tighter cluster than with AdaBoost"
)
def judge_cluster(findings: Findings) -> Verdict:
    if findings.diagrams is None:
        return None
    boosted, bagged = findings.diagrams["adaboost"], findings.diagrams["bagging"]
    ratios = {key: float(np.std(bagged[key]) / np.std(boosted[key])) for key in ("kappa", "error")}
    text = f"deviations of kappa {ratios['kappa']:.2f}, of errors {ratios['error']:.2f} as large"
    return text, max(ratios.values()) <= 0.5


@CLAIMS.add("figure 1", "AdaBoost produces a more diverse set of classifiers, of lower accuracy")
def judge_diversity(findings: Findings) -> Verdict:
    if findings.diagrams is None:
        return None
    kappa, error = (
        [float(np.mean(findings.diagrams[name][key])) for name in ("adaboost", "bagging")]
        for key in ("kappa", "error")
    )
    text = (
        f"mean kappa {kappa[0]:.2f} and {kappa[1]:.2f} (bagging), mean error {error[0]:.3f} and "
        f"{error[1]:.3f}"
    )
    return text, kappa[0] < kappa[1] and error[0] > error[1]


@CLAIMS.add("section 3.4", "AdaBoost typically out-performs bagging")
def judge_bagging(findings: Findings) -> Verdict:
    if not findings.main:
        return None
    ahead = [
        name for name, each in findings.main.items() if each.mean("whole") < each.mean("bagged")
    ]
    text = f"on {len(ahead)} of {len(findings.main)} domains: {', '.join(ahead)}"
    return text, len(ahead) > len(findings.main) / 2


@CLAIMS.add(
    "section 3.5", "the classifier with the lowest error on the pruning set is usually the first"
)
def judge_first(findings: Findings) -> Verdict:
    if not findings.main:
        return None
    shares = [each.mean("first_is_best") for each in findings.main.values()]
    share = float(np.mean(shares))
    return f"in {100 * share:.0f} % of the splits, mean of the domains", share > 0.5


@CLAIMS.add("section 4", "in all domains, the Gain was always positive")
def judge_gains(findings: Findings) -> Verdict:
    if not findings.main:
        return None
    lacking = [name for name, each in findings.main.items() if each.gain <= 0]
    unsure = [n for n, each in findings.main.items() if each.gain > 0 and not each.is_sure]
    text = f"positive in {len(findings.main) - len(lacking)} of {len(findings.main)} domains"
    text += f", not in {', '.join(lacking)}" if lacking else ""
    text += f"; positive but within noise in {', '.join(unsure)}" if unsure else ""
    return text, not lacking


@CLAIMS.add(
    "figure 3",
    "Reduce-Error and Kappa pruning perform best at all levels of pruning, on average; "
    "KL-divergence and Early Stopping do not perform very well at all",
)
def judge_best(findings: Findings) -> Verdict:
    """At every level where something goes, both are ahead of both others."""
    levels = {share: at_level(findings.main, share) for share in PRUNED[:-1]}
    known = {share: values for share, values in levels.items() if values is not None}
    if not known:
        return None
    text = "; ".join(f"{100 * share:.0f} %: {say(values)}" for share, values in known.items())
    return text, all(are_best(values) for values in known.values())


def at_level(domains: Outcomes, share: float) -> dict[str, float] | None:
    """Mean relative performance of the paper's methods, the best first."""
    lines = {key: mean_relative(domains, key) for key in METHODS}
    values = {
        key: float(line[PRUNED.index(share)]) for key, line in lines.items() if line is not None
    }
    return dict(sorted(values.items(), key=lambda item: -item[1])) or None


def say(values: Mapping[str, float], digits: int = 2) -> str:
    """Values by method or by domain."""
    return ", ".join(f"{NAMES.get(key, key)} {value:.{digits}f}" for key, value in values.items())


def are_best(values: Mapping[str, float]) -> bool:
    return min(values[key] for key in BEST) > max(values[key] for key in POOR)


@CLAIMS.add(
    "figure 3",
    "at 60 % pruning, Kappa and Reduce-Error are best and above 0.80 (what the figure is held "
    "to; the text names no mean)",
)
def judge_level(findings: Findings) -> Verdict:
    return judge_60_percent(with_gain(findings.main))


@CLAIMS.add("figure 3", "the same, on the domains whose Gain is more than noise")
def judge_sure_level(findings: Findings) -> Verdict:
    return judge_60_percent(with_gain(findings.main, only_sure=True))


def judge_60_percent(domains: Outcomes) -> Verdict:
    values = at_level(domains, 0.6)
    if values is None:
        return None
    holds = are_best(values) and min(values[key] for key in BEST) >= ENOUGH
    return f"{say(values, 3)}; domains: {', '.join(domains)}", holds


@CLAIMS.add(
    "figure 3", "the Convex Hull method is competitive with these at its fixed level of pruning"
)
def judge_hull(findings: Findings) -> Verdict:
    domains = with_gain(findings.main)
    line = mean_relative(domains, "hull")
    if line is None:
        return None
    others = {key: float(np.mean([each.at_hull(key) for each in domains.values()])) for key in BEST}
    hull = float(line[0])
    return say({"hull": hull} | others), hull >= max(others.values()) - NEAR


@CLAIMS.add(
    "section 4",
    "KL-divergence and Early Stopping are behind on each individual domain as well (here: at "
    "60 % pruning)",
)
def judge_poor(findings: Findings) -> Verdict:
    """Both are behind the better of Kappa and Reduce-Error."""
    domains = with_gain(findings.main)
    if not domains:
        return None
    behind = [
        name
        for name, each in domains.items()
        if max(level(each, key, 0.6) for key in POOR) < max(level(each, key, 0.6) for key in BEST)
    ]
    text = f"on {len(behind)} of {len(domains)} domains{': ' if behind else ''}{', '.join(behind)}"
    return text, len(behind) == len(domains)


def level(domain: Outcome, method: str, share: float) -> float:
    """Relative performance of a domain with a gain."""
    line = domain.relative(method)
    assert line is not None
    return float(line[PRUNED.index(share)])


def at_share(
    findings: Findings, method: str, names: Sequence[str], share: float
) -> dict[str, float]:
    """Relative performance on the domains with a gain among those of a claim."""
    domains = with_gain(findings.main)
    return {name: level(domains[name], method, share) for name in domains if name in names}


def judge_improvement(findings: Findings, method: str, names: Sequence[str]) -> Verdict:
    """Above 1 at the best level at which any member is pruned."""
    levels = [at_share(findings, method, names, share) for share in PRUNED[:-1]]
    values = {name: max(each[name] for each in levels) for name in levels[0]}
    return (say(values), min(values.values()) > 1) if values else None


def judge_comparable(
    findings: Findings, method: str, names: Sequence[str], share: float
) -> Verdict:
    values = at_share(findings, method, names, share)
    return (say(values), min(values.values()) >= ENOUGH) if values else None


def judge_decrease(findings: Findings, method: str, names: Sequence[str], share: float) -> Verdict:
    values = at_share(findings, method, names, share)
    return (say(values), max(values.values()) < ENOUGH) if values else None


@CLAIMS.add("figure 4", "Reduce-Error pruning improves on AdaBoost for Chess, Glass, Expf and Auto")
def judge_reduce_error_improves(findings: Findings) -> Verdict:
    return judge_improvement(findings, "reduce_error", published.REDUCE_ERROR_IMPROVES)


@CLAIMS.add(
    "figure 4",
    "for Chess, Glass, Expf, Iris and Waveform, 80 % pruning by Reduce-Error still gives "
    "performance comparable to AdaBoost",
)
def judge_reduce_error_holds(findings: Findings) -> Verdict:
    return judge_comparable(findings, "reduce_error", published.REDUCE_ERROR_HOLDS, 0.8)


@CLAIMS.add(
    "figure 4",
    "for Auto, Breast, Letter, Lympho and XD6, heavy pruning (here: 80 %) by Reduce-Error "
    "results in substantial decreases",
)
def judge_reduce_error_suffers(findings: Findings) -> Verdict:
    return judge_decrease(findings, "reduce_error", published.REDUCE_ERROR_SUFFERS, 0.8)


@CLAIMS.add(
    "figure 4", "even 20 % pruning by Reduce-Error in the Breast domain hurts performance badly"
)
def judge_breast(findings: Findings) -> Verdict:
    return judge_decrease(findings, "reduce_error", ["breast"], 0.2)


@CLAIMS.add(
    "figure 5",
    "Kappa pruning improves on AdaBoost for Breast, Chess, Expf, Glass, Iris, Lympho and Waveform",
)
def judge_kappa_improves(findings: Findings) -> Verdict:
    return judge_improvement(findings, "kappa", published.KAPPA_IMPROVES)


@CLAIMS.add(
    "figure 5",
    "Chess, Expf, Glass, Iris and Waveform can all be pruned by 60 % with Kappa and still "
    "achieve a relative performance of 0.80",
)
def judge_kappa_holds(findings: Findings) -> Verdict:
    return judge_comparable(findings, "kappa", published.KAPPA_HOLDS, 0.6)


@CLAIMS.add("figure 5", "the only data set that shows very bad behaviour with Kappa is Iris")
def judge_very_bad(findings: Findings) -> Verdict:
    """Worse than C4.5 alone at some level."""
    domains = with_gain(findings.main)
    if not domains:
        return None
    low = {
        name: min(level(each, "kappa", share) for share in PRUNED) for name, each in domains.items()
    }
    bad = {name: value for name, value in low.items() if value < 0}
    return f"below 0: {say(bad) or 'none'}", set(bad) == {"iris"}


@CLAIMS.add(
    "figure 6",
    "Convex Hull is better than the other methods at its level for Auto, Breast, Glass, "
    "Waveform and XD6, equal or worse for the others",
)
def judge_hull_by_domain(findings: Findings) -> Verdict:
    """Where it is ahead of all others, and where it is not."""
    domains = with_gain(findings.main)
    if not domains:
        return None
    ahead = {}
    for name, each in domains.items():
        line = each.relative("hull")
        assert line is not None
        ahead[name] = float(line[0]) - max(each.at_hull(key) for key in METHODS)
    as_said = [
        name for name, lead in ahead.items() if (lead > 0 if name in HULL_IS_BEST else lead <= NEAR)
    ]
    text = f"ahead of the best of the others by {say(ahead)}: as said on {len(as_said)}"
    return text, len(as_said) == len(ahead)


@CLAIMS.add(
    "section 5",
    "the ensemble can be radically pruned (60-80 %) in some domains (here: 0.80 is left at "
    "80 % by Kappa or Reduce-Error)",
)
def judge_radical(findings: Findings) -> Verdict:
    domains = with_gain(findings.main)
    if not domains:
        return None
    best = {name: max(level(each, key, 0.8) for key in BEST) for name, each in domains.items()}
    return say(best), max(best.values()) >= ENOUGH


@CLAIMS.add(
    "section 5",
    "pruning by early stopping performs badly on every data set except Auto (here: at 60 %)",
)
def judge_early_stopping(findings: Findings) -> Verdict:
    names = [name for name in published.DOMAINS if name != "auto"]
    return judge_decrease(findings, "early_stopping", names, 0.6)


@CLAIMS.add(
    "section 5", "it may be possible to improve Kappa pruning by backfitting (here: at 60 %)"
)
def judge_backfitting(findings: Findings) -> Verdict:
    lines = [mean_relative(findings.main, key) for key in ("kappa", "kappa_backfitting")]
    before, after = (None if line is None else float(line[PRUNED.index(0.6)]) for line in lines)
    if before is None or after is None:
        return None
    return f"{before:.3f}, with backfitting {after:.3f}", after > before


@CLAIMS.add(
    "section 5",
    "the pruning set may determine the amount of pruning of Reduce-Error (here: no worse than "
    "60 % pruning)",
)
def judge_amount(findings: Findings) -> Verdict:
    lines = [mean_relative(findings.main, key) for key in ("reduce_error", "reduce_error_auto")]
    fixed, chosen = lines
    if fixed is None or chosen is None:
        return None
    sizes = [each.mean("auto_size") for each in with_gain(findings.main).values()]
    at = float(fixed[PRUNED.index(0.6)])
    text = f"{float(chosen[0]):.3f} with {np.mean(sizes):.1f} members, {at:.3f} at 60 %"
    return text, float(chosen[0]) >= at
