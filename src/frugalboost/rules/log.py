"""AdaBoost-LOG (Collins, Schapire, Singer 2002): the batch counterpart of FilterBoost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frugalboost.rules.base import criteria_led_by
from frugalboost.rules.pairs import VoteRule
from frugalboost.rules.weights import WeightFunction


@dataclass(frozen=True)
class AdaBoostLog(VoteRule):
    """AdaBoost's leaves and step with logistic weights ``1 / (1 + exp(y F))``.

    However wrong an example is, it weighs at most 1, so label noise does less harm.
    The step ``1/2 ln((1 - err) / err)`` minimises a bound on the logistic loss. For more than two
    classes each class is set against the rest, with one step for all. `Verdict.error` is the
    weighted share of wrong answers.
    """

    name: ClassVar[str] = "log"
    criteria: ClassVar[tuple[str, ...]] = criteria_led_by("error")
    default_learning_rate: ClassVar[float] = 1.0
    weight: ClassVar[WeightFunction] = "logistic"
