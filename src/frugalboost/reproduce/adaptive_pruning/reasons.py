"""Why claims of AP-Boost do not hold, from experiments that change what is held to be the cause."""

from __future__ import annotations

import numpy as np

from frugalboost.reproduce.adaptive_pruning.findings import (
    BOUND,
    Findings,
    above_bound,
    gaps,
    gaps_by_batches,
    in_part,
    share_saved,
)
from frugalboost.reproduce.adaptive_pruning.published import ERROR, SEARCHES
from frugalboost.reproduce.adaptive_pruning.seconds import copies
from frugalboost.reproduce.judging import Reason
from frugalboost.reproduce.text import percent

TIGHT = 0.9
"""Where the exact bound is this share of all assessments, little room is left."""
MUCH = (0.5, 1.0)
OFTEN = 0.5


def explain_excess(findings: Findings) -> Reason:
    """The same search with other steps."""
    above = {
        data: [above_bound(data, s, findings.results).together for s in ("ap_boost", "adaptive")]
        for data in findings.with_bound("weight-order")
    }
    if not above or any(printed <= better for printed, better in above.values()):
        return None
    text = ", ".join(f"{data} {percent(x)} and {percent(y)}" for data, (x, y) in above.items())
    return (
        "the printed steps read rivals up to the leader's upper bound before it is the final one; "
        f"with a third of that at a time, best first, the excess falls: {text}",
        "figure 2",
    )


def explain_gaps(findings: Findings) -> Reason:
    """Rounds by how much the exact bound leaves to save."""
    parts = {
        data: medians
        for data in findings.with_bound("exact")
        if (medians := by_room(data, findings))
    }
    if not parts or any(tight <= roomy for roomy, tight in parts.values()):
        return None
    text = "; ".join(
        f"{data} {roomy:.2f} and {tight:.2f}" for data, (roomy, tight) in parts.items()
    )
    return (
        "the gap is small where every stump is wrong on nearly half of the weight, and its share "
        "grows for any search that reads rows by weight. Median share of the weight order bound in "
        f"rounds whose exact bound is below {percent(TIGHT)} of all assessments, and in the "
        f"others: {text}",
        "figure 1",
    )


def explain_steps(findings: Findings) -> Reason:
    """The median share of the gap with other steps."""
    medians = {
        data: [
            float(np.nanmedian(gaps(data, findings.results).share(SEARCHES[search])))
            for search in ("ap_boost", "adaptive")
        ]
        for data in findings.with_bound("exact")
    }
    if not medians or any(printed <= better for printed, better in medians.values()):
        return None
    text = ", ".join(f"{data} {x:.2f} and {y:.2f}" for data, (x, y) in medians.items())
    return (
        f"the printed steps go too far; with shorter ones, best first, the medians are: {text}",
        "figure 1",
    )


def by_room(data: str, findings: Findings) -> tuple[float, float] | None:
    """Median share of the gap in rounds with room and in those without; None if one kind lacks."""
    found = gaps(data, findings.results)
    shares, is_tight = found.share(BOUND), found.exact >= TIGHT * found.full
    if is_tight.all() or not is_tight.any():
        return None
    return float(np.nanmedian(shares[~is_tight])), float(np.nanmedian(shares[is_tight]))


def explain_batches(findings: Findings) -> Reason:
    """Quick Boost with other numbers of batches."""
    shares = {
        data: {
            n: in_part(each, *MUCH) for n, each in gaps_by_batches(data, findings.results).items()
        }
        for data in findings.with_bound("exact")
    }
    if not shares or not all(each and max(each.values()) >= OFTEN for each in shares.values()):
        return None
    text = "; ".join(
        f"{data} " + ", ".join(f"{percent(share)} with {n}" for n, share in each.items())
        for data, each in shares.items()
    )
    return (
        "the number of batches decides, which the paper leaves to Quick Boost's parameters. Rounds "
        f"in which it uses half to all, by the number of batches (20 elsewhere): {text}",
        "figure 1, by batches",
    )


def explain_seconds(findings: Findings) -> Reason:
    """Each row ten times: the same steps, ten times the reads."""
    tried = copies(findings.results)
    if len(tried) < 2:
        return None
    once, often = (share_saved(each["seconds"], "ap_boost") or 0.0 for each in tried.values())
    if often <= once:
        return None
    return (
        "reads are cheap here, so that the bounds computed after each of many small steps decide. "
        "With every row of a6a ten times there are as many steps and ten times the reads, and "
        f"AP-Boost saves {percent(often)} of the seconds instead of {percent(once)}",
        "seconds when reads are more of the work",
    )


def explain_errors(findings: Findings) -> Reason:
    """The reduction that the paper does not state, with its features in another order."""
    key = "satimage-depth3-none-quick-seed0"
    plain, other = findings.results.get(key), findings.results.get("satimage-label-first")
    if plain is None or other is None:
        return None
    moved = max(
        float(np.max(np.abs(np.subtract(plain[name], other[name]))))
        for name in ("train_error", "test_error")
    )
    if moved <= ERROR:
        return None
    return (
        "how satimage's classes became two is not stated, nor how ties between features are "
        "settled. With the label as the first feature instead of the last one, nothing but ties "
        f"changes, and errors move by up to {moved:.4f}, which may be only a part of it",
        "the order of features",
    )
