"""The runs of FilterBoost: figures 2 to 5, and the same for the other data."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.compose import make_column_transformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import frugalboost as fb
from frugalboost._typing import AnyArray, Floats
from frugalboost.datasets import make_majority, make_twonorm
from frugalboost.reproduce.filterboost import report
from frugalboost.reproduce.filterboost.asides import aside_jobs
from frugalboost.reproduce.filterboost.boosters import (
    BOOSTERS,
    LEARNERS,
    VARIANTS,
    Booster,
    expected_seconds,
    make_booster,
)
from frugalboost.reproduce.filterboost.claims import CLAIMS
from frugalboost.reproduce.filterboost.findings import JUDGED, MEASURES, Findings, read_results
from frugalboost.reproduce.filterboost.plans import FOLDS, FULL, QUICK, Plan, Task
from frugalboost.reproduce.fits import stages
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.paper import Judgement, Paper, Section
from frugalboost.reproduce.sources import Source, Sources

TIMED = ("adaboost", "filterboost", "madaboost")
"""The boosters of figure 2."""
COMPETING = ("filterboost", "adaboost-resamp")
"""Boosters that also train on more examples a round, on Covertype."""
GENERATORS = {"majority": make_majority, "twonorm": make_twonorm}
POINTS = 40
"""Rounds of a curve, about."""


class FilterBoost(Paper):
    """Boosters that draw examples beside those that keep all of them."""

    title = "FilterBoost: Regression and Classification on Large Datasets (Bradley, Schapire 2007)"
    data = ("majority", "twonorm", "adult", "covtype", "flights3m")
    can_be_cut = True

    @property
    def plan(self) -> Plan:
        return QUICK if self.settings.quick else FULL

    @property
    def tasks(self) -> list[Task]:
        return [task for task in self.plan.tasks if task.data in self.present]

    @cached_property
    def samples(self) -> Samples:
        return Samples(self.sources)

    def jobs(self) -> list[Job]:
        """Run after run, so that an interrupted run has been through all experiments."""
        return [
            *self._time_jobs(),
            *self._aside_jobs(),
            *(job for run in range(self.plan.runs) for job in self._run(run)),
        ]

    def _run(self, run: int) -> Iterator[Job]:
        for task in self.tasks:
            if run >= task.runs:
                continue
            yield Job(self._logistic_key(task, run), partial(self._logistic, task, run), 5)
            for learner in LEARNERS:
                for key, booster in self.boosters(task, learner).items():
                    yield Job(
                        self._curve_key(task, learner, key, run),
                        partial(self._curve, task, learner, booster, run),
                        expected_seconds(task.name, learner, booster),
                        alone=task.is_timed and run == 0,
                    )

    def _aside_jobs(self) -> Iterator[Job]:
        plan, n_jobs = self.plan.asides, self.settings.n_jobs
        if self.settings.rounds is not None:
            plan = plan.cut(self.settings.rounds)
        for job in aside_jobs(plan, self.sources, self.present, n_jobs):
            yield replace(job, key=f"{job.key}{self._cut}")

    @property
    def _cut(self) -> str:
        """What ends the keys of experiments that are cut short."""
        return "" if self.settings.rounds is None else f"-rounds{self.settings.rounds}"

    def boosters(self, task: Task, learner: str) -> dict[str, Booster]:
        """All of them; on Covertype trees also with more examples a round."""
        if (task.name, learner) != ("covtype", "trees"):
            return BOOSTERS | VARIANTS if task.is_varied else BOOSTERS
        n = self.plan.enough
        more = {
            f"{key}-{n}": replace(
                BOOSTERS[key], label=f"{BOOSTERS[key].label}, C = {n:,}", constant=n
            )
            for key in COMPETING
        }
        return BOOSTERS | more

    def rounds(self, task: Task, learner: str, booster: Booster) -> int:
        n_rows = task.n_train or task.n_rows or len(self.sources[task.data].y_train)
        # C = 300 is few examples, all rows or a constant of the order of all rows are many.
        is_costly = booster.constant is None or booster.constant >= self.plan.enough
        is_slow = learner == "trees" and n_rows > self.plan.many and is_costly
        rounds = self.plan.few_rounds if is_slow else self.plan.rounds
        return min(rounds, self.settings.rounds or rounds)

    def _time_jobs(self) -> Iterator[Job]:
        for n in self.plan.times:
            for key in TIMED:
                job = partial(self._time, n, BOOSTERS[key])
                yield Job(self._time_key(n, key), job, 2 + n / 100_000, alone=True)

    def _time_key(self, n: int, key: str) -> str:
        return f"time-{n}-{key}-{self._time_rounds}"

    def _logistic_key(self, task: Task, run: int) -> str:
        return f"logistic-{task.name}-run{run}"

    def _curve_key(self, task: Task, learner: str, key: str, run: int) -> str:
        rounds = self.rounds(task, learner, self.boosters(task, learner)[key])
        return f"{task.name}-{learner}-{key}-{rounds}-run{run}"

    @property
    def _time_rounds(self) -> int:
        return min(self.plan.time_rounds, self.settings.rounds or self.plan.time_rounds)

    def _time(self, n: int, booster: Booster) -> Result:
        model = make_booster(
            booster, "stumps", self._time_rounds, seed=0, n_jobs=self.settings.n_jobs
        )
        return time_rounds(model, *make_majority(n, random_state=0))

    def _logistic(self, task: Task, run: int) -> Result:
        return logistic_regression(self.samples.get(task, run))

    def _curve(self, task: Task, learner: str, booster: Booster, run: int) -> Result:
        source, rounds = self.samples.get(task, run), self.rounds(task, learner, booster)
        model = make_booster(
            booster,
            learner,
            rounds,
            seed=run,
            categorical=source.categorical,
            most_examples=self.plan.most_examples,
            n_jobs=self.settings.n_jobs,
        )
        return estimate_curve(source, model, booster.scale, marks(rounds))

    def findings(self, results: Mapping[str, Result]) -> Findings:
        """The results, as means over the finished runs."""
        runs = range(self.plan.runs)
        curves = {
            (task.name, learner, key): [self._curve_key(task, learner, key, run) for run in runs]
            for task in self.tasks
            for learner in LEARNERS
            for key in self.boosters(task, learner)
        }
        logistic = {
            task.name: [self._logistic_key(task, run) for run in runs] for task in self.tasks
        }
        times = {(n, key): self._time_key(n, key) for n in self.plan.times for key in TIMED}
        labels = {
            key: booster.label
            for task in self.tasks
            for learner in LEARNERS
            for key, booster in self.boosters(task, learner).items()
        }
        keys = [job.key for job in self._aside_jobs() if job.key in results]
        asides = {key.removesuffix(self._cut): results[key] for key in keys}
        return replace(read_results(results, curves, logistic, times, labels), asides=asides)

    def judgements(self, results: Mapping[str, Result]) -> list[Judgement]:
        return CLAIMS.judged(self.findings(results))

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        return report.sections(self.findings(results), self.tasks, self.absent, self.sources)


class Samples:
    """The rows of a task and a run; the last ones are kept for the next booster."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._last: tuple[Task, int, Source] | None = None

    def get(self, task: Task, run: int) -> Source:
        if self._last is None or self._last[:2] != (task, run):
            self._last = None  # frees the rows before others are made
            self._last = task, run, self._make(task, run)
        return self._last[2]

    def _make(self, task: Task, run: int) -> Source:
        return drawn(task, run) if task.data in GENERATORS else folded(task, run, self._sources)


def drawn(task: Task, run: int) -> Source:
    """New examples in each run; the test rows come first, to be the same for every `n_train`."""
    assert task.n_train is not None
    n = task.n_test
    X, y = GENERATORS[task.data](n + task.n_train, random_state=run)
    return Source(task.name, X[n:], y[n:], X[:n], y[:n])


def folded(task: Task, run: int, sources: Sources) -> Source:
    """Fold number `run` is for testing."""
    whole = sources[task.data]
    X, y = whole.X_train, whole.y_train
    if task.n_rows is not None and task.n_rows < len(y):
        rows = np.random.default_rng(0).permutation(len(y))[: task.n_rows]
        X, y = X[rows], y[rows]
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(np.zeros(len(y)), y)
    train, test = list(folds)[run]
    return Source(task.name, X[train], y[train], X[test], y[test], categorical=whole.categorical)


def marks(rounds: int) -> list[int]:
    """Rounds to look at: close together at first, where curves are steep, and those judged.

    >>> marks(10)
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    >>> marks(500)[8:11], marks(500)[-2:]
    ([9, 10, 11], [426, 500])
    """
    spread = np.geomspace(1, rounds, POINTS).round()
    return sorted({int(mark) for mark in (*spread, *JUDGED) if mark <= rounds})


def estimate_curve(source: Source, model: Any, scale: float, rounds: Sequence[int]) -> Result:
    """Fit, and measure on the test rows after these rounds; a model that ended keeps its last.

    `scale` is that of the score in ``1 / (1 + exp(-scale * F))``.
    """
    started = time.perf_counter()
    model.fit(source.X_train, source.y_train)
    seconds = time.perf_counter() - started
    n = len(model.estimators_)
    at = [min(mark, n) - 1 for mark in rounds]
    scores = stages(model.staged_decision_function(source.X_test), at)
    measured = {index: measures(score, source.y_test, scale) for index, score in scores}
    return {
        "rounds": list(rounds),
        "n_trees": n,
        "digest": fb.digest(model),
        "fit_seconds": seconds,
        "seconds": model.ledger_.seconds.cumsum()[at].tolist(),
        **{name: [measured[index][name] for index in at] for name in MEASURES},
    }


def measures(score: Floats, y: AnyArray, scale: float) -> dict[str, float]:
    """Log loss (base e), RMSE of the probability against the label, and accuracy.

    >>> measures(np.array([0.0, 0.0, 4.0]), np.array([0, 1, 1]), scale=1.0)["accuracy"]
    0.6666666666666666
    """
    margin = scale * (2 * y - 1) * score
    return {
        "log_loss": float(np.logaddexp(0.0, -margin).mean()),
        "rmse": float(np.sqrt(np.mean(expit(-margin) ** 2))),
        "accuracy": float(np.mean((score > 0) == (y == 1))),
    }


def logistic_regression(source: Source) -> Result:
    """The paper's baseline, without regularisation; categories as one column each."""
    categorical = list(source.categorical)
    others = [i for i in range(source.X_train.shape[1]) if i not in source.categorical]
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), categorical), (StandardScaler(), others)
    )
    model = make_pipeline(columns, LogisticRegression(C=np.inf, max_iter=1000))
    with warnings.catch_warnings():
        # A category that one class only has would take its coefficient to infinity, slowly.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(source.X_train, source.y_train)
    return dict(measures(model.decision_function(source.X_test), source.y_test, 1.0))


def time_rounds(model: Any, X: AnyArray, y: AnyArray) -> Result:
    """Fit, and say what a round took; binning or shuffling the table before is no part of it."""
    started = time.perf_counter()
    model.fit(X, y)
    seconds = time.perf_counter() - started
    ledger = model.ledger_
    return {
        "n_trees": len(model.estimators_),
        "fit_seconds": seconds,
        "round_seconds": float(ledger.seconds.mean()),
        "digest": fb.digest(model),
    }
