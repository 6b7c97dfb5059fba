"""What the text of Quick Boost says of its figures, measured; the report prints both."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from frugalboost.analysis import QuickSweep
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.quick_boost import published

Curves = Mapping[tuple[str, str], Result]
"""Results by data and heuristic."""


def rows_of_90_percent(mass: Result) -> dict[str, float]:
    """Figure 1: by rule, the share of the rows that holds 90 % of the weight."""
    return {
        rule: mass["shares"][int(np.searchsorted(line, 0.9))]  # the line only rises
        for rule, line in mass["masses"].items()
    }


def probability_at_knee(early: Result, name: str) -> float:
    """Figure 3: how often the best feature is among the best at 75 % of the weight."""
    at = int(np.searchsorted(early["shares"], published.KNEE[0] - 1e-9))
    return float(early["probabilities"][name][at])


def share_of_knee(early: Result, name: str) -> float | None:
    """Figure 3: the share of the weight from which on it is among them in 95 % of the rounds."""
    enough = np.flatnonzero(np.array(early["probabilities"][name]) >= published.KNEE[2])
    return float(early["shares"][enough[0]]) if len(enough) else None


def schedule_prices(sweep: QuickSweep) -> dict[str, tuple[float, int, float]]:
    """Figure 4: first mass, subsets after it, and assessments as a share of the exhaustive ones."""
    masses, steps = sweep.masses.tolist(), sweep.steps.tolist()
    return {
        name: (mass, n, sweep.shares[masses.index(mass), steps.index(n)])
        for name, (mass, n) in {
            "paper's best": published.BEST_SCHEDULE,
            "best here": (float(sweep.best[0]), int(sweep.best[1])),
        }.items()
    }


FEWER = (
    "Test error of the slow version divided by that of the quick one, both with the assessments "
    "that the cheapest heuristic needed for all its trees. "
    f"The paper: {published.FEWER_ERRORS}, less for weight trimming."
)
LESS = (
    "Assessments of the slow version divided by those of the quick one, until the lowest test "
    f"error of the heuristic is reached. The paper: {published.LESS_WORK['most']}, "
    f"{published.LESS_WORK['trim']} for weight trimming."
)


def fewer_errors(data: str, curves: Curves) -> dict[str, float]:
    """Figure 6: by heuristic, the factor by which the error falls at a fixed cost."""
    chosen = {heuristic: curve for (name, heuristic), curve in curves.items() if name == data}
    budget = min(curve["quick"][-1] for curve in chosen.values())
    gains = {}
    for heuristic, curve in chosen.items():
        slow, quick = (error_within(curve, cost, budget) for cost in ("slow", "quick"))
        if slow is not None and quick:  # no factor where the quick one makes no error
            gains[heuristic] = slow / quick
    return gains


def less_work(data: str, curves: Curves) -> dict[str, float]:
    """Figure 7: by heuristic, the factor by which the cost of the lowest error falls."""
    gains = {}
    for (name, heuristic), curve in curves.items():
        if name == data:
            least = min(curve["test_area"])
            slow, quick = (cost_to_reach(curve, cost, least) for cost in ("slow", "quick"))
            if slow is not None and quick is not None:
                gains[heuristic] = slow / quick
    return gains


def cost_to_reach(curve: Result, cost: str, error: float) -> float | None:
    """The least cost at which the test error is at most `error`."""
    for spent, area in zip(curve[cost], curve["test_area"], strict=True):
        if area <= error:
            return float(spent)
    return None


def error_within(curve: Result, cost: str, budget: float) -> float | None:
    """The least test error for at most `budget`; None if it does not pay for one tree."""
    areas = [a for c, a in zip(curve[cost], curve["test_area"], strict=True) if c <= budget]
    return min(areas) if areas else None
