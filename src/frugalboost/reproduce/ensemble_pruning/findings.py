"""Results of the ensemble pruning splits: Gain and relative performance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from frugalboost._typing import Floats
from frugalboost.reproduce.ensemble_pruning.published import N_SPLITS, PRUNED
from frugalboost.reproduce.jobs import Result

METHODS = {
    "reduce_error": "Reduce-Error",
    "kappa": "Kappa",
    "kl": "KL divergence",
    "early_stopping": "Early stopping",
}
"""Those of the paper that choose as many members as they are told."""
OURS = {"kappa_backfitting": "Kappa with backfitting", "random": "random members"}
"""The paper's suggestion (section 5), and what any choice must beat."""
NAMES = {**METHODS, **OURS, "hull": "Convex hull"}

LEVELS = [f"{100 * share:.0f} % pruned" for share in PRUNED]
"""Headings of tables."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """A domain: test errors over its splits, each row counting once."""

    splits: Sequence[Result]

    def _mean(self, values: Sequence[float] | Sequence[Sequence[float]]) -> Floats:
        sizes = [each["n_test"] for each in self.splits]
        return np.asarray(np.average(np.array(values), axis=0, weights=sizes))

    def mean(self, key: str) -> float:
        """Of a number that every split has: "single", "whole", "bagged", "hull_size", ..."""
        return float(self._mean([each[key] for each in self.splits]))

    def errors(self, method: str) -> Floats:
        """At each level of pruning; a single one for the hull."""
        return self._mean([each["errors"][method] for each in self.splits])

    def kept_error(self, method: str) -> Floats:
        """Mean error on the training rows of the members that a method keeps, at each level."""
        return self._mean([each["kept_error"][method] for each in self.splits])

    @cached_property
    def gain(self) -> float:
        """What AdaBoost gains over C4.5 alone, a share of the test rows."""
        # Means of the same errors in another order may differ in the last bit: that is no gain.
        return round(self.mean("single") - self.mean("whole"), 12)

    @cached_property
    def gain_noise(self) -> float:
        """Standard error of the gain over ten splits, as many as the paper has."""
        gains = [each["single"] - each["whole"] for each in self.splits]
        return float(np.std(gains, ddof=1) / np.sqrt(N_SPLITS)) if len(gains) > 1 else np.inf

    @property
    def is_sure(self) -> bool:
        """Whether the gain is more than noise: above two standard errors."""
        return self.gain > 2 * self.gain_noise

    def relative(self, method: str) -> Floats | None:
        """Share of the gain that is left at each level; None without a gain."""
        if self.gain <= 0:
            return None
        return np.asarray((self.mean("single") - self.errors(method)) / self.gain)

    @property
    def hull_share(self) -> float:
        """Share of the members that the hull prunes."""
        return 1 - self.mean("hull_size") / self.mean("n_members")

    def at_hull(self, method: str) -> float:
        """Relative performance of a method at the hull's level, between its neighbours."""
        line = self.relative(method)
        if line is None:
            return np.nan
        # Ascending shares, as numpy asks for; with all pruned, C4.5 alone is left.
        return float(np.interp(self.hull_share, [*PRUNED[::-1], 1.0], [*line[::-1], 0.0]))


Outcomes = Mapping[str, Outcome]


@dataclass(frozen=True, eq=False)
class Findings:
    """All results so far.

    Attributes
    ----------
    splits : dict of (domain, variant, repeat) to the results of its splits
    diagrams : Result of `diagrams`, or None
    rounds : int
    """

    splits: Mapping[tuple[str, str, int], Sequence[Result]]
    diagrams: Result | None
    rounds: int

    def outcomes(self, variant: str = "c45", repeat: int | None = None) -> dict[str, Outcome]:
        """Domains by name, over all repeats or for one of them.

        A domain that was repeated less often counts with its last repeat.
        """
        pooled: dict[str, list[Result]] = {}
        for name in dict.fromkeys(name for name, of, _ in self.splits if of == variant):
            own = [key for key in self.splits if key[:2] == (name, variant)]
            chosen = own if repeat is None else [own[min(repeat, len(own) - 1)]]
            pooled[name] = [each for key in chosen for each in self.splits[key]]
        return {name: Outcome(each) for name, each in pooled.items()}

    @cached_property
    def main(self) -> dict[str, Outcome]:
        """The paper's experiment, all repeats."""
        return self.outcomes()

    @property
    def n_repeats(self) -> int:
        return 1 + max((repeat for _, of, repeat in self.splits if of == "c45"), default=-1)

    @property
    def variants(self) -> list[str]:
        return list(dict.fromkeys(of for _, of, _ in self.splits))


def with_gain(outcomes: Outcomes, *, only_sure: bool = False) -> dict[str, Outcome]:
    """Domains where relative performance is defined, or where the gain is more than noise."""
    return {
        name: each
        for name, each in outcomes.items()
        if each.gain > 0 and (each.is_sure or not only_sure)
    }


def mean_relative(outcomes: Outcomes, method: str) -> Floats | None:
    """Figure 3: the mean over the domains with a gain, at each level; None without any."""
    lines = [line for each in outcomes.values() if (line := each.relative(method)) is not None]
    return np.asarray(np.mean(lines, axis=0)) if lines else None


def mean_hull_share(outcomes: Outcomes) -> float:
    return float(np.mean([each.hull_share for each in with_gain(outcomes).values()]))
