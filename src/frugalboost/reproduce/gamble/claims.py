"""What the text of the GAMBLE paper says of its plots, and how each claim is judged.

A judge returns what was measured and whether the claim holds, or None if its results are missing.
`CRITERIA` says how words without numbers are read.
"""

from __future__ import annotations

import numpy as np

from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.findings import Findings, Needed, at_round, mean_curve, sign_test
from frugalboost.reproduce.judging import SAME, Claims, Verdict

CRITERIA = (
    "Words without numbers are taken thus: *almost the same* and *the same level* are within 0.01, "
    "*generally* and *most* are more than half of the cases, *a lot more* is three times, *far "
    "better* at most half as many labels, *about* within a factor of two."
)
NOISE = 0.005
"""Errors of 10,000 test rows near one half vary by this, one standard deviation."""
LARGE = ("pendigits", "satimage", "splice")
SMALL = ("glass", "segmentation", "soybean")

CLAIMS = Claims[Findings]()


@CLAIMS.add(
    "figure 2",
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


def first_round(errors: list[float], desired: float) -> int | None:
    return next((i + 1 for i, error in enumerate(errors) if error <= desired), None)


def text_of(place: int | None) -> str:
    return "never" if place is None else f"{place}"


@CLAIMS.add(
    "figure 2", "the test errors with 10, 12 and 14 leaves are almost the same after 600 iterations"
)
def judge_sizes(findings: Findings) -> Verdict:
    sizes = [n for n in (10, 12, 14) if n in findings.sizes]
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


@CLAIMS.add(
    "figure 3", "GAMBLE generally incurs less test error rates at 10, 100 and 1,000 iterations"
)
def judge_duels(findings: Findings) -> Verdict:
    duels = findings.duels(list(published.SHAPES))
    if not duels:
        return None
    test = sign_test(duels)
    text = (
        f"lower in {test.wins}, higher in {test.losses}, equal in {test.ties} of "
        f"{len(duels)} comparisons, p = {test.p_value:.4f}"
    )
    return text, test.wins > len(duels) / 2


@CLAIMS.add(
    "figure 3",
    "the zero median hypothesis can be rejected (p = 0.0066) at the significance level 1 %",
)
def judge_significance(findings: Findings) -> Verdict:
    duels = findings.duels(list(published.SHAPES))
    if not duels:
        return None
    test = sign_test(duels)
    return f"p = {test.p_value:.4f}", test.p_value < 0.01 and test.wins > test.losses


@CLAIMS.add(
    "figure 5",
    "Pendigits: Active GAMBLE quickly reaches the target error rate using about 300 samples",
)
def judge_pendigits(findings: Findings) -> Verdict:
    needed = findings.needed("pendigits", "active")
    if needed is None:
        return None
    text = f"{say(needed)} labels, mean of {needed.n_runs} runs"
    return text, needed.n_missed == 0 and needed.mean <= 2 * 300


def say(needed: Needed) -> str:
    """
    >>> say(Needed(574.6, 0, 10)), say(Needed(7494.0, 10, 10)), say(Needed(900.0, 2, 10))
    ('575', '7,494 (never)', '900 (never in 2 of 10 runs)')
    """
    count = f"{needed.mean:,.0f}"
    if not needed.n_missed:
        return count
    all_missed = needed.n_missed == needed.n_runs
    return (
        f"{count} (never{'' if all_missed else f' in {needed.n_missed} of {needed.n_runs} runs'})"
    )


@CLAIMS.add(
    "figure 5",
    "Satimage: Active uses as few as 220 samples, while Random requires at least six times as many",
)
def judge_satimage(findings: Findings) -> Verdict:
    active, random = (findings.needed("satimage", way) for way in ("active", "random"))
    if active is None or random is None:
        return None
    text = f"Active {say(active)}, Random {say(random)}: {random.mean / active.mean:.1f} times"
    return text, active.mean <= 2 * 220 and random.mean >= 6 * active.mean


@CLAIMS.add(
    "figure 5",
    "Satimage: Active continues to reduce prediction error by about 2 % after it reaches the "
    "target",
)
def judge_further_gain(findings: Findings) -> Verdict:
    runs = findings.labels.get(("satimage", "active"))
    if not runs:
        return None
    gain = float(np.mean([run.target - min(run.curve["error"]) for run in runs]))
    text = f"lowest error {100 * gain:.1f} points below the target, mean of {len(runs)} runs"
    return text, 0.01 <= gain <= 0.04


@CLAIMS.add(
    "table 2",
    "Active GAMBLE achieves far better data efficiency than Random GAMBLE, especially in the "
    "large datasets Pendigits, Satimage and Splice",
)
def judge_efficiency(findings: Findings) -> Verdict:
    pairs = {
        name: (active, random)
        for name in LARGE
        if (active := findings.needed(name, "active"))
        and (random := findings.needed(name, "random"))
    }
    if not pairs:
        return None
    texts = [f"{name} {say(active)} of {say(random)}" for name, (active, random) in pairs.items()]
    holds = all(active.mean <= random.mean / 2 for active, random in pairs.values())
    return f"{', '.join(texts)} labels", holds


@CLAIMS.add(
    "table 2",
    "in small datasets such as Glass, Segmentation and Soybean practically all training data "
    "is needed",
)
def judge_small_sets(findings: Findings) -> Verdict:
    shares = {}
    for name in SMALL:
        needed, runs = findings.needed(name, "active"), findings.labels.get((name, "active"))
        if needed is not None and runs:
            shares[name] = needed.mean / runs[0].n_rows
    if not shares:
        return None
    text = ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares.items())
    # The paper calls 64 to 81 % so.
    return text, all(share >= 0.6 for share in shares.values())


@CLAIMS.add(
    "table 2",
    "Active GAMBLE has faster training time than Batch GAMBLE, especially when high data "
    "efficiency is achieved",
)
def judge_seconds(findings: Findings) -> Verdict:
    times = {
        name: (
            float(np.mean([run.seconds for run in runs])),
            float(np.mean([run.batch["seconds"] for run in runs])),
        )
        for name in LARGE
        if (runs := findings.labels.get((name, "active")))
    }
    if not times:
        return None
    texts = [f"{name} {ours:.1f} and {batch:.1f} s" for name, (ours, batch) in times.items()]
    return f"Active and Batch: {', '.join(texts)}", all(a < b for a, b in times.values())


@CLAIMS.add(
    "table 2", "the lowest test error rate of Active GAMBLE in most cases is lower than the target"
)
def judge_lowest(findings: Findings) -> Verdict:
    gains = {
        name: [run.target - min(run.curve["error"]) for run in runs]
        for name in published.SHAPES
        if (runs := findings.labels.get((name, "active")))
    }
    if not gains:
        return None
    below = sum(float(np.mean(each)) > 0 for each in gains.values())
    return f"on {below} of {len(gains)} data sets", below > len(gains) / 2


@CLAIMS.add(
    "figure 6 (a)",
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
    "figure 6 (b)",
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


@CLAIMS.add(
    "figure 6 (b)",
    "after 120 iterations, SAMME has lower training error whereas GAMBLE has substantially "
    "lower test error",
)
def judge_crossing(findings: Findings) -> Verdict:
    runs = {key: findings.spheres.get((5, key)) for key in ("gamble", "samme")}
    gamble, samme = runs.values()
    if not gamble or not samme or findings.rounds <= published.SPHERES_CROSSING:
        return None
    train = [mean_curve(each, "train_error", findings.rounds) for each in (gamble, samme)]
    test = [mean_curve(each, "test_error", findings.rounds) for each in (gamble, samme)]
    later = slice(published.SPHERES_CROSSING, None)
    lower = float(np.mean(train[1][later] < train[0][later]))
    better = float(np.mean(test[0][later] < test[1][later]))
    text = (
        f"of the later rounds, SAMME's training error is lower in {100 * lower:.0f} %, GAMBLE's "
        f"test error in {100 * better:.0f} %"
    )
    return text, lower > 0.5 and better > 0.5
