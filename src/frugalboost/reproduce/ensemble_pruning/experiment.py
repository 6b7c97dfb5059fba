"""The jobs of ensemble pruning: figures 1, 3, 4, 5 and 6."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from frugalboost.datasets import make_expf
from frugalboost.reproduce.ensemble_pruning import report
from frugalboost.reproduce.ensemble_pruning.claims import CLAIMS
from frugalboost.reproduce.ensemble_pruning.domains import Domains, Place
from frugalboost.reproduce.ensemble_pruning.findings import Findings
from frugalboost.reproduce.ensemble_pruning.published import DOMAINS, N_SPLITS, ROUNDS
from frugalboost.reproduce.ensemble_pruning.splits import (
    Options,
    diagrams,
    first_member,
    prune_split,
)
from frugalboost.reproduce.ensemble_pruning.variants import PAPER, VARIANTS
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.paper import Judgement, Paper, Section
from frugalboost.reproduce.sources import Source

SECONDS = {"letters": 5.0, "waveform": 0.6, "expf": 0.5}
OTHERS_SECONDS = 0.2
"""Expected time of a split."""
SIZES = (1_000, 4_000, 16_000)
"""Rows of Expf, of which a share is the pruning set: is the first member the best?"""


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
    letter_variant_splits : int
        Of Letters, in an experiment that differs from the paper's.
    most_rows : int or None
        Of a domain that take part.
    """

    repeats: int
    variant_repeats: int
    letter_repeats: int = 1
    letter_variant_splits: int = 5
    most_rows: int | None = None

    def places(self, name: str, variant: str) -> list[Place]:
        """All splits of a domain, repeat after repeat."""
        repeats = self.repeats if variant == PAPER else self.variant_repeats
        splits = N_SPLITS
        if name == "letters":
            repeats = min(repeats, self.letter_repeats)
            splits = N_SPLITS if variant == PAPER else self.letter_variant_splits
        return [Place(repeat, split) for repeat in range(repeats) for split in range(splits)]


FULL = Plan(repeats=10, variant_repeats=5)
QUICK = Plan(repeats=1, variant_repeats=0, most_rows=5_000)


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
        """The domains whose data are present."""
        return [name for name, domain in DOMAINS.items() if domain.data in self.present]

    def jobs(self) -> list[Job]:
        """Figure 1, then all experiments on small domains, repeat after repeat, then on Letters."""
        quick = [name for name in self.names if name != "letters"]
        return [
            *self._diagram_jobs(),
            *self._size_jobs(),
            *(
                job
                for names in (quick, [name for name in self.names if name not in quick])
                for repeat in range(self.plan.repeats)
                for variant in VARIANTS
                for name in names
                for job in self._split_jobs(name, variant, repeat)
            ),
        ]

    def _split_jobs(self, name: str, variant: str, repeat: int) -> Iterator[Job]:
        seconds = SECONDS.get(name, OTHERS_SECONDS)
        for place in self.plan.places(name, variant):
            if place.repeat == repeat:
                run = partial(self._split, name, variant, place)
                yield Job(self._key(name, variant, place), run, seconds)

    def _diagram_jobs(self) -> Iterator[Job]:
        if "expf" in self.names:
            yield Job(self._diagram_key, self._diagrams)

    def _size_jobs(self) -> Iterator[Job]:
        for size in () if self.settings.quick else SIZES:
            for split in range(N_SPLITS):
                run = partial(self._first_member, size, Place(0, split))
                yield Job(self._size_key(size, split), run, size / 40_000)

    def _size_key(self, size: int, split: int) -> str:
        return f"first-expf-{self.rounds}-rows{size}-split{split}"

    def _first_member(self, size: int, place: Place) -> Result:
        X, y = make_expf(size, random_state=place.seed)
        return first_member(Source.from_rows("expf", X, y), self._options(PAPER, place))

    def _key(self, name: str, variant: str, place: Place) -> str:
        return f"{name}-{variant}-{self.rounds}-repeat{place.repeat}-split{place.split}"

    @property
    def _diagram_key(self) -> str:
        return f"diagram-expf-{self.rounds}"

    def _options(self, variant: str, place: Place) -> Options:
        return Options(self.rounds, place.seed, VARIANTS[variant], self.settings.n_jobs)

    def _split(self, name: str, variant: str, place: Place) -> Result:
        return prune_split(self._domains.split(name, place), self._options(variant, place))

    def _diagrams(self) -> Result:
        place = Place(0, 0)
        return diagrams(self._domains.split("expf", place), self._options(PAPER, place))

    def findings(self, results: Mapping[str, Result]) -> Findings:
        """The results so far."""
        splits: dict[tuple[str, str, int], list[Result]] = {}
        for variant in VARIANTS:
            for name in self.names:
                for place in self.plan.places(name, variant):
                    result = results.get(self._key(name, variant, place))
                    if result is not None:
                        splits.setdefault((name, variant, place.repeat), []).append(result)
        return Findings(
            splits, results.get(self._diagram_key), self.rounds, sizes=self._sizes(results)
        )

    def _sizes(self, results: Mapping[str, Result]) -> dict[int, list[Result]]:
        """Of `first_member`, by the number of rows."""
        keys = {size: [self._size_key(size, i) for i in range(N_SPLITS)] for size in SIZES}
        done = {size: [results[k] for k in some if k in results] for size, some in keys.items()}
        return {size: some for size, some in done.items() if some}

    def judgements(self, results: Mapping[str, Result]) -> list[Judgement]:
        return CLAIMS.judged(self.findings(results))

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        shapes = {name: self._domains.split(name, Place(0, 0)).shape for name in self.names}
        return report.sections(self.findings(results), shapes, self.absent)
