"""Claims of section 5.1: sizes of trees, and GAMBLE beside SAMME."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.boosters import BOOSTERS, RIVALS, VARIANTS
from frugalboost.reproduce.gamble.findings import (
    Findings,
    SignTest,
    at_round,
    mean_curve,
    sign_test,
)
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.judging import SAME, Claims, Reason, Verdict

CLAIMS = Claims[Findings]()
SIGN_TEST = "Sign test over data sets and rounds"
SPARSE = ("glass", "segment")
"""Figure 4."""


@CLAIMS.add(
    "p. 7, figure 2",
    "boosting stumps requires a lot more boosting steps than boosting sophisticated trees",
)
def judge_stumps(findings: Findings) -> Verdict:
    """Rounds to the error that the largest trees have after 100 rounds."""
    if not {2, max(findings.sizes, default=0)} <= set(findings.sizes) or len(findings.sizes) < 2:
        return None
    large = findings.sizes[max(findings.sizes)]["test_error"]
    desired = at_round(large, 100)
    needed = {
        n: first_round(findings.sizes[n]["test_error"], desired) for n in (2, max(findings.sizes))
    }
    texts = [f"{n} leaves {text_of(at)}" for n, at in needed.items()]
    stumps, trees = needed.values()
    holds = stumps is None or (trees is not None and stumps >= 3 * trees)
    return f"rounds to an error of {desired:.4f}: {', '.join(texts)}", holds


def first_round(errors: Sequence[float], desired: float) -> int | None:
    return next((i + 1 for i, error in enumerate(errors) if error <= desired), None)


def text_of(place: int | None) -> str:
    return "never" if place is None else f"{place}"


@CLAIMS.add(
    "p. 7, figure 2",
    "the gap between test errors becomes more narrow when boosting relatively strong learners",
)
def judge_gaps(findings: Findings) -> Verdict:
    """From one size to the next, after all rounds: the first half of the steps and the second."""
    if len(findings.sizes) < 5:
        return None
    ends = [run["test_error"][-1] for _, run in sorted(findings.sizes.items())]
    gaps = np.abs(np.diff(ends))
    half = len(gaps) // 2
    weak, strong = float(gaps[:half].mean()), float(gaps[-half:].mean())
    return f"mean gap {weak:.4f} of the smaller sizes, {strong:.4f} of the larger", strong < weak


@CLAIMS.add("p. 7, section 5.1", "each iteration takes longer training time with larger trees")
def judge_cost(findings: Findings) -> Verdict:
    """By rows times features that growing the trees takes."""
    if len(findings.sizes) < 2:
        return None
    work = {n: run["work"] / run["n_trees"] for n, run in sorted(findings.sizes.items())}
    small, large = min(work), max(work)
    text = f"a tree of {large} leaves takes {work[large] / work[small]:.1f} times the work of one "
    return f"{text}of {small}", list(work.values()) == sorted(work.values())


def explain_sizes(findings: Findings) -> Reason:
    """One fit for each size: does the gap stay if the rows are drawn anew?"""
    runs = [findings.draws.get(n, ()) for n in published.ALIKE]
    if not all(runs):
        return None
    errors = [[late_error(run, findings.rounds) for run in each] for each in runs]
    means = [float(np.mean(each)) for each in errors]
    spreads = [float(np.ptp(each)) for each in errors]
    texts = ", ".join(
        f"{n} leaves {error:.4f}" for n, error in zip(published.ALIKE, means, strict=True)
    )
    gap = max(means) - min(means)
    cause = (
        "the size itself matters, beyond chance"
        if gap > SAME
        else "chance: the same size differs as much from draw to draw"
        if max(spreads) > gap
        else "the worst of all rounds is judged"
    )
    text = (
        f"Over {min(map(len, runs))} random parts of the rows, the mean errors from round "
        f"{published.ALIKE_FROM} on are {texts}: {gap:.4f} apart, while one size differs by up to "
        f"{max(spreads):.4f} between parts. So {cause}."
    )
    return text, "Parts of the rows"


def late_error(run: Result, rounds: int) -> float:
    """Mean from the round on from which sizes are alike."""
    return float(mean_curve([run], "test_error", rounds)[published.ALIKE_FROM - 1 :].mean())


@CLAIMS.add(
    "p. 7, figure 2",
    "the test errors with 10, 12 and 14 leaves are almost the same after 600 iterations",
    explain_sizes,
)
def judge_sizes(findings: Findings) -> Verdict:
    sizes = [n for n in published.ALIKE if n in findings.sizes]
    if len(sizes) < 3 or findings.rounds < published.ALIKE_FROM:
        return None
    lines = np.array(
        [
            [at_round(findings.sizes[n]["test_error"], mark) for n in sizes]
            for mark in range(published.ALIKE_FROM, findings.rounds + 1)
        ]
    )
    apart = float((lines.max(axis=1) - lines.min(axis=1)).max())
    return f"at most {apart:.4f} apart", apart <= SAME


def explain_duels(findings: Findings) -> Reason:
    """What SAMME's trees were, the paper does not say: other trees, and what they change."""
    texts = [
        f"{BOOSTERS[key].title} {say_test(sign_test(duels))}"
        for key in VARIANTS
        if key.startswith("samme") and (duels := findings.duels_of_all(theirs=key))
    ]
    both = findings.duels_of_all(ours="gamble-small", theirs="samme-small")
    if not texts or not both:
        return None
    text = (
        "It depends on the size of SAMME's trees, which the paper does not give. GAMBLE against "
        f"{'; '.join(texts)}. With 8 leaves on both sides {say_test(sign_test(both))}."
    )
    return text, SIGN_TEST


def say_test(test: SignTest) -> str:
    """
    >>> say_test(SignTest(19, 5, 0))
    '19 to 5, p = 0.0066'
    """
    return f"{test.wins} to {test.losses}, p = {test.p_value:.4f}"


@CLAIMS.add(
    "p. 7, figure 3",
    "GAMBLE generally incurs less test error rates at 10, 100 and 1,000 iterations",
    explain_duels,
)
def judge_duels(findings: Findings) -> Verdict:
    """By the sign test of the next claim: more wins than losses are no difference by chance."""
    duels = findings.duels()
    if not duels:
        return None
    test = sign_test(duels)
    text = (
        f"lower in {test.wins}, higher in {test.losses}, equal in {test.ties} of "
        f"{len(duels)} comparisons, p = {test.p_value:.4f}"
    )
    return text, test.wins > test.losses and test.p_value < 0.05


@CLAIMS.add(
    "p. 7, figure 3",
    "the zero median hypothesis can be rejected (p = 0.0066) at the significance level 1 %",
    explain_duels,
)
def judge_significance(findings: Findings) -> Verdict:
    duels = findings.duels()
    if not duels:
        return None
    test = sign_test(duels)
    return f"p = {test.p_value:.4f}", test.p_value < 0.01 and test.wins > test.losses


def explain_sparse(findings: Findings) -> Reason:
    """The paper has one split of Glass: is it the same in each?"""
    texts = []
    for name in SPARSE:
        pairs = findings.pairs(name, *RIVALS)
        gains = [float(np.mean(b["test_error"]) - np.mean(a["test_error"])) for a, b in pairs]
        if len(gains) > 1:
            held = sum(gain >= -SAME for gain in gains)
            texts.append(f"{name} in {held} of {len(gains)} splits")
    if not texts:
        return None
    return (
        f"It depends on the split, of which the paper has one: it holds on {', '.join(texts)}.",
        ("Figure 3: test errors"),
    )


@CLAIMS.add(
    "p. 7, figure 4",
    "GAMBLE can handle the sparse datasets Glass and Segmentation and generalize well (here: mean "
    "error over all rounds at most that of SAMME plus 0.01)",
    explain_sparse,
)
def judge_sparse(findings: Findings) -> Verdict:
    known = {
        name: np.mean([[np.mean(run["test_error"]) for run in pair] for pair in pairs], axis=0)
        for name in SPARSE
        if (pairs := findings.pairs(name, *RIVALS))
    }
    if not known:
        return None
    texts = [f"{name} {ours:.4f}, SAMME {theirs:.4f}" for name, (ours, theirs) in known.items()]
    return "; ".join(texts), all(ours <= theirs + SAME for ours, theirs in known.values())
