"""What the text of the GAMBLE paper says of its plots, and who judges it by the results.

A judge returns what was measured and whether that bears the statement out, or None where something
it needs has not been run. `CRITERIA` says what is made of words without numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from frugalboost.reproduce import judge_labels as labels
from frugalboost.reproduce import published_gamble as published
from frugalboost.reproduce.gamble_fits import at_round
from frugalboost.reproduce.gamble_found import Found, mean_curve, sign_test
from frugalboost.reproduce.judging import SAME, Verdict

Judge: TypeAlias = Callable[[Found], Verdict]

CRITERIA = (
    "Words without numbers are taken thus: *almost the same* and *the same level* are within 0.01, "
    "*generally* and *most* are more than half of the cases, *a lot more* is three times, *far "
    "better* at most half as many labels, *about* within a factor of two."
)
NOISE = 0.005
"""Errors of 10,000 test rows near one half vary by this, one standard deviation."""


def judge_stumps(found: Found) -> Verdict:
    """Rounds to the error that the largest trees have after 100 rounds."""
    if not {2, max(found.sizes, default=0)} <= set(found.sizes) or len(found.sizes) < 2:
        return None
    large = found.sizes[max(found.sizes)]["test_error"]
    desired = at_round(large, 100)
    needed = {n: first_round(found.sizes[n]["test_error"], desired) for n in (2, max(found.sizes))}
    texts = [f"{n} leaves {text_of(at)}" for n, at in needed.items()]
    stumps, trees = needed.values()
    holds = stumps is None or (trees is not None and stumps >= 3 * trees)
    return f"rounds to an error of {desired:.4f}: {', '.join(texts)}", holds


def first_round(errors: list[float], desired: float) -> int | None:
    return next((i + 1 for i, error in enumerate(errors) if error <= desired), None)


def text_of(place: int | None) -> str:
    return "never" if place is None else f"{place}"


def judge_sizes(found: Found) -> Verdict:
    sizes = [n for n in (10, 12, 14) if n in found.sizes]
    if len(sizes) < 3 or found.rounds < published.ALIKE_FROM:
        return None
    lines = np.array(
        [
            [at_round(found.sizes[n]["test_error"], mark) for n in sizes]
            for mark in range(published.ALIKE_FROM, found.rounds + 1)
        ]
    )
    apart = float((lines.max(axis=1) - lines.min(axis=1)).max())
    return f"at most {apart:.4f} apart", apart <= SAME


def judge_duels(found: Found) -> Verdict:
    duels = found.duels(list(published.SHAPES))
    if not duels:
        return None
    test = sign_test(duels)
    text = (
        f"lower in {test.wins}, higher in {test.losses}, equal in {test.ties} of "
        f"{len(duels)} comparisons, p = {test.p_value:.4f}"
    )
    return text, test.wins > len(duels) / 2


def judge_significance(found: Found) -> Verdict:
    duels = found.duels(list(published.SHAPES))
    if not duels:
        return None
    test = sign_test(duels)
    return f"p = {test.p_value:.4f}", test.p_value < 0.01 and test.wins > test.losses


def judge_zero_training_error(found: Found) -> Verdict:
    runs = found.spheres.get((2, "gamble"))
    if not runs:
        return None
    zero = [first_round(run["train_error"], 0.0) for run in runs]
    if any(at is None for at in zero):
        return "not zero in every run", False
    start = max(at for at in zero if at is not None)
    test = mean_curve(runs, "test_error", found.rounds)
    then, end = float(test[start - 1]), float(test[-1])
    text = (
        f"zero after {min(at for at in zero if at is not None)} to {start} rounds; test error then "
        f"{then:.4f}, after {found.rounds} rounds {end:.4f}"
    )
    in_time = start <= 2 * published.ZERO_TRAINING_ERROR
    return text, in_time and end < then - NOISE and end <= float(test.min()) + NOISE


def judge_spheres(found: Found) -> Verdict:
    ends = {
        key: float(mean_curve(runs, "test_error", found.rounds)[-1])
        for key in ("gamble", "samme")
        if (runs := found.spheres.get((5, key)))
    }
    if len(ends) < 2:
        return None
    gain = ends["samme"] - ends["gamble"]
    text = f"GAMBLE {ends['gamble']:.4f}, SAMME {ends['samme']:.4f}: {100 * gain:.1f} points"
    return text, gain >= published.SPHERES_GAIN / 2


def judge_crossing(found: Found) -> Verdict:
    runs = {key: found.spheres.get((5, key)) for key in ("gamble", "samme")}
    gamble, samme = runs.values()
    if not gamble or not samme or found.rounds <= published.SPHERES_CROSSING:
        return None
    train = [mean_curve(each, "train_error", found.rounds) for each in (gamble, samme)]
    test = [mean_curve(each, "test_error", found.rounds) for each in (gamble, samme)]
    later = slice(published.SPHERES_CROSSING, None)
    lower = float(np.mean(train[1][later] < train[0][later]))
    better = float(np.mean(test[0][later] < test[1][later]))
    text = (
        f"of the later rounds, SAMME's training error is lower in {100 * lower:.0f} %, GAMBLE's "
        f"test error in {100 * better:.0f} %"
    )
    return text, lower > 0.5 and better > 0.5


CLAIMS: tuple[tuple[str, str, Judge], ...] = (
    (
        "figure 2",
        "boosting stumps requires a lot more boosting steps than boosting sophisticated trees",
        judge_stumps,
    ),
    (
        "figure 2",
        "the test errors with 10, 12 and 14 leaves are almost the same after 600 iterations",
        judge_sizes,
    ),
    (
        "figure 3",
        "GAMBLE generally incurs less test error rates at 10, 100 and 1,000 iterations",
        judge_duels,
    ),
    (
        "figure 3",
        "the zero median hypothesis can be rejected (p = 0.0066) at the significance level 1 %",
        judge_significance,
    ),
    (
        "figure 5",
        "Pendigits: Active GAMBLE quickly reaches the target error rate using about 300 samples",
        labels.judge_pendigits,
    ),
    (
        "figure 5",
        "Satimage: Active uses as few as 220 samples, while Random requires at least six times as "
        "many",
        labels.judge_satimage,
    ),
    (
        "figure 5",
        "Satimage: Active continues to reduce prediction error by about 2 % after it reaches the "
        "target",
        labels.judge_further_gain,
    ),
    (
        "table 2",
        "Active GAMBLE achieves far better data efficiency than Random GAMBLE, especially in the "
        "large datasets Pendigits, Satimage and Splice",
        labels.judge_efficiency,
    ),
    (
        "table 2",
        "in small datasets such as Glass, Segmentation and Soybean practically all training data "
        "is needed",
        labels.judge_small_sets,
    ),
    (
        "table 2",
        "Active GAMBLE has faster training time than Batch GAMBLE, especially when high data "
        "efficiency is achieved",
        labels.judge_seconds,
    ),
    (
        "table 2",
        "the lowest test error rate of Active GAMBLE in most cases is lower than the target",
        labels.judge_lowest,
    ),
    (
        "figure 6 (a)",
        "two spheres: the training error reaches zero at about 20 iterations, and the test error "
        "keeps dropping thereafter without indications of overfitting",
        judge_zero_training_error,
    ),
    (
        "figure 6 (b)",
        "five spheres: GAMBLE outperforms SAMME by incurring 10 % less test error (here: at least "
        "5 points)",
        judge_spheres,
    ),
    (
        "figure 6 (b)",
        "after 120 iterations, SAMME has lower training error whereas GAMBLE has substantially "
        "lower test error",
        judge_crossing,
    ),
)
"""Where it is said, what is said, and how it is judged."""
