"""Results of the ensemble pruning splits: Gain, relative performance, and points of error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from frugalboost._typing import Floats
from frugalboost.reproduce.ensemble_pruning.published import N_SPLITS, PRUNED
from frugalboost.reproduce.ensemble_pruning.variants import PAPER, VARIANTS
from frugalboost.reproduce.jobs import Result

OWN_ENSEMBLE = "Reduce-Error against its own ensemble"
MORE_ROWS = "Reduce-Error with half of the test rows as its pruning set"
BETTER_HALF = "Kappa with the better half of the members first"
WITH_OWN_ENSEMBLE = ("weighted_unpruned", "weighted_gini")
"""Variants that are also tried with Reduce-Error measured in this way."""

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
FURTHER = {
    **NAMES,
    "kappa_of_better": BETTER_HALF,
    "last": "the last members",
    "held_early_stopping": "Early stopping of the ensemble that Reduce-Error prunes",
}
"""With experiments that ask why the others do as they do."""
ON_FEWER_ROWS = (
    "reduce_error",
    "reduce_error_auto",
    "reduce_error_many",
    "reduce_error_many_auto",
    "held_early_stopping",
)
"""Their ensemble was grown without the pruning set."""

LEVELS = [f"{100 * share:.0f} % pruned" for share in PRUNED]
"""Headings of tables."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """A domain: test errors over its splits, each row counting once.

    Attributes
    ----------
    splits : list of Result
    is_own : bool
        Methods on fewer rows are measured against C4.5 and AdaBoost on these rows; the paper
        measures them against those on all training rows.
    """

    splits: Sequence[Result]
    is_own: bool = False

    def _mean(self, values: Sequence[float] | Sequence[Sequence[float]]) -> Floats:
        sizes = [each["n_test"] for each in self.splits]
        return np.asarray(np.average(np.array(values), axis=0, weights=sizes))

    def mean(self, key: str) -> float:
        """Of a number that every split has: "single", "whole", "bagged", "hull_size", ..."""
        return float(self._mean([each[key] for each in self.splits]))

    @cached_property
    def _errors(self) -> dict[str, Floats]:
        methods = self.splits[0]["errors"]
        return {
            name: self._mean([each["errors"][name] for each in self.splits]) for name in methods
        }

    def errors(self, method: str) -> Floats:
        """At each level of pruning; a single one for the hull."""
        return self._errors[method]

    def kept(self, quantity: str, method: str) -> Floats:
        """Mean "error" on the training rows, or "kappa" of pairs, of the members kept."""
        return self._mean([each[f"kept_{quantity}"][method] for each in self.splits])

    @cached_property
    def gain(self) -> float:
        """What AdaBoost gains over C4.5 alone, a share of the test rows."""
        return difference(self.mean("single"), self.mean("whole"))

    @cached_property
    def gain_noise(self) -> float:
        """Standard error of the gain over ten splits, as many as the paper has."""
        gains = [each["single"] - each["whole"] for each in self.splits]
        return float(np.std(gains, ddof=1) / np.sqrt(N_SPLITS)) if len(gains) > 1 else np.inf

    @property
    def is_sure(self) -> bool:
        """Whether the gain is more than noise: above two standard errors."""
        return self.gain > 2 * self.gain_noise

    @property
    def has_gain(self) -> bool:
        """Whether every method's relative performance is defined."""
        return self.gain > 0 and difference(*self._ends("reduce_error")) > 0

    def _ends(self, method: str) -> tuple[float, float]:
        """Errors of C4.5 and of AdaBoost, between which a method is measured."""
        if self.is_own and method in ON_FEWER_ROWS:
            return self.mean("held_single"), float(self.errors("held_early_stopping")[-1])
        return self.mean("single"), self.mean("whole")

    def relative(self, method: str) -> Floats | None:
        """Share of the gain that is left at each level; None without a gain, or if not run."""
        single, whole = self._ends(method)
        gain = difference(single, whole)
        if gain <= 0 or method not in self._errors:
            return None
        return np.asarray((single - self.errors(method)) / gain)

    def points(self, method: str) -> Floats:
        """Percentage points of error that pruning adds to AdaBoost's."""
        return 100 * (self.errors(method) - self._ends(method)[1])

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


def difference(single: float, whole: float) -> float:
    # Means of the same errors in another order may differ in the last bit: that is no gain.
    return round(single - whole, 12)


Outcomes = Mapping[str, Outcome]


@dataclass(frozen=True, eq=False)
class Findings:
    """All results so far.

    Attributes
    ----------
    splits : dict of (domain, variant, repeat) to the results of its splits
    diagrams : Result of `diagrams`, or None
    rounds : int
    is_own : bool
        See `Outcome`.
    sizes : dict of a number of rows of Expf to results of `first_member`
    """

    splits: Mapping[tuple[str, str, int], Sequence[Result]]
    diagrams: Result | None
    rounds: int
    is_own: bool = False
    sizes: Mapping[int, Sequence[Result]] = field(default_factory=dict)

    def outcomes(self, variant: str = PAPER, repeat: int | None = None) -> dict[str, Outcome]:
        """Domains by name, over all repeats or for one of them.

        A domain that was repeated less often counts with its last repeat.
        """
        pooled: dict[str, list[Result]] = {}
        for name in dict.fromkeys(name for name, of, _ in self.splits if of == variant):
            own = [key for key in self.splits if key[:2] == (name, variant)]
            chosen = own if repeat is None else [own[min(repeat, len(own) - 1)]]
            pooled[name] = [each for key in chosen for each in self.splits[key]]
        return {name: Outcome(each, self.is_own) for name, each in pooled.items()}

    def only(
        self, variant: str = PAPER, repeat: int | None = None, *, is_own: bool = False
    ) -> Findings:
        """What would have been found if the paper's experiment were another one."""
        outcomes = self.outcomes(variant, repeat)
        splits = {(name, PAPER, 0): each.splits for name, each in outcomes.items()}
        return Findings(splits, self.diagrams, self.rounds, is_own)

    def with_method(self, name: str, other: str) -> Findings:
        """What would have been found if a method did what another one does, where that was run."""
        splits = {
            key: [with_errors_of(each, name, other) for each in results]
            for key, results in self.splits.items()
        }
        return Findings(splits, self.diagrams, self.rounds, self.is_own)

    @cached_property
    def main(self) -> dict[str, Outcome]:
        """The paper's experiment, all repeats."""
        return self.outcomes()

    @property
    def n_repeats(self) -> int:
        return 1 + max((repeat for _, of, repeat in self.splits if of == PAPER), default=-1)

    @property
    def variants(self) -> list[str]:
        return list(dict.fromkeys(of for _, of, _ in self.splits))

    def is_whole(self, variant: str) -> bool:
        """Whether all domains of the paper's experiment have been run, so that both compare."""
        return {name for name, of, _ in self.splits if of == variant} == self.main.keys()

    @cached_property
    def experiments(self) -> list[Findings]:
        """The paper's experiment, each repeat by itself."""
        return [self.only(repeat=repeat) for repeat in range(self.n_repeats)]

    @cached_property
    def conditions(self) -> dict[str, Findings]:
        """The paper's experiment with something done otherwise, by what it is."""
        others = [of for of in self.variants if of != PAPER and self.is_whole(of)]
        paper = self.only()
        return {
            OWN_ENSEMBLE: self.only(is_own=True),
            MORE_ROWS: paper.with_method("reduce_error", "reduce_error_many"),
            BETTER_HALF: paper.with_method("kappa", "kappa_of_better"),
            **{VARIANTS[of].title: self.only(of) for of in others},
            **{
                f"{VARIANTS[of].title}, {OWN_ENSEMBLE}": self.only(of, is_own=True)
                for of in others
                if of in WITH_OWN_ENSEMBLE
            },
        }


def with_errors_of(result: Result, name: str, other: str) -> Result:
    errors = result["errors"]
    return {**result, "errors": {**errors, name: errors.get(other, errors[name])}}


def with_gain(outcomes: Outcomes, *, only_sure: bool = False) -> dict[str, Outcome]:
    """Domains where relative performance is defined, or where the gain is more than noise."""
    return {
        name: each
        for name, each in outcomes.items()
        if each.has_gain and (each.is_sure or not only_sure)
    }


def mean_relative(outcomes: Outcomes, method: str) -> Floats | None:
    """Figure 3: the mean over the domains with a gain, at each level; None without any."""
    return over_domains(outcomes, method, lambda lines: np.mean(lines, axis=0))


def median_relative(outcomes: Outcomes, method: str) -> Floats | None:
    """The same with the median, which a domain with a small gain cannot pull far."""
    return over_domains(outcomes, method, lambda lines: np.median(lines, axis=0))


def over_domains(
    outcomes: Outcomes, method: str, average: Callable[[list[Floats]], Floats]
) -> Floats | None:
    lines = [line for each in outcomes.values() if (line := each.relative(method)) is not None]
    return np.asarray(average(lines)) if lines else None


def mean_points(outcomes: Outcomes, method: str) -> Floats:
    """Mean over all domains: points of error are defined without a gain."""
    return np.asarray(np.mean([each.points(method) for each in outcomes.values()], axis=0))


def mean_hull_share(outcomes: Outcomes) -> float:
    return float(np.mean([each.hull_share for each in with_gain(outcomes).values()]))
