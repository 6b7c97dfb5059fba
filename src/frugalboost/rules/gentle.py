"""Gentle AdaBoost (Friedman, Hastie, Tibshirani 2000); GAMBLE for more than two classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import Link, criteria_led_by, is_rounding, settle
from frugalboost.rules.classes import ClassRule
from frugalboost.rules.codes import class_codes, code_margin
from frugalboost.rules.held_out import squares_as_leaf
from frugalboost.rules.leaves import add_by_leaf
from frugalboost.rules.losses import exponential_loss, weighted_mean
from frugalboost.rules.problem import LeafSums, Verdict


@dataclass(frozen=True)
class GentleBoost(ClassRule):
    """A leaf takes a (quasi-)Newton step on the exponential loss, so its value is bounded.

    Least squares on the class codes is Gini times a constant, hence the criterion. The state is
    the exponent ``-y . F / K`` alone, (n,) for any number of classes. `Verdict.error` is the mean
    squared error of the leaves' codes, relative to that of guessing: 1 if every leaf is undecided,
    0 if every leaf is pure.

    >>> rule = GentleBoost(n_classes=2, learning_rate=1.0)
    >>> leaves = LeafSums(np.array([[3.0, 1.0], [0.0, 4.0]]), n_rows=8)
    >>> rule.judge(leaves, is_first=True, is_fresh=True).values.ravel()
    array([-0.5,  1. ])
    """

    name: ClassVar[str] = "gentle"
    criteria: ClassVar[tuple[str, ...]] = criteria_led_by("gini")
    default_learning_rate: ClassVar[float] = 0.1

    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        sums = leaves.telling
        total = sums.sum(axis=1, keepdims=True)
        mean_code = (self.n_classes * (sums / total) - 1) / (self.n_classes - 1)
        lost = sums * ((total - sums) / total)
        error = float(lost.sum() / total.sum()) * self.n_classes / (self.n_classes - 1)
        edge = float((np.abs(mean_code) * total).sum() / total.sum())
        return settle(
            mean_code[:, 1:] if self.n_classes == 2 else gamble_values(mean_code),
            self.shrunk(1.0),
            error,
            useless=is_rounding(edge, leaves.n_rows),
            # After a full step nothing is left to learn; shrunken steps still gain confidence.
            perfect=self.learning_rate >= 1 and is_pure(leaves.sums),
            is_first=is_first,
        )

    def judge_rows(
        self, mean_code: Floats, values: Floats, labels: AnyArray, weights: Floats, is_first: bool
    ) -> Verdict:
        """Like `judge`, for a weak learner that has no leaves.

        Parameters
        ----------
        mean_code : (n, K), or (n, 1) of the second class alone for two
            The code that it predicts for each row.
        values : (n, K) or (n, 1)
            What it adds to the decision of each row, before the step.
        """
        lost = ((class_codes(labels, self.n_classes) - mean_code) ** 2).sum(axis=1)
        guessing = 1.0 if self.n_classes == 2 else self.n_classes / (self.n_classes - 1)
        error = weighted_mean(lost, weights) / guessing
        edge = weighted_mean(np.abs(mean_code).sum(axis=1), weights)
        return settle(
            values,
            self.shrunk(1.0),
            error,
            useless=is_rounding(edge, len(labels)),
            perfect=error == 0 and self.learning_rate >= 1,
            is_first=is_first,
        )

    def held_out_loss(self, growing: AnyArray, held: AnyArray, example: float) -> AnyArray:
        """As in `Rule`; here: least squares on the codes, up to a factor."""
        shares = growing / growing.sum(axis=1, keepdims=True)
        return squares_as_leaf(shares, held.sum(axis=1, keepdims=True), held)

    def advance(
        self,
        state: Floats,
        verdict: Verdict,
        leaf_of_row: AnyArray,
        labels: AnyArray,
        n_threads: int = 1,
    ) -> None:
        fall = verdict.step * self._margins(verdict.values)
        add_by_leaf(state, -fall, leaf_of_row, labels, n_threads)

    def loss(self, labels: AnyArray, decision: Floats, sample_weight: Floats) -> float:
        return weighted_mean(exponential_loss(code_margin(decision, labels)), sample_weight)

    @property
    def link(self) -> Link:
        return Link("symmetric", 1 / (self.n_classes - 1))

    def _margins(self, values: Floats) -> Floats:
        """``y . f / K`` of each leaf for each label y: f_y / (K - 1), as the values sum to 0."""
        if self.n_classes == 2:
            return np.hstack([-values, values])
        return values / (self.n_classes - 1)


def is_pure(sums: Floats) -> bool:
    """Whether each leaf holds rows of one class: all its rows, not just those the tree grew on.

    >>> is_pure(np.array([[3.0, 0.0], [0.0, 4.0]])), is_pure(np.array([[3.0, 1.0]]))
    (True, False)
    """
    return bool((np.count_nonzero(sums, axis=1) == 1).all())


def gamble_values(mean_code: Floats) -> Floats:
    """GAMBLE's leaf values (Algorithm 2, steps b and c) from the mean codes ``g``.

    >>> gamble_values(np.array([[1.0, -0.5, -0.5]]))
    array([[ 6., -3., -3.]])
    """
    K = mean_code.shape[1]
    # (K - 2) * g + 1 >= 1 / (K - 1) because g >= -1 / (K - 1) (Result 3), so no guard is needed.
    ratio = K * (K - 1) * mean_code / ((K - 2) * mean_code + 1)
    return np.asarray(ratio - ratio.mean(axis=1, keepdims=True))


def gamble_values_of_both(mean_code: Floats, mean_square: Floats) -> Floats:
    """The same from two regressions, on the codes and on their squares (Algorithm 1).

    >>> gamble_values_of_both(np.array([[1.0, -0.5, -0.5]]), np.array([[1.0, 0.25, 0.25]]))
    array([[ 6., -3., -3.]])
    """
    ratio = mean_code.shape[1] * mean_code / mean_square
    return np.asarray(ratio - ratio.mean(axis=1, keepdims=True))
