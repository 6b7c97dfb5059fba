"""FilterBoost (Bradley, Schapire 2007), figure 1, in the paper's words; and MadaBoost.

Examples are pairs ``(x, y)`` with y in {-1, +1}, a hypothesis is a function of x with values in
{-1, +1}, an oracle is a function without arguments that returns an example, and a coin one that
returns a uniform number in [0, 1). Each call of the oracle is followed by one of the coin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


def logistic(margin: float) -> float:
    """FilterBoost's ``q_t(x, y)``, with ``margin = y F_t(x)``."""
    return 1 / (1 + math.exp(margin))


def truncated(margin: float) -> float:
    """MadaBoost's; the paper prints ``exp(+yF)``, but a weight falls with the margin."""
    return min(1.0, math.exp(-margin))


ERROR_FACTOR: dict[Callable[[float], float], float] = {logistic: 2.0, truncated: 1.0}
"""By theorem 2 the error is at most so many times ``p_t``: where it errs, ``q_t`` is at least 1/2,
or 1."""

Example = tuple[Any, int]
Hypothesis = Callable[[Any], float]


class AccurateEnough(Exception):  # noqa: N818 - the algorithm exits from Filter
    """The filter has rejected so many examples that the error is at most the target."""


@dataclass
class FilterBoost:
    """The algorithm; `run` returns the steps and hypotheses of ``F = sum of alpha_t h_t``.

    Attributes
    ----------
    oracle, coin : functions without arguments
    weak_learner : function from a list of examples and their weights to a hypothesis
    n_train : function from t, which counts from 1, to the paper's ``m_t``
    target_error, failure_probability, tolerance : the paper's epsilon, delta and tau
    q : function of the margin, `logistic` or `truncated`
    weighted : bool
        Whether to train on all examples drawn, weighted with ``q_t(x, y)`` (section 3), instead of
        on those that the filter accepts.
    """

    oracle: Callable[[], Example]
    coin: Callable[[], float]
    weak_learner: Callable[[list[Example], list[float]], Hypothesis]
    n_train: Callable[[int], int]
    target_error: float
    failure_probability: float
    tolerance: float
    q: Callable[[float], float] = logistic
    weighted: bool = False
    terms: list[tuple[float, Hypothesis]] = field(default_factory=list)
    n_oracle_calls: int = 0

    def run(self, max_rounds: int) -> list[tuple[float, Hypothesis]]:
        try:
            for t in range(1, max_rounds + 1):
                self.n_filter_calls = 0
                delta_t = self.failure_probability / (3 * t * (t + 1))
                h = self.weak_learner(*self.training_examples(t, delta_t))
                edge = self.get_edge(h, delta_t)
                alpha = 0.5 * math.log((0.5 + edge) / (0.5 - edge))
                self.terms.append((alpha, h))
        except AccurateEnough:
            pass
        return self.terms

    def training_examples(self, t: int, delta_t: float) -> tuple[list[Example], list[float]]:
        self.drawn: list[tuple[Example, float]] = []
        accepted = [self.filter(delta_t) for _ in range(self.n_train(t))]
        if not self.weighted:
            return accepted, [1.0] * len(accepted)
        return [example for example, _ in self.drawn], [q for _, q in self.drawn]

    def score(self, x: Any) -> float:
        """``F_t(x)``."""
        return sum(alpha * h(x) for alpha, h in self.terms)

    def filter(self, delta_t: float) -> Example:
        self.n_filter_calls += 1
        r = self.n_filter_calls
        delta = delta_t / (r * (r + 1))
        i = 0
        while i < ERROR_FACTOR[self.q] / self.target_error * math.log(1 / delta):
            x, y = self.oracle()
            self.n_oracle_calls += 1
            q = self.q(y * self.score(x))
            self.drawn.append(((x, y), q))
            if self.coin() < q:
                return x, y
            i += 1
        raise AccurateEnough

    def get_edge(self, h: Hypothesis, delta_t: float) -> float:
        tau = self.tolerance
        right, n, u, alpha = 0, 0, 0.0, math.inf
        while abs(u) < alpha * (1 + 1 / tau):
            x, y = self.filter(delta_t)
            n += 1
            right += h(x) == y
            u = right / n - 0.5
            alpha = math.sqrt(1 / (2 * n) * math.log(n * (n + 1) / delta_t))
        return u / (1 + tau)
