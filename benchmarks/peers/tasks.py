"""What is compared. To add a comparison, add an entry to `TASKS`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Goal:
    """What a figure of frugalboost should be, such as ("ratio", "<=", 0.3)."""

    figure: str
    sense: str
    value: float

    def __str__(self) -> str:
        return f"{self.sense} {self.value:g}"


@dataclass(frozen=True)
class Size:
    """How much of a task is done: `rows` of the training part, None for all."""

    rows: int | None
    rounds: int


@dataclass(frozen=True)
class Task:
    """One table of the report.

    `kind` names a function of `kinds`; `target` is a test error, None standing for the best one
    that LightGBM reaches in these rounds; `quick_target` is that of a quick run; `patience` says
    how many times the usual limit a contender may take.
    """

    name: str
    title: str
    kind: str
    data: str
    size: Size
    quick: Size
    depth: int = 4
    rule: str = "adaboost"
    target: float | None = None
    quick_target: float | None = None
    goal: Goal | None = None
    patience: float = 1.0


RATIO = "ratio to LightGBM"
TO_BOUND = "ratio to the bound"

_MNIST_QUICK = Size(3_000, 10)
_COVTYPE_QUICK = Size(20_000, 10)

TASKS = {
    task.name: task
    for task in (
        Task(
            "mnist-stumps",
            "MNIST, 0 to 4 against 5 to 9, stumps",
            "per_tree",
            "mnist-halves",
            Size(None, 100),
            _MNIST_QUICK,
            depth=1,
            goal=Goal(RATIO, "<=", 0.3),
        ),
        Task(
            "mnist-depth4",
            "MNIST, 0 to 4 against 5 to 9, depth 4",
            "per_tree",
            "mnist-halves",
            Size(None, 50),
            _MNIST_QUICK,
            goal=Goal(RATIO, "<=", 0.5),
        ),
        Task(
            "mnist-three",
            "MNIST, 3 against the rest, depth 4",
            "whole_fit",
            "mnist-three",
            Size(None, 300),
            Size(3_000, 20),
            goal=Goal(RATIO, "<=", 0.25),
        ),
        Task(
            "covtype-stumps",
            "covtype, class 2 against the rest, stumps",
            "per_tree",
            "covtype",
            Size(None, 100),
            _COVTYPE_QUICK,
            depth=1,
            goal=Goal(RATIO, "<=", 0.6),
        ),
        Task(
            "covtype-depth6",
            "covtype, class 2 against the rest, depth 6",
            "per_tree",
            "covtype",
            Size(None, 50),
            _COVTYPE_QUICK,
            depth=6,
            goal=Goal(RATIO, "<=", 1.0),
        ),
        Task(
            "a6a",
            "a6a, sparse, depth 3",
            "whole_fit",
            "a6a",
            Size(None, 500),
            Size(None, 50),
            depth=3,
            goal=Goal(RATIO, "<=", 0.6),
        ),
        Task(
            "mnist-classes",
            "MNIST, ten classes, until a test error is reached",
            "to_error",
            "mnist",
            Size(None, 200),
            Size(1_000, 10),
            depth=6,
            rule="real",
            target=0.03,
            quick_target=0.27,
            goal=Goal(RATIO, "<=", 0.33),
            patience=3.0,
        ),
        Task(
            "letter",
            "letter, until LightGBM's best test error",
            "to_error",
            "letter",
            Size(None, 100),
            Size(4_000, 10),
            depth=6,
            rule="real",
            goal=Goal(RATIO, "<=", 0.5),
        ),
        Task(
            "pendigits",
            "pendigits, until LightGBM's best test error",
            "to_error",
            "pendigits",
            Size(None, 100),
            Size(None, 10),
            depth=5,
            rule="real",
            goal=Goal(RATIO, "<=", 0.5),
        ),
        Task(
            "mnist-build",
            "MNIST, building the data set",
            "construction",
            "mnist-halves",
            Size(None, 1),
            _MNIST_QUICK,
            goal=Goal(RATIO, "<=", 1.0),
        ),
        Task(
            "covtype-build",
            "covtype, building the data set",
            "construction",
            "covtype",
            Size(None, 1),
            _COVTYPE_QUICK,
            goal=Goal(RATIO, "<=", 1.0),
        ),
        Task(
            "predict-batch",
            "MNIST, predicting 10,000 rows, 100 trees of depth 4",
            "prediction",
            "mnist-halves",
            Size(10_000, 100),
            Size(1_000, 100),
            goal=Goal(RATIO, "<=", 1.0),
        ),
        Task(
            "predict-one",
            "MNIST, predicting one row, 100 trees of depth 4",
            "one_row",
            "mnist-halves",
            Size(10_000, 100),
            Size(1_000, 100),
            goal=Goal(RATIO, "<=", 1.0),
        ),
        Task(
            "threads",
            "MNIST, 0 to 4 against 5 to 9, depth 4, two threads",
            "two_threads",
            "mnist-halves",
            Size(None, 50),
            _MNIST_QUICK,
            goal=Goal("speed-up", ">=", 1.7),
        ),
        Task(
            "memory",
            "covtype, peak memory of a whole fit, depth 6",
            "memory",
            "covtype",
            Size(None, 20),
            _COVTYPE_QUICK,
            depth=6,
            goal=Goal("times the binned table", "<=", 1.5),
        ),
        Task(
            "rows",
            "covtype, depth 6, as rows grow eight times",
            "growth",
            "covtype",
            Size(None, 20),
            Size(40_000, 10),
            depth=6,
            goal=Goal("growth", "<=", 8.5),
        ),
        Task(
            "a6a-assessments",
            "a6a, stumps, assessments beside the weight order bound",
            "assessments",
            "a6a",
            Size(None, 500),
            Size(None, 20),
            depth=1,
            goal=Goal(TO_BOUND, "<=", 0.55),
        ),
        Task(
            "mnist-assessments",
            "MNIST, stumps, assessments beside the weight order bound",
            "assessments",
            "mnist-halves",
            Size(None, 100),
            _MNIST_QUICK,
            depth=1,
            goal=Goal(TO_BOUND, "<=", 0.55),
            patience=3.0,
        ),
    )
}

# What stands in for covtype has too few rows to grow, and too few for its memory to be seen.
NEEDS_REAL_DATA = {"growth", "memory"}
