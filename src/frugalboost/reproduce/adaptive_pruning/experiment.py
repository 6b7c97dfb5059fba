"""The runs of AP-Boost: tables 1 to 10, figures 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from frugalboost.reproduce.adaptive_pruning import report
from frugalboost.reproduce.adaptive_pruning.bounds import exact_bounds, weight_order_totals
from frugalboost.reproduce.adaptive_pruning.claims import CLAIMS
from frugalboost.reproduce.adaptive_pruning.findings import Findings
from frugalboost.reproduce.adaptive_pruning.fits import (
    count_constants,
    fit,
    repeated,
    seconds_of,
    with_constants,
    work_by_steps,
)
from frugalboost.reproduce.adaptive_pruning.label_pairs import label_first, paired
from frugalboost.reproduce.adaptive_pruning.lemmas import try_lemmas
from frugalboost.reproduce.adaptive_pruning.published import (
    LAZY,
    LAZY_HALF,
    NONE,
    SEARCHES,
    TRIM,
    TRIM_MORE,
    depth_of,
)
from frugalboost.reproduce.fits import HEURISTICS as PARAMETERS
from frugalboost.reproduce.fits import make_model
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.paper import Judgement, Paper, Section
from frugalboost.reproduce.sources import Source

HEURISTICS = (NONE, LAZY_HALF, LAZY, TRIM_MORE, TRIM)
MARKS = {"mnist": (100, 200, 300), "rcv1": (100, 300, 400)}
LARGE = ("mnist", "rcv1")
"""Hours rather than minutes."""
SMALL_PAIR = ("a6a", "w4a")
"""Those of figure 1 and of table 10."""
COUNTED = ("a6a", "w4a", "mnist")
"""Data with constant features."""
DRAWS = {NONE: 1, LAZY_HALF: 5, LAZY: 5, TRIM_MORE: 40, TRIM: 10}
"""LazyBoost draws features; weight trimming draws an order of the rows, which decides which rows of
equal weight are trimmed. The more is trimmed, the sooner a fit ends and the more it varies."""
TIMED_ROUNDS = {"mnist": 10, "rcv1": 10}
"""Rounds of the fits that are timed, which run alone; of the others, all."""
COPIES = (1, 10)
STEPS = (1, 2, 3, 5, 10, 20, 100)


class Trial(NamedTuple):
    """One fit of tables 2 to 10, or one that counts constant features as well."""

    data: str
    heuristic: str
    search: str
    depth: int
    seed: int = 0
    counts_constants: bool = False

    @property
    def key(self) -> str:
        heuristic = self.heuristic.replace(" ", "-")
        constants = "-constants" if self.counts_constants else ""
        return f"{self.data}-depth{self.depth}-{heuristic}-{self.search}-seed{self.seed}{constants}"

    @property
    def marks(self) -> tuple[int, ...]:
        """Rounds with published figures. Hours are saved where one of them is enough."""
        marks = MARKS.get(self.data, (100, 300, 500))
        is_long = self.data in LARGE and (self.search == "ap_boost" or self.counts_constants)
        return marks[:1] if is_long else marks


# Core-seconds of a fit of 500 rounds (mnist: 300), without a heuristic.
SECONDS = {"a6a": 2.5, "w4a": 4.5, "satimage": 2.0, "mnist": 1300.0, "rcv1": 10_000.0}
SHARES = {NONE: 1.0, LAZY_HALF: 0.5, LAZY: 0.9, TRIM_MORE: 0.02, TRIM: 0.9}


class AdaptivePruning(Paper):
    """Assessments and errors of AP-Boost and Quick Boost, and what bounds them from below."""

    title = "Adaptively Pruning Features for Boosted Decision Trees (Aziz, Anderton, Aslam 2018)"
    data = ("a6a", "mnist", "rcv1", "satimage", "w4a")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._paired: dict[str, Source] = {}

    @property
    def chosen(self) -> list[str]:
        """Data sets to run, the large ones last: those present, with --quick the smaller ones."""
        small = [name for name in self.present if name not in LARGE]
        large = [name for name in self.present if name in LARGE]
        return small if self.settings.quick else small + large

    def seeds(self, data: str, heuristic: str) -> range:
        """Figures that depend on chance are means over several draws."""
        is_one = data in LARGE or self.settings.quick
        return range(1 if is_one else DRAWS[heuristic])

    def timed_rounds(self, data: str) -> int:
        return 50 if self.settings.quick else TIMED_ROUNDS.get(data, 500)

    def trials(self) -> list[Trial]:
        return [
            Trial(data, heuristic, search, depth_of(data), seed)
            for data in self.chosen
            for heuristic in HEURISTICS
            for search in searches_of(data, heuristic)
            for seed in self.seeds(data, heuristic)
        ]

    def depth_trials(self) -> list[Trial]:
        """Of table 10, without the depth of the other tables."""
        return [
            Trial(data, NONE, search, depth)
            for data in self.chosen
            if data in SMALL_PAIR
            for depth in (1, 2, 4, 5)
            for search in SEARCHES
        ]

    def constant_trials(self) -> list[Trial]:
        return [
            Trial(data, NONE, search, depth_of(data), counts_constants=True)
            for data in self.chosen
            if data in COUNTED
            for search in ("ap_boost", "quick")
        ]

    def source(self, data: str) -> Source:
        """A data set with two classes; one with more is converted by `paired`."""
        if data not in self._paired:
            self._paired = {data: paired(self.sources[data])}  # one at a time: MNIST's is large
        return self._paired[data]

    def jobs(self) -> list[Job]:
        return [
            *(job for data in self.chosen for job in self._fits_of(data)),
            *(job for data in self.chosen for job in self._bounds_of(data)),
            *(job for data in self.chosen for job in self._timings_of(data)),
            *self._single_jobs(),
        ]

    def _fits_of(self, data: str) -> Iterator[Job]:
        for trial in [*self.trials(), *self.depth_trials(), *self.constant_trials()]:
            if trial.data == data:
                yield Job(trial.key, partial(self._fit, trial), seconds_expected(trial))

    def _bounds_of(self, data: str) -> Iterator[Job]:
        if data != "rcv1":
            key = f"{data}-weight-order-bound"
            yield Job(key, partial(self._weight_order, data), bound_seconds(data))
        if data in SMALL_PAIR:
            yield Job(f"{data}-exact-bound", partial(self._exact, data), 25.0)
            yield Job(f"{data}-stumps-quick-batches", partial(self._quick_steps, data, 1), 15.0)

    def _timings_of(self, data: str) -> Iterator[Job]:
        for heuristic in HEURISTICS:
            key = f"{data}-{heuristic.replace(' ', '-')}-seconds"
            share = len(SEARCHES) * self.timed_rounds(data) / MARKS.get(data, (500,))[-1]
            seconds = n_timings(data) * share * SECONDS[data] * SHARES[heuristic]
            yield Job(key, partial(self._time, data, heuristic), seconds, alone=True)

    def _single_jobs(self) -> Iterator[Job]:
        if "a6a" in self.chosen:
            for n in COPIES:
                key = f"a6a-{n}-copies-seconds"
                yield Job(key, partial(self._time_copies, n), 4.0 * n, alone=True)
            deep = partial(self._quick_steps, "a6a", depth_of("a6a"))
            yield Job("a6a-quick-batches", deep, 20.0)
        if "satimage" in self.chosen:
            yield Job("satimage-label-first", self._label_first, 4.0)
        yield Job("lemmas", try_lemmas, 1.0)

    def _fit(self, trial: Trial) -> Result:
        model = make_model(
            trial.depth,
            trial.marks[-1],
            trial.heuristic,
            search=trial.search,
            random_state=trial.seed,
            n_jobs=self.settings.n_jobs,
        )
        source = self.source(trial.data)
        n_constants = count_constants(source.binned)
        if trial.counts_constants:
            source = with_constants(source)
        is_shuffled = trial.heuristic in (TRIM_MORE, TRIM) and trial.seed > 0
        result = fit(source, trial.marks, model, trial.seed if is_shuffled else None)
        return {**result, "n_constants": n_constants}

    def _weight_order(self, data: str) -> Result:
        rounds = MARKS.get(data, (500,))[-1]
        model = make_model(depth_of(data), rounds, n_jobs=self.settings.n_jobs)
        every = 20 if data in LARGE else 10
        return weight_order_totals(self.source(data), model, every)

    def _exact(self, data: str) -> Result:
        model = make_model(1, 500, n_jobs=self.settings.n_jobs)
        return exact_bounds(self.source(data), model, every=50 if self.settings.quick else 10)

    def _time(self, data: str, heuristic: str) -> Result:
        options = PARAMETERS[heuristic] | {"n_jobs": self.settings.n_jobs}
        rounds = self.timed_rounds(data)
        source = self.source(data)
        return seconds_of(source, SEARCHES, n_timings(data), depth_of(data), rounds, **options)

    def _time_copies(self, n_copies: int) -> Result:
        source = repeated(self.source("a6a"), n_copies)
        return seconds_of(source, SEARCHES, 2, depth_of("a6a"), 100, n_jobs=self.settings.n_jobs)

    def _quick_steps(self, data: str, depth: int) -> Result:
        model = make_model(depth, 500, n_jobs=self.settings.n_jobs)
        return work_by_steps(self.source(data), model, STEPS)

    def _label_first(self) -> Result:
        source = label_first(self.source("satimage"))
        marks = (100, 300, 500)
        model = make_model(depth_of("satimage"), marks[-1], n_jobs=self.settings.n_jobs)
        return fit(source, marks, model)

    def findings(self, results: Mapping[str, Result]) -> Findings:
        return Findings(self.trials(), self.chosen, results)

    def judgements(self, results: Mapping[str, Result]) -> list[Judgement]:
        return CLAIMS.judged(self.findings(results))

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        shapes = {name: self.sources[name].shape for name in self.present}
        return report.sections(shapes, self.absent, self.findings(results))


def searches_of(data: str, heuristic: str) -> list[str]:
    """On large data the printed search, which is not the better one, is run without heuristics."""
    return [
        name for name in SEARCHES if name != "ap_boost" or data not in LARGE or heuristic == NONE
    ]


def bound_seconds(data: str) -> float:
    return 1000.0 if data in LARGE else 15.0


def n_timings(data: str) -> int:
    return 1 if data in LARGE else 2


def seconds_expected(trial: Trial) -> float:
    share = trial.marks[-1] / MARKS.get(trial.data, (500,))[-1]
    return SECONDS[trial.data] * SHARES[trial.heuristic] * share
