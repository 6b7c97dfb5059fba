"""Why claims do not hold, each by an experiment that changes the supposed cause."""

from __future__ import annotations

from frugalboost.reproduce.judging import Reason
from frugalboost.reproduce.quick_boost import published
from frugalboost.reproduce.quick_boost.findings import (
    Findings,
    at_share,
    price,
    probability_at_knee,
    rows_of_90_percent,
    speedup,
    speedup_at,
)
from frugalboost.reproduce.text import percent


def why_not_faster(findings: Findings) -> Reason:
    """Bounds cost more than they should: the same rounds with fewer subsets."""
    stumps = findings.sweeps.get(1)
    curve = findings.curves.get(("faces", "none"))
    if stumps is None or curve is None:
        return None
    length = max(stumps["runs"], key=int)
    costs = stumps["runs"][length]["all_counted"]
    mass, n = published.BEST_SCHEDULE
    row = costs[stumps["masses"].index(mass)]
    least = min(range(len(row)), key=row.__getitem__)
    paper = row[stumps["steps"].index(n)]
    text = (
        "two causes. The codes gone through for bounds: with "
        f"{stumps['steps'][least]} subsets instead of {n}, {length} stumps on faces cost "
        f"1 / {1 / row[least]:.1f} of the exhaustive search instead of 1 / {1 / paper:.1f}. "
        f"And weights that are not concentrated yet: by assessments alone, the factor is "
        f"{speedup_at(curve, 20, bounds=False):.1f} after 20 stumps, "
        f"{speedup_at(curve, 200, bounds=False):.1f} after 200 and "
        f"{speedup(curve, bounds=False):.1f} after {curve['n_trees']:,}"
    )
    return text, "figures 4 and 5"


def why_more_rows(findings: Findings) -> Reason:
    mass = findings.masses["adaboost"]
    text = (
        f"the weight gathers slowly: {percent(mass['rows'][0])} of the rows in round "
        f"{mass['rounds'][0]}, {percent(mass['rows'][-1])} in round {mass['rounds'][-1]:,}"
    )
    return text, "figure 1"


def why_residuals_spread(findings: Findings) -> Reason:
    """The paper does not say what L2Boost's weights are; another reading of them."""
    squared = findings.masses.get("l2-squared")
    if squared is None:
        return None
    text = (
        "L2Boost has no weights, and the paper does not say what it takes for them. Residuals "
        f"stand for them here; 90 % of their squares take {percent(rows_of_90_percent(squared))}"
    )
    return text, "figure 1"


def why_not_near(findings: Findings) -> Reason:
    """Where the weight is on more rows, the best feature shows earlier."""
    if findings.looks is None:
        return None
    shares, stages = findings.looks["shares"], findings.looks["stages"]
    share, k, _ = published.KNEE
    at = at_share(shares, share)
    text = "; ".join(
        f"rounds {name}: 75 % of the weight is on {percent(stage['rows'][at])} of the rows, and "
        f"the best feature is among the ten {percent(probability_at_knee(shares, stage, k))} of "
        "the time"
        for name, stage in stages.items()
    )
    return f"fewer rows tell less: {text}", "figure 3"


def why_faulty_is_no_worse(findings: Findings) -> Reason:
    return None


def why_not_best_schedule(findings: Findings) -> Reason:
    """The best schedule of each run: it depends on the number of trees."""
    if findings.sweep is None:
        return None
    every = findings.sweep.with_bounds
    paper, best = (price(every, each) for each in (published.BEST_SCHEDULE, every.best))
    return f"the paper's costs {percent(paper / best - 1)} more", "figure 4"


def why_not_cheapest(findings: Findings) -> Reason:
    return None


def why_not_least_loss(findings: Findings) -> Reason:
    return None


def why_not_lowest_error(findings: Findings) -> Reason:
    return None


def why_trims_are_good(findings: Findings) -> Reason:
    return None
