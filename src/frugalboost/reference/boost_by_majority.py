"""Boosting by majority with a filter (Freund 1995), the outer half of a boosting tandem.

Section 2.4 of the FilterBoost paper: FilterBoost boosts the weak learner to a constant error, and
is then the weak learner of this algorithm, whose number of rounds grows with ``ln(1 / eps)`` only.
Examples are pairs ``(x, y)`` with y in {-1, +1}, a hypothesis is a function of x with values in
{-1, +1}.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Example = tuple[Any, int]
Hypothesis = Callable[[Any], float]


def number_of_votes(target_error: float, edge: float) -> int:
    """The least odd k such that most of k votes, each right with 1/2 + edge, err with at most
    the target.

    >>> number_of_votes(0.05, 0.25), number_of_votes(0.005, 0.25)
    (9, 23)
    """
    k = 1
    while potential(k, edge, 0, 0) > target_error:
        k += 2
    return k


def potential(k: int, edge: float, i: int, r: int) -> float:
    """How likely the k votes are to be wrong about an example that r of the first i got right, if
    each vote to come is right with probability ``1/2 + edge``."""
    right, wrong, left = 0.5 + edge, 0.5 - edge, k - i
    most = min(k // 2 - r, left)
    return sum(math.comb(left, j) * right**j * wrong ** (left - j) for j in range(most + 1))


def weight(k: int, edge: float, i: int, r: int) -> float:
    """How much the next vote matters for such an example."""
    return potential(k, edge, i + 1, r) - potential(k, edge, i + 1, r + 1)


@dataclass
class BoostByMajority:
    """The algorithm; `run` returns the hypotheses, of which each has one vote.

    Attributes
    ----------
    oracle, coin : functions without arguments
    weak_learner : function from an oracle to a hypothesis
        Its error on that oracle's examples must be at most ``1/2 - edge``.
    n_votes : int
    edge : float
    """

    oracle: Callable[[], Example]
    coin: Callable[[], float]
    weak_learner: Callable[[Callable[[], Example]], Hypothesis]
    n_votes: int
    edge: float
    votes: list[Hypothesis] = field(default_factory=list)

    def run(self) -> list[Hypothesis]:
        for _ in range(self.n_votes):
            self.votes.append(self.weak_learner(self.filtered))
        return self.votes

    def filtered(self) -> Example:
        """An example whose decision the next vote may still change, by its weight."""
        i = len(self.votes)
        weights = [weight(self.n_votes, self.edge, i, r) for r in range(i + 1)]
        while True:
            x, y = self.oracle()
            r = sum(h(x) == y for h in self.votes)
            if self.coin() < weights[r] / max(weights):
                return x, y
