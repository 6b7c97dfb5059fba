"""Claims that are judged along curves: after each of several rounds, and by most of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from frugalboost.reproduce.filterboost.findings import JUDGED, Findings, MeanCurve
from frugalboost.reproduce.judging import Reason, Verdict

ByRound: TypeAlias = Mapping[int, tuple[str, bool]] | None
"""What was measured after so many rounds, and whether the claim then holds; None: not run yet."""


def along(
    curves: Sequence[MeanCurve], measured: Callable[[int], tuple[str, bool]]
) -> dict[int, tuple[str, bool]]:
    """Measure after each round to judge by that all the curves have."""
    last = min(curve.rounds[-1] for curve in curves)
    marks = [mark for mark in JUDGED if mark <= last] or [last]
    return {mark: measured(mark) for mark in marks}


def verdict_of(by_round: ByRound) -> Verdict:
    """
    >>> verdict_of({10: ("1 against 2", True), 30: ("3 against 2", False)})
    ('after 10: 1 against 2; after 30: 3 against 2', False)
    """
    if not by_round:
        return None
    text = "; ".join(f"after {mark}: {said}" for mark, (said, _) in by_round.items())
    return text, 2 * sum(holds for _, holds in by_round.values()) > len(by_round)


def reason_of(by_round: ByRound, shown_by: str) -> Reason:
    """If it holds after some of the rounds: how many there are decides, and the paper is silent.

    >>> reason_of({10: ("", True), 30: ("", False), 100: ("", False)}, "figure 3")[0]
    'the number of rounds decides, which the paper does not say: it holds after 10 alone'
    """
    good = [str(mark) for mark, (_, holds) in (by_round or {}).items() if holds]
    if not good:
        return None
    places = f"after {' and '.join(good)}"
    text = "the number of rounds decides, which the paper does not say: it holds"
    return f"{text} {places} alone", shown_by


def best(
    findings: Findings, task: str, learner: str, keys: Sequence[str], measure: str, mark: int
) -> tuple[str, float]:
    """The booster with the lowest log loss or RMSE, or the highest accuracy, and its value."""
    curves = findings.of(task, learner)
    values = {key: curves[key].at(measure, mark) for key in keys}
    choose = max if measure == "accuracy" else min
    key = choose(values, key=lambda each: values[each])
    return key, values[key]
