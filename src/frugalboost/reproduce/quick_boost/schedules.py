"""Figure 4: what the quick search costs, by its first subset and the number of the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from frugalboost import native
from frugalboost._typing import Rows
from frugalboost.boosting import TrainingData
from frugalboost.boosting.state import replayed
from frugalboost.reproduce.fits import make_model
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source
from frugalboost.tree import AnyProblem, TreeGrower, TreePlan

MASSES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
STEPS = (1, 2, 5, 10, 20, 50, 100)
DEPTHS = (1, 2, 4)
LENGTHS = (20, 200, 2000)
"""Trees of the runs."""
LOOKS = 10
"""Rounds of a run that are searched again with every schedule, in even steps."""


class Operations(NamedTuple):
    """Of trees grown with one schedule: by the search and by an exhaustive one."""

    assessments: int = 0
    scans: int = 0
    full: int = 0
    full_scans: int = 0

    def plus(self, other: Operations) -> Operations:
        return Operations(*(a + b for a, b in zip(self, other, strict=True)))


def schedule_costs(source: Source, depth: int, rounds: int, n_threads: int) -> Result:
    """Fit once, then search some of its rounds again with every schedule.

    The cost of a run of n trees is that of the rounds looked at up to its end.
    """
    model = make_model(depth, rounds, n_jobs=n_threads).fit(source.binned, source.y_train)
    lengths = sorted({min(length, len(model.ledger_)) for length in LENGTHS})
    looks = {length: rounds_of(length) for length in lengths}
    costs = costs_by_round(source, model, set().union(*looks.values()), n_threads)
    runs = {}
    for length, numbers in looks.items():
        total = [[Operations()] * len(STEPS) for _ in MASSES]
        for number in numbers:
            total = [
                [so_far.plus(each) for so_far, each in zip(*rows, strict=True)]
                for rows in zip(total, costs[number], strict=True)
            ]
        some = total[0][0]  # a tree's exhaustive search does not depend on the schedule
        runs[str(length)] = {
            "assessments": [[each.assessments for each in row] for row in total],
            "scans": [[each.scans for each in row] for row in total],
            "full": some.full,
            "full_scans": some.full_scans,
        }
    return {"masses": list(MASSES), "steps": list(STEPS), "runs": runs}


def rounds_of(length: int) -> list[int]:
    """
    >>> rounds_of(20)
    [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]
    """
    step = max(1, length // LOOKS)
    return list(range(step, length + 1, step))


def costs_by_round(
    source: Source, model: Any, numbers: set[int], n_threads: int
) -> dict[int, list[list[Operations]]]:
    """By round: a row for each first mass, a cell for each number of subsets."""
    depth = model.max_depth
    growers = [[grower(source, depth, mass, n, n_threads) for n in STEPS] for mass in MASSES]
    return {
        number: [[operations(each, problem, rows) for each in row] for row in growers]
        for number, problem, rows in ordered_problems(source, model, n_threads)
        if number in numbers
    }


def ordered_problems(
    source: Source, model: Any, n_threads: int
) -> Iterator[tuple[int, AnyProblem, Rows]]:
    """The problem of each round, and its rows as the fit had them: those of equal weight in the
    order of the round before, which decides which of them belong to a subset."""
    codes, leaves = source.codes, model.apply(source.X_train)
    data = TrainingData(source.binned, codes, np.ones(len(codes)))
    rows = np.arange(len(codes), dtype=np.uint32)
    group = np.zeros(len(codes), dtype=np.int32)
    for index, state in enumerate(replayed(model, data, leaves)):
        problem = state.problem()
        n_groups = int(group.max()) + 1
        rows = native.merge_by_mass(rows, problem.mass, group, n_groups, n_threads)
        yield index + 1, problem, rows
        leaf_of_row = model.estimators_[index].leaf_number[leaves[:, index]]
        group = (2 * leaf_of_row + codes).astype(np.int32)


def grower(source: Source, depth: int, mass: float, n_steps: int, n_threads: int) -> TreeGrower:
    plan = TreePlan(
        "error",
        search="quick",
        max_depth=depth,
        quick_mass=mass,
        quick_steps=n_steps,
        n_threads=n_threads,
    )
    return TreeGrower(source.binned, plan)


def operations(of: TreeGrower, problem: AnyProblem, rows: Rows) -> Operations:
    nodes = of.grow(problem, rows, "quick").nodes
    return Operations(nodes.assessments, nodes.scans, nodes.full, nodes.full_scans)
