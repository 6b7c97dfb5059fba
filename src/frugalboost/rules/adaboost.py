"""Discrete AdaBoost (Freund, Schapire); SAMME (Zhu et al.) for more than two classes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import Link, criteria_led_by, settle
from frugalboost.rules.classes import NamingRule
from frugalboost.rules.codes import ClassTally, code_margin, rise_of_misses
from frugalboost.rules.losses import exponential_loss, weighted_mean
from frugalboost.rules.problem import LeafSums, Verdict


@dataclass(frozen=True)
class AdaBoost(NamingRule):
    """Each leaf names its heaviest class; the step minimises the exponential loss.

    The state is AdaBoost's growing form: the log weight of a row rises when a tree gets it wrong
    and stays the same, bit for bit, when it is right. It differs from ``-y . F / K`` by the same
    constant in all rows, so the weights are the same up to a common factor. `Verdict.error` is
    the weighted error.

    >>> import numpy as np
    >>> rule = AdaBoost(n_classes=2, learning_rate=1.0)
    >>> leaves = LeafSums(np.array([[3.0, 1.0], [0.0, 4.0]]), n_rows=8)
    >>> verdict = rule.judge(leaves, is_first=True, is_fresh=True)
    >>> verdict.values.ravel(), verdict.error, round(verdict.step, 3)
    (array([-1.,  1.]), 0.125, 0.973)
    """

    name: ClassVar[str] = "adaboost"
    criteria: ClassVar[tuple[str, ...]] = criteria_led_by("error")
    default_learning_rate: ClassVar[float] = 1.0

    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        K = self.n_classes
        tally = ClassTally.from_leaves(leaves)
        step = (K - 1) ** 2 / K * (tally.log_odds + math.log(K - 1))
        return settle(
            tally.codes,
            self.shrunk(step),
            tally.error,
            useless=tally.is_chance(1 / K),
            perfect=tally.is_perfect,
            is_first=is_first,
        )

    def rise(self, verdict: Verdict) -> Floats:
        # A right and a wrong answer differ by K^2 / (K - 1)^2 in y . g, by this in -y . F / K.
        deficit = verdict.step * self.n_classes / (self.n_classes - 1) ** 2
        return rise_of_misses(verdict.values, deficit)

    def loss(self, labels: AnyArray, decision: Floats, sample_weight: Floats) -> float:
        return weighted_mean(exponential_loss(code_margin(decision, labels)), sample_weight)

    @property
    def link(self) -> Link:
        return Link("symmetric", 1 / (self.n_classes - 1))
