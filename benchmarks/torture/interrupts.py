"""Ctrl-C at any moment: KeyboardInterrupt, and a model that is the old one, the new one or none."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

import frugalboost as fb

from .attack import Attack, expect


@cache
def table() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8000, 6))
    return X, (X[:, 0] + X[:, 1] > rng.normal(size=8000)).astype(int)


def make(kind: int) -> Any:
    if kind == 0:
        return fb.BoostedTreesClassifier(n_estimators=10, n_jobs=2)
    if kind == 1:
        return fb.BoostedTreesClassifier("adaboost", n_estimators=20, max_depth=2, n_jobs=1)
    if kind == 2:
        return fb.BoostedTreesRegressor(n_estimators=10, n_jobs=2)
    if kind == 3:
        return fb.C45Classifier("adaboost_m1", n_estimators=2, random_state=0)
    member = fb.FilterBoostClassifier(max_rounds=15, sample_constant=50, random_state=0)
    if kind == 4:
        return member
    member.set_params(target_error=0.25, max_rounds=5)
    return fb.TandemBoostClassifier(member, target_error=0.6, random_state=0)


KINDS = 6


@cache
def expected(kind: int) -> tuple[str, float]:
    """Digest and seconds of a fit that nothing disturbs; the second, when all is warm."""
    for _ in range(2):
        started = time.perf_counter()
        model = make(kind).fit(*table())
        seconds = time.perf_counter() - started
    return fb.digest(model), seconds


@cache
def earlier(kind: int) -> str:
    """Digest of the model that an estimator has had before."""
    X, y = table()
    return fb.digest(make(kind).fit(X[:500], y[:500]))


def interrupted(task: Callable[[], Any], after: float) -> bool:
    """Whether a SIGINT after so many seconds has ended the task, or come when it was over."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        task()
        timer.cancel()
        timer.join()
    except KeyboardInterrupt:
        timer.join()
        return True
    return False


def digest_of(model: Any) -> str:
    try:
        return fb.digest(model)
    except NotFittedError:
        return "none"


def interrupt(seed: int, number: int, folder: Path) -> Counter[str]:
    rng = np.random.default_rng([5, seed, number])
    kind = int(rng.integers(KINDS))
    X, y = table()
    right, seconds = expected(kind)
    if rng.random() < 0.3:
        return of_reading(rng, kind)
    model = make(kind)
    allowed = {right, "none"}
    if rng.random() < 0.5:
        model.fit(X[:500], y[:500])
        allowed = {right, "none", earlier(kind)}
    ended = interrupted(lambda: model.fit(X, y), seconds * float(rng.uniform(0, 1)))
    found = digest_of(model)
    expect(found in allowed, f"{model!r} is neither old nor new after an interrupt: {found}")
    if found != "none":
        model.predict(X[:10])
    expect(fb.digest(model.fit(X, y)) == right, f"{model!r} differs after an interrupt")
    return Counter({"fits interrupted" if ended else "over before": 1})


@cache
def reading_model(kind: int) -> tuple[Any, Any]:
    model = make(kind).fit(*table())
    return model, model.predict(table()[0])


def of_reading(rng: np.random.Generator, kind: int) -> Counter[str]:
    """Predictions and binning."""
    X = table()[0]
    model, right = reading_model(kind)
    ended = interrupted(lambda: model.predict(X), float(rng.uniform(0, 0.005)))
    expect(bool((model.predict(X) == right).all()), "predictions differ after an interrupt")
    interrupted(lambda: fb.BinnedDataset.from_data(X), float(rng.uniform(0, 0.01)))
    fresh = make(kind).fit(*table())
    expect(fb.digest(fresh) == expected(kind)[0], "a fit differs after interrupted binning")
    return Counter({"predictions interrupted" if ended else "over before": 1})


INTERRUPTS = Attack(
    "interrupts",
    "KeyboardInterrupt; the model is the old one or none; the next fit is right",
    interrupt,
)
