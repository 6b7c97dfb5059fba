"""What the paper says of its speed and of the heuristics: figures 5 to 7 and the conclusions."""

from __future__ import annotations

import numpy as np

from frugalboost.reproduce.fits import HEURISTICS
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.judging import Claims, Verdict
from frugalboost.reproduce.quick_boost import published
from frugalboost.reproduce.quick_boost.findings import (
    TRIMS,
    Findings,
    costs,
    fewer_errors,
    less_work,
    speedup,
)
from frugalboost.reproduce.quick_boost.reasons import (
    why_errors_fall_slowly,
    why_not_faster,
    why_not_least,
    why_trims_are_good,
    why_trims_gain,
)

DATA = ("faces", "pedestrians", "mnist")
MAGNITUDE = 8.0
CLOSE = 1.05
OTHERS = tuple(name for name in HEURISTICS if name not in TRIMS)
ALL = tuple(HEURISTICS)

SPEED_CLAIMS = Claims[Findings]()


def has_all(findings: Findings) -> bool:
    return all((data, heuristic) in findings.curves for data in DATA for heuristic in HEURISTICS)


def in_brackets(curve: Result) -> str:
    """The factor of a fit, and in brackets the one that counts the bounds."""
    return f"{speedup(curve, bounds=False):.1f} ({speedup(curve, bounds=True):.1f})"


@SPEED_CLAIMS.add(
    "abstract, section 1",
    "a speedup of an order of magnitude over prior approaches",
    why_not_faster,
)
def judge_magnitude(findings: Findings) -> Verdict:
    if not all((data, "none") in findings.curves for data in DATA):
        return None
    found = {data: findings.curves[data, "none"] for data in DATA}
    text = ", ".join(f"{data} {in_brackets(curve)}" for data, curve in found.items())
    factors = [speedup(curve, bounds=False) for curve in found.values()]
    return f"factors: {text}", min(factors) >= MAGNITUDE


@SPEED_CLAIMS.add(
    "section 1", "an algorithm guaranteed to produce identical trees as classical algorithms"
)
def judge_identical(findings: Findings) -> Verdict:
    there = [trial for trial in findings.curves if trial in findings.slows]
    short = [len({each["digest"] for each in pair.values()}) for pair in findings.pairs.values()]
    if not there and not short:
        return None
    same = sum(
        findings.curves[trial]["digest"] == findings.slows[trial]["digest"] for trial in there
    )
    text = f"{same} of {len(there)} long models and {short.count(1)} of {len(short)} short ones"
    return f"{text} are the same, bit for bit", same == len(there) and set(short) <= {1}


@SPEED_CLAIMS.add(
    "section 5.3", "the quick versions require less computational cost", why_not_faster
)
def judge_less_cost(findings: Findings) -> Verdict:
    if not has_all(findings):
        return None
    alone, every = (
        [speedup(curve, bounds=bounds) for curve in findings.curves.values()]
        for bounds in (False, True)
    )
    text = f"factors from {min(alone):.2f} to {max(alone):.1f}"
    return f"{text} ({min(every):.2f} to {max(every):.1f})", min(alone) > 1


@SPEED_CLAIMS.add(
    "section 5.3, figure 5",
    "by the training loss often around an order of magnitude",
    why_not_faster,
)
def judge_often(findings: Findings) -> Verdict:
    if not has_all(findings):
        return None
    trials = findings.curves
    alone, every = (
        sum(speedup(curve, bounds=bounds) >= MAGNITUDE for curve in trials.values())
        for bounds in (False, True)
    )
    return f"in {alone} ({every}) of {len(trials)} cases", alone > len(trials) / 2


@SPEED_CLAIMS.add(
    "section 5.3, figure 5",
    "Quick-LazyBoost-50 % and Quick-StochasticBoost-50 % are the least computationally intensive",
    why_not_faster,
)
def judge_cheapest(findings: Findings) -> Verdict:
    if not has_all(findings):
        return None
    halves = {"lazy 0.5", "stochastic 0.5"}
    cheapest = {
        data: sorted(
            HEURISTICS, key=lambda each: costs(findings.of(data)[each], "quick", bounds=False)[-1]
        )[:2]
        for data in DATA
    }
    text = "; ".join(f"{data}: {', '.join(names)}" for data, names in cheapest.items())
    return text, all(set(names) == halves for names in cheapest.values())


@SPEED_CLAIMS.add(
    "section 5.3, figure 5",
    "vanilla AdaBoost always achieves the smallest training loss",
    why_not_least,
)
def judge_least_loss(findings: Findings) -> Verdict:
    if not has_all(findings):
        return None
    best = {data: lowest(findings, data, "train_loss") for data in DATA}
    text = ", ".join(f"{data}: {name}" for data, name in best.items())
    return text, set(best.values()) == {"none"}


@SPEED_CLAIMS.add(
    "section 5.3, figure 5",
    "and attains the lowest test error in two of the three datasets",
    why_not_least,
)
def judge_lowest_error(findings: Findings) -> Verdict:
    if not has_all(findings):
        return None
    best = {data: lowest(findings, data, "test_area") for data in DATA}
    text = ", ".join(f"{data}: {name}" for data, name in best.items())
    return text, list(best.values()).count("none") >= 2


def lowest(findings: Findings, data: str, measure: str) -> str:
    """The heuristic with the lowest value after all trees."""
    curves = findings.of(data)
    return min(HEURISTICS, key=lambda name: curves[name][measure][-1])


@SPEED_CLAIMS.add(
    "section 5.3, figure 6",
    "for most of the heuristics, a two to eight-fold reduction in test error",
    why_errors_fall_slowly,
)
def judge_fewer_errors(findings: Findings) -> Verdict:
    if not has_all(findings):
        return None
    low, high = published.FEWER_ERRORS
    return judged_gains(findings, "6", OTHERS, low, high)


@SPEED_CLAIMS.add(
    "section 5.3, figure 7",
    "most heuristics see an eight to sixteen-fold reduction in computational cost",
    why_not_faster,
)
def judge_less_work(findings: Findings) -> Verdict:
    if not has_all(findings):
        return None
    low, high = published.LESS_WORK
    return judged_gains(findings, "7", OTHERS, low, high)


@SPEED_CLAIMS.add(
    "section 5.3, figure 7", "for weight trimming between one and two-fold", why_trims_gain
)
def judge_trims(findings: Findings) -> Verdict:
    if not has_all(findings):
        return None
    low, high = published.LESS_WORK_TRIM
    return judged_gains(findings, "7", TRIMS, low, high)


def judged_gains(
    findings: Findings, figure: str, heuristics: tuple[str, ...], low: float, high: float
) -> Verdict:
    """Whether more than half of the factors are in the paper's range."""
    alone, every = (gains(findings, figure, heuristics, bounds=each) for each in (False, True))
    if not alone or not every:
        return None
    n, n_every = (within(factors, low, high) for factors in (alone, every))
    text = (
        f"from {min(alone):.1f} to {max(alone):.1f} ({min(every):.1f} to {max(every):.1f}), "
        f"{n} ({n_every}) of {len(alone)} in the range"
    )
    return text, n > len(alone) / 2


def gains(
    findings: Findings, figure: str, heuristics: tuple[str, ...], *, bounds: bool
) -> list[float]:
    measure = {"6": fewer_errors, "7": less_work}[figure]
    by_data = {data: measure(findings.of(data), bounds=bounds) for data in DATA}
    return [by_data[data][name] for data in DATA for name in heuristics if name in by_data[data]]


def within(factors: list[float], low: float, high: float) -> int:
    """To the first decimal, as a bar can be read."""
    return sum(low <= round(factor, 1) <= high for factor in factors)


@SPEED_CLAIMS.add(
    "section 5.3, figure 6",
    "weight trimming sees less of a benefit; at 90 % on the second dataset it runs at the same "
    "cost with and without the speedup",
    why_trims_gain,
)
def judge_trim_benefit(findings: Findings) -> Verdict:
    if not has_all(findings):
        return None
    trims, others = (
        float(np.median(gains(findings, "6", names, bounds=False))) for names in (TRIMS, OTHERS)
    )
    same = speedup(findings.curves["pedestrians", "trim 0.9"], bounds=False)
    text = f"median factor {trims:.2f}, of the others {others:.2f}; its cost falls by {same:.2f}"
    return text, trims < others and same <= 1.1


@SPEED_CLAIMS.add(
    "section 5.3",
    "weight trimming leads to classifiers that do not perform as well as those of the others",
    why_trims_are_good,
)
def judge_trimmed_error(findings: Findings) -> Verdict:
    if not has_all(findings):
        return None
    ends = {data: errors(findings, data) for data in DATA}
    text = "; ".join(
        f"{data}: {min(trims):.5f} at best, others up to {max(others):.5f}"
        for data, (trims, others) in ends.items()
    )
    return text, all(min(trims) > CLOSE * max(others) for trims, others in ends.values())


def errors(findings: Findings, data: str) -> tuple[list[float], list[float]]:
    """After all trees: of weight trimming and of the others."""
    curves = findings.of(data)
    ends = {name: curves[name]["test_area"][-1] for name in HEURISTICS}
    return [ends[name] for name in TRIMS], [ends[name] for name in OTHERS]


@SPEED_CLAIMS.add(
    "section 6", "training cost is reduced by an order of magnitude or more", why_not_faster
)
def judge_conclusion_cost(findings: Findings) -> Verdict:
    return judge_often(findings)


@SPEED_CLAIMS.add(
    "section 6",
    "given a computational budget, errors are reduced on average by two-fold or more",
    why_errors_fall_slowly,
)
def judge_conclusion_error(findings: Findings) -> Verdict:
    if not has_all(findings):
        return None
    alone, every = (
        float(np.mean(gains(findings, "6", ALL, bounds=each))) for each in (False, True)
    )
    return f"{alone:.2f}-fold ({every:.2f}-fold)", alone >= 2
