"""Results of the Quick Boost runs, and the numbers that its figures and claims need of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from frugalboost._typing import Floats
from frugalboost.analysis import QuickSweep
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.quick_boost import published

Trial = tuple[str, str]
"""Data and heuristic."""
Curves = Mapping[Trial, Result]
Version = Literal["slow", "quick"]

TRIMS = ("trim 0.99", "trim 0.9")


@dataclass(frozen=True)
class Findings:
    """All results so far.

    Attributes
    ----------
    masses : dict of variant to result, figure 1
    order : what became of the order of the rows, section 4.1
    looks : figures 2 and 3, proposition 1
    sweeps : dict of depth to result, figure 4
    faulty : dict of share and features kept to result, section 4
    bins : dict of most bins to result, section 3.1
    seeds : dict of seed to result, other draws of LazyBoost 90 %
    trims : dict of share of the weight to result, more trimming than the paper's
    curves, slows, pairs : dicts of data and heuristic to result: figures 5 to 7, the models of the
        exhaustive search, and the timed fits
    """

    masses: Mapping[str, Result]
    order: Result | None
    looks: Result | None
    sweeps: Mapping[int, Result]
    faulty: Mapping[tuple[float, int], Result]
    bins: Mapping[int, Result]
    seeds: Mapping[int, Result]
    trims: Mapping[float, Result]
    curves: Curves
    slows: Curves
    pairs: Curves

    @property
    def data(self) -> list[str]:
        return list(dict.fromkeys(data for data, _ in self.curves))

    def of(self, data: str) -> dict[str, Result]:
        """The curves of a data set, by heuristic."""
        return {
            heuristic: curve for (name, heuristic), curve in self.curves.items() if name == data
        }

    @property
    def late(self) -> Result | None:
        """What is looked at in the last stage of boosting, which is most of it."""
        return None if self.looks is None else list(self.looks["stages"].values())[-1]

    def sweep(self, code: float) -> QuickSweep | None:
        """Figure 4: the mean over all depths and numbers of trees, as in the paper.

        `code` is the cost of a code gone through to weigh a feature; an assessment costs 1.
        """
        runs = [
            sweep_of(swept, length, code)
            for swept in self.sweeps.values()
            for length in swept["runs"]
        ]
        if not runs:
            return None
        mean = np.mean([run.shares for run in runs], axis=0)
        return QuickSweep(runs[0].masses, runs[0].steps, mean)


def sweep_of(swept: Result, length: str, code: float) -> QuickSweep:
    """Of the runs of one depth, the one of this number of trees."""
    run = swept["runs"][length]
    spent = np.array(run["assessments"]) + code * np.array(run["scans"])
    shares = spent / (run["full"] + code * run["full_scans"])
    return QuickSweep(np.array(swept["masses"]), np.array(swept["steps"]), shares)


def rows_of_90_percent(mass: Result, line: str = "mass") -> float:
    """Figure 1: the share of the rows that holds 90 % of the weight, of the mean line."""
    return float(mass["shares"][int(np.searchsorted(mass[line], 0.9))])  # the line only rises


def weight_of_tenth(mass: Result, line: str) -> float:
    """Figure 1: the share of the weight that the heaviest tenth of the rows holds."""
    return float(mass[line][at_share(mass["shares"], 0.1)])


def probability_at_knee(shares: list[float], stage: Result, name: str) -> float:
    """Figure 3: how often the best feature is among the best at 75 % of the weight."""
    return float(stage["probabilities"][name][at_share(shares, published.KNEE[0])])


def at_share(shares: list[float], share: float) -> int:
    return int(np.searchsorted(shares, share - 1e-9))


def share_of_knee(shares: list[float], stage: Result, name: str) -> float | None:
    """Figure 3: the share of the weight from which on it is among them in 95 % of the rounds."""
    is_rare = np.array(stage["probabilities"][name]) < published.KNEE[2]
    late = np.flatnonzero(is_rare)
    if not len(late):
        return shares[0]
    return shares[late[-1] + 1] if late[-1] + 1 < len(shares) else None


def price(sweep: QuickSweep, schedule: tuple[float, int]) -> float:
    """Figure 4: cost of a first mass and a number of subsets, as a share of the exhaustive one."""
    row, column = sweep.masses.tolist().index(schedule[0]), sweep.steps.tolist().index(schedule[1])
    return float(sweep.shares[row, column])


def costs(curve: Result, version: Version, *, bounds: bool) -> Floats:
    """Operations up to each round looked at; with `bounds`, codes gone through count as well."""
    assessed = np.array(curve[version], dtype=float)
    return assessed + np.array(curve[f"{version}_scans"], dtype=float) if bounds else assessed


def speedup(curve: Result, *, bounds: bool) -> float:
    """Of all trees."""
    return float(costs(curve, "slow", bounds=bounds)[-1] / costs(curve, "quick", bounds=bounds)[-1])


def speedup_at(curve: Result, n_trees: int, *, bounds: bool) -> float:
    """Of the first trees."""
    at = int(np.searchsorted(curve["rounds"], n_trees, side="right")) - 1
    slow, quick = (costs(curve, version, bounds=bounds)[at] for version in ("slow", "quick"))
    return float(slow / quick)


def fewer_errors(curves: Mapping[str, Result], *, bounds: bool) -> dict[str, float]:
    """Figure 6: by heuristic, the factor by which the error falls at a fixed cost."""
    if not curves:
        return {}
    budget = min(costs(curve, "quick", bounds=bounds)[-1] for curve in curves.values())
    gains = {}
    for heuristic, curve in curves.items():
        slow, quick = (
            error_within(curve, costs(curve, version, bounds=bounds), budget)
            for version in ("slow", "quick")
        )
        if slow is not None and quick:  # no factor where the quick one makes no error
            gains[heuristic] = slow / quick
    return gains


def less_work(curves: Mapping[str, Result], *, bounds: bool) -> dict[str, float]:
    """Figure 7: by heuristic, the factor by which the cost of the lowest error falls."""
    gains = {}
    for heuristic, curve in curves.items():
        at = int(np.argmin(curve["test_area"]))
        slow, quick = (costs(curve, version, bounds=bounds)[at] for version in ("slow", "quick"))
        gains[heuristic] = float(slow / quick)
    return gains


def error_within(curve: Result, spent: Floats, budget: float) -> float | None:
    """The least test error for at most `budget`; None if it does not pay for one tree."""
    areas = [area for cost, area in zip(spent, curve["test_area"], strict=True) if cost <= budget]
    return min(areas) if areas else None


def error_at(curve: Result, n_trees: int) -> float:
    """After so many trees, or the last number before that was looked at."""
    at = int(np.searchsorted(curve["rounds"], n_trees, side="right")) - 1
    return float(curve["test_area"][at])
