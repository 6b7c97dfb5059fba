"""Claims of section 5, the conclusions, on all domains together."""

from __future__ import annotations

import numpy as np

from frugalboost.reproduce.ensemble_pruning import causes
from frugalboost.reproduce.ensemble_pruning.conditions import add
from frugalboost.reproduce.ensemble_pruning.findings import (
    Findings,
    mean_relative,
    with_gain,
)
from frugalboost.reproduce.ensemble_pruning.levels import BEST, SMOOTH, jump, level, mean_at, say
from frugalboost.reproduce.ensemble_pruning.published import ENOUGH
from frugalboost.reproduce.judging import Claims, Verdict

CONCLUSIONS = Claims[Findings]()


@add(
    CONCLUSIONS,
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


@add(
    CONCLUSIONS,
    "section 5",
    "it may be possible to improve Kappa pruning by backfitting (here: at 60 %)",
    causes.backfitting_finds_worse_members,
)
def judge_backfitting(findings: Findings) -> Verdict:
    before, after = (mean_at(findings.main, key, 0.6) for key in ("kappa", "kappa_backfitting"))
    if before is None or after is None:
        return None
    return f"{before:.3f}, with backfitting {after:.3f}", after > before


@add(
    CONCLUSIONS,
    "section 5",
    "for most of the domains, the behaviour of pruning is smooth and stable (here: of Kappa and "
    "Reduce-Error)",
    causes.small_gains_jump,
)
def judge_smooth(findings: Findings) -> Verdict:
    domains = with_gain(findings.main)
    jumps = {name: max(jump(each, key) for key in BEST) for name, each in domains.items()}
    smooth = [name for name, value in jumps.items() if value <= SMOOTH]
    text = f"on {len(smooth)} of {len(findings.main)} domains: {', '.join(smooth)}"
    return (text, len(smooth) > len(findings.main) / 2) if domains else None


@add(
    CONCLUSIONS,
    "section 5",
    "the pruning set may determine the amount of pruning of Reduce-Error (here: no worse than "
    "60 % pruning)",
    causes.few_rows_choose,
)
def judge_amount(findings: Findings) -> Verdict:
    fixed = mean_at(findings.main, "reduce_error", 0.6)
    chosen = mean_relative(findings.main, "reduce_error_auto")
    if fixed is None or chosen is None:
        return None
    sizes = [each.mean("auto_size") for each in with_gain(findings.main).values()]
    text = f"{float(chosen[0]):.3f} with {np.mean(sizes):.1f} members, {fixed:.3f} at 60 %"
    return text, float(chosen[0]) >= fixed
