"""Claims of section 3: what GAMBLE is, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from frugalboost.plots import TransformDisplay
from frugalboost.reproduce.gamble.findings import Findings
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.judging import Claims, Reason, Verdict

CLAIMS = Claims[Findings]()

TREES = "Trees of GAMBLE"
"""The table that has all of this."""

ROUNDING = 1e-9
"""Sums of a few thousand products of floats are exact to this."""


@CLAIMS.add(
    "p. 4, theorem 3.2",
    "the structure of the weighted regression trees with respect to y and z is identical",
)
def judge_twins(findings: Findings) -> Verdict:
    if not findings.trees:
        return None
    n, same = (sum(each[key] for each in findings.trees.values()) for key in ("n_pairs", "n_same"))
    return f"the same splits in {same} of {n} pairs of scikit-learn's trees", same == n


@CLAIMS.add("p. 4, corollary 3.1", "h = (K - 2) / (K - 1) g + 1 / (K - 1)")
def judge_corollary(findings: Findings) -> Verdict:
    if not findings.trees:
        return None
    gap = max(each["gap"] for each in findings.trees.values())
    return f"at most {gap:.0e} apart", gap <= ROUNDING


@CLAIMS.add(
    "p. 5, section 3.2.2",
    "Algorithm 2 works twice as fast as Algorithm 1 since it fits only one regression function in "
    "each step",
)
def judge_one_regression(findings: Findings) -> Verdict:
    """By trees: where both have the same splits, the second is left out."""
    verdict = judge_twins(findings)
    return verdict and (f"one tree in a round instead of two; {verdict[0]}", verdict[1])


@CLAIMS.add(
    "p. 5, section 3.3",
    "GAMBLE and Gentle AdaBoost are identical up to a factor of 2 in the binary case",
)
def judge_binary(findings: Findings) -> Verdict:
    if findings.binary is None:
        return None
    same, n = findings.binary["is_same"], findings.binary["n_trees"]
    text = "the same" if same else "not the same"
    return f"with half the step, {text} {n} trees and values, bit for bit", bool(same)


@CLAIMS.add(
    "p. 5, figure 1",
    "the transformation of the regression g(x) to the weak learner r(x) is concave",
)
def judge_transform(findings: Findings) -> Verdict:
    """A property of the formula: no run is needed, but a report of nothing would mislead."""
    if not findings.trees:
        return None
    display = TransformDisplay.from_classes(range(2, 27))
    bends = {name: np.diff(values, 2) for name, (_, values) in display.curves.items()}
    straight = [name for name, bend in bends.items() if np.abs(bend).max() <= ROUNDING]
    concave = [name for name, bend in bends.items() if (bend < 0).all()]
    text = f"strictly for {len(concave)} of {len(bends)} numbers of classes (2 to 26)"
    return f"{text}; a straight line for {', '.join(straight)}", straight == ["K = 2"] and (
        len(concave) == len(bends) - 1
    )


@CLAIMS.add(
    "p. 5, results 2 and 3",
    "the components of the weak learner sum to zero and stay between -(K^2 - K) and K^2 - K",
)
def judge_bounds(findings: Findings) -> Verdict:
    if not findings.trees:
        return None
    shares = {name: share_of_bound(each) for name, each in findings.trees.items()}
    most = max(shares, key=lambda name: shares[name])
    sums = max(each["largest_sum"] for each in findings.trees.values())
    text = f"largest value {shares[most]:.3f} of the bound ({most}), largest sum {sums:.0e}"
    return text, shares[most] <= 1 + ROUNDING and sums <= ROUNDING


def share_of_bound(facts: Result) -> float:
    K = facts["n_classes"]
    return float(facts["largest"] / (K * K - K))


@CLAIMS.add(
    "p. 5, section 3.3",
    "(of SAMME.Real) it is highly likely that no training samples of a particular class appear in "
    "a region, so that the logit is minus infinity",
)
def judge_absent(findings: Findings) -> Verdict:
    if not findings.trees:
        return None
    shares = {name: each["with_absent_class"] for name, each in findings.trees.items()}
    many = sum(share > 0.5 for share in shares.values())
    text = (
        f"leaves that lack a class: {span(shares)}; more than half on {many} of {len(shares)} data"
    )
    return text, many > len(shares) / 2


def span(shares: Mapping[str, float]) -> str:
    """The lowest and the highest share.

    >>> span({"a": 0.5, "b": 1.0})
    '50 % (a) to 100 % (b)'
    >>> span({"a": 0.5})
    '50 % (a)'
    """
    low, high = (pick(shares, key=lambda name: shares[name]) for pick in (min, max))
    least, most = (f"{100 * shares[name]:.0f} % ({name})" for name in (low, high))
    return least if low == high else f"{least} to {most}"


def explain_committees(findings: Findings) -> Reason:
    """Stumps end alike: their roots look at all rows."""
    shares = {
        name: each["stump_ratio"] / each["n_classes"] for name, each in findings.trees.items()
    }
    text = (
        "A tree that asks for one class against the rest has fewer mixed rows to go on with than "
        "one that tells all apart, so its 15 leaves cost less. With stumps, whose roots see all "
        f"rows either way, the work is {span(shares)} of K times GAMBLE's."
    )
    return text, TREES


@CLAIMS.add(
    "p. 5, section 3.3",
    "GAMBLE is K times more efficient than Gentle AdaBoost.MH, round for round",
    explain_committees,
)
def judge_committees(findings: Findings) -> Verdict:
    """By the work of growing trees, rows by features; about means within a factor of two."""
    if not findings.trees:
        return None
    shares = {name: each["work_ratio"] / each["n_classes"] for name, each in findings.trees.items()}
    text = f"the work of K committees is {span(shares)} of K times GAMBLE's"
    return text, all(0.5 <= share <= 2 for share in shares.values())


@CLAIMS.add(
    "p. 4, section 3.2.1",
    "GAMBLE performs reasonably well using regression trees with about 15 leaves",
)
def judge_fifteen(findings: Findings) -> Verdict:
    """Pendigits, after all rounds, beside the best size of figure 2."""
    ours = findings.error("pendigits", "gamble", findings.rounds)
    if ours is None or not findings.sizes:
        return None
    ends = {n: run["test_error"][-1] for n, run in findings.sizes.items()}
    best = min(ends, key=lambda n: ends[n])
    text = f"Pendigits: 15 leaves {ours:.4f}, the best of figure 2 ({best} leaves) {ends[best]:.4f}"
    return text, ours <= ends[best] + 0.01
