"""Pairs of a row and a class: is this the row's class, or not?

For two classes one question is enough (is it the second?), so the layout is "classes" and there
is one pair per row. For K > 2 there are K pairs per row, in the layout "votes". The functions here
hide the difference: arrays over pairs are (n,) or (n, K), over leaves (n_leaves, 1) or
(n_leaves, K).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import Link, Rule, is_rounding, perfect_log_odds, settle
from frugalboost.rules.held_out import votes_as_leaf
from frugalboost.rules.losses import (
    exponential_loss,
    logistic_loss,
    truncated_loss,
    weighted_mean,
)
from frugalboost.rules.problem import Layout, LeafSums, TreeProblem, Verdict
from frugalboost.rules.weights import WeightFunction, pair_weights


def pair_margins(scores: Floats, labels: AnyArray) -> Floats:
    """Scores with the sign that makes "right" positive.

    >>> pair_margins(np.array([[1.0, 2.0, -3.0]]), np.array([1]))
    array([[-1.,  2.,  3.]])
    """
    if scores.ndim == 1:
        return np.asarray((2 * labels - 1) * scores)
    margins = -scores
    rows = np.arange(len(scores))
    margins[rows, labels] = scores[rows, labels]
    return margins


def pair_misses(votes: Floats) -> Floats:
    """1 for each leaf, label and vote that is wrong, else 0: (n_leaves, 2) for one vote per leaf,
    else (n_leaves, K, K).

    >>> pair_misses(np.array([[1.0, -1.0, -1.0]]))[0]
    array([[0., 0., 0.],
           [1., 1., 0.],
           [1., 0., 1.]])
    """
    if votes.shape[1] == 1:
        return np.where(np.hstack([votes > 0, votes <= 0]), 1.0, 0.0)
    truth = np.eye(votes.shape[1], dtype=bool)
    return np.where((votes > 0)[:, np.newaxis, :] == truth, 0.0, 1.0)


@dataclass(frozen=True)
class PairSums:
    """Weight in each leaf of the pairs whose answer is no (`minus`) and yes (`plus`)."""

    minus: Floats  # (n_leaves, V)
    plus: Floats  # (n_leaves, V)
    n_pairs: int
    n_examples: float  # pairs as smoothing counts them; see LeafSums
    grown: tuple[Floats, Floats] | None = None  # minus and plus if the tree grew on some rows

    @classmethod
    def from_leaves(cls, leaves: LeafSums) -> PairSums:
        """Read either layout."""
        K = 1 if leaves.sums.ndim == 2 else leaves.sums.shape[2]
        grown = None if leaves.grown is None else split_pairs(leaves.grown)
        return cls(*split_pairs(leaves.sums), leaves.n_rows * K, leaves.size * K, grown)

    @property
    def telling(self) -> tuple[Floats, Floats]:
        """Minus and plus that decide the leaf values."""
        return (self.minus, self.plus) if self.grown is None else self.grown

    @property
    def total(self) -> float:
        """Weight of all pairs."""
        return float(self.minus.sum() + self.plus.sum())

    @property
    def signs(self) -> Floats:
        """The better answer, +1 for yes and -1 for no; a tie is a no."""
        minus, plus = self.telling
        return np.where(plus > minus, 1.0, -1.0)

    @property
    def right(self) -> float:
        """Weight the answers get right."""
        return float(np.where(self.signs > 0, self.plus, self.minus).sum())

    @property
    def wrong(self) -> float:
        """Weight the answers get wrong."""
        return float(np.where(self.signs > 0, self.minus, self.plus).sum())

    @property
    def error(self) -> float:
        """Weighted share of wrong answers."""
        return self.wrong / self.total

    @property
    def log_odds(self) -> float:
        """``ln((1 - err) / err)``, finite for a perfect tree as well."""
        if self.is_perfect:
            return perfect_log_odds(self.n_examples)
        return math.log(self.right) - math.log(self.wrong)

    @property
    def is_perfect(self) -> bool:
        """No pair is wrong."""
        return self.wrong == 0

    @property
    def is_chance(self) -> bool:
        """No answer beats its opposite: all together, no more than half are right."""
        edge = float((self.signs * (self.plus - self.minus)).sum()) / self.total
        return is_rounding(edge, self.n_pairs)


def split_pairs(sums: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Weight of the pairs whose answer is no and yes, (n_leaves, V) each, from either layout."""
    if sums.ndim == 2:
        return sums[:, :1], sums[:, 1:]
    # Totals and pluses are conversions of integers with plus <= total, and conversion keeps the
    # order: the difference is never negative.
    return sums[:, 0] - sums[:, 1], sums[:, 1]


LOSSES: dict[WeightFunction, Callable[[Floats], Floats]] = {
    "exponential": exponential_loss,
    "truncated": truncated_loss,
    "logistic": logistic_loss,
}


@dataclass(frozen=True)
class PairRule(Rule):
    """What the rules on pairs have in common: the layout, and a state of scores, (n,) or (n, K)."""

    weight: ClassVar[WeightFunction]
    """Of a pair's margin; the loss is the one whose derivative it is."""

    @property
    def layout(self) -> Layout:
        return "classes" if self.n_classes == 2 else "votes"

    @property
    def state_is_per_class(self) -> bool:
        return self.n_classes > 2

    def problem(
        self, state: Floats, labels: AnyArray, sample_weight: Floats, n_threads: int = 1
    ) -> TreeProblem:
        weights = pair_weights(self.weight, state, labels, sample_weight, n_threads)
        return TreeProblem(self.layout, weights)

    def loss(self, labels: AnyArray, decision: Floats, sample_weight: Floats) -> float:
        return weighted_mean(LOSSES[self.weight](pair_margins(decision, labels)), sample_weight)

    @property
    def link(self) -> Link:
        # The decision with the least expected loss is half the log odds of yes, or all of them.
        return Link("one_against_rest", 2.0 if self.weight == "exponential" else 1.0)


@dataclass(frozen=True)
class VoteRule(PairRule):
    """Leaves answer yes or no for each class, with AdaBoost's step for all."""

    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        pairs = PairSums.from_leaves(leaves)
        return settle(
            pairs.signs,
            self.shrunk(pairs.log_odds / 2),
            pairs.error,
            useless=pairs.is_chance,
            perfect=pairs.is_perfect,
            is_first=is_first,
        )

    def held_out_loss(self, growing: AnyArray, held: AnyArray, example: float) -> AnyArray:
        """As in `Rule`; here: the weight of the wrong answers."""
        return votes_as_leaf(split_pairs(growing), split_pairs(held))
