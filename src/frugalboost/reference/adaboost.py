"""AdaBoost with fixed-point weights: two classes, and SAMME for more."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from frugalboost._typing import Floats, Ints
from frugalboost.reference.fixed_point import choose_shift, fixed_point, keep_shift
from frugalboost.reference.rows import class_rows
from frugalboost.reference.searches import Search, exhaustive
from frugalboost.reference.splits import Column
from frugalboost.reference.subsets import Subset, everything
from frugalboost.reference.trees import Node, TreeGrower


@dataclass(frozen=True)
class Round:
    """A tree, the class that each of its leaves predicts (left to right), and its step.

    For two classes, a leaf adds ``step`` to the decision for class 1, or subtracts it; for more,
    it adds ``step`` to its class.
    """

    tree: Node
    leaf_classes: tuple[int, ...]
    said: tuple[int, ...]  # predicted class of every training row
    step: float
    error: float
    assessments: int


def adaboost(
    columns: Sequence[Column],
    labels: Ints,
    n_classes: int,
    n_rounds: int,
    sample_weight: Floats | None = None,
    criterion: str = "error",
    search: Search = exhaustive,
    learning_rate: float = 1.0,
    max_depth: int | None = 1,
    max_leaf_nodes: int | None = None,
    min_samples_leaf: int = 1,
    subset: Subset = everything,
) -> list[Round]:
    """Boost, in the growing form: a right answer keeps its weight, a wrong one gains.

    Stops at a tree without error, whose step is as if half a row were wrong, and before a tree no
    better than chance. `subset` selects the features and rows to grow each tree on; the error is
    always that on all rows.
    """
    first_weight = np.ones(len(labels)) if sample_weight is None else sample_weight
    log_weight = np.zeros(len(labels))
    shift = choose_shift(first_weight)
    rounds: list[Round] = []
    for number in range(n_rounds):
        weights = first_weight * np.exp(log_weight)
        shift = keep_shift(shift, weights)
        rows = class_rows(criterion, labels, fixed_point(weights, shift), n_classes)
        chosen, grown_on = subset(number, columns, rows)
        grower = TreeGrower(chosen, search, max_depth, max_leaf_nodes, min_samples_leaf)
        tree = grower.grow(grown_on)
        said = np.array(leaf_classes(tree))[tree.route(columns, len(labels))]
        wrong, total = int(rows.masses[(said != labels)[rows.index]].sum()), sum(rows.cell)
        log_odds = learning_rate * log_odds_of(wrong, total, n_classes, len(labels))
        if log_odds <= 0:
            break
        step = log_odds / 2 if n_classes == 2 else log_odds
        classes, error = leaf_classes(tree), wrong / total
        rounds.append(Round(tree, classes, tuple(said.tolist()), step, error, grower.assessments))
        if wrong == 0:
            break
        log_weight[said != labels] += log_odds
    return rounds


def log_odds_of(wrong: int, total: int, n_classes: int, n_rows: int) -> float:
    """``ln((1 - err) / err) + ln(K - 1)``; zero at chance.

    >>> round(log_odds_of(1, 4, 2, 10), 4)  # ln 3
    1.0986
    """
    odds = (total - wrong) / wrong if wrong else 2 * n_rows - 1
    return math.log(odds) + math.log(n_classes - 1)


def leaf_classes(tree: Node) -> tuple[int, ...]:
    """The heaviest class of every leaf; ties go to the lowest class."""
    return tuple(leaf.rows.cell.index(max(leaf.rows.cell)) for leaf in tree.leaves())


def decision(rounds: Sequence[Round], n_rows: int, n_classes: int) -> Floats:
    """Decision on the training rows: (n,) for two classes, else (n, K)."""
    votes = np.zeros((n_rows, n_classes))
    for round_ in rounds:
        votes[np.arange(n_rows), round_.said] += round_.step
    return votes[:, 1] - votes[:, 0] if n_classes == 2 else votes
