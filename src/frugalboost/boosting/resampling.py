"""Copies of rows drawn by weight: what a tree grows on that is to know of weights by numbers."""

from __future__ import annotations

import math

import numpy as np

from frugalboost import native
from frugalboost._typing import Ints, Rows
from frugalboost.rules import LeafSums
from frugalboost.tree import AnyProblem, FixedProblem, Scale
from frugalboost.tree.fixed_point import kept_exponent
from frugalboost.tree.sums import total_weight

FEWEST_COPIES = 2
"""One example would tell nothing apart."""


def count_copies(resample: bool | int, n_rows: int, number: int) -> int:
    """Copies to draw in round `number`, counted from 1: as many as rows, or C log(t + 1).

    >>> count_copies(True, 1000, 1), [count_copies(300, 1000, t) for t in (1, 2, 500)]
    (1000, [208, 330, 1865])
    """
    if resample is True:
        return n_rows
    return max(FEWEST_COPIES, math.ceil(resample * math.log(number + 1)))


def draw_copies(random: np.random.Generator, mass: Ints, n: int) -> tuple[Rows, Ints]:
    """Draw `n` times with replacement, by mass: the rows drawn, ascending, and how often.

    In integers, so that a row of one unit in 2^60 is drawn as often as it should be.
    """
    ends = np.cumsum(mass)
    drawn = np.searchsorted(ends, random.integers(ends[-1], size=n), side="right")
    rows, copies = np.unique(drawn, return_counts=True)
    return rows.astype(np.uint32), copies.astype(np.int64)


def problem_of_copies(problem: AnyProblem, rows: Rows, copies: Ints) -> FixedProblem:
    """The problem in which a row weighs as much as it has copies, 0 where it was not drawn.

    Where a row has a weight for each class, those of a copy sum to 1, divided as the row's are.
    """
    labels = problem.labels
    assert labels is not None  # asked for only where trees separate classes
    codes = labels.astype(np.uint32, copy=False)
    mass = np.zeros(problem.n_rows, dtype=np.int64)
    if problem.scale.layout == "classes":
        mass[rows] = copies
        scale = Scale("classes", problem.scale.n_outputs, (0, 0))
        return FixedProblem(scale, mass[:, np.newaxis], mass, codes)
    exponent = kept_exponent(float(copies.sum()), None)
    weights = np.zeros(problem.weights.shape, dtype=np.int64)
    shares = problem.weights[rows] / problem.mass[rows][:, np.newaxis]
    weights[rows], mass[rows] = native.votes_to_fixed(shares * copies[:, np.newaxis], exponent)
    scale = Scale("votes", problem.scale.n_outputs, (exponent, exponent))
    return FixedProblem(scale, weights, mass, codes)


def weight_of_example(
    problem: AnyProblem, drawn: FixedProblem | None, sums_of_all: Ints, n_examples: float
) -> float:
    """Weight of an average example of what a tree grows on, in its units: a copy if any."""
    if drawn is not None:
        return math.ldexp(1.0, drawn.scale.exponents[0])
    return total_weight(problem.scale, sums_of_all) / n_examples


def leaf_sums_of_copies(
    problem: AnyProblem,
    drawn: FixedProblem,
    sums: Ints,
    sums_of_all: Ints,
    n_rows: int,
    n_examples: float,
) -> LeafSums:
    """What a rule judges where a tree grew on copies.

    A copy weighs as much as an average example, so that the smoothing of a leaf is part of a copy.
    """
    scale = problem.scale
    total = math.ldexp(total_weight(scale, sums_of_all), -scale.exponents[0])
    grown = drawn.scale.numbers(sums) * (total / n_examples)
    return LeafSums(scale.numbers(sums_of_all), n_rows, n_examples, grown, is_drawn=True)
