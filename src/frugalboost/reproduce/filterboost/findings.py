"""Results of the FilterBoost runs: means by task, weak learner and booster."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from frugalboost._typing import Floats
from frugalboost.reproduce.jobs import Result

JUDGED = (10, 30, 100, 300, 500)
"""Rounds after which curves are compared."""
MEASURES = ("log_loss", "rmse", "accuracy")
Name = tuple[str, str, str]
"""Task, weak learner, booster."""


@dataclass(frozen=True)
class MeanCurve:
    """Means over runs, by round.

    Attributes
    ----------
    rounds : list of int
    values : dict
        By measure, and the "seconds" of the first run since its first round began.
    n_runs : int
    """

    rounds: list[int]
    values: dict[str, Floats]
    n_runs: int

    def at(self, measure: str, mark: int) -> float:
        """After the last round looked at that is not later than `mark`."""
        place = int(np.searchsorted(self.rounds, mark, side="right")) - 1
        return float(self.values[measure][place])

    def end(self, measure: str) -> float:
        return float(self.values[measure][-1])

    def least(self, measure: str) -> float:
        return float(self.values[measure].min())

    def least_round(self, measure: str) -> int:
        return self.rounds[int(self.values[measure].argmin())]

    def marks(self, *others: MeanCurve) -> list[int]:
        """Rounds to judge by that all these curves have; the last one of short curves."""
        last = min(curve.rounds[-1] for curve in (self, *others))
        return [mark for mark in JUDGED if mark <= last] or [last]

    def mostly(self, other: MeanCurve, holds: Callable[[float, float], bool], measure: str) -> bool:
        """Whether it holds of both curves' values after more than half of the rounds judged by."""
        return 2 * self.count(other, holds, measure) > len(self.marks(other))

    def count(self, other: MeanCurve, holds: Callable[[float, float], bool], measure: str) -> int:
        marks = self.marks(other)
        return sum(holds(self.at(measure, mark), other.at(measure, mark)) for mark in marks)

    @property
    def overfit(self) -> float:
        """Log loss in the end, of its minimum."""
        return self.end("log_loss") / self.least("log_loss")


@dataclass(frozen=True)
class Findings:
    """All results so far.

    Attributes
    ----------
    curves : dict of (task, weak learner, booster) to MeanCurve
    logistic : dict of task to means by measure
        Of logistic regression.
    times : dict of (number of examples, booster) to Result
    labels : dict of booster to its name in the paper
    asides : dict of key to Result
        See `asides`.
    """

    curves: Mapping[Name, MeanCurve]
    logistic: Mapping[str, Mapping[str, float]]
    times: Mapping[tuple[int, str], Result]
    labels: Mapping[str, str]
    asides: Mapping[str, Result] = field(default_factory=dict)

    @property
    def tasks(self) -> list[str]:
        return list(dict.fromkeys(task for task, _, _ in self.curves))

    def of(self, task: str, learner: str) -> dict[str, MeanCurve]:
        """Curves by booster."""
        return {
            key: curve for (t, w, key), curve in self.curves.items() if (t, w) == (task, learner)
        }

    def has(self, task: str, learner: str, keys: Sequence[str]) -> bool:
        return all((task, learner, key) in self.curves for key in keys)


def read_results(
    results: Mapping[str, Result],
    curves: Mapping[Name, Sequence[str]],
    logistic: Mapping[str, Sequence[str]],
    times: Mapping[tuple[int, str], str],
    labels: Mapping[str, str],
) -> Findings:
    """Means of the results that exist, from their keys."""
    done = {name: [results[key] for key in keys if key in results] for name, keys in curves.items()}
    baselines = {
        task: [results[k] for k in keys if k in results] for task, keys in logistic.items()
    }
    return Findings(
        {name: mean_curve(runs) for name, runs in done.items() if runs},
        {
            task: {name: float(np.mean([run[name] for run in runs])) for name in MEASURES}
            for task, runs in baselines.items()
            if runs
        },
        {name: results[key] for name, key in times.items() if key in results},
        labels,
    )


def mean_curve(runs: Sequence[Result]) -> MeanCurve:
    """
    >>> one = {name: [1.0] for name in (*MEASURES, "seconds")} | {"rounds": [1]}
    >>> two = {name: [2.0] for name in (*MEASURES, "seconds")} | {"rounds": [1]}
    >>> mean_curve([one, two]).end("rmse")
    1.5
    """
    values = {name: np.mean([run[name] for run in runs], axis=0) for name in MEASURES}
    values["seconds"] = np.array(runs[0]["seconds"])  # later runs share the machine
    return MeanCurve(list(runs[0]["rounds"]), values, len(runs))
