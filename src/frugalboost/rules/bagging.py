"""Bagging (Breiman 1996): trees on bootstrap samples, one vote each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import Link, criteria_led_by
from frugalboost.rules.classes import NamingRule
from frugalboost.rules.codes import ClassTally
from frugalboost.rules.losses import weighted_mean
from frugalboost.rules.problem import Action, LeafSums, TreeProblem, Verdict


@dataclass(frozen=True)
class Bagging(NamingRule):
    """Weights never change and every tree is kept: trees differ only in what is drawn for them.

    A leaf's value is the one-hot vector of its class, for two classes -1 or 1: whole numbers, so
    that equal votes are equal. Probabilities come from the mean over the trees, which is the share
    of the votes. `Verdict.error` is the weighted error of the tree.

    >>> rule = Bagging(n_classes=3, learning_rate=1.0)
    >>> leaves = LeafSums(np.array([[3.0, 1.0, 0.0], [0.0, 0.0, 4.0]]), n_rows=8)
    >>> verdict = rule.judge(leaves, is_first=True, is_fresh=True)
    >>> verdict.values.tolist(), verdict.step, verdict.error
    ([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], 1.0, 0.125)
    """

    name: ClassVar[str] = "bagging"
    criteria: ClassVar[tuple[str, ...]] = criteria_led_by("gain_ratio")
    default_learning_rate: ClassVar[float] = 1.0

    def problem(
        self, state: Floats, labels: AnyArray, sample_weight: Floats, n_threads: int = 1
    ) -> TreeProblem:
        return TreeProblem("classes", sample_weight)

    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        tally = ClassTally.from_leaves(leaves)
        values = tally.codes if self.n_classes == 2 else (tally.codes == 1).astype(np.float64)
        return Verdict(values, self.learning_rate, tally.error, Action.KEEP)

    def rise(self, verdict: Verdict) -> Floats:
        return np.zeros((len(verdict.values), self.n_classes))

    def advance(
        self,
        state: Floats,
        verdict: Verdict,
        leaf_of_row: AnyArray,
        labels: AnyArray,
        n_threads: int = 1,
    ) -> None:
        """Nothing changes."""

    def loss(self, labels: AnyArray, decision: Floats, sample_weight: Floats) -> float:
        """Weighted share of rows that the vote gets wrong."""
        named = decision.argmax(axis=1) if decision.ndim == 2 else (decision > 0).astype(np.int64)
        return weighted_mean((named != labels).astype(np.float64), sample_weight)

    @property
    def link(self) -> Link:
        return Link("shares")
