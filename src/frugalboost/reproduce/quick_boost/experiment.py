"""The runs of Quick Boost: figures 1 to 7, and the claims of its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from frugalboost._threads import count_threads
from frugalboost.reproduce.fits import HEURISTICS, make_model
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.paper import Judgement, Paper, Section
from frugalboost.reproduce.quick_boost import report
from frugalboost.reproduce.quick_boost.claims import CLAIMS
from frugalboost.reproduce.quick_boost.curves import (
    cost_curve,
    end_of_fit,
    error_by_bins,
    slow_model,
    time_pair,
)
from frugalboost.reproduce.quick_boost.faulty import faulty_curve
from frugalboost.reproduce.quick_boost.findings import Findings
from frugalboost.reproduce.quick_boost.preliminary import preliminary_looks
from frugalboost.reproduce.quick_boost.schedules import DEPTHS as SWEPT_DEPTHS
from frugalboost.reproduce.quick_boost.schedules import schedule_costs
from frugalboost.reproduce.quick_boost.weights import VARIANTS, order_kept, weight_of_rows

DEPTHS = {"faces": 1, "pedestrians": 2, "mnist": 4}
ROUNDS = {"faces": 2000, "pedestrians": 4000, "mnist": 1000}
QUICK_ROUNDS = {"faces": 100, "pedestrians": 50, "mnist": 10}
PAIR_ROUNDS = {"faces": 200, "pedestrians": 25, "mnist": 10}
"""Trees of the fits that are timed: each is fitted eight times."""
RULES = {"faces": "adaboost", "pedestrians": "adaboost", "mnist": "mh"}
"""The paper's ten classes follow Kégl and Busa-Fekete (2009), who use AdaBoost.MH."""
FIRST = "faces"
"""The data of figures 1 to 4, which the paper does not name."""
FAULTY = ((0.75, 10), (0.75, 1), (0.5, 10), (0.5, 1), (0.9, 1))
"""Share of the weight, and features that are trained on all of it; the paper's come first."""
BINS = (16, 64, 256, 4096)
BINS_ROUNDS = 500
SEEDS = (1, 2, 3)
"""Other draws of LazyBoost 90 %, the heuristic nearest to none."""
TRIMMED = (0.75, 0.5)
"""More trimming than the paper's."""

Name = TypeVar("Name")

CURVE_SECONDS = {"faces": 80.0, "pedestrians": 600.0, "mnist": 500.0}
SLOW_SECONDS = {"faces": 20.0, "pedestrians": 130.0, "mnist": 130.0}
PAIR_SECONDS = {"faces": 40.0, "pedestrians": 25.0, "mnist": 25.0}
"""Of one job on one core."""


class QuickBoost(Paper):
    """What pruned stumps cost, with every heuristic."""

    title = "Quickly Boosting Decision Trees (Appel, Fuchs, Dollár, Perona 2013)"
    data = ("faces", "pedestrians", "mnist")
    can_be_cut = True

    def rounds(self, data: str) -> int:
        rounds = (QUICK_ROUNDS if self.settings.quick else ROUNDS)[data]
        return rounds if self.settings.rounds is None else min(rounds, self.settings.rounds)

    def jobs(self) -> list[Job]:
        if not self.present:  # all three are made of one file
            return []
        return [
            *self._weight_jobs(),
            *self._preliminary_jobs(),
            *self._other_jobs(),
            *self._heuristic_jobs("curve", self._curve, CURVE_SECONDS),
            *self._heuristic_jobs("slow", self._slow, SLOW_SECONDS),
            *self._heuristic_jobs("pair", self._pair, PAIR_SECONDS, alone=True),
        ]

    def _weight_jobs(self) -> Iterator[Job]:
        """Figures 1 and 4."""
        source, n, threads = self.sources[FIRST], self.rounds(FIRST), self.settings.n_jobs
        for variant in VARIANTS:
            run = partial(weight_of_rows, source, variant, DEPTHS[FIRST], n, threads)
            yield self._job(f"mass-{FIRST}-{n}-{variant}", run, 20.0)
        yield self._job(
            f"order-{FIRST}-{n}", partial(order_kept, source, DEPTHS[FIRST], n, threads), 25.0
        )
        for depth in SWEPT_DEPTHS:
            swept = partial(schedule_costs, source, depth, n, count_threads(threads))
            yield self._job(f"schedules-{FIRST}-{n}-depth{depth}", swept, 150.0)

    def _preliminary_jobs(self) -> Iterator[Job]:
        """Figures 2 and 3, and what happens if preliminary errors are believed."""
        source, n, threads = self.sources[FIRST], self.rounds(FIRST), self.settings.n_jobs
        looks = partial(preliminary_looks, source, n, threads)
        yield self._job(f"preliminary-random-{FIRST}-{n}", looks, 120.0)
        for share, kept in FAULTY:
            faulty = partial(faulty_curve, source, share, kept, n, count_threads(threads))
            yield self._job(f"faulty-{FIRST}-{n}-{share}-{kept}", faulty, 20.0 + 8.0 * kept)

    def _other_jobs(self) -> Iterator[Job]:
        """Other bins, other draws and more trimming: reasons for what comes out."""
        source, n = self.sources[FIRST], self.rounds(FIRST)
        few = min(BINS_ROUNDS, n)
        for most in BINS:
            model = self._model(FIRST, "none", few)
            binned = partial(error_by_bins, source, model, most)
            yield self._job(f"bins-{FIRST}-{few}-{most}", binned, 15.0)
        for seed in SEEDS:
            model = self._model(FIRST, "lazy 0.9", n).set_params(random_state=seed)
            yield self._job(f"seed-{FIRST}-{n}-{seed}", partial(end_of_fit, source, model), 20.0)
        for share in TRIMMED:
            model = self._model(FIRST, "none", n).set_params(weight_trim=share)
            yield self._job(f"trim-{FIRST}-{n}-{share}", partial(end_of_fit, source, model), 10.0)

    def _heuristic_jobs(
        self,
        kind: str,
        run: Callable[[str, str], Result],
        seconds: Mapping[str, float],
        *,
        alone: bool = False,
    ) -> Iterator[Job]:
        for data, heuristic in self._trials:
            key, task = self._key(kind, data, heuristic), partial(run, data, heuristic)
            yield self._job(key, task, seconds[data], alone=alone)

    def _job(
        self, key: str, run: Callable[[], Result], seconds: float, *, alone: bool = False
    ) -> Job:
        """A job with its expected time, shorter where fewer trees are fitted."""
        part = self.rounds(FIRST) / ROUNDS[FIRST]
        return Job(key, run, max(seconds * part, 0.1), alone)

    @property
    def _trials(self) -> list[tuple[str, str]]:
        return [(data, heuristic) for data in self.present for heuristic in HEURISTICS]

    def _key(self, kind: str, data: str, heuristic: str) -> str:
        return f"{kind}-{data}-{self.rounds(data)}-{heuristic.replace(' ', '-')}"

    def _curve(self, data: str, heuristic: str) -> Result:
        model = self._model(data, heuristic, self.rounds(data)).set_params(search="quick")
        return cost_curve(self.sources[data], model)

    def _slow(self, data: str, heuristic: str) -> Result:
        model = self._model(data, heuristic, self.rounds(data)).set_params(search="exhaustive")
        return slow_model(self.sources[data], model)

    def _pair(self, data: str, heuristic: str) -> Result:
        model = self._model(data, heuristic, min(PAIR_ROUNDS[data], self.rounds(data)))
        return time_pair(self.sources[data], model, repeats=1 if self.settings.quick else 3)

    def _model(self, data: str, heuristic: str, rounds: int) -> Any:
        model = make_model(DEPTHS[data], rounds, heuristic, n_jobs=self.settings.n_jobs)
        return model.set_params(rule=RULES[data])

    def findings(self, results: Mapping[str, Result]) -> Findings:
        n = self.rounds(FIRST)
        few = min(BINS_ROUNDS, n)
        by_trial = {
            kind: {trial: self._key(kind, *trial) for trial in self._trials}
            for kind in ("curve", "slow", "pair")
        }
        return Findings(
            masses=there(results, {each: f"mass-{FIRST}-{n}-{each}" for each in VARIANTS}),
            order=results.get(f"order-{FIRST}-{n}"),
            looks=results.get(f"preliminary-random-{FIRST}-{n}"),
            sweeps=there(results, {d: f"schedules-{FIRST}-{n}-depth{d}" for d in SWEPT_DEPTHS}),
            faulty=there(results, {(s, k): f"faulty-{FIRST}-{n}-{s}-{k}" for s, k in FAULTY}),
            bins=there(results, {most: f"bins-{FIRST}-{few}-{most}" for most in BINS}),
            seeds=there(results, {seed: f"seed-{FIRST}-{n}-{seed}" for seed in SEEDS}),
            trims=there(results, {share: f"trim-{FIRST}-{n}-{share}" for share in TRIMMED}),
            curves=there(results, by_trial["curve"]),
            slows=there(results, by_trial["slow"]),
            pairs=there(results, by_trial["pair"]),
        )

    def judgements(self, results: Mapping[str, Result]) -> list[Judgement]:
        return CLAIMS.judged(self.findings(results))

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        shapes = {name: self.sources[name].shape for name in self.present}
        return report.sections(shapes, self.absent, self.findings(results))


def there(results: Mapping[str, Result], keys: Mapping[Name, str]) -> dict[Name, Result]:
    """The results that are there, by name instead of key."""
    return {name: results[key] for name, key in keys.items() if key in results}
