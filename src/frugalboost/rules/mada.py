"""MadaBoost (Domingo, Watanabe 2000): AdaBoost with weights capped at their initial value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frugalboost.rules.base import criteria_led_by
from frugalboost.rules.pairs import VoteRule
from frugalboost.rules.weights import WeightFunction


@dataclass(frozen=True)
class MadaBoost(VoteRule):
    """AdaBoost's leaves and step with truncated weights ``min(1, exp(-y F))``.

    The link is ``sigmoid(F)``: where the expected loss is smallest, its derivative is zero, so for
    F > 0 ``p exp(-F) = 1 - p`` with p the probability of the second class. For more than two
    classes each class is set against the rest, with one step for all. `Verdict.error` is the
    weighted share of wrong answers.
    """

    name: ClassVar[str] = "mada"
    criteria: ClassVar[tuple[str, ...]] = criteria_led_by("error")
    default_learning_rate: ClassVar[float] = 1.0
    weight: ClassVar[WeightFunction] = "truncated"
