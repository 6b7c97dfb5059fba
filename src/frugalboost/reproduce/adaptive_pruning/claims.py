"""What the text of AP-Boost says of its experiments, and how each claim is judged.

A judge returns what was measured and whether the claim holds, or None if its results are missing.
`CRITERIA` says how words without numbers are read.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from frugalboost.reproduce.adaptive_pruning.findings import (
    BOUND,
    Findings,
    above_bound,
    gaps,
    in_part,
    savings,
    share_saved,
)
from frugalboost.reproduce.adaptive_pruning.published import (
    DEPTHS,
    ERROR,
    ERRORS,
    NONE,
    SEARCHES,
    TRIM_MORE,
)
from frugalboost.reproduce.adaptive_pruning.reasons import (
    MUCH,
    explain_batches,
    explain_errors,
    explain_excess,
    explain_gaps,
    explain_seconds,
    explain_steps,
)
from frugalboost.reproduce.adaptive_pruning.seconds import timings
from frugalboost.reproduce.judging import Claims, Verdict
from frugalboost.reproduce.text import percent

ALMOST = 0.05
COUNTS = 0.03
CRITERIA = (
    "AP-Boost is Algorithm 1 as printed, with the trees of the paper's own experiment. Words "
    "without numbers are taken thus: *nearly identical*, *almost matches* and *very close* are at "
    f"most {percent(ALMOST)} more assessments, all rounds together; *often* is in at least half of "
    "the rounds examined; improvements *correspond* if seconds are saved wherever assessments are. "
    f"Figures agree if assessments are within {percent(COUNTS)} and errors within {ERROR}. A "
    "statement on several data sets holds if it holds on all of those that are here."
)
ABSTRACT, INTRODUCTION, RELATED = "abstract", "section 1", "section 1.1"

CLAIMS = Claims[Findings]()


def listed(values: Mapping[str, float | None]) -> str:
    """
    >>> listed({"a6a": 0.078, "w4a": None})
    'a6a 7.8 %'
    """
    return ", ".join(f"{name} {percent(each)}" for name, each in values.items() if each is not None)


@CLAIMS.add(ABSTRACT, "computing exact greedy-optimal decision trees")
def judge_exactness(findings: Findings) -> Verdict:
    """The paper's pair has one model wherever both were run; so has the best-first search."""
    known = list(savings(findings))
    if not known:
        return None
    alike = sum(saving.is_same_model for saving in known)
    text = f"one model for all searches in {alike} of {len(known)} pairs of data and heuristic"
    return text, alike == len(known)


@CLAIMS.add(ABSTRACT, "outperforming the state-of-the-art Quick Boost method", explain_excess)
def judge_outperforming(findings: Findings) -> Verdict:
    known = saved_by_pair(findings)
    if not known:
        return None
    fewer = [name for name, share in known.items() if share > 0]
    lowest, highest = min(known.values()), max(known.values())
    text = f"fewer assessments in {len(fewer)} of {len(known)} pairs of data and heuristic"
    text += f", from {percent(lowest)} to {percent(highest)} saved"
    return text, len(fewer) == len(known)


def saved_by_pair(findings: Findings) -> dict[str, float]:
    found = {
        f"{saving.data}, {saving.heuristic}": share_saved(saving.here, "ap_boost")
        for saving in savings(findings)
    }
    return {name: share for name, share in found.items() if share is not None}


@CLAIMS.add(
    INTRODUCTION,
    "our algorithm's performance is consistently nearly identical to the weight order bound",
    explain_excess,
)
def judge_weight_order(findings: Findings) -> Verdict:
    above = excesses(findings, "ap_boost")
    if not above:
        return None
    return f"above the bound: {listed(above)}", max(above.values()) <= ALMOST


def excesses(findings: Findings, search: str) -> dict[str, float]:
    """By data, the share by which a search exceeds the weight order bound."""
    return {
        data: above_bound(data, search, findings.results).together
        for data in findings.with_bound("weight-order")
    }


@CLAIMS.add(
    RELATED,
    "when improvements are more modest this is due to Quick Boost approaching the lower bound more "
    "tightly rather than due to our algorithm using more examples than necessary",
)
def judge_modest(findings: Findings) -> Verdict:
    """The less is saved, the nearer is Quick Boost, and AP-Boost is not farther than elsewhere."""
    quick, ours = excesses(findings, "quick"), excesses(findings, "ap_boost")
    if len(quick) < 2:
        return None
    saved = {name: (1 + quick[name] - 1 - ours[name]) / (1 + quick[name]) for name in quick}
    order = sorted(saved, key=lambda name: saved[name])
    text = f"saved {listed({name: saved[name] for name in order})}; Quick Boost above the bound "
    text += f"{listed({name: quick[name] for name in order})}; AP-Boost "
    text += listed({name: ours[name] for name in order})
    is_ordered = sorted(quick, key=lambda name: quick[name]) == order
    return text, is_ordered and ours[order[0]] <= max(ours.values()) <= ALMOST


@CLAIMS.add(
    "section 3",
    "when the number of batches is too small, the run time of Quick Boost approaches that of "
    "assessing all n examples",
)
def judge_batches(findings: Findings) -> Verdict:
    tried = findings.results.get("a6a-quick-batches")
    if tried is None:
        return None
    shares = tried["shares"]
    text = "a6a, share of all assessments with "
    text += ", ".join(f"{n}: {share:.3f}" for n, share in shares.items()) + " batches"
    ordered = [shares[n] for n in sorted(shares, key=int)]
    return text, ordered[0] >= 1 - ALMOST and ordered == sorted(ordered, reverse=True)


@CLAIMS.add("section 4", "Quick Boosting often uses more examples than necessary")
def judge_quick(findings: Findings) -> Verdict:
    above = excesses(findings, "quick")
    if not above:
        return None
    rounds = {
        data: float(np.mean(above_bound(data, "quick", findings.results).by_round > ALMOST))
        for data in above
    }
    text = (
        f"more than {percent(ALMOST)} above the weight order bound in these shares of the rounds: "
    )
    return text + listed(rounds), min(rounds.values()) >= 0.5


@CLAIMS.add(
    "section 4", "the exact bound is very close to the weight order lower bound", explain_gaps
)
def judge_exact(findings: Findings) -> Verdict:
    names = findings.with_bound("exact")
    if not names:
        return None
    above = {name: above_exact(name, BOUND, findings) for name in names}
    text = f"stumps, weight order bound above the exact one: {listed(above)}"
    return text, max(above.values()) <= ALMOST


def above_exact(data: str, name: str, findings: Findings) -> float:
    found = gaps(data, findings.results)
    return float(found.counts[name].sum() / found.exact.sum() - 1)


@CLAIMS.add(
    "section 4, figure 1",
    "the weight order lower bound and Adaptive-Pruning Boost are within 10-20 % of the exact lower "
    "bound",
    explain_steps,
)
def judge_gap(findings: Findings) -> Verdict:
    """In units of the figure, the gap between the exact bound and all examples."""
    return judge_share(findings, (BOUND, SEARCHES["ap_boost"]), 0.0, 0.2)


@CLAIMS.add(
    "section 4, figure 1",
    "Quick Boost often uses half to all of the unnecessary training examples in a given round",
    explain_batches,
)
def judge_quick_gap(findings: Findings) -> Verdict:
    return judge_share(findings, (SEARCHES["quick"],), *MUCH)


def judge_share(findings: Findings, names: tuple[str, ...], low: float, high: float) -> Verdict:
    """Whether the share of the gap is between these in at least half of the rounds."""
    shares, parts = [], []
    for data in findings.with_bound("exact"):
        for name in names:
            line = gaps(data, findings.results).share(name)
            shares.append(in_part(line, low, high))
            parts.append(f"{data}, {name}: median {np.nanmedian(line):.2f}, {percent(shares[-1])}")
    if not shares:
        return None
    text = f"share of the gap, and of rounds with {low} to {high}: {'; '.join(parts)}"
    return text, min(shares) >= 0.5


@CLAIMS.add(
    "section 5, figure 2",
    "our algorithm not only consistently beats Quick Boost but it also almost matches the weight "
    "order lower bound",
    explain_excess,
)
def judge_figure_2(findings: Findings) -> Verdict:
    ours, quick = excesses(findings, "ap_boost"), excesses(findings, "quick")
    if not ours:
        return None
    text = f"above the bound: AP-Boost {listed(ours)}; Quick Boost {listed(quick)}"
    return text, all(ours[name] <= min(ALMOST, quick[name]) for name in ours)


@CLAIMS.add(
    "section 5, table 2",
    "AdaBoost: assessments improve by 7.8 % (a6a), 11.1 % (mnist), 22.5 % (satimage), 29.8 % (w4a)",
)
def judge_improvement(findings: Findings) -> Verdict:
    """Within three hundredths of Quick Boost's assessments."""
    plain = [saving for saving in savings(findings) if saving.heuristic == NONE]
    if not plain:
        return None
    here = {saving.data: share_saved(saving.here, "ap_boost") for saving in plain}
    off = [
        abs(saving.here["ap_boost"] / saving.here["quick"] - printed(saving.paper))
        for saving in plain
    ]
    return f"{listed(here)}", max(off) <= COUNTS


def printed(work: Mapping[str, float]) -> float:
    return work["ap_boost"] / work["quick"]


@CLAIMS.add(
    "section 5, table 2",
    "CPU time improvements correspond to example-assessments improvements for all our datasets, "
    "except for RCV1",
    explain_seconds,
)
def judge_seconds(findings: Findings) -> Verdict:
    return judge_timings(findings, is_plain=True)


@CLAIMS.add(
    "section 5, table 3",
    "the CPU time improvements correspond to assessment improvements",
    explain_seconds,
)
def judge_other_seconds(findings: Findings) -> Verdict:
    return judge_timings(findings, is_plain=False)


def judge_timings(findings: Findings, *, is_plain: bool) -> Verdict:
    """Of the fits that save assessments, those that save seconds as well."""
    known = {
        f"{each.data}, {each.heuristic}": share_saved(each.seconds, "ap_boost") or 0.0
        for each in timings(findings)
        if (each.heuristic == NONE) == is_plain and saves(each.assessments)
    }
    if not known:
        return None
    slower = [name for name, share in known.items() if share <= 0]
    text = (
        f"seconds saved in {len(known) - len(slower)} of {len(known)} cases that save assessments"
    )
    return f"{text}: {listed(known)}", not slower


def saves(work: Mapping[str, float]) -> bool:
    return (share_saved(work, "ap_boost") or 0.0) > 0


@CLAIMS.add(
    "appendix A.1",
    "both algorithms have the same test and train error at a given round: table 4's, to the third "
    "decimal",
    explain_errors,
)
def judge_errors(findings: Findings) -> Verdict:
    off: dict[str, list[float]] = {}
    for data, group in findings.plain().items():
        for cell in (cell for cell in ERRORS if (cell.data, cell.heuristic) == (data, NONE)):
            for name, theirs in (
                ("train_error", cell.train_error),
                ("test_error", cell.test_error),
            ):
                ours = findings.mean(group["quick"], name, cell.rounds)
                if ours is not None and theirs is not None:
                    off.setdefault(data, []).append(abs(ours - theirs))
    if not off:
        return None
    most = {data: max(each) for data, each in off.items()}
    text = ", ".join(f"{data} {each:.4f}" for data, each in most.items())
    return f"off by at most: {text}", max(most.values()) <= ERROR


@CLAIMS.add(
    "appendix A.2, tables 5 to 9",
    "weight trimming 0.9 makes no progress after round 100: the errors stay, and assessments are "
    "proportional to the rounds",
)
def judge_trimming(findings: Findings) -> Verdict:
    """Here such a fit ends, which leaves it the same errors."""
    trees = {
        data: [findings.results[trial.key]["n_trees"] for trial in group["quick"]]
        for (data, heuristic), group in findings.groups().items()
        if heuristic == TRIM_MORE
    }
    if not trees:
        return None
    text = ", ".join(
        f"{data} {np.mean(each):.0f} (at most {max(each)})" for data, each in trees.items()
    )
    return f"trees until none is better than guessing: {text}", max(map(max, trees.values())) <= 100


@CLAIMS.add("appendix A.3, table 10", "assessments at depth 1 to 5, of AP-Boost and Quick Boost")
def judge_depths(findings: Findings) -> Verdict:
    off = {
        f"{data}, {SEARCHES[search]}": [
            ours / theirs - 1
            for depth, theirs in enumerate(paper, start=1)
            if (ours := findings.depth(data, search, depth)) is not None
        ]
        for (data, search), paper in DEPTHS.items()
    }
    known = {name: each for name, each in off.items() if each}
    if not known:
        return None
    text = ", ".join(
        f"{name} {100 * min(x):+.1f} to {100 * max(x):+.1f} %" for name, x in known.items()
    )
    return text, max(abs(each) for line in known.values() for each in line) <= COUNTS


@CLAIMS.add(
    "appendix A.3",
    "more dramatic gains in terms of total number of assessments when it uses deeper trees",
)
def judge_deeper(findings: Findings) -> Verdict:
    saved: dict[str, list[float]] = {}
    for data in ("a6a", "w4a"):
        for depth in range(1, 6):
            work = {search: findings.depth(data, search, depth) for search in ("ap_boost", "quick")}
            if None not in work.values():
                saved.setdefault(data, []).append(1 - work["ap_boost"] / work["quick"])  # type: ignore[operator]
    known = {data: each for data, each in saved.items() if len(each) == 5}
    if not known:
        return None
    text = "; ".join(
        f"{data} {', '.join(percent(share) for share in each)}" for data, each in known.items()
    )
    return f"saved at depth 1 to 5: {text}", all(each == sorted(each) for each in known.values())


@CLAIMS.add("appendix B", "lemma 1, lemma 2, and the bounds (3) on the conditional entropy")
def judge_lemmas(findings: Findings) -> Verdict:
    tried = findings.results.get("lemmas")
    if tried is None:
        return None
    failed = {name: tried[name] for name in ("lemma 1", "lemma 2", "bounds")}
    text = ", ".join(f"{name} {n}" for name, n in failed.items())
    text = f"failures among {tried['draws']} random pairs of leaves: {text}; the upper bound is "
    share = tried["upper is infinite"] / tried["draws"]
    return f"{text}infinite in {percent(share)}", not any(failed.values())
