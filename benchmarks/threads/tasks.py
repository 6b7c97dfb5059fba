"""What is measured. To add a comparison, add an entry to `TASKS`; the most useful come first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from peers.tasks import Size


@dataclass(frozen=True)
class Task:
    """One table of the report.

    `kind` names a class of `works`, `data` a function of `data`. `ours` and `theirs` are parameters
    beside the rounds and the threads: without any, both libraries are untouched. `is_large` tasks
    need the memory and the threads of a large machine; `is_short` ones take milliseconds, of which
    more runs are needed to tell anything.
    """

    name: str
    title: str
    data: str
    size: Size
    quick: Size
    kind: str = "fit"
    ours: Mapping[str, Any] = field(default_factory=dict)
    theirs: Mapping[str, Any] = field(default_factory=dict)
    is_regression: bool = False
    is_large: bool = False
    is_short: bool = False

    @property
    def unit(self) -> str:
        return "ms a round" if self.kind == "rounds" else "seconds"


def adaboost(depth: int) -> dict[str, Any]:
    return {"rule": "adaboost", "max_depth": depth}


def leaves(depth: int) -> dict[str, Any]:
    """LightGBM grows by leaves, so it is given as many as a tree of this depth may have."""
    return {"num_leaves": 2**depth, "max_depth": depth}


ALL_COVTYPE = Size(None, 100)
QUICK = Size(2_000, 3)
SMALL = Size(None, 100)  # both libraries' own number of rounds
SMALL_QUICK = Size(None, 5)

TASKS = {
    task.name: task
    for task in (
        Task("covtype", "covtype, class 2 against the rest", "covtype-two", ALL_COVTYPE, QUICK),
        Task("flights", "flights, late or not", "flights-late", Size(None, 30), QUICK),
        Task("covtype-classes", "covtype, seven classes", "covtype", Size(None, 20), QUICK),
        Task("mnist-classes", "MNIST, ten classes", "mnist", Size(None, 10), Size(500, 2)),
        Task(
            "covtype-adaboost",
            "covtype, class 2 against the rest, AdaBoost of depth 6",
            "covtype-two",
            ALL_COVTYPE,
            QUICK,
            ours=adaboost(6),
            theirs=leaves(6),
        ),
        Task(
            "mnist-adaboost",
            "MNIST, 0 to 4 against 5 to 9, AdaBoost of depth 4",
            "mnist-halves",
            Size(None, 100),
            Size(500, 2),
            ours=adaboost(4),
            theirs=leaves(4),
        ),
        Task(
            "flights-delay",
            "flights, minutes of delay",
            "flights-delay",
            Size(1_000_000, 100),
            QUICK,
            is_regression=True,
        ),
        Task(
            "covtype-predict",
            "covtype, predicting 200,000 rows by 100 trees",
            "covtype-two",
            ALL_COVTYPE,
            QUICK,
            kind="predict",
        ),
        Task(
            "normals-adaboost",
            "ten million rows of normal numbers, AdaBoost of depth 6",
            "normals",
            Size(10_000_000, 5),
            QUICK,
            kind="rounds",
            ours=adaboost(6),
            theirs=leaves(6),
            is_large=True,
        ),
        Task(
            "normals-logit",
            "ten million rows of normal numbers, rule logit of depth 6",
            "normals",
            Size(10_000_000, 5),
            QUICK,
            kind="rounds",
            ours={"rule": "logit", "max_depth": 6},
            theirs=leaves(6),
            is_large=True,
        ),
        Task("iris", "iris", "iris", SMALL, SMALL_QUICK, is_short=True),
        Task("digits", "digits", "digits", SMALL, SMALL_QUICK, is_short=True),
        Task("adult", "adult", "adult", SMALL, SMALL_QUICK, is_short=True),
        Task("a6a", "a6a, sparse", "a6a", SMALL, SMALL_QUICK, is_short=True),
    )
}
