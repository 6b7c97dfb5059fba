"""Confidence-rated AdaBoost (Schapire, Singer 1999); AdaBoost.MH with real-valued leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import criteria_led_by, settle
from frugalboost.rules.held_out import exponential_of_pairs
from frugalboost.rules.pairs import PairRule, PairSums, split_pairs
from frugalboost.rules.problem import LeafSums, Verdict
from frugalboost.rules.weights import WeightFunction

SMOOTHING = 0.5
"""Weight added to both sides of a leaf, in average pairs (total weight / number of pairs).

A pure leaf's value would otherwise be infinite. Schapire and Singer (section 4.2) add weight of
the order of one example, 1 / n of the total; half of one is what the step of a perfect tree
assumes. No leaf value then exceeds ``ln(2 n + 1) / 2``.
"""


@dataclass(frozen=True)
class OddsRule(PairRule):
    """Leaves are valued at half their log odds, with step 1; the error is the normaliser."""

    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        pairs = PairSums.from_leaves(leaves)
        normaliser = float((2 * np.sqrt(pairs.plus) * np.sqrt(pairs.minus)).sum())
        return settle(
            smoothed_log_odds(pairs) / 2,
            self.shrunk(1.0),
            normaliser / pairs.total,
            useless=pairs.is_chance,
            # After a full step nothing is left to learn; shrunken steps still gain confidence.
            perfect=pairs.is_perfect and self.learning_rate >= 1,
            is_first=is_first,
        )

    def held_out_loss(self, growing: AnyArray, held: AnyArray, example: float) -> AnyArray:
        """As in `Rule`; here: the exponential loss."""
        minus, plus = split_pairs(growing)
        values = log_odds(minus, plus, example / plus.shape[1]) / 2
        return exponential_of_pairs(values, *split_pairs(held))


@dataclass(frozen=True)
class RealAdaBoost(OddsRule):
    """Leaf values are ``1/2 ln((W+ + eps) / (W- + eps))``, one per class for more than two.

    `Verdict.error` is the normaliser ``Z = sum of 2 sqrt(W+ W-)`` as a share of the total weight:
    1 for a useless tree, 0 if every leaf is pure.

    >>> rule = RealAdaBoost(n_classes=2, learning_rate=1.0)
    >>> leaves = LeafSums(np.array([[4.0, 1.0], [0.0, 5.0]]), n_rows=10)
    >>> verdict = rule.judge(leaves, is_first=True, is_fresh=True)
    >>> verdict.values.ravel().round(3), verdict.error
    (array([-0.549,  1.199]), 0.4)
    """

    name: ClassVar[str] = "real"
    criteria: ClassVar[tuple[str, ...]] = criteria_led_by("z")
    default_learning_rate: ClassVar[float] = 0.1
    weight: ClassVar[WeightFunction] = "exponential"

    @property
    def tells_rise(self) -> bool:
        return self.n_classes == 2

    def rise(self, verdict: Verdict) -> Floats | None:
        if not self.tells_rise:
            return None
        raised = verdict.step * verdict.values
        return np.hstack([raised, -raised])


def smoothed_log_odds(pairs: PairSums) -> Floats:
    """Log odds of yes against no in each leaf, with `SMOOTHING`."""
    return log_odds(*pairs.telling, pairs.total / pairs.n_examples)


def log_odds(minus: AnyArray, plus: AnyArray, pair: float) -> Floats:
    """Log odds of yes against no, smoothed; an average pair weighs `pair`."""
    smoothing = SMOOTHING * pair
    return np.asarray(np.log(plus + smoothing) - np.log(minus + smoothing))
