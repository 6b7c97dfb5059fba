"""What the FilterBoost paper says of its figures 4 and 5, and the judges."""

from __future__ import annotations

from collections.abc import Mapping

from frugalboost.reproduce.filterboost.along import ByRound, along, reason_of, verdict_of
from frugalboost.reproduce.filterboost.boosters import BATCH, BOOSTERS, LEARNERS
from frugalboost.reproduce.filterboost.findings import Findings, MeanCurve
from frugalboost.reproduce.judging import SAME, Claims, Reason, Verdict

CLASSIFICATION = Claims[Findings]()
SIZES = ("majority", "majority-large")
Pairs = Mapping[tuple[str, str], tuple[MeanCurve, MeanCurve]]


def pairs_of(findings: Findings, first: str, second: str) -> Pairs:
    """Both boosters' curves by data and weak learner."""
    return {
        (task, learner): (
            findings.curves[task, learner, first],
            findings.curves[task, learner, second],
        )
        for task in findings.tasks
        for learner in LEARNERS
        if findings.has(task, learner, [first, second])
    }


def apart_along(pairs: Pairs) -> ByRound:
    """How far accuracies are apart at most."""
    if not pairs:
        return None

    def measured(mark: int) -> tuple[str, bool]:
        apart = {
            name: abs(first.at("accuracy", mark) - second.at("accuracy", mark))
            for name, (first, second) in pairs.items()
        }
        task, learner = most = max(apart, key=lambda name: apart[name])
        return f"{apart[most]:.4f} ({learner} on {task})", apart[most] <= SAME

    return along([curve for pair in pairs.values() for curve in pair], measured)


def why_apart(findings: Findings) -> Reason:
    """Where they are apart with C = 300: are they with three times as many examples?"""
    usual = pairs_of(findings, "filterboost", "madaboost")
    larger = pairs_of(findings, "filterboost-900", "madaboost-900")
    few = verdict_of(apart_along({name: usual[name] for name in larger}))
    many = verdict_of(apart_along(larger))
    if few is None or many is None or few[1] or not many[1]:
        return reason_of(apart_along(usual), "figure 4")
    text = f"C = 300 gives few examples a round: with C = 900 the two are similar, {many[0]}"
    return text, "the tables of Majority and Twonorm"


@CLASSIFICATION.add(
    "p. 8, figure 4",
    "vanilla FilterBoost and MadaBoost perform similarly in classification",
    why_apart,
)
def judge_mada(findings: Findings) -> Verdict:
    return verdict_of(apart_along(pairs_of(findings, "filterboost", "madaboost")))


def rated_along(findings: Findings) -> ByRound:
    stumps = [
        pair
        for (_, learner), pair in pairs_of(findings, "filterboost-cr", "madaboost").items()
        if learner == "stumps"
    ]
    trees = [
        pair
        for (_, learner), pair in pairs_of(findings, "filterboost-cr", "filterboost").items()
        if learner == "trees"
    ]
    if not stumps or not trees:
        return None

    def measured(mark: int) -> tuple[str, bool]:
        wins = sum(r.at("accuracy", mark) > m.at("accuracy", mark) for r, m in stumps)
        fails = sum(r.at("accuracy", mark) < p.at("accuracy", mark) - SAME for r, p in trees)
        text = f"above MadaBoost on {wins} of {len(stumps)}, poor on {fails} of {len(trees)}"
        return text, 2 * wins > len(stumps) and fails > 0

    return along([curve for pair in (*stumps, *trees) for curve in pair], measured)


@CLASSIFICATION.add(
    "p. 8, figure 4",
    "confidence-rated predictions allow FilterBoost to outperform MadaBoost when using "
    "decision stumps but sometimes cause FilterBoost to perform poorly with decision trees",
    lambda findings: reason_of(rated_along(findings), "figure 4"),
)
def judge_rated(findings: Findings) -> Verdict:
    return verdict_of(rated_along(findings))


def larger_along(findings: Findings) -> ByRound:
    keys = list(BOOSTERS)
    if not all(findings.has(task, "stumps", keys) for task in SIZES):
        return None
    small, large = (findings.of(task, "stumps") for task in SIZES)

    def measured(mark: int) -> tuple[str, bool]:
        higher = sum(
            large[key].at("accuracy", mark) > small[key].at("accuracy", mark) for key in keys
        )
        return f"higher for {higher} of {len(keys)} boosters", higher == len(keys)

    return along([curves[key] for curves in (small, large) for key in keys], measured)


@CLASSIFICATION.add(
    "p. 8, figure 5",
    "with decision stumps, all boosters achieve higher accuracies with the larger dataset",
    lambda findings: reason_of(larger_along(findings), "figure 5"),
)
def judge_larger_set(findings: Findings) -> Verdict:
    return verdict_of(larger_along(findings))


@CLASSIFICATION.add(
    "p. 8, figure 5", "on the larger dataset, filtering algorithms are much more efficient"
)
def judge_efficiency(findings: Findings) -> Verdict:
    """By seconds to the accuracy that FilterBoost has in the end, and by seconds a round."""
    if not findings.has("majority-large", "stumps", ["filterboost", "madaboost", "adaboost"]):
        return None
    curves = findings.of("majority-large", "stumps")
    pace = {
        key: curves[key].end("seconds") / curves[key].rounds[-1]
        for key in ("filterboost", "madaboost", "adaboost")
    }
    shares = [pace[key] / pace["adaboost"] for key in ("filterboost", "madaboost")]
    text = f"a round takes {shares[0]:.2f} (MadaBoost {shares[1]:.2f}) of AdaBoost's time"
    return text, max(shares) < 0.5


def drops(findings: Findings, task: str, mark: int) -> dict[str, float]:
    """By how much the accuracy is lower with trees than with stumps."""
    stumps, trees = (findings.of(task, learner) for learner in LEARNERS)
    return {
        key: stumps[key].at("accuracy", mark) - trees[key].at("accuracy", mark) for key in BOOSTERS
    }


def has_both(findings: Findings, task: str) -> bool:
    return all(findings.has(task, learner, list(BOOSTERS)) for learner in LEARNERS)


def curves_of(findings: Findings, task: str) -> list[MeanCurve]:
    return [findings.curves[task, learner, key] for learner in LEARNERS for key in BOOSTERS]


def trees_along(findings: Findings) -> ByRound:
    if not has_both(findings, "majority"):
        return None

    def measured(mark: int) -> tuple[str, bool]:
        lost = drops(findings, "majority", mark)
        slower = sum(drop > 0 for drop in lost.values())
        return f"lower accuracy with trees for {slower} of {len(lost)}", slower == len(lost)

    return along(curves_of(findings, "majority"), measured)


@CLASSIFICATION.add(
    "p. 8, figure 5",
    "Majority: the boosters all learn more slowly when using the overly complicated decision trees",
    lambda findings: reason_of(trees_along(findings), "figure 5"),
)
def judge_trees(findings: Findings) -> Verdict:
    return verdict_of(trees_along(findings))


def less_along(findings: Findings) -> ByRound:
    if not all(has_both(findings, task) for task in SIZES):
        return None

    def measured(mark: int) -> tuple[str, bool]:
        less = []
        for task in SIZES:
            lost = drops(findings, task, mark)
            less.append(sum(lost["filterboost"] < lost[key] for key in BATCH))
        text = f"less than {less[0]} of {len(BATCH)} batch boosters, on the large set {less[1]}"
        return text, all(2 * n > len(BATCH) for n in less) and less[1] >= less[0]

    return along([curve for task in SIZES for curve in curves_of(findings, task)], measured)


@CLASSIFICATION.add(
    "p. 8, figure 5",
    "this problem generally affects filtering boosters less than most batch variants, "
    "especially on larger datasets",
    lambda findings: reason_of(less_along(findings), "figure 5"),
)
def judge_tree_drops(findings: Findings) -> Verdict:
    return verdict_of(less_along(findings))
