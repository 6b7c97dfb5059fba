"""Which features and rows a round uses: drawn, trimmed by weight, or copied."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Ints, Rows
from frugalboost.data import BinnedDataset
from frugalboost.rules import LeafSums
from frugalboost.tree import AnyProblem, FixedProblem, Scale
from frugalboost.tree.fixed_point import kept_exponent, total_weight

DRAWS = 10
"""Useless trees in a row after which boosting ends even if other subsets could be drawn."""


@dataclass(frozen=True)
class SubsetPlan:
    """How much of the table each round uses.

    Attributes
    ----------
    feature_fraction : float
        Share of the features, drawn anew for each round (LazyBoost).
    sample_fraction : float
        Share of the rows, drawn anew for each round without replacement (StochasticBoost).
    weight_trim : float or None
        Only the heaviest of these rows are used, which together hold this share of the weight
        (Weight-Trimming).
    resample : bool or int
        How many copies of rows to draw by weight with replacement: True for as many as there are
        rows, C for ``C log(t + 1)`` in round t.
    pruning_fraction : float or None
        Share of the remaining rows that is held out from growing, to prune the tree with.
    seed : tuple of int
        A round's draws depend on this and on the number of the round.
    """

    feature_fraction: float = 1.0
    sample_fraction: float = 1.0
    weight_trim: float | None = None
    seed: tuple[int, ...] = (0,)
    resample: bool | int = False
    pruning_fraction: float | None = None

    @property
    def is_random(self) -> bool:
        return (
            self.feature_fraction < 1
            or self.sample_fraction < 1
            or self.resample is not False
            or self.pruning_fraction is not None
        )

    @property
    def is_everything(self) -> bool:
        return not self.is_random and self.weight_trim is None


EVERYTHING = SubsetPlan()


class Subset(NamedTuple):
    """Features and rows, ascending; None stands for all.

    `held` are rows to prune with, None for no pruning. `drawn` is the problem of the copies where
    rows were drawn by weight; None: the round's own.
    """

    features: Rows | None = None
    rows: Rows | None = None
    held: Rows | None = None
    drawn: FixedProblem | None = None


class Subsets:
    """The subsets of successive rounds."""

    def __init__(self, plan: SubsetPlan, dataset: BinnedDataset, n_threads: int = 1) -> None:
        self._plan, self._n_rows, self._n_threads = plan, dataset.n_rows, n_threads
        # A constant feature cannot split anything.
        self._features = np.flatnonzero(dataset.n_bins + dataset.has_missing > 1).astype(np.uint32)
        self._round = self._attempt = 0

    @property
    def is_everything(self) -> bool:
        return self._plan.is_everything

    @property
    def draws_copies(self) -> bool:
        return self._plan.resample is not False

    @property
    def can_redraw(self) -> bool:
        """Whether another subset may be better than the last, and not too many have been tried."""
        return self._plan.is_random and self._attempt < DRAWS

    def note_end(self, subset: Subset, labels: AnyArray | None) -> None:
        """Warn if boosting ends because trimming has left rows of a single class."""
        if self._plan.weight_trim is None or labels is None or subset.rows is None:
            return
        if len(np.unique(labels[subset.rows])) == 1:
            warnings.warn(
                f"weight_trim={self._plan.weight_trim} left rows of one class only in round "
                f"{self._round + 1}; boosting ended there.",
                stacklevel=2,
            )

    def keep(self) -> None:
        """Go on to the next round: this one has its tree."""
        self._round += 1
        self._attempt = 0

    def next(self, problem: AnyProblem) -> Subset:
        """The subset on which to grow a tree for this round."""
        plan = self._plan
        if plan.is_everything:
            return Subset()
        # By the number of the round: a resumed fit draws what an uninterrupted one would.
        random = np.random.default_rng([*plan.seed, self._round, self._attempt])
        self._attempt += 1
        features = draw(random, self._features, plan.feature_fraction)
        rows, drawn = self._rows(random, problem)
        rows, held = self._split(random, rows)
        return Subset(features, rows, held, drawn)

    def _rows(
        self, random: np.random.Generator, problem: AnyProblem
    ) -> tuple[Rows | None, FixedProblem | None]:
        """Rows to grow on and to prune with, and the problem of their copies."""
        plan = self._plan
        if plan.resample is not False:
            n = count_copies(plan.resample, self._n_rows, self._round + 1)
            rows, copies = draw_copies(random, problem.mass, n)
            return rows, problem_of_copies(problem, rows, copies)
        some = draw(random, np.arange(self._n_rows, dtype=np.uint32), plan.sample_fraction)
        if plan.weight_trim is None:
            return some, None
        heaviest = native.heaviest_rows(problem.mass, plan.weight_trim, some, self._n_threads)
        # If all rows have mass zero, none is among the heaviest, and a tree needs some.
        return heaviest if len(heaviest) else some, None

    def _split(
        self, random: np.random.Generator, rows: Rows | None
    ) -> tuple[Rows | None, Rows | None]:
        """Rows to grow on and rows to prune with, all copies of a row on one side."""
        fraction = self._plan.pruning_fraction
        if fraction is None:
            return rows, None
        if rows is None:
            rows = np.arange(self._n_rows, dtype=np.uint32)
        if len(rows) == 1:  # needed to grow on
            return rows, None
        is_held = np.zeros(len(rows), dtype=bool)
        n_held = min(n_drawn(len(rows), fraction), len(rows) - 1)
        is_held[random.choice(len(rows), n_held, replace=False)] = True
        return rows[~is_held], rows[is_held]


def n_drawn(n: int, fraction: float) -> int:
    """The number that a fraction of `n` amounts to: rounded, at least one.

    >>> n_drawn(10, 0.25), n_drawn(3, 0.01)
    (2, 1)
    """
    return max(1, round(fraction * n))


def draw(random: np.random.Generator, of: Rows, fraction: float) -> Rows | None:
    """Some of the numbers, ascending; None for all."""
    if fraction == 1 or len(of) == 0:
        return None
    return np.sort(random.choice(of, n_drawn(len(of), fraction), replace=False))


def in_order(rows: Rows, subset: Rows | None) -> Rows:
    """Those of `rows` that are in the subset, in the order of `rows`."""
    if subset is None:
        return rows
    is_in = np.zeros(len(rows), dtype=bool)
    is_in[subset] = True
    return rows[is_in[rows]]


FEWEST_COPIES = 2
"""With a single example there would be nothing to separate."""


def count_copies(resample: bool | int, n_rows: int, number: int) -> int:
    """Copies to draw in round `number`, counted from 1: as many as rows, or C log(t + 1).

    >>> count_copies(True, 1000, 1), [count_copies(300, 1000, t) for t in (1, 2, 500)]
    (1000, [208, 330, 1865])
    """
    if resample is True:
        return n_rows
    return max(FEWEST_COPIES, math.ceil(resample * math.log(number + 1)))


def draw_copies(random: np.random.Generator, mass: Ints, n: int) -> tuple[Rows, Ints]:
    """Draw `n` times with replacement, by mass; return the rows, ascending, and their counts.

    In integers, so that a row of one unit in 2^60 is drawn as often as it should be.
    """
    ends = np.cumsum(mass)
    drawn = np.searchsorted(ends, random.integers(ends[-1], size=n), side="right")
    rows, copies = np.unique(drawn, return_counts=True)
    return rows.astype(np.uint32), copies.astype(np.int64)


def problem_of_copies(problem: AnyProblem, rows: Rows, copies: Ints) -> FixedProblem:
    """The problem in which a row's weight is its number of copies, 0 if it was not drawn.

    If a row has a weight for each class, those of a copy sum to 1, in the row's proportions.
    """
    labels = problem.labels
    assert labels is not None  # used only where trees separate classes
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
    """Weight of an average example that a tree grows on, in units of its problem: a copy if any."""
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
    """What a rule judges if a tree grew on copies.

    A copy weighs as much as an average example, so a leaf is smoothed by a fraction of a copy.
    """
    scale = problem.scale
    total = math.ldexp(total_weight(scale, sums_of_all), -scale.exponents[0])
    grown = drawn.scale.numbers(sums) * (total / n_examples)
    return LeafSums(scale.numbers(sums_of_all), n_rows, n_examples, grown, is_drawn=True)
