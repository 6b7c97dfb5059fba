"""Fresh examples filtered in a second, and how the time of a round grows with the data."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

import frugalboost as fb
from frugalboost.datasets import majority_batches, make_majority
from frugalboost.filtering import BatchReader, FilterRule, IncrementalForest, ScoredStream
from frugalboost.filtering.filter import Filter
from frugalboost.filtering.stopping import Stopped
from frugalboost.streams import ArrayOracle, IterableOracle

N_STUMPS, N_FRESH = 100, 1_000_000
SIZES = (10**5, 10**6, 10**7)
ROUNDS = 100
REPEATS = 5


def filtered_per_second(model: fb.FilterBoostClassifier, X: np.ndarray, y: np.ndarray) -> float:
    """Examples that a filter looks at in a second; none has been seen before."""
    forest = IncrementalForest()
    for tree, step in zip(model.estimators_, model.estimator_weights_.tolist(), strict=True):
        forest.append(tree, step)
    oracle = ArrayOracle(X, y, recycle=False, shuffle=False)
    reader = BatchReader(model._schema, model.classes_)
    stream = ScoredStream(oracle, reader, forest, 1, seed=0)
    filter_ = Filter(stream, FilterRule("log", 2), confidence=0.01, target_error=1e-6)
    started = time.perf_counter()
    try:
        while True:
            filter_.take(1000)
    except Stopped:
        return filter_.n_drawn / (time.perf_counter() - started)


def throughput() -> list[tuple[str, str]]:
    X, y = make_majority(N_FRESH, random_state=0)
    stumps = fb.FilterBoostClassifier(max_depth=1, max_rounds=N_STUMPS, random_state=0)
    fitted = stumps.fit(X[:50_000], y[:50_000])
    rows = []
    for dtype in (np.uint8, np.float32, np.float64):
        table = X.astype(dtype)
        speeds = [filtered_per_second(fitted, table, y) for _ in range(REPEATS)]
        name = f"examples filtered per second, {N_STUMPS} stumps, {np.dtype(dtype)}"
        rows.append((name, f"{np.median(speeds) / 1e6:.2f} million"))
    return rows


@dataclass(frozen=True)
class Contestant:
    """A way to fit ROUNDS rounds to the first n examples; gives the seconds of a median round.

    The first round of an array puts it in random order, which takes time by its length, once.
    """

    name: str
    seconds: Callable[[int], float]


def filtering() -> fb.FilterBoostClassifier:
    return fb.FilterBoostClassifier(
        max_depth=1, max_rounds=ROUNDS, random_state=0, target_error=1e-6
    )


def from_generator(n: int) -> float:
    """Majority made while it is read, and made again from the first example after n of them."""
    oracle = IterableOracle(lambda: first(n), recycle=True)
    return float(np.median(filtering().fit_stream(oracle).ledger_.seconds))


def first(n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for X, y in majority_batches(5000, random_state=1):
        yield X[:n], y[:n]
        n -= len(y)
        if n <= 0:
            return


def growth(quick: bool) -> list[tuple[str, str]]:
    sizes = SIZES[:2] if quick else SIZES
    X, y = make_majority(max(sizes), random_state=1)

    def from_array(n: int) -> float:
        return float(np.median(filtering().fit(X[:n], y[:n]).ledger_.seconds))

    def batch(n: int) -> float:
        model = fb.BoostedTreesClassifier(
            "adaboost", n_estimators=ROUNDS, max_depth=1, learning_rate=1.0, search="exhaustive"
        )
        return float(np.median(model.fit(X[:n], y[:n]).ledger_.seconds))

    contestants = [
        Contestant("FilterBoost from a generator", from_generator),
        Contestant("FilterBoost from an array", from_array),
        Contestant("AdaBoost", batch),
    ]
    times: dict[tuple[str, int], list[float]] = {}
    for _ in range(3):  # in turns
        for n in sizes:
            for each in contestants:
                times.setdefault((each.name, n), []).append(each.seconds(n))
    rows = []
    for each in contestants:
        medians = [float(np.median(times[each.name, n])) for n in sizes]
        shown = ", ".join(f"{1000 * value:.2f}" for value in medians)
        rows.append((f"{each.name}, ms a round on {', '.join(f'{n:,}' for n in sizes)}", shown))
        rows.append((f"{each.name}, slowest / fastest", f"{max(medians) / min(medians):.2f}"))
    return rows


def measure(quick: bool) -> list[tuple[str, str]]:
    return throughput() + growth(quick)
