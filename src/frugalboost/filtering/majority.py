"""Boosting by majority (Freund 1995): how many votes, and which examples the next vote is for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

from frugalboost._typing import AnyArray, Floats

MOST_VOTES = 1_001
"""Of a tandem whose votes are hardly better than chance."""


@dataclass(frozen=True)
class Majority:
    """A vote of `n_votes` hypotheses, each of an error of at most ``1/2 - edge`` on its examples.

    Half of `target_error` is for the vote, and half for votes that were left out because few
    examples could still be changed by them.

    >>> Majority.for_error(0.1, 0.25).n_votes
    9
    """

    n_votes: int
    edge: float
    target_error: float

    @classmethod
    def for_error(cls, target_error: float, edge: float) -> Majority:
        k = np.arange(1, MOST_VOTES + 1, 2)
        enough = np.flatnonzero(binom.cdf(k // 2, k, 0.5 + edge) <= target_error / 2)
        if len(enough) == 0:
            raise ValueError(
                f"target_error of the estimator must be so small that {MOST_VOTES} votes suffice; "
                f"got {0.5 - edge}."
            )
        return cls(int(k[enough[0]]), edge, target_error)

    def weights(self, i: int) -> Floats:
        """How much the next vote matters, by how many of the first i votes are right.

        It is the probability that the other votes to come leave this one to decide.
        """
        missing = self.n_votes // 2 - np.arange(i + 1)
        return np.asarray(binom.pmf(missing, self.n_votes - i - 1, 0.5 + self.edge))

    def least_acceptance(self, i: int) -> float:
        """If the filter accepts no larger share, the vote may be anything.

        A vote with error e on its examples changes the mean potential by
        ``E[weight] (e - 1/2 + edge)``; so ``n_votes`` of them add at most half the target.
        """
        least = self.target_error / (2 * self.n_votes * (0.5 + self.edge))
        return float(least / self.weights(i).max())

    def rule(self, i: int) -> MajorityRule:
        return MajorityRule(i, self.weights(i))


@dataclass(frozen=True)
class MajorityRule:
    """Acceptance by the votes so far; their sum, of -1 and +1 each, is the score."""

    n_voted: int
    weights: Floats
    error_factor: float = 1.0

    def accept(self, scores: Floats, labels: AnyArray) -> Floats:
        """Probability that the filter accepts each example.

        >>> rule = Majority(3, 0.25, 0.1).rule(1)
        >>> rule.accept(np.array([[-1.0], [1.0]]), np.array([1, 1])).round(3)
        array([1.   , 0.333])
        """
        agreed = np.where(labels == 1, scores[:, 0], -scores[:, 0])
        n_right = ((self.n_voted + agreed) / 2).astype(np.int64)
        return np.asarray(self.weights[n_right] / self.weights.max())
