"""AdaBoost-LOG (Collins, Schapire, Singer 2002): the batch counterpart of FilterBoost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import Link, criteria_led_by
from frugalboost.rules.losses import logistic_loss, weighted_mean
from frugalboost.rules.pairs import PairRule, pair_margins
from frugalboost.rules.problem import LeafSums, TreeProblem, Verdict
from frugalboost.rules.weights import pair_weights


@dataclass(frozen=True)
class AdaBoostLog(PairRule):
    """AdaBoost's leaves and step with logistic weights ``1 / (1 + exp(y F))``.

    However wrong an example is, it weighs at most 1, so label noise does less harm.
    The step ``1/2 ln((1 - err) / err)`` minimises a bound on the logistic loss. For more than two
    classes each class is set against the rest, with one step for all. `Verdict.error` is the
    weighted share of wrong answers.
    """

    name: ClassVar[str] = "log"
    criteria: ClassVar[tuple[str, ...]] = criteria_led_by("error")
    default_learning_rate: ClassVar[float] = 1.0

    def problem(
        self, state: Floats, labels: AnyArray, sample_weight: Floats, n_threads: int = 1
    ) -> TreeProblem:
        weights = pair_weights("logistic", state, labels, sample_weight, n_threads)
        return TreeProblem(self.layout, weights)

    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        return self.judge_votes(leaves, is_first)

    def loss(self, labels: AnyArray, decision: Floats, sample_weight: Floats) -> float:
        return weighted_mean(logistic_loss(pair_margins(decision, labels)), sample_weight)

    @property
    def link(self) -> Link:
        return Link("one_against_rest", 1.0)
