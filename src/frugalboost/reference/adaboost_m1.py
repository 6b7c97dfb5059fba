"""AdaBoost.M1 as in Table 1 of Margineantu and Dietterich 1997, line by line."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from frugalboost._typing import Ints
from frugalboost.reference.adaboost import Round, leaf_classes
from frugalboost.reference.fixed_point import choose_shift, fixed_point, keep_shift
from frugalboost.reference.rows import class_rows
from frugalboost.reference.splits import Column
from frugalboost.reference.trees import TreeGrower

Draw: TypeAlias = Callable[[int, int, Ints], Ints]
"""Maps the trial t, how many samples it has drawn before, and the weights of all examples to how
often each is in the sample: m examples, with replacement."""

ONE_HALF_BY_ROUNDING = 2.0**-50
"""How far from one half, for each example, rounding of the weights can put an error."""


def adaboost_m1(
    columns: Sequence[Column],
    labels: Ints,
    n_classes: int,
    n_trials: int,
    draw: Draw,
    grower: TreeGrower,
    most_draws: int = 10,
) -> list[Round]:
    """``h_1`` to ``h_T`` with their ``log(1 / beta_t)`` as steps.

    Weights are integers in units that do not matter (`fixed_point`), and instead of multiplying
    the right ones by beta, wrong ones are multiplied by 1 / beta: the same distribution. The table
    would go on for ever if no sample gave a tree of error at most 1/2; here `most_draws` in a row
    for one trial are enough.
    """
    m = len(labels)
    log_weight = np.zeros(m)  # [1]
    shift = choose_shift(np.ones(m))
    rounds: list[Round] = []
    n_drawn = 0
    while len(rounds) < n_trials and n_drawn < most_draws:  # [2]
        weights = np.exp(log_weight)
        shift = keep_shift(shift, weights)
        fixed = fixed_point(weights, shift)  # [3], times their sum
        copies = draw(len(rounds), n_drawn, fixed)
        rows = class_rows("entropy", labels, copies, n_classes)
        tree = grower.grow(rows.take(rows.masses > 0))  # [4]
        classes = leaf_classes(tree)
        said = np.array(classes)[tree.route(columns, m)]
        wrong = said != labels
        error = int(fixed[wrong].sum()) / int(fixed.sum())  # [5]
        n_drawn += 1
        if error - 0.5 > m * ONE_HALF_BY_ROUNDING:  # [7]
            log_weight[:] = 0.0  # [8]
            continue  # [9]
        vote = log_odds(error, m)  # [10]: log(1 / beta)
        log_weight[wrong] += vote  # [11]
        rounds.append(Round(tree, classes, tuple(said.tolist()), vote, error, grower.assessments))
        n_drawn = 0
    return rounds


def log_odds(error: float, m: int) -> float:
    """``log(1 / beta) = log((1 - error) / error)``; with half an example wrong if none is.

    >>> log_odds(0.5, 10), round(log_odds(0.0, 10), 4)  # the second is log 19
    (0.0, 2.9444)
    """
    if abs(error - 0.5) <= m * ONE_HALF_BY_ROUNDING:
        return 0.0
    return math.log((1 - error) / error) if error else math.log(2 * m - 1)
