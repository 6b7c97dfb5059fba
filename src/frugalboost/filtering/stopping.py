"""When a run ends, and what is then guaranteed: the limit of theorem 4, and the certificate."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from frugalboost._typing import Ints

StopReason: TypeAlias = Literal[
    "target", "rounds", "examples", "stream", "edge", "callback", "unfinished"
]
"""``"target"``: the filter rejected so many examples that the error is at most the target;
``"rounds"``, ``"examples"``: the maximum was reached; ``"stream"``: the oracle ended;
``"edge"``: certified mode could not tell the weak learner from chance; ``"callback"``: a
scikit-learn callback requested it; ``"unfinished"``: a checkpoint of a run that has not ended."""


class Stopped(Exception):  # noqa: N818 - not an error
    """Raised where examples are drawn, caught by the loop: the round cannot be finished."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason)
        self.reason: StopReason = reason


MOST = 2.0**62


def round_confidence(failure_probability: float, t: int) -> float:
    """The paper's ``delta_t = delta / (3 t (t + 1))``, t from 1.

    >>> round_confidence(0.06, 1)
    0.01
    """
    return failure_probability / (3 * t * (t + 1))


def most_rejections(
    call: Ints, confidence: float, target_error: float, error_factor: float = 2.0
) -> Ints:
    """Rejections in the r-th call, r from 1, after which theorem 4 ends the run.

    The smallest integer that is at least ``2 / eps * ln(1 / delta')`` with
    ``delta' = delta_t / (r (r + 1))``; `FilterRule.error_factor` is the 2.

    >>> most_rejections(np.array([1, 2]), confidence=0.01, target_error=0.1)
    array([106, 128])
    """
    r = call.astype(np.float64)
    logs = np.log(r * (r + 1)) - math.log(confidence)
    # Values that no integer can hold would wrap round to a limit that is reached at once.
    return np.minimum(np.ceil(error_factor / target_error * logs), MOST).astype(np.int64)


def first_beyond_limit(
    rejections: Ints, call: int, confidence: float, target_error: float, error_factor: float
) -> tuple[int | None, int]:
    """Which of consecutive calls, the first being number `call`, ends the run, and its limit.

    None if none of them does: then the error may be above the target.

    >>> first_beyond_limit(np.array([105, 127, 128]), 1, 0.01, 0.1, 2.0)
    (None, 0)
    >>> first_beyond_limit(np.array([105, 130, 128]), 1, 0.01, 0.1, 2.0)
    (1, 128)
    """
    calls = call + np.arange(len(rejections))
    limits = most_rejections(calls, confidence, target_error, error_factor)
    beyond = np.flatnonzero(rejections >= limits)
    return (int(beyond[0]), int(limits[beyond[0]])) if len(beyond) else (None, 0)


FILTERBOOST_BUDGET = 2 * math.log(2)


def most_rounds(
    target_error: float, edge: float, tolerance: float = 0.0, budget: float = FILTERBOOST_BUDGET
) -> float:
    """Rounds that suffice by theorem 3, or by theorem 5 for edges known to a relative tolerance.

    ``2 ln 2 / (eps (1 - 2 sqrt(1/4 - g^2)))`` with ``g = edge (1 - tau) / (1 + tau)``, for two
    classes. Other rules and more classes have another `budget` instead of ``2 ln 2``, that of
    `FilterRule`.

    >>> round(most_rounds(0.1, 0.25), 1), round(most_rounds(0.1, 0.25, tolerance=0.5), 1)
    (103.5, 991.2)
    >>> round(most_rounds(0.1, 0.25, budget=1.0), 1)  # MadaBoost
    74.6
    """
    g = abs(edge) * (1 - tolerance) / (1 + tolerance)
    progress = 1 - 2 * math.sqrt(max(0.25 - g * g, 0.0))
    return budget / (target_error * progress) if progress > 0 else math.inf


def most_edge_examples(edge: float, confidence: float, tolerance: float) -> float:
    """Most accepted examples that adaptive sampling uses, as stated in section 2.4."""
    g = tolerance * abs(edge)
    if g == 0:
        return math.inf
    return 2 * (1 + 2 * tolerance) ** 2 / g**2 * math.log(1 / (g * confidence))


@dataclass(frozen=True)
class Certificate:
    """Whether the error is known to be at most the target, and how that compares with theory.

    Attributes
    ----------
    holds : bool
        The run was in certified mode, and the filter rejected as many examples in one call as
        theorem 4 requires. Then the error on the oracle's distribution is at most `target_error`,
        except with probability `failure_probability`,
        provided that the oracle's examples are independent draws from it.
    target_error, failure_probability, edge_tolerance : float
    rounds, examples : int
        Number of trees, and of examples drawn from the oracle.
    smallest_edge : float
        Smallest absolute estimate; figure 1 divides estimates by ``1 + edge_tolerance``. NaN
        without a round.
    rounds_bound : float
        Theorem 5 with the smallest edge, or what holds for MadaBoost: after more rounds the target
        would have been reached.
    stop_reason : "target", "rounds", "examples", "stream" or "edge"
    """

    holds: bool
    target_error: float
    failure_probability: float
    edge_tolerance: float
    rounds: int
    examples: int
    smallest_edge: float
    rounds_bound: float
    stop_reason: StopReason

    @classmethod
    def of(
        cls,
        *,
        target_error: float,
        failure_probability: float,
        edge_tolerance: float,
        is_certified: bool,
        edges: list[float],
        examples: int,
        stop_reason: StopReason,
        budget: float,
    ) -> Certificate:
        smallest = min(map(abs, edges), default=math.nan)
        # The estimate is at most the edge, so it can take its place directly in theorem 3's bound.
        bound = most_rounds(target_error, smallest, budget=budget) if edges else math.inf
        return cls(
            is_certified and stop_reason == "target",
            target_error,
            failure_probability,
            edge_tolerance,
            len(edges),
            examples,
            smallest,
            bound,
            stop_reason,
        )
