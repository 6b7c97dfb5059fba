"""What is timed: a whole fit, a prediction, or rounds on a data set that is ready.

Each work has two verbs, `ours` and `theirs`, which take a number of threads. LightGBM is imported
where it is used, because it is optional.
"""

from __future__ import annotations

import hashlib
import statistics
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

import frugalboost as fb
from peers.data import Part
from peers.measure import timed
from peers.tasks import Size

from .data import load
from .tasks import Task

PREDICTED_ROWS = 200_000
THEIR_ROUNDS = 10  # on a ready data set; ours are those of the task


class Run(NamedTuple):
    """How long a run took, in the task's unit, and the digest of what came out."""

    value: float
    digest: str = ""


class Work(ABC):
    """One task with its table; `n_most` threads do what is not timed."""

    def __init__(self, task: Task, size: Size, n_most: int) -> None:
        self.task, self.size, self.n_most = task, size, n_most
        self.part: Part = load(task.data, size.rows)

    @abstractmethod
    def ours(self, n_threads: int) -> Run: ...

    @abstractmethod
    def theirs(self, n_threads: int) -> Run: ...

    def make_ready(self, has_theirs: bool) -> None:  # noqa: B027
        """Do what is not timed; most works have nothing of that kind."""

    def describe(self) -> str:
        n_rows, n_features = self.part.X.shape
        return f"{n_rows:,} rows, {n_features} features; {self.calls()}"

    def calls(self) -> str:
        ours, theirs = type(self.our_model(1)).__name__, f"LGBM{self._kind()}"
        rounds = {"n_estimators": self.size.rounds}
        pairs = ((ours, self.task.ours), (theirs, self.task.theirs))
        return ", ".join(call(name, {**given, **rounds}) for name, given in pairs)

    def our_model(self, n_threads: int) -> Any:
        kind = fb.BoostedTreesRegressor if self.task.is_regression else fb.BoostedTreesClassifier
        return kind(n_estimators=self.size.rounds, n_jobs=n_threads, **self.task.ours)

    def their_model(self, n_threads: int) -> Any:
        import lightgbm

        kind = getattr(lightgbm, f"LGBM{self._kind()}")
        rounds = self.size.rounds
        return kind(n_estimators=rounds, n_jobs=n_threads, verbose=-1, **self.task.theirs)

    def _kind(self) -> str:
        return "Regressor" if self.task.is_regression else "Classifier"


def call(name: str, parameters: Mapping[str, Any]) -> str:
    """How a model is made, for the report.

    >>> call("Model", {"max_depth": 6})
    '`Model(max_depth=6)`'
    """
    return f"`{name}({', '.join(f'{key}={value!r}' for key, value in parameters.items())})`"


class WholeFit(Work):
    """From the table to the model, the data set included."""

    def ours(self, n_threads: int) -> Run:
        model = self.our_model(n_threads)
        seconds = timed(lambda: model.fit(self.part.X, self.part.y), n_threads).seconds
        return Run(seconds, fb.digest(model))

    def theirs(self, n_threads: int) -> Run:
        model = self.their_model(n_threads)
        return Run(timed(lambda: model.fit(self.part.X, self.part.y), n_threads).seconds)


class Prediction(Work):
    """Probabilities from raw rows. The digest is theirs, so that they are compared as well."""

    def make_ready(self, has_theirs: bool) -> None:
        self.our_fit = self.our_model(self.n_most).fit(self.part.X, self.part.y)
        if has_theirs:
            self.their_fit = self.their_model(self.n_most).fit(self.part.X, self.part.y)

    @property
    def rows(self) -> Any:
        return self.part.X[:PREDICTED_ROWS]

    def describe(self) -> str:
        return f"`predict_proba` of {len(self.rows):,} rows after {super().describe()}"

    def ours(self, n_threads: int) -> Run:
        model = self.our_fit.set_params(n_jobs=n_threads)
        found, seconds = timed(lambda: model.predict_proba(self.rows), n_threads)
        return Run(seconds, hashlib.sha256(found.tobytes()).hexdigest())

    def theirs(self, n_threads: int) -> Run:
        model = self.their_fit
        predict = partial(model.predict_proba, self.rows, num_threads=n_threads)
        return Run(timed(predict, n_threads).seconds)


@cache
def our_data(name: str, n_rows: int | None, n_threads: int) -> Any:
    return fb.BinnedDataset.from_data(load(name, n_rows).X, n_jobs=n_threads)


@cache
def their_data(name: str, n_rows: int | None, n_threads: int) -> Any:
    import lightgbm

    part, parameters = load(name, n_rows), {"num_threads": n_threads, "verbose": -1}
    return lightgbm.Dataset(part.X, part.y, params=parameters).construct()


class Rounds(Work):
    """The median round, in milliseconds, on a data set built beforehand."""

    def make_ready(self, has_theirs: bool) -> None:
        self.our_data = our_data(*self._ready)
        if has_theirs:
            self.their_data = their_data(*self._ready)

    def calls(self) -> str:
        ours = call("BoostedTreesClassifier", {**self.task.ours, "n_estimators": self.size.rounds})
        theirs = ", ".join(f"{key}={value}" for key, value in self.task.theirs.items())
        return f"{ours} on a `BinnedDataset`, LightGBM with {theirs} on a `Dataset`, both ready"

    @property
    def _ready(self) -> tuple[str, int | None, int]:
        return self.task.data, self.size.rows, self.n_most

    def ours(self, n_threads: int) -> Run:
        model = self.our_model(n_threads)
        timed(lambda: model.fit(self.our_data, self.part.y), n_threads)
        seconds = [float(each) for each in model.ledger_.column("seconds")]
        return Run(1e3 * statistics.median(seconds), fb.digest(model))

    def theirs(self, n_threads: int) -> Run:
        import lightgbm

        parameters = {"objective": "binary", "num_threads": n_threads, "verbose": -1}
        booster = lightgbm.Booster(parameters | dict(self.task.theirs), self.their_data)
        seconds = [timed(booster.update, n_threads).seconds for _ in range(THEIR_ROUNDS)]
        return Run(1e3 * statistics.median(seconds))


WORKS: dict[str, type[Work]] = {"fit": WholeFit, "predict": Prediction, "rounds": Rounds}


def warm_up(has_theirs: bool) -> None:
    """Import what both libraries import late."""
    X = np.random.default_rng(0).normal(size=(200, 3)).astype(np.float32)
    y = (X[:, 0] > 0).astype(np.int32)
    fb.digest(fb.BoostedTreesClassifier(n_estimators=1).fit(X, y))
    if has_theirs:
        import lightgbm

        lightgbm.LGBMClassifier(n_estimators=1, verbose=-1).fit(X, y)
