"""Claims of section 5.3: the concentric spheres."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from frugalboost._typing import Floats
from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.boosters import BOOSTERS, RIVALS
from frugalboost.reproduce.gamble.claims_of_boosting import first_round
from frugalboost.reproduce.gamble.findings import Findings, mean_curve
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.judging import Claims, Reason, Verdict

CLAIMS = Claims[Findings]()
NOISE = 0.005
"""Errors of 10,000 test rows near one half vary by this, one standard deviation."""
WEIGHTS = "Weight of the heaviest rows, five classes"
OTHER_TREES = "Figure 6 (b) with other trees"
LATER = slice(published.SPHERES_CROSSING, None)


@CLAIMS.add(
    "p. 8, figure 6 (a)",
    "two spheres: the training error reaches zero at about 20 iterations, and the test error "
    "keeps dropping thereafter without indications of overfitting",
)
def judge_zero_training_error(findings: Findings) -> Verdict:
    runs = findings.spheres.get((2, "gamble"))
    if not runs:
        return None
    zero = [first_round(run["train_error"], 0.0) for run in runs]
    if any(at is None for at in zero):
        return "not zero in every run", False
    start = max(at for at in zero if at is not None)
    test = mean_curve(runs, "test_error", findings.rounds)
    then, end = float(test[start - 1]), float(test[-1])
    text = (
        f"zero after {min(at for at in zero if at is not None)} to {start} rounds; test error then "
        f"{then:.4f}, after {findings.rounds} rounds {end:.4f}"
    )
    in_time = start <= 2 * published.ZERO_TRAINING_ERROR
    return text, in_time and end < then - NOISE and end <= float(test.min()) + NOISE


@CLAIMS.add(
    "p. 9, figure 6 (b)",
    "five spheres: GAMBLE outperforms SAMME by incurring 10 % less test error (here: at least "
    "5 points)",
)
def judge_spheres(findings: Findings) -> Verdict:
    ends = {
        key: float(mean_curve(runs, "test_error", findings.rounds)[-1])
        for key in ("gamble", "samme")
        if (runs := findings.spheres.get((5, key)))
    }
    if len(ends) < 2:
        return None
    gain = ends["samme"] - ends["gamble"]
    text = f"GAMBLE {ends['gamble']:.4f}, SAMME {ends['samme']:.4f}: {100 * gain:.1f} points"
    return text, gain >= published.SPHERES_GAIN / 2


def explain_crossing(findings: Findings) -> Reason:
    """Which of SAMME's trees has a lower training error, and what its test error is then."""
    gamble = findings.spheres.get((5, "gamble"))
    others = {
        key: runs
        for (n, key), runs in findings.spheres.items()
        if n == 5 and key.startswith("samme-")
    }
    if not gamble or not others:
        return None
    texts = [
        f"{BOOSTERS[key].title} {shares(findings, gamble, runs)}" for key, runs in others.items()
    ]
    text = (
        "It depends on SAMME's trees, of which the paper says little. Shares of the later rounds "
        f"in which SAMME's training error and GAMBLE's test error are lower: {'; '.join(texts)}."
    )
    return text, OTHER_TREES


def shares(findings: Findings, gamble: Sequence[Result], samme: Sequence[Result]) -> str:
    lower, better = crossing(findings, gamble, samme)
    return f"{100 * lower:.0f} % and {100 * better:.0f} %"


def crossing(
    findings: Findings, gamble: Sequence[Result], samme: Sequence[Result]
) -> tuple[float, float]:
    """In what share of the later rounds SAMME's training and GAMBLE's test error is lower."""

    def later(runs: Sequence[Result], which: str) -> Floats:
        return mean_curve(runs, which, findings.rounds)[LATER]

    lower = later(samme, "train_error") < later(gamble, "train_error")
    better = later(gamble, "test_error") < later(samme, "test_error")
    return float(lower.mean()), float(better.mean())


@CLAIMS.add(
    "p. 9, figure 6 (b)",
    "after 120 iterations, SAMME has lower training error whereas GAMBLE has substantially "
    "lower test error",
    explain_crossing,
)
def judge_crossing(findings: Findings) -> Verdict:
    gamble, samme = (findings.spheres.get((5, key)) for key in ("gamble", "samme"))
    if not gamble or not samme or findings.rounds <= published.SPHERES_CROSSING:
        return None
    lower, better = crossing(findings, gamble, samme)
    text = (
        f"of the later rounds, SAMME's training error is lower in {100 * lower:.0f} %, GAMBLE's "
        f"test error in {100 * better:.0f} %"
    )
    return text, lower > 0.5 and better > 0.5


def explain_emphasis(findings: Findings) -> Reason:
    """Smaller steps of GAMBLE, and trees with which SAMME makes fewer mistakes."""
    texts = [
        f"{BOOSTERS[key].title} {100 * last_share(findings, key):.1f} %"
        for key in findings.weights
        if key not in RIVALS
    ]
    if not texts:
        return None
    text = (
        "A pure leaf of GAMBLE takes a longer step than a tree of SAMME, so the weights of what is "
        f"learnt fall faster. Where steps or trees are others: {'; '.join(texts)}."
    )
    return text, WEIGHTS


def last_share(findings: Findings, key: str) -> float:
    """Of the heaviest hundredth of the rows, in the last round."""
    return float(np.asarray(findings.weights[key]["shares"])[-1, 0])


@CLAIMS.add(
    "p. 9, section 5.3",
    "SAMME overemphasizes the outliers, on which GAMBLE places less emphasis (here: the weight of "
    "the heaviest hundredth of the rows, in the last round)",
    explain_emphasis,
)
def judge_emphasis(findings: Findings) -> Verdict:
    if not set(RIVALS) <= set(findings.weights):
        return None
    ours, theirs = (last_share(findings, key) for key in RIVALS)
    return f"GAMBLE {100 * ours:.1f} %, SAMME {100 * theirs:.1f} %", ours < theirs
