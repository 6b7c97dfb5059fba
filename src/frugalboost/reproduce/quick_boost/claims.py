"""What the text of Quick Boost says, and how each claim is judged.

A judge returns what was measured and whether the claim holds, or None if its results are missing.
`CRITERIA` says how words without numbers are read.
"""

from __future__ import annotations

import numpy as np

from frugalboost.analysis import QuickSweep
from frugalboost.reproduce.judging import Claims, Verdict
from frugalboost.reproduce.quick_boost import published
from frugalboost.reproduce.quick_boost.findings import (
    Findings,
    at_share,
    price,
    probability_at_knee,
    rows_of_90_percent,
    weight_of_tenth,
)
from frugalboost.reproduce.quick_boost.reasons import (
    why_bins_do_not_matter,
    why_bounds_are_dear,
    why_faulty_is_no_worse,
    why_more_rows,
    why_not_best_schedule,
    why_not_few_samples,
    why_not_misled,
    why_not_near,
    why_residuals_spread,
)
from frugalboost.reproduce.quick_boost.speed_claims import SPEED_CLAIMS
from frugalboost.reproduce.text import percent

CRITERIA = (
    "The paper's results are plots, so what its text and captions say of them is judged. *An order "
    "of magnitude* is taken to be eight-fold or more, the lower end of the paper's figure 7; "
    "*most* and *often* more than half of the cases; *about* half a percentage point for 7 %, "
    "five for 20 %; *no loss* and *not as well* a test error within 5 %, or beyond; "
    "*substantially poorer* one of at least a tenth more; *low* at most a quarter. The paper's "
    "costs are *proportional to Flops*. Its figure 4 has a best number of subsets, so bounds cost "
    "something there: one operation for each code that is gone through. Its figures 5 to 7 are "
    "judged by assessments alone, the larger factors; those that count the bounds as well stand in "
    "brackets. Faces and pedestrians are stand-ins."
)
CLOSE = 1.05

CLAIMS = Claims[Findings]()


@CLAIMS.add(
    "section 3.1",
    f"B = {published.BINS} bins are enough to incur no loss; too few reduce performance",
    why_bins_do_not_matter,
)
def judge_bins(findings: Findings) -> Verdict:
    areas = {result["most_bins"]: result["test_area"] for result in findings.bins.values()}
    if len(areas) < 2 or published.BINS not in areas:
        return None
    text = ", ".join(f"{area:.5f} with {most:,}" for most, area in sorted(areas.items()))
    finest, coarsest = areas[max(areas)], areas[min(areas)]
    enough = areas[published.BINS]
    return f"test error {text}", enough <= CLOSE * finest and coarsest > CLOSE * enough


@CLAIMS.add(
    "section 3.2",
    "a large fraction of the overall weight is accounted for by just a few samples",
    why_not_few_samples,
)
def judge_few_samples(findings: Findings) -> Verdict:
    if not findings.masses:
        return None
    shares = {name: weight_of_tenth(each, "mass") for name, each in findings.masses.items()}
    text = ", ".join(f"{name} {percent(share)}" for name, share in shares.items())
    most = sum(share > 0.5 for share in shares.values()) > len(shares) / 2
    return f"weight of the heaviest tenth of the rows: {text}", most


@CLAIMS.add(
    "figure 1",
    "AdaBoost: the heaviest 7 % or so of the samples hold 90 % of the weight",
    why_more_rows,
)
def judge_adaboost_rows(findings: Findings) -> Verdict:
    if "adaboost" not in findings.masses:
        return None
    mass = findings.masses["adaboost"]
    share = rows_of_90_percent(mass)
    text = f"{percent(share)} of the rows, mean of {mass['rounds'][-1]:,} rounds"
    return text, share <= published.ROWS_OF_90_PERCENT["adaboost"] + 0.005


@CLAIMS.add("figure 1", "L2Boost: about 20 % of the samples", why_residuals_spread)
def judge_l2_rows(findings: Findings) -> Verdict:
    if "l2" not in findings.masses:
        return None
    share = rows_of_90_percent(findings.masses["l2"])
    text = f"{percent(share)} of the rows"
    return text, abs(share - published.ROWS_OF_90_PERCENT["l2"]) <= 0.05


@CLAIMS.add("figure 2", "feature errors increasingly stabilize as m approaches N")
def judge_stable(findings: Findings) -> Verdict:
    if findings.looks is None or findings.late is None:
        return None
    shares = (0.25, 0.5, 0.75, 0.9)
    drift = [findings.late["drift"][at_share(findings.looks["shares"], each)] for each in shares]
    text = ", ".join(f"{d:.3f} at {percent(s)}" for s, d in zip(shares, drift, strict=True))
    return f"mean distance from the final error: {text} of the weight", drift == sorted(
        drift, reverse=True
    )


@CLAIMS.add(
    "figure 2",
    "the best performing features at smaller subsets (below 80 %) can end up performing quite "
    "poorly",
    why_not_misled,
)
def judge_misleading(findings: Findings) -> Verdict:
    if findings.late is None:
        return None
    misled = findings.late["misled"]
    text = f"of the ten best at 75 %, the worst ends behind {percent(misled)} of the features"
    return f"{text}, mean of {findings.late['n_rounds']} rounds", misled > 0.1


@CLAIMS.add(
    "figure 2", "the optimal feature is among the best for smaller subsets as well", why_not_near
)
def judge_best_stays(findings: Findings) -> Verdict:
    if findings.looks is None or findings.late is None:
        return None
    shares = (0.25, 0.5, 0.75)
    ranks = [findings.late["rank"][at_share(findings.looks["shares"], each)] for each in shares]
    text = ", ".join(f"{percent(r)} at {percent(s)}" for s, r in zip(shares, ranks, strict=True))
    return f"features that look better than it: {text} of the weight", max(ranks) < 0.1


@CLAIMS.add(
    "section 3.3", "m = 0.2 N or so would suffice in determining the optimal feature", why_not_near
)
def judge_rows_enough(findings: Findings) -> Verdict:
    if findings.late is None:
        return None
    enough = findings.late["rows_enough"]
    text = f"{percent(enough)} of the rows, mean of {findings.late['n_rounds']} rounds"
    return text, enough <= published.ROWS_ENOUGH + 0.05


@CLAIMS.add(
    "figure 3",
    "from 75 % of the weight on, the optimal feature is among the 10 best over 95 % of the time",
    why_not_near,
)
def judge_knee(findings: Findings) -> Verdict:
    if findings.looks is None or findings.late is None:
        return None
    _, k, paper = published.KNEE
    here = probability_at_knee(findings.looks["shares"], findings.late, k)
    return f"{percent(here)} of {findings.late['n_rounds']} rounds", here > paper


@CLAIMS.add(
    "section 3.3",
    "consistently choosing sub-optimal parameters leads to substantially poorer performance",
    why_faulty_is_no_worse,
)
def judge_sub_optimal(findings: Findings) -> Verdict:
    exact = findings.curves.get(("faces", "none"))
    if exact is None or not findings.faulty:
        return None
    right = exact["test_area"][-1]
    wrong = {
        each: result["test_area"][-1]
        for each, result in findings.faulty.items()
        if result["share_right"] < 0.5
    }
    text = ", ".join(
        f"{area:.5f} by {percent(share)} of the weight and {kept} kept"
        for (share, kept), area in wrong.items()
    )
    is_poorer = bool(wrong) and min(wrong.values()) > 1.1 * right
    return f"test error {right:.5f}; where most choices are wrong {text or 'none'}", is_poorer


@CLAIMS.add("section 4", "the faulty training does not guarantee to return the optimal feature")
def judge_no_guarantee(findings: Findings) -> Verdict:
    share, k, _ = published.KNEE
    found = findings.faulty.get((share, int(k)))
    if found is None:
        return None
    return f"it returns it in {percent(found['share_right'])} of the rounds", (
        found["share_right"] < 1
    )


@CLAIMS.add("proposition 1", "m <= n implies that Z_m e_m <= Z_n e_n, for every feature")
def judge_proposition(findings: Findings) -> Verdict:
    if findings.looks is None:
        return None
    broken, compared = findings.looks["n_broken"], findings.looks["n_compared"]
    return f"broken {broken} times in {compared:,} comparisons", broken == 0


@CLAIMS.add(
    "section 4.1",
    "the calculation of preliminary errors incurs some, albeit low, computational cost",
    why_bounds_are_dear,
)
def judge_bounds(findings: Findings) -> Verdict:
    shares = {
        data: curve["quick_scans"][-1] / curve["quick"][-1]
        for (data, heuristic), curve in findings.curves.items()
        if heuristic == "none"
    }
    if not shares:
        return None
    text = ", ".join(f"{data} {share:.2f}" for data, share in shares.items())
    return f"codes gone through for each assessment: {text}", max(shares.values()) <= 0.25


@CLAIMS.add("section 4.1", "so it is impractical to use every m")
def judge_every_m(findings: Findings) -> Verdict:
    sweep = findings.sweep(code=1.0)
    if sweep is None:
        return None
    mass, n = published.BEST_SCHEDULE
    most = int(sweep.steps[-1])
    few, many = price(sweep, (mass, n)), price(sweep, (mass, most))
    text = f"{percent(few)} of the exhaustive cost with {n} subsets, {percent(many)} with {most}"
    return text, many > few


@CLAIMS.add(
    "section 4.1",
    "with too small a first subset pruning is less harsh, with too large a one there is "
    "unnecessary computation",
    why_not_best_schedule,
)
def judge_first_subset(findings: Findings) -> Verdict:
    sweep = findings.sweep(code=1.0)
    if sweep is None:
        return None
    n = published.BEST_SCHEDULE[1]
    column = sweep.shares[:, sweep.steps.tolist().index(n)]
    best = int(column.argmin())
    text = ", ".join(
        f"{percent(column[at])} from {percent(sweep.masses[at])} on" for at in (0, best, -1)
    )
    return f"cost with {n} subsets: {text}", 0 < best < len(column) - 1


@CLAIMS.add(
    "section 4.1, figure 4",
    "the lowest computational cost is achieved at 90 % and M = 20",
    why_not_best_schedule,
)
def judge_schedule(findings: Findings) -> Verdict:
    every, alone = findings.sweep(code=1.0), findings.sweep(code=0.0)
    if every is None or alone is None:
        return None
    text = f"{best_schedule(every)}; by assessments alone {best_schedule(alone)}"
    return text, bool(np.allclose(every.best, published.BEST_SCHEDULE))


def best_schedule(sweep: QuickSweep) -> str:
    mass, n = sweep.best
    best, paper = (price(sweep, each) for each in (sweep.best, published.BEST_SCHEDULE))
    return f"{percent(mass)} and M = {n}: {percent(best)}, the paper's {percent(paper)}"


@CLAIMS.add(
    "section 4.1",
    "rows that are classified correctly keep their order by weight, and so do the others",
)
def judge_order(findings: Findings) -> Verdict:
    if findings.order is None:
        return None
    order = findings.order
    text = f"{order['n_changed']} of {order['n_compared']:,} neighbours changed places"
    return f"{text}, in {order['n_rounds']} rounds", order["n_changed"] == 0


CLAIMS.extend(SPEED_CLAIMS)
