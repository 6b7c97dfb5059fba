"""AP-Boost (Aziz, Anderton, Aslam 2018): tables 1 to 10, figures 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from frugalboost.reproduce import ap_boost_report as report
from frugalboost.reproduce.bounds import exact_bounds, weight_order_totals
from frugalboost.reproduce.fits import fit, make_model
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.label_pairs import paired
from frugalboost.reproduce.paper import Paper, Section
from frugalboost.reproduce.published_ap_boost import LAZY, LAZY_HALF, NONE, TRIM, TRIM_MORE
from frugalboost.reproduce.sources import Source

HEURISTICS = (NONE, LAZY_HALF, LAZY, TRIM_MORE, TRIM)
SEARCHES = ("adaptive", "quick")
MARKS = {"mnist": (100, 200, 300), "rcv1": (100, 300, 400)}
LARGE = ("mnist", "rcv1")
"""Hours rather than minutes."""

DRAWS = {NONE: 1, LAZY_HALF: 5, LAZY: 5, TRIM_MORE: 40, TRIM: 10}
"""Of features for LazyBoost; for weight trimming of the order of rows, which decides those of equal
weight that are trimmed. The more is trimmed, the sooner it ends, and the more the end differs."""


class Trial(NamedTuple):
    """One fit of tables 2 to 10."""

    data: str
    heuristic: str
    search: str
    depth: int
    seed: int = 0

    @property
    def key(self) -> str:
        heuristic = self.heuristic.replace(" ", "-")
        return f"{self.data}-depth{self.depth}-{heuristic}-{self.search}-seed{self.seed}"


def depth_of(data: str) -> int:
    return 4 if data == "mnist" else 3


def marks_of(data: str) -> tuple[int, ...]:
    return MARKS.get(data, (100, 300, 500))


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
        """Where chance has a say, figures are means over several draws."""
        is_one = data in LARGE or self.settings.quick
        return range(1 if is_one else DRAWS[heuristic])

    def trials(self) -> list[Trial]:
        return [
            Trial(data, heuristic, search, depth_of(data), seed)
            for data in self.chosen
            for heuristic in HEURISTICS
            for search in SEARCHES
            for seed in self.seeds(data, heuristic)
        ]

    def depth_trials(self) -> list[Trial]:
        """Of table 10, but for the depth that the other tables have."""
        return [
            Trial(data, NONE, search, depth)
            for data in self.chosen
            if data in ("a6a", "w4a")
            for depth in (1, 2, 4, 5)
            for search in SEARCHES
        ]

    def source(self, data: str) -> Source:
        """A data set with two classes, made so where it has more."""
        if data not in self._paired:
            self._paired = {data: paired(self.sources[data])}  # one at a time: MNIST's is large
        return self._paired[data]

    def jobs(self) -> list[Job]:
        return [job for data in self.chosen for job in self._jobs_of(data)]

    def _jobs_of(self, data: str) -> Iterator[Job]:
        for trial in [*self.trials(), *self.depth_trials()]:
            if trial.data == data:
                yield Job(trial.key, partial(self._fit, trial))
        if data != "rcv1":
            yield Job(f"{data}-weight-order-bound", partial(self._weight_order, data))
        if data in ("a6a", "w4a"):
            yield Job(f"{data}-exact-bound", partial(self._exact, data))

    def _fit(self, trial: Trial) -> Result:
        marks = marks_of(trial.data)
        model = make_model(
            trial.depth,
            marks[-1],
            trial.heuristic,
            search=trial.search,
            random_state=trial.seed,
            n_jobs=self.settings.n_jobs,
        )
        is_shuffled = trial.heuristic in (TRIM_MORE, TRIM) and trial.seed > 0
        return fit(self.source(trial.data), marks, model, trial.seed if is_shuffled else None)

    def _weight_order(self, data: str) -> Result:
        model = make_model(depth_of(data), marks_of(data)[-1], n_jobs=self.settings.n_jobs)
        return weight_order_totals(self.source(data), model, every=10)

    def _exact(self, data: str) -> Result:
        model = make_model(1, marks_of(data)[-1], n_jobs=self.settings.n_jobs)
        return exact_bounds(self.source(data), model, every=50 if self.settings.quick else 10)

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        shapes = {name: self.sources[name].shape for name in self.present}
        return [
            report.data_section(shapes, self.absent),
            *report.fit_sections(self.trials(), results),
            report.depth_section(results),
            report.bound_section(self.chosen, results),
        ]
