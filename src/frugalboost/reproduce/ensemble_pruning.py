"""Pruning Adaptive Boosting (Margineantu, Dietterich 1997): figures 1, 3, 4, 5 and 6."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from frugalboost.reproduce import ensemble_report as report
from frugalboost.reproduce import published_ensemble_pruning as published
from frugalboost.reproduce.ensemble_domains import Domains, Place
from frugalboost.reproduce.ensemble_found import Found
from frugalboost.reproduce.ensemble_splits import Options, diagrams, prune_split
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.paper import Paper, Section
from frugalboost.reproduce.published_ensemble_pruning import DOMAINS, N_SPLITS, ROUNDS


@dataclass(frozen=True)
class Variant:
    """The paper's experiment, or one that differs from it in one thing."""

    pruning: str | None = "pessimistic"
    held_out: float = published.HELD_OUT


VARIANTS = {
    "c45": Variant(),
    "unpruned": Variant(pruning=None),
    "held30": Variant(held_out=0.30),
}


@dataclass(frozen=True)
class Plan:
    """How often the experiments are done.

    Attributes
    ----------
    repeats : int
        Ten splits each; the paper has one.
    variant_repeats : int
    letter_repeats : int
        Of Letters, the largest.
    most_rows : int or None
        Of a domain that take part.
    """

    repeats: int
    variant_repeats: int
    letter_repeats: int
    most_rows: int | None = None

    def of(self, name: str, variant: str) -> int:
        n = self.repeats if variant == "c45" else self.variant_repeats
        return min(n, self.letter_repeats) if name == "letters" else n


FULL = Plan(repeats=5, variant_repeats=1, letter_repeats=1)
QUICK = Plan(repeats=1, variant_repeats=0, letter_repeats=1, most_rows=5_000)


class EnsemblePruning(Paper):
    """AdaBoost with C4.5's trees, pruned by every method to every level."""

    title = "Pruning Adaptive Boosting (Margineantu, Dietterich 1997)"
    data = tuple(domain.data for domain in DOMAINS.values())
    can_be_cut = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self._domains = Domains(self.sources, self.plan.most_rows)

    @property
    def plan(self) -> Plan:
        return QUICK if self.settings.quick else FULL

    @property
    def rounds(self) -> int:
        return min(ROUNDS, self.settings.rounds or ROUNDS)

    @property
    def names(self) -> list[str]:
        """The domains that are there."""
        return [name for name, domain in DOMAINS.items() if domain.data in self.present]

    def jobs(self) -> list[Job]:
        """Figure 1, then the paper's experiment and its variants, repeat after repeat."""
        return [
            *self._diagram_jobs(),
            *(
                job
                for repeat in range(self.plan.repeats)
                for variant in VARIANTS
                for job in self._split_jobs(variant, repeat)
            ),
        ]

    def _split_jobs(self, variant: str, repeat: int) -> Iterator[Job]:
        for name in self.names:
            for split in range(N_SPLITS) if repeat < self.plan.of(name, variant) else ():
                place = Place(repeat, split)
                run = partial(self._split, name, variant, place)
                yield Job(self._key(name, variant, place), run)

    def _diagram_jobs(self) -> Iterator[Job]:
        if "expf" in self.names:
            yield Job(self._diagram_key, self._diagrams)

    def _key(self, name: str, variant: str, place: Place) -> str:
        return f"{name}-{variant}-{self.rounds}-repeat{place.repeat}-split{place.split}"

    @property
    def _diagram_key(self) -> str:
        return f"diagram-expf-{self.rounds}"

    def _options(self, variant: str, place: Place) -> Options:
        chosen = VARIANTS[variant]
        return Options(
            self.rounds,
            seed=place.seed,
            pruning=chosen.pruning,
            held_out=chosen.held_out,
            n_jobs=self.settings.n_jobs,
        )

    def _split(self, name: str, variant: str, place: Place) -> Result:
        return prune_split(self._domains.split(name, place), self._options(variant, place))

    def _diagrams(self) -> Result:
        place = Place(0, 0)
        return diagrams(self._domains.split("expf", place), self._options("c45", place))

    def found(self, results: Mapping[str, Result]) -> Found:
        """The results that are there."""
        splits = {}
        for variant in VARIANTS:
            for name in self.names:
                for repeat in range(self.plan.of(name, variant)):
                    keys = (self._key(name, variant, Place(repeat, i)) for i in range(N_SPLITS))
                    done = [results[key] for key in keys if key in results]
                    if done:
                        splits[name, variant, repeat] = done
        return Found(splits, results.get(self._diagram_key), self.rounds)

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        shapes = {name: self._domains.split(name, Place(0, 0)).shape for name in self.names}
        return report.sections(self.found(results), shapes, self.absent)
