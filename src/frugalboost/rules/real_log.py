"""AdaBoost-LOG with confidence-rated leaves (Collins, Schapire, Singer 2002)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frugalboost.rules.base import criteria_led_by
from frugalboost.rules.real import OddsRule
from frugalboost.rules.weights import WeightFunction


@dataclass(frozen=True)
class RealAdaBoostLog(OddsRule):
    """Leaves as in `RealAdaBoost`, with the logistic weights of `AdaBoostLog`.

    As ``ln(1 + x) <= x``, a tree f lowers the logistic loss by at least the sum of
    ``w (1 - exp(-y f))`` with these weights, which half the log odds of each leaf maximise.
    `Verdict.error` is the normaliser, as in `RealAdaBoost`.
    """

    name: ClassVar[str] = "real_log"
    criteria: ClassVar[tuple[str, ...]] = criteria_led_by("z")
    default_learning_rate: ClassVar[float] = 0.1
    weight: ClassVar[WeightFunction] = "logistic"
