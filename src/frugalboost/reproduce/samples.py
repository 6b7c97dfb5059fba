"""Training and test rows of one run of the FilterBoost paper's experiments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import StratifiedKFold

from frugalboost.datasets import make_majority, make_twonorm
from frugalboost.reproduce.sources import Source, Sources

GENERATORS = {"majority": make_majority, "twonorm": make_twonorm}
FOLDS = 10


@dataclass(frozen=True)
class Task:
    """Data of one size.

    Attributes
    ----------
    name : str
        For tables and the names of files.
    data : str
        The name in `Sources`.
    n_train, n_test : int or None
        Examples to draw, of synthetic data. Of a real table, each run has one of ten folds to
        test and the others to train.
    n_rows : int or None
        Rows of a real table that take part; None: all.
    """

    name: str
    data: str
    n_train: int | None = None
    n_test: int = 50_000
    n_rows: int | None = None

    @property
    def title(self) -> str:
        name = self.data.capitalize()
        return name if self.n_train is None else f"{name}, {self.n_train:,} examples"


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
