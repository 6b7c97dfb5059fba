"""MadaBoost (Domingo, Watanabe 2000): AdaBoost with weights capped at their initial value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import Link, criteria_led_by
from frugalboost.rules.losses import truncated_loss, weighted_mean
from frugalboost.rules.pairs import PairRule, pair_margins
from frugalboost.rules.problem import LeafSums, TreeProblem, Verdict
from frugalboost.rules.weights import pair_weights


@dataclass(frozen=True)
class MadaBoost(PairRule):
    """AdaBoost's leaves and step with truncated weights ``min(1, exp(-y F))``.

    The link is ``sigmoid(F)``: where the expected loss is smallest, its derivative is zero, so for
    F > 0 ``p exp(-F) = 1 - p`` with p the probability of the second class. For more than two
    classes each class is set against the rest, with one step for all. `Verdict.error` is the
    weighted share of wrong answers.
    """

    name: ClassVar[str] = "mada"
    criteria: ClassVar[tuple[str, ...]] = criteria_led_by("error")
    default_learning_rate: ClassVar[float] = 1.0

    def problem(
        self, state: Floats, labels: AnyArray, sample_weight: Floats, n_threads: int = 1
    ) -> TreeProblem:
        weights = pair_weights("truncated", state, labels, sample_weight, n_threads)
        return TreeProblem(self.layout, weights)

    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        return self.judge_votes(leaves, is_first)

    def loss(self, labels: AnyArray, decision: Floats, sample_weight: Floats) -> float:
        return weighted_mean(truncated_loss(pair_margins(decision, labels)), sample_weight)

    @property
    def link(self) -> Link:
        return Link("one_against_rest", 1.0)
