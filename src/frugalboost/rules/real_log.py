"""AdaBoost-LOG with confidence-rated leaves (Collins, Schapire, Singer 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import Link, criteria_led_by
from frugalboost.rules.losses import logistic_loss, weighted_mean
from frugalboost.rules.pairs import PairRule, pair_margins
from frugalboost.rules.problem import LeafSums, TreeProblem, Verdict
from frugalboost.rules.real import held_out_odds, judge_odds
from frugalboost.rules.weights import pair_weights


@dataclass(frozen=True)
class RealAdaBoostLog(PairRule):
    """Leaves as in `RealAdaBoost`, with the logistic weights of `AdaBoostLog`.

    As ``ln(1 + x) <= x``, a tree f lowers the logistic loss by at least the sum of
    ``w (1 - exp(-y f))`` with these weights, which half the log odds of each leaf maximise.
    `Verdict.error` is the normaliser, as in `RealAdaBoost`.
    """

    name: ClassVar[str] = "real_log"
    criteria: ClassVar[tuple[str, ...]] = criteria_led_by("z")
    default_learning_rate: ClassVar[float] = 0.1

    def problem(
        self, state: Floats, labels: AnyArray, sample_weight: Floats, n_threads: int = 1
    ) -> TreeProblem:
        weights = pair_weights("logistic", state, labels, sample_weight, n_threads)
        return TreeProblem(self.layout, weights)

    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        return judge_odds(self, leaves, is_first)

    def held_out_loss(self, growing: AnyArray, held: AnyArray, example: float) -> AnyArray:
        return held_out_odds(growing, held, example)

    def loss(self, labels: AnyArray, decision: Floats, sample_weight: Floats) -> float:
        return weighted_mean(logistic_loss(pair_margins(decision, labels)), sample_weight)

    @property
    def link(self) -> Link:
        return Link("one_against_rest", 1.0)
