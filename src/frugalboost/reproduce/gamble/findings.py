"""Results of the GAMBLE runs by data and learner, and what is counted in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

from frugalboost._typing import Floats
from frugalboost.reproduce.gamble.published import MARKS
from frugalboost.reproduce.jobs import Result

LEARNERS = {
    "gamble": "GAMBLE",
    "samme": "SAMME",
    "gamble-slow": "GAMBLE, learning_rate=0.1",
    "real": "AdaBoost.MH",
}
RIVALS = ("gamble", "samme")
"""The boosters of the paper."""


def first_to_reach(curve: Result, target: float, errors: str = "error") -> int | None:
    """The place of the first committee of a label curve with an error of at most `target`."""
    places = [i for i, error in enumerate(curve[errors]) if error <= target]
    return places[0] if places else None


def at_round(errors: Sequence[float], mark: int) -> float:
    """A model that ended before has its last error."""
    return errors[min(mark, len(errors)) - 1]


@dataclass(frozen=True)
class LabelRun:
    """One label curve, and Batch on the same rows.

    Attributes
    ----------
    batch : Result of `error_curve`
    curve : Result of `label_curve`
    n_rows : int
        Training rows.
    """

    batch: Result
    curve: Result
    n_rows: int

    @property
    def target(self) -> float:
        """Batch's lowest error in any round."""
        return float(min(self.batch["test_error"]))

    def labels(self, errors: str = "error") -> int | None:
        """Labels of the first committee that reaches the target; None if none does."""
        place = first_to_reach(self.curve, self.target, errors)
        return None if place is None else int(self.curve["labels"][place])

    @property
    def seconds(self) -> float:
        """Until the target is reached, or to the end."""
        place = first_to_reach(self.curve, self.target)
        return float(self.curve["seconds"][-1 if place is None else place])


@dataclass(frozen=True)
class Needed:
    """Labels to reach the target, over runs; one that never did counts as all its rows."""

    mean: float
    n_missed: int
    n_runs: int


@dataclass(frozen=True)
class Findings:
    """All results so far.

    Attributes
    ----------
    curves : dict of (data, learner) to runs
    sizes : dict of leaves to run
    spheres : dict of (classes, learner) to runs
    labels : dict of (data, way) to runs
    rounds : int
    committee : int
        Rounds of a committee that asks.
    budget : int
        Labels at which Active ends.
    """

    curves: Mapping[tuple[str, str], Sequence[Result]]
    sizes: Mapping[int, Result]
    spheres: Mapping[tuple[int, str], Sequence[Result]]
    labels: Mapping[tuple[str, str], Sequence[LabelRun]]
    rounds: int
    committee: int
    budget: int

    @property
    def marks(self) -> list[int]:
        """Those of figure 3, as far as was played."""
        return [*(mark for mark in MARKS if mark < self.rounds), self.rounds]

    def error(self, name: str, key: str, mark: int) -> float | None:
        """Mean test error over runs."""
        runs = self.curves.get((name, key), ())
        return mean([at_round(run["test_error"], mark) for run in runs])

    def needed(self, name: str, way: str, errors: str = "error") -> Needed | None:
        runs = self.labels.get((name, way), ())
        if not runs:
            return None
        labels = [run.labels(errors) for run in runs]
        counts = [run.n_rows if n is None else n for run, n in zip(runs, labels, strict=True)]
        return Needed(float(np.mean(counts)), labels.count(None), len(runs))

    def duels(self, names: Sequence[str]) -> list[tuple[str, int, float, float]]:
        """Data, round, and the errors of GAMBLE and SAMME."""
        return [
            (name, mark, ours, theirs)
            for name in names
            for mark in self.marks
            if (ours := self.error(name, "gamble", mark)) is not None
            and (theirs := self.error(name, "samme", mark)) is not None
        ]


def mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if len(values) else None


def mean_curve(runs: Sequence[Result], which: str, rounds: int) -> Floats:
    """Mean errors after each round; a model that ended has its last."""
    lines = [[at_round(run[which], mark) for mark in range(1, rounds + 1)] for run in runs]
    return np.asarray(np.mean(lines, axis=0))


@dataclass(frozen=True)
class SignTest:
    """How often GAMBLE was better; ties tell nothing.

    >>> SignTest(19, 5, 0).p_value.__round__(4)
    0.0066
    """

    wins: int
    losses: int
    ties: int

    @property
    def p_value(self) -> float:
        """Two-sided."""
        n = self.wins + self.losses
        return float(binomtest(self.wins, n).pvalue) if n else 1.0


def sign_test(duels: Sequence[tuple[str, int, float, float]]) -> SignTest:
    # Means of the same errors in another order may differ in the last bit: that is a tie.
    gains = [round(theirs - ours, 12) for *_, ours, theirs in duels]
    wins, losses = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    return SignTest(wins, losses, len(duels) - wins - losses)
