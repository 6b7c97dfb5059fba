"""Claims of section 5.2: labels to the target, further gains, and seconds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.boosters import AT_RANDOM, COMMITTEES
from frugalboost.reproduce.gamble.findings import Findings
from frugalboost.reproduce.gamble.labels import LabelRun, Needed, count_labels, say
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.judging import SAME, Claims, Reason, Verdict
from frugalboost.reproduce.text import percent

LARGE = ("pendigits", "satimage", "splice")
SMALL = ("glass", "segment", "soybean")
TABLE = "Table 2: labels to the paper's target"
OWN = "Labels to the lowest error of Batch here"
RANDOM_ROWS = "Errors on Pendigits with 1,000 random rows"
OTHERWISE = "Labels to the paper's target with other committees"
SECONDS = "Table 2: seconds and work of all committees up to the target, and of Batch"

CLAIMS = Claims[Findings]()


def other_committees(findings: Findings, name: str) -> Reason:
    """Labels that Active needs with other committees."""
    texts = [
        f"{committee.title} {say(needed)}"
        for key, committee in COMMITTEES.items()
        if (needed := needed_by(findings, name, key))
    ]
    return (
        (
            f"The committee decides, which the paper does not describe: {'; '.join(texts)}.",
            OTHERWISE,
        )
        if texts
        else None
    )


def needed_by(findings: Findings, name: str, key: str) -> Needed | None:
    target = published.EFFICIENCY[name].target
    return count_labels(findings.committees.get((name, key), ()), target)


@CLAIMS.add(
    "p. 7, figure 5",
    "Pendigits: Active GAMBLE quickly reaches the target error rate (4.7 %) using about 300 "
    "samples",
    lambda findings: other_committees(findings, "pendigits"),
)
def judge_pendigits(findings: Findings) -> Verdict:
    needed = findings.needed("pendigits", "active")
    if needed is None:
        return None
    return f"{say(needed)} labels{over(needed.n_runs)}", needed.at_least <= 2 * 300


def over(n_runs: int) -> str:
    """
    >>> over(1), over(10)
    ('', ', median of 10 runs')
    """
    return f", median of {n_runs} runs" if n_runs > 1 else ""


@CLAIMS.add("p. 7, figure 5", "Pendigits: Active plateaus afterwards")
def judge_plateau(findings: Findings) -> Verdict:
    """The mean error over all later committees, beside the target."""
    runs = findings.labels.get(("pendigits", "active"), ())
    target = published.EFFICIENCY["pendigits"].target
    later = [
        float(np.mean(run.curve["error"][place:]))
        for run in runs
        if (place := run.place(target)) is not None
    ]
    if not later:
        return None
    error = float(np.mean(later))
    return f"mean error afterwards {100 * error:.1f} %", abs(error - target) <= SAME


def explain_random(findings: Findings) -> Reason:
    """Do other committees learn more of the same number of rows?"""
    means = {key: float(np.mean(each["errors"])) for key, each in findings.random_rows.items()}
    if len(means) < 2:
        return None
    enough = min(means.values()) <= published.EFFICIENCY["pendigits"].target + SAME
    lead = "The committee decides" if enough else "1,000 random rows are too few for all committees"
    texts = (f"{AT_RANDOM[key].title} {percent(mean)}" for key, mean in means.items())
    lowest = min(min(each["errors"]) for each in findings.random_rows.values())
    text = (
        f"{lead}; mean errors of several draws: {', '.join(texts)}, the lowest of all draws "
        f"{percent(lowest)}. Table 2 of the paper has 2,510 rows itself."
    )
    return text, RANDOM_ROWS


@CLAIMS.add(
    "p. 7, figure 5",
    "Pendigits: Random GAMBLE converges to the same level of error rate using 1,000 samples",
    explain_random,
)
def judge_random(findings: Findings) -> Verdict:
    """The same level is 4.7 %, give or take 0.01; table 2 has 2,510 samples to reach 4.71 %."""
    needed = findings.needed("pendigits", "random")
    errors = [
        error
        for run in findings.labels.get(("pendigits", "random"), ())
        if (error := error_with(run, published.RANDOM_ROWS)) is not None
    ]
    if needed is None or not errors:
        return None
    error, target = float(np.median(errors)), published.EFFICIENCY["pendigits"].target
    text = f"{100 * error:.1f} % with 1,000 labels; 4.71 % with {say(needed)} (table 2: 2,510)"
    return text, error <= target + SAME


def error_with(run: LabelRun, n_labels: int) -> float | None:
    """Of the first committee with so many labels or more."""
    pairs = zip(run.curve["labels"], run.curve["error"], strict=True)
    return next((float(error) for n, error in pairs if n >= n_labels), None)


@CLAIMS.add(
    "p. 7, figure 5",
    "Satimage: Active uses as few as 220 samples to reach the target error rate (12.6 %), while "
    "Random requires at least six times as many",
    lambda findings: other_committees(findings, "satimage"),
)
def judge_satimage(findings: Findings) -> Verdict:
    active, random = (findings.needed("satimage", way) for way in ("active", "random"))
    if active is None or random is None:
        return None
    factor = random.at_least / active.at_least
    more = "more than " if random.median is None else ""
    text = f"Active {say(active)}, Random {say(random)}: {more}{factor:.1f} times"
    return text, active.at_least <= 2 * 220 and factor >= 6


@CLAIMS.add(
    "p. 7, figure 5",
    "Satimage: Active continues to reduce prediction error by about 2 % after it reaches the "
    "target",
)
def judge_further_gain(findings: Findings) -> Verdict:
    runs = findings.labels.get(("satimage", "active"))
    if not runs:
        return None
    gain = published.EFFICIENCY["satimage"].target - lowest_of(runs)
    text = f"lowest error {100 * gain:.1f} points below 12.6 %{over(len(runs))}"
    return text, 0.01 <= gain <= 0.04


def lowest_of(runs: Sequence[LabelRun], errors: str = "error") -> float:
    """The median of the lowest errors of Active."""
    return float(np.median([run.lowest(errors) for run in runs]))


ENOUGH = 600
"""Labels of Satimage after which the paper sees no more gain."""


@CLAIMS.add(
    "p. 7, figure 5",
    "Satimage: after the 600 most informative samples, adding more does not improve the accuracy",
)
def judge_enough(findings: Findings) -> Verdict:
    runs = [
        run for run in findings.labels.get(("satimage", "active"), ()) if run.end > 1.5 * ENOUGH
    ]
    if not runs:
        return None
    before, after = (float(np.mean([lowest_part(run, part) for run in runs])) for part in (0, 1))
    text = (
        f"lowest error {100 * before:.1f} % with up to {ENOUGH} labels, {100 * after:.1f} % later"
    )
    return text, after >= before - SAME


def lowest_part(run: LabelRun, part: int) -> float:
    """The lowest error with up to 600 labels (0), or with more (1)."""
    pairs = zip(run.curve["labels"], run.curve["error"], strict=True)
    return float(min(error for n, error in pairs if (n > ENOUGH) == bool(part)))


@CLAIMS.add(
    "p. 8, table 2",
    "Active GAMBLE achieves far better data efficiency than Random GAMBLE, especially in the "
    "large datasets Pendigits, Satimage and Splice",
)
def judge_efficiency(findings: Findings) -> Verdict:
    pairs = {
        name: (active, random)
        for name in LARGE
        if (active := findings.needed(name, "active", own=True))
        and (random := findings.needed(name, "random", own=True))
    }
    if not pairs:
        return None
    texts = [f"{name} {say(active)} of {say(random)}" for name, (active, random) in pairs.items()]
    holds = all(
        active.median is not None and active.median <= random.at_least / 2
        for active, random in pairs.values()
    )
    return f"{', '.join(texts)} labels", holds


def explain_small_sets(findings: Findings) -> Reason:
    """Test sets of a hundred rows: is it the same in each run?"""
    texts = []
    for name in SMALL:
        runs = findings.labels.get((name, "active"), ())
        counts = [n for run in runs if (n := run.labels(run.target)) is not None]
        if len(runs) > 1 and counts:
            low, high = (100 * pick(counts) / runs[0].n_rows for pick in (min, max))
            texts.append(f"{name} {low:.0f} to {high:.0f} %")
    if not texts:
        return None
    text = (
        "With other random first rows the share is another; of the runs that reach the target: "
        f"{', '.join(texts)}. The paper has one run."
    )
    return text, OWN


@CLAIMS.add(
    "p. 8, table 2",
    "in small datasets such as Glass, Segmentation and Soybean practically all training data is "
    "needed to converge to the target",
    explain_small_sets,
)
def judge_small_sets(findings: Findings) -> Verdict:
    """The paper calls 64 to 81 % so."""
    shares = {}
    for name in SMALL:
        needed, runs = (
            findings.needed(name, "active", own=True),
            findings.labels.get((name, "active")),
        )
        if needed is not None and runs:
            shares[name] = (needed, needed.at_least / runs[0].n_rows)
    if not shares:
        return None
    texts = [
        f"{name} {say(needed)} ({100 * share:.0f} %)" for name, (needed, share) in shares.items()
    ]
    return ", ".join(texts), all(share >= 0.6 for _, share in shares.values())


def explain_lowest(findings: Findings) -> Reason:
    """The target is the best of a thousand rounds: what if Active may choose its round, too?"""
    gains = gains_of_active(findings, "least")
    below = [name for name, gain in gains.items() if gain > 0]
    text = (
        "The target is the best of all rounds of Batch on the test rows, Active is judged after "
        "its last round. By the best round of each committee, it is lower on "
        f"{len(below)} of {len(gains)} data sets: {', '.join(below)}."
    )
    return text, OWN


def gains_of_active(findings: Findings, errors: str = "error") -> dict[str, float]:
    """How far the lowest error is below the target, medians of runs."""
    return {
        name: float(np.median([run.target - run.lowest(errors) for run in runs]))
        for name in published.SHAPES
        if (runs := findings.labels.get((name, "active")))
    }


@CLAIMS.add(
    "p. 8, table 2",
    "the lowest test error rate of Active GAMBLE in most cases is lower than the target",
    explain_lowest,
)
def judge_lowest(findings: Findings) -> Verdict:
    """The target is Batch's lowest error of the same run, as the paper defines it."""
    gains = gains_of_active(findings)
    if not gains:
        return None
    below = [name for name, gain in gains.items() if gain > 0]
    text = f"on {len(below)} of {len(gains)} data sets: {', '.join(below)}"
    return text, len(below) > len(gains) / 2


def explain_seconds(findings: Findings) -> Reason:
    """Seconds do not follow work: fewer committees, or shorter ones, bring them down."""
    texts = []
    for key in ("plain", "large-batches", "short"):
        races = {name: findings.races.get((name, key)) for name in LARGE}
        known = {name: race for name, race in races.items() if race}
        if known:
            seconds = [f"{name} {times(race, 'seconds')}" for name, race in known.items()]
            works = [f"{times(race, 'work')}" for race in known.values()]
            title = COMMITTEES[key].title if key in COMMITTEES else "as above"
            texts.append(f"{title}: {', '.join(seconds)} (work {', '.join(works)})")
    if len(texts) < 2:
        return None
    text = (
        "Active trains a committee after each batch, and here a tree on few rows costs little less "
        "than one on all: the work of growing falls far more than the seconds. Seconds and work of "
        f"Active relative to Batch, {'; '.join(texts)}."
    )
    return text, SECONDS


def times(race: Result, what: str) -> str:
    return f"{race[what] / race[f'batch_{what}']:.2f}"


@CLAIMS.add(
    "p. 8, table 2",
    "Active GAMBLE has faster training time than Batch GAMBLE, especially when high data "
    "efficiency is achieved (Pendigits, Satimage, Splice)",
    explain_seconds,
)
def judge_seconds(findings: Findings) -> Verdict:
    races = {name: race for name in LARGE if (race := findings.races.get((name, "plain")))}
    if not races:
        return None
    texts = [
        f"{name} {race['seconds']:.1f} and {race['batch_seconds']:.1f} s"
        for name, race in races.items()
    ]
    faster = all(race["seconds"] < race["batch_seconds"] for race in races.values())
    return f"Active and Batch: {', '.join(texts)}", faster


def small_races(findings: Findings) -> dict[str, Result]:
    return {name: race for name in SMALL if (race := findings.races.get((name, "plain")))}


def explain_small_seconds(findings: Findings) -> Reason:
    """Where Active is faster, it has less to do as well, which is the same on every machine."""
    races = small_races(findings)
    quick = {n: race for n, race in races.items() if race["seconds"] <= race["batch_seconds"]}
    if any(race["work"] >= race["batch_work"] for race in quick.values()):
        return None
    works = ", ".join(f"{name} {times(race, 'work')}" for name, race in races.items())
    text = (
        "Committees of few labels are cheap, and all of Active's together may be less work than "
        f"the one of Batch. Work of Active relative to Batch: {works}."
    )
    return text, SECONDS


@CLAIMS.add(
    "p. 8, table 2",
    "Batch GAMBLE works faster on Glass, Segmentation and Soybean",
    explain_small_seconds,
)
def judge_small_seconds(findings: Findings) -> Verdict:
    races = small_races(findings)
    if not races:
        return None
    texts = [
        f"{name} {race['seconds']:.1f} and {race['batch_seconds']:.1f} s"
        for name, race in races.items()
    ]
    faster = all(race["batch_seconds"] < race["seconds"] for race in races.values())
    return f"Active and Batch: {', '.join(texts)}", faster
