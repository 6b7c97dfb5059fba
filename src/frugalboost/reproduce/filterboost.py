"""FilterBoost (Bradley, Schapire 2007): figures 2 to 5, and the same for the other data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

from frugalboost.datasets import make_majority
from frugalboost.reproduce import filterboost_report as report
from frugalboost.reproduce.boosters import BOOSTERS, LEARNERS, Booster, make_booster
from frugalboost.reproduce.estimates import (
    estimate_curve,
    logistic_regression,
    marks,
    time_rounds,
)
from frugalboost.reproduce.filterboost_found import Found, read_results
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.paper import Paper, Section
from frugalboost.reproduce.published_filterboost import ENOUGH
from frugalboost.reproduce.samples import FOLDS, Samples, Task

TIMED = ("adaboost", "filterboost", "madaboost")
"""The boosters of figure 2."""
COMPETING = ("filterboost", "adaboost-resamp")
"""Those that train on more examples, too, on Covertype."""


@dataclass(frozen=True)
class Plan:
    """How large the experiments are.

    Attributes
    ----------
    tasks : tuple of Task
        The first two are Majority, small and large.
    rounds : int
    few_rounds : int
        For trees that are grown on all of more than `many` rows, each round.
    many : int
    runs : int
    times : tuple of int
        Numbers of examples of figure 2.
    time_rounds : int
    enough : int
        C_m with which filtering boosters should compete on Covertype.
    most_examples : int
        That a filtering booster may draw.
    """

    tasks: tuple[Task, ...]
    rounds: int
    few_rounds: int
    many: int
    runs: int
    times: tuple[int, ...]
    time_rounds: int
    enough: int
    most_examples: int


FULL = Plan(
    tasks=(
        Task("majority", "majority", 10_000),
        Task("majority-large", "majority", 500_000),
        Task("twonorm", "twonorm", 10_000),
        Task("adult", "adult"),
        Task("covtype", "covtype"),
    ),
    rounds=500,
    few_rounds=50,
    many=100_000,
    runs=FOLDS,
    times=(1_000, 10_000, 100_000, 1_000_000),
    time_rounds=100,
    enough=ENOUGH,
    most_examples=100_000_000,
)
QUICK = Plan(
    tasks=(
        Task("majority", "majority", 1_000, 4_000),
        Task("majority-large", "majority", 10_000, 4_000),
        Task("twonorm", "twonorm", 1_000, 4_000),
        Task("adult", "adult", n_rows=4_000),
        Task("covtype", "covtype", n_rows=10_000),
    ),
    rounds=30,
    few_rounds=10,
    many=5_000,
    runs=2,
    times=(1_000, 10_000, 100_000),
    time_rounds=20,
    enough=5_000,
    most_examples=1_000_000,
)


class FilterBoost(Paper):
    """Boosters that draw examples beside those that keep all of them."""

    title = "FilterBoost: Regression and Classification on Large Datasets (Bradley, Schapire 2007)"
    data = ("majority", "twonorm", "adult", "covtype")
    can_be_cut = True

    @property
    def plan(self) -> Plan:
        return QUICK if self.settings.quick else FULL

    @property
    def tasks(self) -> list[Task]:
        return [task for task in self.plan.tasks if task.data in self.present]

    @cached_property
    def samples(self) -> Samples:
        return Samples(self.sources)

    def jobs(self) -> list[Job]:
        """Run after run, so that a run that is broken off has been through all experiments."""
        return [
            *self._time_jobs(),
            *(job for run in range(self.plan.runs) for job in self._run(run)),
        ]

    def _run(self, run: int) -> Iterator[Job]:
        for task in self.tasks:
            yield Job(self._logistic_key(task, run), partial(self._logistic, task, run))
            for learner in LEARNERS:
                for key, booster in self.boosters(task, learner).items():
                    name = self._curve_key(task, learner, key, run)
                    yield Job(name, partial(self._curve, task, learner, booster, run))

    def boosters(self, task: Task, learner: str) -> dict[str, Booster]:
        """All of them; on Covertype trees also with more examples a round."""
        if (task.name, learner) != ("covtype", "trees"):
            return BOOSTERS
        n = self.plan.enough
        more = {
            f"{key}-{n}": replace(
                BOOSTERS[key], label=f"{BOOSTERS[key].label}, C = {n:,}", constant=n
            )
            for key in COMPETING
        }
        return BOOSTERS | more

    def rounds(self, task: Task, learner: str, booster: Booster) -> int:
        n_rows = task.n_train or task.n_rows or len(self.sources[task.data].y_train)
        # C = 300 is few examples, all rows or a constant of the order of all rows are many.
        is_costly = booster.constant is None or booster.constant >= self.plan.enough
        is_slow = learner == "trees" and n_rows > self.plan.many and is_costly
        rounds = self.plan.few_rounds if is_slow else self.plan.rounds
        return min(rounds, self.settings.rounds or rounds)

    def _time_jobs(self) -> Iterator[Job]:
        for n in self.plan.times:
            for key in TIMED:
                yield Job(self._time_key(n, key), partial(self._time, n, BOOSTERS[key]))

    def _time_key(self, n: int, key: str) -> str:
        return f"time-{n}-{key}-{self._time_rounds}"

    def _logistic_key(self, task: Task, run: int) -> str:
        return f"logistic-{task.name}-run{run}"

    def _curve_key(self, task: Task, learner: str, key: str, run: int) -> str:
        rounds = self.rounds(task, learner, self.boosters(task, learner)[key])
        return f"{task.name}-{learner}-{key}-{rounds}-run{run}"

    @property
    def _time_rounds(self) -> int:
        return min(self.plan.time_rounds, self.settings.rounds or self.plan.time_rounds)

    def _time(self, n: int, booster: Booster) -> Result:
        model = make_booster(
            booster, "stumps", self._time_rounds, seed=0, n_jobs=self.settings.n_jobs
        )
        return time_rounds(model, *make_majority(n, random_state=0))

    def _logistic(self, task: Task, run: int) -> Result:
        return logistic_regression(self.samples.get(task, run))

    def _curve(self, task: Task, learner: str, booster: Booster, run: int) -> Result:
        source, rounds = self.samples.get(task, run), self.rounds(task, learner, booster)
        model = make_booster(
            booster,
            learner,
            rounds,
            seed=run,
            categorical=source.categorical,
            most_examples=self.plan.most_examples,
            n_jobs=self.settings.n_jobs,
        )
        return estimate_curve(source, model, booster.scale, marks(rounds))

    def found(self, results: Mapping[str, Result]) -> Found:
        """The results, as means over the runs that there are."""
        runs = range(self.plan.runs)
        curves = {
            (task.name, learner, key): [self._curve_key(task, learner, key, run) for run in runs]
            for task in self.tasks
            for learner in LEARNERS
            for key in self.boosters(task, learner)
        }
        logistic = {
            task.name: [self._logistic_key(task, run) for run in runs] for task in self.tasks
        }
        times = {(n, key): self._time_key(n, key) for n in self.plan.times for key in TIMED}
        labels = {
            key: booster.label
            for task in self.tasks
            for learner in LEARNERS
            for key, booster in self.boosters(task, learner).items()
        }
        return read_results(results, curves, logistic, times, labels)

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        return report.sections(self.found(results), self.tasks, self.absent, self.sources)
