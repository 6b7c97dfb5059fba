"""The data of the FilterBoost experiments, and how large these are."""

from __future__ import annotations

from dataclasses import dataclass

from frugalboost.reproduce.filterboost.asides import QUICK_ASIDES, AsidePlan
from frugalboost.reproduce.filterboost.published import ENOUGH

FOLDS = 10


@dataclass(frozen=True)
class Task:
    """Data of one size.

    Attributes
    ----------
    name : str
        For tables and the names of files.
    data : str
        The name in `Sources`.
    n_train, n_test : int or None
        Examples to draw, of synthetic data. Of a real table, each run has one of ten folds to
        test and the others to train.
    n_rows : int or None
        Rows of a real table that take part; None: all.
    runs : int
    is_varied : bool
        Whether the variants of the boosters run on it too.
    is_timed : bool
        Whether the seconds of the first run are compared, so that it must run alone.
    """

    name: str
    data: str
    n_train: int | None = None
    n_test: int = 50_000
    n_rows: int | None = None
    runs: int = FOLDS
    is_varied: bool = False
    is_timed: bool = False

    @property
    def title(self) -> str:
        name = self.data.capitalize()
        return name if self.n_train is None else f"{name}, {self.n_train:,} examples"


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
    times : tuple of int
        Numbers of examples of figure 2.
    time_rounds : int
    enough : int
        C_m with which filtering boosters should compete on Covertype.
    most_examples : int
        That a filtering booster may draw.
    asides : AsidePlan
    """

    tasks: tuple[Task, ...]
    rounds: int
    few_rounds: int
    many: int
    times: tuple[int, ...]
    time_rounds: int
    enough: int
    most_examples: int
    asides: AsidePlan

    @property
    def runs(self) -> int:
        return max(task.runs for task in self.tasks)


FULL = Plan(
    tasks=(
        Task("majority", "majority", 10_000, runs=10, is_varied=True),
        Task("majority-large", "majority", 500_000, runs=2, is_timed=True),
        Task("twonorm", "twonorm", 10_000, runs=5, is_varied=True),
        Task("adult", "adult", runs=3),
        Task("covtype", "covtype", runs=2),
    ),
    rounds=500,
    few_rounds=50,
    many=100_000,
    times=(1_000, 10_000, 100_000, 1_000_000),
    time_rounds=100,
    enough=ENOUGH,
    most_examples=100_000_000,
    asides=AsidePlan(),
)
QUICK = Plan(
    tasks=(
        Task("majority", "majority", 1_000, 4_000, runs=2, is_varied=True),
        Task("majority-large", "majority", 10_000, 4_000, runs=2, is_timed=True),
        Task("twonorm", "twonorm", 1_000, 4_000, runs=2, is_varied=True),
        Task("adult", "adult", n_rows=4_000, runs=2),
        Task("covtype", "covtype", n_rows=10_000, runs=2),
    ),
    rounds=30,
    few_rounds=10,
    many=5_000,
    times=(1_000, 10_000, 100_000),
    time_rounds=20,
    enough=5_000,
    most_examples=1_000_000,
    asides=QUICK_ASIDES,
)
