"""When to stop before the last round: part of the data is held out and watched."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.boosting.ensemble import as_rule_sees
from frugalboost.rules import Rule


@dataclass
class EarlyStopping:
    """Watches the rule's loss on held-out rows.

    Stops when the best loss has not fallen by more than `tol` in `n_iter_no_change` rounds.
    The model is then cut back to the rounds up to the best.

    Attributes
    ----------
    values_of : callable
        Returns what a tree, or other weak learner, predicts for each held-out row, (n, n_outputs).
    labels, sample_weight : (n,)
    losses : list of float
        Loss before the first round and after each.
    """

    values_of: Callable[[Any], Floats]
    labels: AnyArray
    sample_weight: Floats
    n_iter_no_change: int
    tol: float
    losses: list[float] = field(default_factory=list)
    _decision: Floats | None = None

    def start(self, rule: Rule, decision: Floats) -> None:
        """Begin from a decision (n, n_outputs) on the held-out rows."""
        self._decision = decision
        self.losses = [self._loss(rule)]

    def watch(self, rule: Rule, tree: Any, step: float) -> bool:
        """Take the round's tree into account; True when it is time to stop."""
        assert self._decision is not None
        self._decision = self._decision + step * self.values_of(tree)
        self.losses.append(self._loss(rule))
        return len(self.losses) - 1 - self._last_real_fall() >= self.n_iter_no_change

    @property
    def best_round(self) -> int:
        """Number of rounds after which the loss was lowest."""
        return int(np.argmin(self.losses))

    def _last_real_fall(self) -> int:
        best, last = math.inf, 0
        for i, loss in enumerate(self.losses):
            if loss < best - self.tol:
                best, last = loss, i
        return last

    def _loss(self, rule: Rule) -> float:
        assert self._decision is not None
        return rule.loss(self.labels, as_rule_sees(self._decision), self.sample_weight)
