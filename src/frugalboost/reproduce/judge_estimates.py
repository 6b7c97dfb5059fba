"""Judges of figures 2 and 3 and of section 3.1: running times and probabilities."""

from __future__ import annotations

from collections.abc import Iterator

from frugalboost.reproduce.boosters import BATCH, FAMILIES, LEARNERS
from frugalboost.reproduce.filterboost_found import Found, MeanCurve
from frugalboost.reproduce.judging import CLOSE, Verdict
from frugalboost.reproduce.published_filterboost import LOGISTIC


def judge_times(found: Found) -> Verdict:
    sizes = sorted({n for n, _ in found.times})
    keys = ("adaboost", "filterboost", "madaboost")
    if len(sizes) < 2 or any((n, key) not in found.times for n in sizes for key in keys):
        return None
    ratios = [
        [round_seconds(found, n, key) / round_seconds(found, n, "adaboost") for key in keys[1:]]
        for n in (sizes[0], sizes[-1])
    ]
    text = "; ".join(
        f"{n:,} examples: FilterBoost {filtered:.2f}, MadaBoost {mada:.2f} of AdaBoost's time"
        for n, (filtered, mada) in zip((sizes[0], sizes[-1]), ratios, strict=True)
    )
    return text, min(ratios[0]) > 1 and max(ratios[1]) < 0.5


def judge_small_sets(found: Found) -> Verdict:
    times = sorted(
        (n, found_["round_seconds"])
        for (n, key), found_ in found.times.items()
        if key == "filterboost"
    )
    if len(times) < 2:
        return None
    text = ", ".join(f"{1000 * seconds:.2f} ms with {n:,}" for n, seconds in times)
    return f"FilterBoost's round: {text}", times[0][1] > min(seconds for _, seconds in times)


def round_seconds(found: Found, n: int, key: str) -> float:
    return float(found.times[n, key]["round_seconds"])


def judge_stumps(found: Found) -> Verdict:
    keys = ("filterboost", "filterboost-cr")
    if not found.has("majority", "stumps", [*keys, *BATCH]):
        return None
    curves = found.of("majority", "stumps")
    best = min(BATCH, key=lambda key: curves[key].end("log_loss"))
    ours = {key: curves[key].end("log_loss") for key in keys}
    text = ", ".join(f"{found.labels[key]} {loss:.4f}" for key, loss in ours.items())
    least = curves[best].end("log_loss")
    return f"{text}; best batch: {found.labels[best]} {least:.4f}", max(
        ours.values()
    ) <= CLOSE * least


def judge_overfitting(found: Found) -> Verdict:
    others = ["filterboost-cr", *BATCH]
    if not found.has("majority", "trees", ["filterboost", *others]):
        return None
    curves = found.of("majority", "trees")
    text = ", ".join(
        f"{found.labels[key]} {curves[key].overfit:.2f}" for key in ["filterboost", *others]
    )
    holds = curves["filterboost"].overfit <= CLOSE < min(curves[key].overfit for key in others)
    return f"log loss in the end, of its minimum: {text}", holds


def judge_families(found: Found) -> Verdict:
    if not all(found.has("majority", learner, BATCH) for learner in LEARNERS):
        return None
    least = {
        (learner, family): min(
            found.curves["majority", learner, key].end("log_loss") for key in keys
        )
        for learner in LEARNERS
        for family, keys in FAMILIES.items()
    }
    text = "; ".join(
        f"{learner}: AdaBoost {least[learner, 'adaboost']:.4f}, "
        f"AdaBoost-LOG {least[learner, 'log']:.4f}"
        for learner in LEARNERS
    )
    holds = least["stumps", "adaboost"] < least["stumps", "log"]
    return text, holds and least["trees", "log"] < least["trees", "adaboost"]


def judge_baseline(found: Found) -> Verdict:
    if "majority" not in found.logistic:
        return None
    ours = found.logistic["majority"]
    text = f"log loss {ours['log_loss']:.4f}, RMSE {ours['rmse']:.4f}"
    return text, all(abs(ours[name] / paper - 1) < CLOSE - 1 for name, paper in LOGISTIC.items())


def judge_approach(found: Found) -> Verdict:
    if not found.has("majority", "stumps", ["filterboost"]) or "majority" not in found.logistic:
        return None
    curve, goal = found.curves["majority", "stumps", "filterboost"], found.logistic["majority"]
    last = curve.rounds[-1]
    marks = [max(1, last // 10), max(1, last // 2), last]
    gaps = {name: [curve.at(name, mark) - goal[name] for mark in marks] for name in LOGISTIC}
    text = "; ".join(
        f"{label} above it by " + ", ".join(f"{gap:.4f}" for gap in gaps[name])
        for name, label in (("log_loss", "log loss"), ("rmse", "RMSE"))
    )
    falls = all(first > second > third for first, second, third in gaps.values())
    return f"with stumps after {marks[0]}, {marks[1]}, {marks[2]} rounds: {text}", falls


def judge_others(found: Found) -> Verdict:
    pairs = list(both_sets(found, BATCH))
    if not pairs:
        return None
    wins = sum(ours.end("log_loss") < theirs.end("log_loss") for _, _, ours, theirs in pairs)
    trees = [theirs.overfit for _, learner, _, theirs in pairs if learner == "trees"]
    overfit = sum(ratio > CLOSE for ratio in trees)
    text = (
        f"FilterBoost ends with the lower log loss in {wins} of {len(pairs)} comparisons; "
        f"{overfit} of {len(trees)} batch boosters overfit with trees"
    )
    return text, 2 * wins > len(pairs) and 2 * overfit > len(trees)


def judge_adaboost_stumps(found: Found) -> Verdict:
    pairs = [
        (task, ours.end("log_loss"), theirs.end("log_loss"))
        for task, learner, ours, theirs in both_sets(found, ["adaboost"])
        if learner == "stumps"
    ]
    if not pairs:
        return None
    text = "; ".join(
        f"{task}: AdaBoost {theirs:.4f}, FilterBoost {ours:.4f}" for task, ours, theirs in pairs
    )
    return text, all(theirs < ours for _, ours, theirs in pairs)


def both_sets(found: Found, keys: list[str]) -> Iterator[tuple[str, str, MeanCurve, MeanCurve]]:
    """FilterBoost beside each of others, on Twonorm and Adult."""
    for task in ("twonorm", "adult"):
        for learner in LEARNERS:
            if found.has(task, learner, ["filterboost", *keys]):
                curves = found.of(task, learner)
                for key in keys:
                    yield task, learner, curves["filterboost"], curves[key]
