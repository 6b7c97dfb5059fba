"""Claims on diversity, on the Gain, and on all domains together: sections 1, 3, 4, figures 1, 3."""

from __future__ import annotations

import numpy as np

from frugalboost.reproduce.ensemble_pruning import causes
from frugalboost.reproduce.ensemble_pruning.conditions import add
from frugalboost.reproduce.ensemble_pruning.findings import (
    METHODS,
    NAMES,
    Findings,
    Outcome,
    Outcomes,
    mean_relative,
    with_gain,
)
from frugalboost.reproduce.ensemble_pruning.levels import (
    BEST,
    NEAR,
    are_best,
    at_level,
    level,
    say,
)
from frugalboost.reproduce.ensemble_pruning.published import ENOUGH, PRUNED
from frugalboost.reproduce.judging import Claims, Verdict

OVERALL = Claims[Findings]()
SEVERAL = 3
RARE = 0.05


@add(
    OVERALL,
    "section 1",
    "in the majority of domains, the ensemble can be pruned quite substantially without seriously "
    "decreasing performance (here: by 60 %, with Kappa or Reduce-Error)",
    causes.kappa_keeps_bad_members,
)
def judge_majority(findings: Findings) -> Verdict:
    domains = with_gain(findings.main)
    if not domains:
        return None
    best = {name: max(level(each, key, 0.6) for key in BEST) for name, each in domains.items()}
    n = sum(value >= ENOUGH for value in best.values())
    return f"{n} of {len(findings.main)} domains: {say(best)}", n > len(findings.main) / 2


@add(OVERALL, "section 1", "in several cases, pruning even improves the performance")
def judge_improvements(findings: Findings) -> Verdict:
    best = {name: best_of_all(each) for name, each in with_gain(findings.main).items()}
    better = {name: value for name, (_, value) in best.items() if value > 1}
    texts = [f"{name} {best[name][1]:.2f} ({best[name][0]})" for name in better]
    return (", ".join(texts) or "none", len(better) >= SEVERAL) if best else None


def best_of_all(domain: Outcome) -> tuple[str, float]:
    """The method that is best at its best level of pruning, and what it keeps there."""
    values = {NAMES[key]: max(level(domain, key, at) for at in PRUNED[:-1]) for key in METHODS}
    hull = domain.relative("hull")
    if hull is not None:
        values[NAMES["hull"]] = float(hull[0])
    return max(values.items(), key=lambda item: item[1])


@OVERALL.add("section 3.3", "negative values of kappa rarely happen (here: pairs on Expf)")
def judge_negative(findings: Findings) -> Verdict:
    if findings.diagrams is None:
        return None
    share = float(np.mean(np.array(findings.diagrams["adaboost"]["kappa"]) < 0))
    return f"{100 * share:.1f} % of the pairs", share <= RARE


@OVERALL.add(
    "section 3.4, figure 1",
    "the pairs form a diagonal cloud: accurate classifiers are similar, those that err are "
    "different (here: correlation below -0.5)",
)
def judge_cloud(findings: Findings) -> Verdict:
    if findings.diagrams is None:
        return None
    pairs = findings.diagrams["adaboost"]
    if len(set(pairs["kappa"])) < 2 or len(set(pairs["error"])) < 2:
        return None
    correlation = float(np.corrcoef(pairs["kappa"], pairs["error"])[0, 1])
    return f"correlation of kappa and error {correlation:.2f}", correlation < -0.5


@OVERALL.add(
    "section 3.4, figure 1",
    "the classifiers produced by bagging form a much tighter cluster than with AdaBoost",
)
def judge_cluster(findings: Findings) -> Verdict:
    if findings.diagrams is None:
        return None
    boosted, bagged = findings.diagrams["adaboost"], findings.diagrams["bagging"]
    if any(len(set(boosted[key])) < 2 for key in ("kappa", "error")):
        return None  # two members make a single pair
    ratios = {key: float(np.std(bagged[key]) / np.std(boosted[key])) for key in ("kappa", "error")}
    text = f"deviations of kappa {ratios['kappa']:.2f}, of errors {ratios['error']:.2f} as large"
    return text, max(ratios.values()) <= 0.5


@OVERALL.add(
    "section 3.4, figure 1",
    "AdaBoost produces a more diverse set of classifiers, of lower accuracy",
)
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


@OVERALL.add("section 3.4", "AdaBoost typically out-performs bagging")
def judge_bagging(findings: Findings) -> Verdict:
    known = {name: each for name, each in findings.main.items() if "bagged" in each.splits[0]}
    if not known:
        return None
    ahead = [name for name, each in known.items() if each.mean("whole") < each.mean("bagged")]
    text = f"on {len(ahead)} of {len(known)} domains: {', '.join(ahead)}"
    return text, len(ahead) > len(known) / 2


@add(
    OVERALL,
    "section 3.5",
    "the classifier with the lowest error on the pruning set is usually the first",
    causes.first_is_not_best,
)
def judge_first(findings: Findings) -> Verdict:
    if not findings.main:
        return None
    shares = [each.mean("first_is_best") for each in findings.main.values()]
    share = float(np.mean(shares))
    return f"in {100 * share:.0f} % of the splits, mean of the domains", share > 0.5


@add(OVERALL, "section 4", "in all domains, the Gain was always positive", causes.gain_is_noise)
def judge_gains(findings: Findings) -> Verdict:
    if not findings.main:
        return None
    lacking = [name for name, each in findings.main.items() if each.gain <= 0]
    unsure = [n for n, each in findings.main.items() if each.gain > 0 and not each.is_sure]
    text = f"positive in {len(findings.main) - len(lacking)} of {len(findings.main)} domains"
    text += f", not in {', '.join(lacking)}" if lacking else ""
    text += f"; positive but within noise in {', '.join(unsure)}" if unsure else ""
    return text, not lacking


@add(
    OVERALL,
    "section 4, figure 3",
    "Reduce-Error and Kappa pruning perform best at all levels of pruning, on average; "
    "KL-divergence and Early Stopping do not perform very well at all",
    causes.kappa_keeps_bad_members,
    causes.first_are_best,
    causes.fewer_rows,
)
def judge_best(findings: Findings) -> Verdict:
    """At every level where something goes, both are ahead of both others."""
    levels = {share: at_level(findings.main, share) for share in PRUNED[:-1]}
    known = {share: values for share, values in levels.items() if values is not None}
    if not known:
        return None
    text = "; ".join(f"{100 * share:.0f} %: {say(values)}" for share, values in known.items())
    return text, all(are_best(values) for values in known.values())


@add(
    OVERALL,
    "section 4, figure 3",
    "at 60 % pruning, Kappa and Reduce-Error are best and above 0.80 (what the figure is held "
    "to; the text names no mean)",
    causes.kappa_keeps_bad_members,
    causes.first_are_best,
    causes.fewer_rows,
)
def judge_level(findings: Findings) -> Verdict:
    return judge_60_percent(with_gain(findings.main))


@add(
    OVERALL,
    "section 4, figure 3",
    "the same, on the domains whose Gain is more than noise",
    causes.kappa_keeps_bad_members,
    causes.first_are_best,
    causes.fewer_rows,
)
def judge_sure_level(findings: Findings) -> Verdict:
    return judge_60_percent(with_gain(findings.main, only_sure=True))


def judge_60_percent(domains: Outcomes) -> Verdict:
    values = at_level(domains, 0.6)
    if values is None:
        return None
    holds = are_best(values) and min(values[key] for key in BEST) >= ENOUGH
    return f"{say(values, 3)}; domains: {', '.join(domains)}", holds


@add(
    OVERALL,
    "section 4, figure 3",
    "the Convex Hull method is competitive with these at its fixed level of pruning",
)
def judge_hull(findings: Findings) -> Verdict:
    domains = with_gain(findings.main)
    line = mean_relative(domains, "hull")
    if line is None:
        return None
    others = {key: float(np.mean([each.at_hull(key) for each in domains.values()])) for key in BEST}
    hull = float(line[0])
    return say({"hull": hull} | others), hull >= max(others.values()) - NEAR
