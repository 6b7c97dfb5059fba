"""Quick Boost (Appel, Fuchs, Dollár, Perona 2013): figures 1 to 7."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from frugalboost.reproduce import quick_boost_report as report
from frugalboost.reproduce import subsets
from frugalboost.reproduce.curves import cost_curve
from frugalboost.reproduce.fits import HEURISTICS, make_model
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.pairs import time_pair
from frugalboost.reproduce.paper import Paper, Section

DEPTHS = {"faces": 1, "pedestrians": 2, "mnist": 4}
ROUNDS = {"faces": 2000, "pedestrians": 4000, "mnist": 1000}
QUICK_ROUNDS = {"faces": 100, "pedestrians": 50, "mnist": 10}
PAIR_ROUNDS = {"faces": 200, "pedestrians": 50, "mnist": 20}
"""Trees of the fits that are timed: each is fitted eight times."""
RULES = {"faces": "adaboost", "pedestrians": "adaboost", "mnist": "mh"}
"""The paper's ten classes follow Kégl and Busa-Fekete (2009), who use AdaBoost.MH."""
MASSES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.99)
STEPS = (1, 2, 5, 10, 20, 50, 100)
FIRST = "faces"
"""The data of figures 1 to 4, which the paper does not name."""


class QuickBoost(Paper):
    """What pruned stumps cost, with every heuristic."""

    title = "Quickly Boosting Decision Trees (Appel, Fuchs, Dollár, Perona 2013)"
    data = ("faces", "pedestrians", "mnist")
    can_be_cut = True

    def rounds(self, data: str) -> int:
        rounds = (QUICK_ROUNDS if self.settings.quick else ROUNDS)[data]
        return rounds if self.settings.rounds is None else min(rounds, self.settings.rounds)

    @property
    def few_rounds(self) -> int:
        """Of figures 1 to 4, which look at single rounds or at many fits."""
        return 50 if self.settings.quick else 200

    def jobs(self) -> list[Job]:
        if not self.present:
            return []
        return [*self._subset_jobs(), *self._curve_jobs(), *self._pair_jobs()]

    def _subset_jobs(self) -> list[Job]:
        source, n, threads = self.sources[FIRST], self.few_rounds, self.settings.n_jobs
        sweep = partial(subsets.sweep, source, max(10, n // 10), MASSES, STEPS, threads)
        return [
            Job(f"subset-mass-{n}", partial(subsets.masses, source, n, threads)),
            Job(f"preliminary-errors-{n}", partial(subsets.errors, source, n, threads)),
            Job(f"sweep-{n}", sweep),
        ]

    def _curve_jobs(self) -> list[Job]:
        return [
            Job(self._key("curve", data, heuristic), partial(self._curve, data, heuristic))
            for data in self.present
            for heuristic in HEURISTICS
        ]

    def _pair_jobs(self) -> list[Job]:
        return [
            Job(self._key("pair", data, heuristic), partial(self._pair, data, heuristic))
            for data in self.present
            for heuristic in HEURISTICS
        ]

    def _key(self, kind: str, data: str, heuristic: str) -> str:
        return f"{kind}-{data}-{self.rounds(data)}-{heuristic.replace(' ', '-')}"

    def _curve(self, data: str, heuristic: str) -> Result:
        model = self._model(data, heuristic, self.rounds(data)).set_params(search="quick")
        return cost_curve(self.sources[data], model)

    def _pair(self, data: str, heuristic: str) -> Result:
        model = self._model(data, heuristic, min(PAIR_ROUNDS[data], self.rounds(data)))
        return time_pair(self.sources[data], model, repeats=1 if self.settings.quick else 3)

    def _model(self, data: str, heuristic: str, rounds: int) -> Any:
        model = make_model(DEPTHS[data], rounds, heuristic, n_jobs=self.settings.n_jobs)
        return model.set_params(rule=RULES[data])

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        names = [(data, heuristic) for data in self.present for heuristic in HEURISTICS]
        curves, pairs = (
            {name: results[key] for name in names if (key := self._key(kind, *name)) in results}
            for kind in ("curve", "pair")
        )
        shapes = {name: self.sources[name].shape for name in self.present}
        return [
            report.data_section(shapes, self.absent),
            *report.subset_sections(results, self.few_rounds),
            *report.curve_sections(curves),
            *report.pair_sections(pairs),
        ]
