"""Results of the GAMBLE runs by data and booster, and what is counted in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import binomtest

from frugalboost._typing import Floats
from frugalboost.reproduce.gamble import published
from frugalboost.reproduce.gamble.labels import LabelRun, Needed, count_labels
from frugalboost.reproduce.jobs import Result

Duel = tuple[str, int, float, float]
"""Data, round, and the errors of GAMBLE and its rival."""


def at_round(errors: Sequence[float], mark: int) -> float:
    """A model that ended before has its last error."""
    return errors[min(mark, len(errors)) - 1]


@dataclass(frozen=True)
class Findings:
    """All results so far.

    Attributes
    ----------
    curves : dict of (data, booster) to runs
    sizes : dict of leaves to run
    draws : dict of leaves to runs on parts of the rows
    trees : dict of data to result of `tree_facts`
    binary : result of `binary_twin`, or None
    spheres : dict of (classes, booster) to runs
    weights : dict of booster to result of `heavy_shares`
    labels : dict of (data, way) to runs
    committees : dict of (data, committee) to runs of Active
    random_rows : dict of committee to its errors with 1,000 random rows of Pendigits
    races : dict of (data, committee) to result of `race`
    rounds : int
    committee : int
        Rounds of a committee that asks.
    budget : int
        Labels at which Active ends.
    """

    rounds: int
    committee: int
    budget: int
    curves: Mapping[tuple[str, str], Sequence[Result]]
    sizes: Mapping[int, Result]
    draws: Mapping[int, Sequence[Result]]
    trees: Mapping[str, Result]
    binary: Result | None
    spheres: Mapping[tuple[int, str], Sequence[Result]]
    weights: Mapping[str, Result]
    labels: Mapping[tuple[str, str], Sequence[LabelRun]]
    committees: Mapping[tuple[str, str], Sequence[LabelRun]]
    random_rows: Mapping[str, Result]
    races: Mapping[tuple[str, str], Result]

    @property
    def marks(self) -> list[int]:
        """Those of figure 3, as far as was played."""
        return [*(mark for mark in published.MARKS if mark < self.rounds), self.rounds]

    def error(self, name: str, key: str, mark: int) -> float | None:
        """Mean test error over runs."""
        runs = self.curves.get((name, key), ())
        return mean([at_round(run["test_error"], mark) for run in runs])

    def needed(
        self, name: str, way: str, errors: str = "error", *, own: bool = False
    ) -> Needed | None:
        """Labels to the paper's target, or to the lowest error of Batch here."""
        target = None if own else published.EFFICIENCY[name].target
        return count_labels(self.labels.get((name, way), ()), target, errors)

    def duels(
        self,
        names: Sequence[str] = tuple(published.SHAPES),
        ours: str = "gamble",
        theirs: str = "samme",
    ) -> list[Duel]:
        """Mean errors of the runs that both had."""
        found: list[Duel] = []
        for name in names:
            pairs = self.pairs(name, ours, theirs)
            for mark in self.marks if pairs else ():
                errors = [[at_round(run["test_error"], mark) for run in pair] for pair in pairs]
                one, other = np.mean(errors, axis=0).tolist()
                found.append((name, mark, one, other))
        return found

    def duels_of_all(self, ours: str = "gamble", theirs: str = "samme") -> list[Duel]:
        """None, unless they are on as many data sets as those of the two rivals."""
        found = self.duels(ours=ours, theirs=theirs)
        return found if len(found) == len(self.duels()) else []

    def duels_of_run(self, run: int) -> list[Duel]:
        """With one split of each table, as the paper has."""
        found: list[Duel] = []
        for name in published.SHAPES:
            pairs = self.pairs(name, "gamble", "samme")
            if not pairs:
                continue
            one, other = pairs[min(run, len(pairs) - 1)]
            found += [
                (name, mark, at_round(one["test_error"], mark), at_round(other["test_error"], mark))
                for mark in self.marks
            ]
        return found

    def pairs(self, name: str, ours: str, theirs: str) -> list[tuple[Result, Result]]:
        """The runs that both had."""
        runs = (self.curves.get((name, key), ()) for key in (ours, theirs))
        return list(zip(*runs, strict=False))

    @property
    def n_splits(self) -> int:
        return max(
            (len(runs) for (_, key), runs in self.curves.items() if key == "samme"), default=0
        )


def mean(values: Sequence[Any]) -> float | None:
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


def sign_test(duels: Sequence[Duel]) -> SignTest:
    # Means of the same errors in another order may differ in the last bit: that is a tie.
    gains = [round(theirs - ours, 12) for *_, ours, theirs in duels]
    wins, losses = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    return SignTest(wins, losses, len(duels) - wins - losses)
