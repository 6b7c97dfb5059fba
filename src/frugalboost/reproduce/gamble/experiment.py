"""The runs of GAMBLE: tables 1 and 2, figures 2 to 6."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import frugalboost as fb
from frugalboost.reproduce.gamble import published, report
from frugalboost.reproduce.gamble.claims import CLAIMS
from frugalboost.reproduce.gamble.findings import LEARNERS, RIVALS, Findings, LabelRun
from frugalboost.reproduce.gamble.fits import (
    N_TEST,
    Options,
    error_curve,
    even_grid,
    growing_grid,
    label_curve,
    make_learner,
    spheres,
    split,
    start_rows,
)
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.paper import Judgement, Paper, Section
from frugalboost.reproduce.sources import Source

FURTHER = {"iris": 100, "waveform": 300, "letter": 16_000, "mnist": 5_000}
"""Data sets beside the paper's, and their training rows."""
WAYS = ("active", "random")
CLASSES = (2, 5)
"""Of the spheres."""
START = 20
"""Random rows that a label curve begins with."""


@dataclass(frozen=True)
class Plan:
    """How large the experiments are.

    Attributes
    ----------
    rounds : int
    runs : int
        Splits of a table without an official one, and label curves.
    sphere_runs : int
    n_test : int
        Spheres for testing.
    sizes : tuple of int
        Numbers of leaves of figure 2.
    committee : int
        Rounds of a committee that asks.
    budget : int
        Labels at which Active ends; Random goes on to the last row.
    large : int
        Tables of more rows are asked about in batches of 10, others in batches of 5.
    most_rows : int or None
        Of a table that take part.
    further : tuple of str
    """

    rounds: int
    runs: int
    sphere_runs: int
    n_test: int
    sizes: tuple[int, ...]
    committee: int
    budget: int
    large: int = 1_000
    most_rows: int | None = None
    further: tuple[str, ...] = tuple(FURTHER)


FULL = Plan(
    rounds=published.ROUNDS,
    runs=10,
    sphere_runs=5,
    n_test=N_TEST,
    sizes=published.TREE_SIZES,
    committee=300,
    budget=1_000,
)
QUICK = Plan(
    rounds=100,
    runs=2,
    sphere_runs=1,
    n_test=2_000,
    sizes=(2, 6, 14),
    committee=20,
    budget=100,
    most_rows=1_000,
    further=("iris", "waveform"),
)


class Gamble(Paper):
    """GAMBLE beside SAMME, and committees that choose their labels beside others."""

    title = (
        "GAMBLE: Efficient Multiclass Boosting Classification with Active Learning "
        "(Huang, Ertekin, Song, Zha, Giles 2007)"
    )
    data = (*published.SHAPES, *FURTHER, "spheres")
    can_be_cut = True

    @property
    def plan(self) -> Plan:
        return QUICK if self.settings.quick else FULL

    @property
    def rounds(self) -> int:
        return min(self.plan.rounds, self.settings.rounds or self.plan.rounds)

    @property
    def committee(self) -> int:
        return min(self.plan.committee, self.settings.rounds or self.plan.committee)

    @property
    def tables(self) -> list[str]:
        """The paper's data sets that are present."""
        return [name for name in published.SHAPES if name in self.present]

    @property
    def further(self) -> list[str]:
        return [name for name in self.plan.further if name in self.present]

    def runs(self, name: str) -> int:
        """Splits of a table: one where it is official; of Letter, one is enough of its rows."""
        is_one = len(self.sources[name].y_test) > 0 or name == "letter"
        return 1 if is_one else self.plan.runs

    def rows(self, name: str, run: int) -> Source:
        n_train = published.SHAPES[name][0] if name in published.SHAPES else FURTHER[name]
        source = split(self.sources[name], n_train, run)
        train, test = (
            slice(min(n_train, self.plan.most_rows or n_train)),
            slice(self.plan.most_rows),
        )
        return replace(
            source,
            X_train=source.X_train[train],
            y_train=source.y_train[train],
            X_test=source.X_test[test],
            y_test=source.y_test[test],
        )

    def jobs(self) -> list[Job]:
        """What is short first, then label curves run after run, then data that the paper lacks."""
        runs, sphere_runs = range(self.plan.runs), range(self.plan.sphere_runs)
        return [
            *self._curve_jobs(self.tables, [0]),
            *self._size_jobs(),
            *(job for run in sphere_runs for job in self._sphere_jobs(run)),
            *(job for run in runs[1:] for job in self._curve_jobs(self.tables, [run])),
            *(job for run in runs for job in self._label_jobs(run)),
            *self._curve_jobs(self.further, runs),
        ]

    def _curve_jobs(self, names: list[str], runs: Sequence[int]) -> list[Job]:
        return [
            Job(self._curve_key(name, key, run), partial(self._curve, name, key, run))
            for name in names
            for run in runs
            if run < self.runs(name)
            for key in LEARNERS
        ]

    def _size_jobs(self) -> Iterator[Job]:
        for leaves in self.plan.sizes if "pendigits" in self.present else ():
            yield Job(self._size_key(leaves), partial(self._size, leaves))

    def _sphere_jobs(self, run: int) -> Iterator[Job]:
        for n_classes in CLASSES:
            for key in RIVALS:
                name = self._sphere_key(n_classes, key, run)
                yield Job(name, partial(self._sphere, n_classes, key, run))

    def _label_jobs(self, run: int) -> Iterator[Job]:
        for name in self.tables:
            for way in WAYS:
                yield Job(self._label_key(name, way, run), partial(self._labels, name, way, run))

    def _curve_key(self, name: str, key: str, run: int) -> str:
        return f"{name}-{key}-{self.rounds}-run{run}"

    def _size_key(self, leaves: int) -> str:
        return f"pendigits-leaves{leaves}-{self.rounds}"

    def _sphere_key(self, n_classes: int, key: str, run: int) -> str:
        return f"spheres{n_classes}-{key}-{self.rounds}-run{run}"

    def _label_key(self, name: str, way: str, run: int) -> str:
        return f"labels-{name}-{way}-{self.committee}-run{run}"

    def _options(self, source: Source, rounds: int, **options: Any) -> Options:
        return Options(
            rounds, categorical=source.categorical, n_jobs=self.settings.n_jobs, **options
        )

    def _curve(self, name: str, key: str, run: int) -> Result:
        source = self.rows(name, run)
        return error_curve(source, make_learner(key, self._options(source, self.rounds)))

    def _size(self, leaves: int) -> Result:
        source = self.rows("pendigits", 0)
        options = self._options(source, self.rounds, leaves=leaves)
        return error_curve(source, make_learner("gamble", options))

    def _sphere(self, n_classes: int, key: str, run: int) -> Result:
        source = spheres(n_classes, run, self.plan.n_test)
        model = make_learner(key, self._options(source, self.rounds))
        return error_curve(source, model, with_training=True)

    def _labels(self, name: str, way: str, run: int) -> Result:
        source = self.rows(name, run)
        committee = make_learner("gamble", self._options(source, self.committee))
        utility = "margin" if way == "active" else "random"
        learner = fb.ActiveLearner(committee, utility=utility, random_state=run)
        n = len(source.y_train)
        step = 10 if n > self.plan.large else 5
        # Random needs most rows, where steps of 10 would be hundreds of fits.
        grid = (
            even_grid(START, step, min(n, self.plan.budget))
            if way == "active"
            else growing_grid(START, step, n)
        )
        return label_curve(source, learner, start_rows(n, START, run), grid)

    def findings(self, results: Mapping[str, Result]) -> Findings:
        """The results so far."""

        def done(*keys: str) -> list[Result]:
            return [results[key] for key in keys if key in results]

        curves = {
            (name, key): done(*(self._curve_key(name, key, run) for run in range(self.runs(name))))
            for name in (*self.tables, *self.further)
            for key in LEARNERS
        }
        sphere_runs = {
            (n_classes, key): done(
                *(self._sphere_key(n_classes, key, run) for run in range(self.plan.sphere_runs))
            )
            for n_classes in CLASSES
            for key in RIVALS
        }
        sizes = {n: results[k] for n in self.plan.sizes if (k := self._size_key(n)) in results}
        return Findings(
            curves={name: runs for name, runs in curves.items() if runs},
            sizes=sizes,
            spheres={name: runs for name, runs in sphere_runs.items() if runs},
            labels={
                (name, way): runs
                for name in self.tables
                for way in WAYS
                if (runs := self._label_runs(results, name, way))
            },
            rounds=self.rounds,
            committee=self.committee,
            budget=self.plan.budget,
        )

    def _label_runs(self, results: Mapping[str, Result], name: str, way: str) -> list[LabelRun]:
        """Each with Batch of the same split, whose lowest error is the target."""
        runs = []
        for run in range(self.plan.runs):
            batch = results.get(self._curve_key(name, "gamble", min(run, self.runs(name) - 1)))
            curve = results.get(self._label_key(name, way, run))
            if batch is not None and curve is not None:
                runs.append(LabelRun(batch, curve, len(self.rows(name, run).y_train)))
        return runs

    def judgements(self, results: Mapping[str, Result]) -> list[Judgement]:
        return CLAIMS.judged(self.findings(results))

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        shapes = {name: self.rows(name, 0).shape for name in (*self.tables, *self.further)}
        return report.sections(self.findings(results), shapes, self.absent)
