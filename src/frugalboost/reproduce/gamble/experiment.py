"""The runs of GAMBLE: tables 1 and 2, figures 2 to 6."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import frugalboost as fb
from frugalboost.reproduce.gamble import published, report
from frugalboost.reproduce.gamble.boosters import (
    AT_RANDOM,
    BOOSTERS,
    COMMITTEES,
    LEARNERS,
    OTHERS,
    RACERS,
    RIVALS,
    SPHERE_VARIANTS,
    VARIANTS,
    WEIGHED,
    Options,
    make_booster,
)
from frugalboost.reproduce.gamble.claims import CLAIMS
from frugalboost.reproduce.gamble.findings import Findings
from frugalboost.reproduce.gamble.fits import (
    error_curve,
    even_grid,
    growing_grid,
    label_curve,
    part_of,
    race,
    spheres,
    split,
    start_rows,
)
from frugalboost.reproduce.gamble.labels import LabelRun
from frugalboost.reproduce.gamble.plan import (
    CLASSES,
    FIGURE_5,
    FULL,
    FURTHER,
    LABEL_SECONDS,
    QUICK,
    SECONDS,
    START,
    UTILITIES,
    WAYS,
    Plan,
)
from frugalboost.reproduce.gamble.theory import (
    N_ROUNDS,
    binary_twin,
    heavy_shares,
    tree_facts,
)
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.paper import Judgement, Paper, Section
from frugalboost.reproduce.sources import Source

Runs = TypeVar("Runs", bound=Sequence[Any])
Name = TypeVar("Name")


def filled(runs: Mapping[Name, Runs]) -> dict[Name, Runs]:
    """Without what has not been run."""
    return {name: each for name, each in runs.items() if each}


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
        runs = range(self.plan.runs)
        return [
            *self._curve_jobs(self.tables, RIVALS, [0]),
            *self._size_jobs(),
            *self._tree_jobs(),
            *self._sphere_jobs(),
            *self._curve_jobs(self.tables, RIVALS, runs[1:]),
            *self._curve_jobs(self.tables, VARIANTS, runs[: self.plan.variant_runs]),
            *(job for run in range(self.plan.label_runs) for job in self._label_jobs(run)),
            *self._committee_jobs(),
            *self._random_jobs(),
            *self._curve_jobs(self.tables, OTHERS, runs),
            *self._curve_jobs(self.further, LEARNERS, runs),
            *self._race_jobs(),
        ]

    def _curve_jobs(
        self, names: Sequence[str], keys: Sequence[str], runs: Sequence[int]
    ) -> list[Job]:
        return [
            Job(
                self._curve_key(name, key, run),
                partial(self._curve, name, key, run),
                SECONDS.get(name, 1.5),
            )
            for name in names
            for run in runs
            if run < self.runs(name)
            for key in keys
        ]

    def _size_jobs(self) -> Iterator[Job]:
        """All rows of Pendigits, and then random parts."""
        if "pendigits" not in self.present:
            return
        for leaves in self.plan.sizes:
            yield Job(self._size_key(leaves), partial(self._size, leaves), 1.5)
        for draw in range(self.plan.draws):
            for leaves in self.plan.alike:
                job = partial(self._size, leaves, draw)
                yield Job(self._size_key(leaves, draw), job, 1.5)

    def _tree_jobs(self) -> Iterator[Job]:
        for name in self.tables:
            yield Job(self._trees_key(name), partial(self._trees, name), 3.0)

    def _sphere_jobs(self) -> Iterator[Job]:
        for run in range(self.plan.sphere_runs):
            for n_classes in CLASSES:
                for key in RIVALS:
                    name = self._sphere_key(n_classes, key, run)
                    yield Job(name, partial(self._sphere, n_classes, key, run), 2.5)
        for key in SPHERE_VARIANTS:
            yield Job(self._sphere_key(5, key, 0), partial(self._sphere, 5, key, 0), 5.0)
        yield Job(f"binary-{self.rounds}", self._binary, 1.0)
        for key in WEIGHED:
            yield Job(self._weights_key(key), partial(self._weights, key), 3.0)

    def _label_jobs(self, run: int) -> Iterator[Job]:
        for name in self.tables:
            for way, seconds in zip(WAYS, LABEL_SECONDS[name], strict=True):
                job = partial(self._labels, name, way, run)
                yield Job(self._label_key(name, way, run), job, seconds)

    def _committee_jobs(self) -> Iterator[Job]:
        """Active on the data of figure 5, with other committees."""
        for key in COMMITTEES:
            for run in range(self.plan.committee_runs):
                for name in FIGURE_5:
                    if name in self.present:
                        job = partial(self._committee, name, key, run)
                        yield Job(self._committee_key(name, key, run), job, 10.0)

    def _random_jobs(self) -> Iterator[Job]:
        """Random rows of Pendigits, with other committees."""
        for key in AT_RANDOM if "pendigits" in self.present else ():
            yield Job(self._random_key(key), partial(self._random, key), 2.0)

    def _race_jobs(self) -> Iterator[Job]:
        """Seconds of Active and of Batch."""
        for name in self.tables:
            for key in RACERS:
                job = partial(self._race, name, key)
                yield Job(self._race_key(name, key), job, 8.0, alone=True)

    def _curve_key(self, name: str, key: str, run: int) -> str:
        return f"{name}-{key}-{self.rounds}-run{run}"

    def _size_key(self, leaves: int, draw: int | None = None) -> str:
        rows = "" if draw is None else f"-draw{draw}"
        return f"pendigits-leaves{leaves}-{self.rounds}{rows}"

    def _trees_key(self, name: str) -> str:
        return f"trees-{name}-{self.rounds}"

    def _weights_key(self, key: str) -> str:
        return f"weights-{key}-{self.rounds}"

    def _sphere_key(self, n_classes: int, key: str, run: int) -> str:
        return f"spheres{n_classes}-{key}-{self.rounds}-run{run}"

    def _label_key(self, name: str, way: str, run: int) -> str:
        return f"labels-{name}-{way}-{self.committee}-run{run}"

    def _committee_key(self, name: str, key: str, run: int) -> str:
        return f"committee-{name}-{key}-{self.committee}-run{run}"

    def _random_key(self, key: str) -> str:
        return f"random-pendigits-{key}-{self.committee}"

    def _race_key(self, name: str, key: str) -> str:
        return f"race-{name}-{key}-{self.committee}"

    def _options(self, source: Source, rounds: int, **options: Any) -> Options:
        return Options(
            rounds, categorical=source.categorical, n_jobs=self.settings.n_jobs, **options
        )

    def _curve(self, name: str, key: str, run: int) -> Result:
        source = self.rows(name, run)
        return error_curve(source, make_booster(key, self._options(source, self.rounds)))

    def _size(self, leaves: int, draw: int | None = None) -> Result:
        source = self.rows("pendigits", 0)
        options = self._options(source, self.rounds, leaves=leaves)
        rows = source if draw is None else part_of(source, draw)
        return error_curve(rows, make_booster("gamble", options))

    def _trees(self, name: str) -> Result:
        source = self.rows(name, 0)
        return tree_facts(source, self._options(source, min(self.rounds, N_ROUNDS)))

    def _sphere(self, n_classes: int, key: str, run: int) -> Result:
        source = spheres(n_classes, run, self.plan.n_test)
        model = make_booster(key, self._options(source, self.rounds))
        return error_curve(source, model, with_training=True)

    def _binary(self) -> Result:
        source = spheres(2, 0, self.plan.n_test)
        return binary_twin(source, self._options(source, min(self.rounds, N_ROUNDS)))

    def _weights(self, key: str) -> Result:
        source = spheres(5, 0, self.plan.n_test)
        return heavy_shares(source, key, self._options(source, self.rounds))

    def _labels(self, name: str, way: str, run: int) -> Result:
        source = self.rows(name, run)
        committee = make_booster("gamble", self._options(source, self.committee))
        learner = fb.ActiveLearner(committee, utility=UTILITIES[way], random_state=run)
        n = len(source.y_train)
        step = self._step(source)
        # Random needs most rows, where steps of 10 would be hundreds of fits.
        grid = (
            even_grid(START, step, min(n, self.plan.budget))
            if way == "active"
            else growing_grid(START, step, n)
        )
        return label_curve(source, learner, start_rows(n, START, run), grid)

    def _step(self, source: Source) -> int:
        return 10 if len(source.y_train) > self.plan.large else 5

    def _committee(self, name: str, key: str, run: int) -> Result:
        source = self.rows(name, run)
        other = COMMITTEES[key]
        committee = other.make(self._options(source, self.committee))
        learner = fb.ActiveLearner(committee, random_state=run)
        n, step = len(source.y_train), self._step(source) * other.batch
        grid = even_grid(START, step, min(n, self.plan.committee_budget))
        return label_curve(source, learner, start_rows(n, START, run), grid)

    def _random(self, key: str) -> Result:
        """Last errors with as many random rows as the paper needs."""
        source = self.rows("pendigits", 0)
        n = min(published.RANDOM_ROWS, len(source.y_train))
        errors = []
        for draw in range(self.plan.draws):
            rows = start_rows(len(source.y_train), n, draw)
            part = replace(source, X_train=source.X_train[rows], y_train=source.y_train[rows])
            committee = AT_RANDOM[key].make(self._options(source, self.committee))
            errors.append(error_curve(part, committee)["test_error"][-1])
        return {"errors": errors}

    def _race(self, name: str, key: str) -> Result:
        """To the paper's own target."""
        source = self.rows(name, 0)
        options = self._options(source, self.committee)
        learner = fb.ActiveLearner(RACERS[key].make(options), random_state=0)
        n, step = len(source.y_train), self._step(source) * RACERS[key].batch
        grid = even_grid(START, step, min(n, self.plan.budget))
        batch = make_booster("gamble", self._options(source, self.rounds))
        target = published.EFFICIENCY[name].target
        return race(source, learner, start_rows(n, START, 0), grid, batch, target)

    def findings(self, results: Mapping[str, Result]) -> Findings:
        """The results so far."""

        def runs_of(key: Callable[[int], str], n: int) -> list[Result]:
            return [results[k] for run in range(n) if (k := key(run)) in results]

        plan, names = self.plan, (*self.tables, *self.further)
        curves = {
            (name, key): runs_of(partial(self._curve_key, name, key), self.runs(name))
            for name in names
            for key in BOOSTERS
        }
        draws = {n: runs_of(partial(self._size_key, n), plan.draws) for n in plan.alike}
        balls = {
            (n, key): runs_of(partial(self._sphere_key, n, key), plan.sphere_runs)
            for n in CLASSES
            for key in BOOSTERS
        }
        return Findings(
            rounds=self.rounds,
            committee=self.committee,
            budget=plan.budget,
            curves=filled(curves),
            sizes={n: results[k] for n in plan.sizes if (k := self._size_key(n)) in results},
            draws=filled(draws),
            trees={n: results[k] for n in self.tables if (k := self._trees_key(n)) in results},
            binary=results.get(f"binary-{self.rounds}"),
            spheres=filled(balls),
            weights={n: results[k] for n in WEIGHED if (k := self._weights_key(n)) in results},
            labels=filled(self._label_runs(results)),
            committees=filled(self._committee_runs(results)),
            random_rows={
                key: results[k] for key in AT_RANDOM if (k := self._random_key(key)) in results
            },
            races={
                (name, key): results[k]
                for name in self.tables
                for key in RACERS
                if (k := self._race_key(name, key)) in results
            },
        )

    def _label_runs(self, results: Mapping[str, Result]) -> dict[tuple[str, str], list[LabelRun]]:
        return {
            (name, way): self._with_batch(
                results, name, partial(self._label_key, name, way), self.plan.label_runs
            )
            for name in self.tables
            for way in WAYS
        }

    def _committee_runs(
        self, results: Mapping[str, Result]
    ) -> dict[tuple[str, str], list[LabelRun]]:
        return {
            (name, key): self._with_batch(
                results, name, partial(self._committee_key, name, key), self.plan.committee_runs
            )
            for name in FIGURE_5
            for key in COMMITTEES
            if name in self.present
        }

    def _with_batch(
        self, results: Mapping[str, Result], name: str, key: Callable[[int], str], n: int
    ) -> list[LabelRun]:
        """Each with Batch of the same split, whose lowest error is the target."""
        runs = []
        for run in range(n):
            batch = results.get(self._curve_key(name, "gamble", min(run, self.runs(name) - 1)))
            curve = results.get(key(run))
            if batch is not None and curve is not None:
                runs.append(LabelRun(batch, curve, len(self.rows(name, run).y_train)))
        return runs

    def judgements(self, results: Mapping[str, Result]) -> list[Judgement]:
        return CLAIMS.judged(self.findings(results))

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        shapes = {name: self.rows(name, 0).shape for name in (*self.tables, *self.further)}
        return report.sections(self.findings(results), shapes, self.absent)
