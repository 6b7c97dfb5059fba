"""AdaBoost.M1 with restart (Margineantu and Dietterich 1997, Table 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frugalboost._typing import AnyArray, Floats
from frugalboost.rules.base import Link, criteria_led_by, settle
from frugalboost.rules.classes import NamingRule
from frugalboost.rules.codes import ClassTally, code_margin, rise_of_misses
from frugalboost.rules.losses import exponential_loss, weighted_mean
from frugalboost.rules.problem import Action, LeafSums, Verdict


@dataclass(frozen=True)
class AdaBoostM1(NamingRule):
    """A weighted vote with weights ``log(1 / beta) = ln((1 - err) / err)``.

    A leaf's value is the one-hot vector of its class, centred: (K - 1) / K times the class code,
    1/2 or -1/2 for two classes. Centring changes no vote. In these units the decision is
    AdaBoost's divided by K - 1 wherever both take the same steps, so the link is ``softmax(F)``
    and the loss ``exp(-(K - 1) y . F / K)``. For two classes the model is AdaBoost's.

    Where rows are drawn by weight, everything is as in the table: an error above one half restarts
    with the initial weights, and all other trees are among the T. At one half its vote weighs
    log 1 = 0. Without errors, beta is that of half an example wrong; as it multiplies every
    weight, the distribution stays the same, and the next tree grows on another sample from it.

    Where a tree grows on the weighted rows themselves, equal weights give an equal tree. So a tree
    without errors is the last, an error of one half restarts too, and boosting stops where there
    is nothing to restart from. `Verdict.error` is the weighted error.
    """

    name: ClassVar[str] = "adaboost_m1"
    criteria: ClassVar[tuple[str, ...]] = criteria_led_by("error")
    default_learning_rate: ClassVar[float] = 1.0

    def judge(self, leaves: LeafSums, is_first: bool, is_fresh: bool) -> Verdict:
        K = self.n_classes
        tally = ClassTally.from_leaves(leaves)
        values = tally.codes * ((K - 1) / K)
        useless = tally.is_chance(1 / 2)
        if leaves.is_drawn and not tally.is_worse(1 / 2):
            step = 0.0 if useless else self.shrunk(tally.log_odds)
            return Verdict(values, step, tally.error, Action.KEEP)
        if useless and not is_fresh:
            return Verdict(values, 0.0, tally.error, Action.DROP_AND_RESTART)
        return settle(
            values,
            self.shrunk(tally.log_odds),
            tally.error,
            useless=useless,
            perfect=tally.is_perfect,
            is_first=is_first,
        )

    def rise(self, verdict: Verdict) -> Floats:
        # The paper multiplies right rows by beta; multiplying wrong ones by 1 / beta gives the
        # same distribution and leaves the weights of the right rows untouched.
        return rise_of_misses(verdict.values, verdict.step)

    def loss(self, labels: AnyArray, decision: Floats, sample_weight: Floats) -> float:
        margin = (self.n_classes - 1) * code_margin(decision, labels)
        return weighted_mean(exponential_loss(margin), sample_weight)

    @property
    def link(self) -> Link:
        return Link("symmetric", 1.0)
