"""The fits of the GAMBLE paper: test errors round by round, and label by label."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

import frugalboost as fb
from frugalboost._typing import AnyArray
from frugalboost.datasets import make_concentric_spheres
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source

N_TEST = 10_000
"""Section 5.3: spheres for testing."""


def error_curve(source: Source, model: Any, *, with_training: bool = False) -> Result:
    """Fit; errors after each round.

    Seconds are those of the processor, which do not depend on what else it has to do.
    """
    started = time.process_time()
    model.fit(source.X_train, source.y_train)
    seconds = time.process_time() - started
    curve: Result = {
        "n_trees": len(model.estimators_),
        "digest": fb.digest(model),
        "seconds": seconds,
        "work": work(model),
        "test_error": staged_errors(model, source.X_test, source.y_test),
    }
    if with_training:
        curve["train_error"] = staged_errors(model, source.X_train, source.y_train)
    return curve


def work(model: Any) -> int:
    """Rows by features that growing the trees takes, if nothing is left out: the same each time."""
    return int(model.ledger_.total("full"))


def staged_errors(model: Any, X: AnyArray, y: AnyArray) -> list[float]:
    return [float(np.mean(said != y)) for said in model.staged_predict(X)]


def split(source: Source, n_train: int, run: int) -> Source:
    """The official split, or another random one for each run: the first of shuffled rows train.

    Of a smaller table than the paper's, nine tenths train. Letter is used as is usual, unshuffled.
    """
    if len(source.y_test):
        return source
    n = len(source.y_train)
    n_train = n_train if n_train < n else n * 9 // 10
    rows = np.arange(n) if source.name == "letter" else np.random.default_rng(run).permutation(n)
    X, y = source.X_train[rows], source.y_train[rows]
    return Source.from_rows(source.name, X, y, n_train, source.categorical)


def part_of(source: Source, draw: int) -> Source:
    """Nine tenths of the training rows at random; the test rows stay."""
    n = len(source.y_train)
    rows = np.random.default_rng(draw).permutation(n)[: n * 9 // 10]
    return replace(source, X_train=source.X_train[rows], y_train=source.y_train[rows])


def spheres(n_classes: int, run: int, n_test: int = N_TEST) -> Source:
    """1,000 examples for each class to train, and others to test."""
    n = 1000 * n_classes
    X, y = make_concentric_spheres(n + n_test, n_classes=n_classes, random_state=run)
    return Source.from_rows("spheres", X, y, n)


def start_rows(n_rows: int, n: int, run: int) -> AnyArray:
    """Random rows to begin with, the same for Active and Random of a run."""
    return np.random.default_rng([n_rows, run]).permutation(n_rows)[:n]


def label_curve(
    source: Source, learner: Any, start: AnyArray, grid: Iterable[int], until: float = -1.0
) -> Result:
    """Teach the first rows, then ask until there are as many labels as each number of the grid.

    It ends early with a committee whose error is at most `until`.

    The committee is tested each time: `error` is that of all its rounds, `least` the lowest after
    any of them. Seconds are those of the processor for choosing and training so far, and `work` is
    that of all committees so far.
    """
    X, y = source.X_train, source.y_train
    curve: Result = {"labels": [], "error": [], "least": [], "seconds": [], "work": []}
    spent, done, known = 0.0, 0, 0
    for n in (len(start), *grid):
        started = time.process_time()
        rows = learner.query(X, n - known)[0] if known else start
        if not len(rows):  # equal rows are asked about once, so a pool may end early
            break
        learner.teach(X[rows], y[rows])
        spent += time.process_time() - started
        known = int(learner.n_labels_)
        if hasattr(learner, "model_"):  # two classes are known
            errors = staged_errors(learner.model_, source.X_test, source.y_test)
            done += work(learner.model_)
            step = {"labels": known, "error": errors[-1], "least": min(errors)}
            for name, value in {**step, "seconds": spent, "work": done}.items():
                curve[name].append(value)
            if errors[-1] <= until:
                break
    return curve


def even_grid(start: int, step: int, end: int) -> list[int]:
    """
    >>> even_grid(20, 10, 45)
    [30, 40, 45]
    """
    return [*range(start + step, end, step), end]


def growing_grid(start: int, step: int, end: int) -> list[int]:
    """Steps of a tenth, where that is more than `step`.

    >>> growing_grid(20, 10, 60), growing_grid(800, 10, 1000)
    ([30, 40, 50, 60], [880, 968, 1000])
    """
    grid, n = [], start
    while n < end:
        n = min(n + max(step, n // 10), end)
        grid.append(n)
    return grid


def race(
    source: Source, learner: Any, start: AnyArray, grid: Iterable[int], batch: Any, target: float
) -> Result:
    """Seconds and work of Active until it reaches an error, and of Batch for all its rounds."""
    curve = label_curve(source, learner, start, grid, until=target)
    whole = error_curve(source, batch)
    return {
        "labels": curve["labels"][-1],
        "is_reached": curve["error"][-1] <= target,
        "seconds": curve["seconds"][-1],
        "work": curve["work"][-1],
        "batch_seconds": whole["seconds"],
        "batch_work": whole["work"],
    }
