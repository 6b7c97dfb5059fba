"""How few labels an active learner needs, and how soon it asks the next question.

    FRUGALBOOST_DATA=FOLDER python benchmarks/labels.py latency | pool | efficiency

latency: from ten answers to the next ten questions, with 500 labels of pendigits known.
pool: one query on a million rows of covtype, and the memory that it takes beside the pool.
efficiency: labels until the test error is that of all labels at its lowest, asking or at random.

Seconds are of one core: `time.process_time` of runs with one thread.
"""

from __future__ import annotations

import argparse
import copy
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import frugalboost as fb
from tables import MarkdownTable, verdict

BATCH_ROUNDS = 1000
RANDOM_STEP = 50
PAPER = {"pendigits": (340, 2510), "satimage": (220, 1450)}


def seconds_of(
    work: Callable[[fb.ActiveLearner], Any], learner: fb.ActiveLearner, repeats: int
) -> float:
    """The processor's seconds, each time on a learner of its own; the fastest of all.

    Whatever else the machine does makes a run slower, never faster.
    """
    spent = []
    for _ in range(repeats):
        fresh = copy.deepcopy(learner)
        started = time.process_time()
        work(fresh)
        spent.append(time.process_time() - started)
    return min(spent)


def latency(repeats: int = 9) -> None:
    data = fb.load_dataset("pendigits")
    X, y = data.X_train, data.y_train
    start = fb.ActiveLearner(random_state=0).run(X, lambda indices: y[indices], budget=490)
    rows, _ = start.query(X)
    table = MarkdownTable(
        f"Ten answers to the next questions, pendigits ({len(X):,} rows), 500 labels",
        ["committee", "teach, s", "query, s", "both, s", "< 0.3"],
    )
    for name, learner in (
        ("GAMBLE, fresh", with_params(start)),
        ("GAMBLE, warm", with_params(start, retrain="warm")),
        ("real, fresh", with_params(start, estimator=real_committee())),
    ):
        teach = seconds_of(lambda one: one.teach(X[rows], y[rows]), learner, repeats)
        query = seconds_of(lambda one: one.query(X), learner.teach(X[rows], y[rows]), repeats)
        both = teach + query
        table.add(name, f"{teach:.3f}", f"{query:.3f}", f"{both:.3f}", verdict(both < 0.3))


def with_params(learner: fb.ActiveLearner, **params: Any) -> fb.ActiveLearner:
    return copy.deepcopy(learner).set_params(**params)


def real_committee() -> fb.BoostedTreesClassifier:
    """AdaBoost.MH with real-valued leaves, in the size of the default committee."""
    return fb.BoostedTreesClassifier(
        "real",
        max_leaf_nodes=31,
        min_samples_leaf=1,
        max_bins=32,
        feature_fraction=0.5,
        random_state=0,
    )


def pool(repeats: int = 3, n_rows: int = 1_000_000) -> None:
    data = fb.load_dataset("covtype")
    rng = np.random.default_rng(0)
    known = rng.choice(len(data.y), 500, replace=False)
    X = np.ascontiguousarray(data.X[rng.integers(len(data.y), size=n_rows)])
    learner = fb.ActiveLearner(random_state=0).teach(data.X[known], data.y[known])
    table = MarkdownTable(
        f"One query, covtype ({len(X):,} x {X.shape[1]}), 500 labels",
        ["rows scored", "numbers", "pool, MB", "seconds", "< 3", "memory beside the pool, MB"],
    )
    for size in (None, 100_000):
        for kind in (np.int16, np.float32, np.float64):
            part = X.astype(kind)
            one = with_params(learner, pool_size=size)
            seconds = seconds_of(lambda one, part=part: one.query(part), one, repeats)
            table.add(
                "all" if size is None else f"{size:,}",
                np.dtype(kind).name,
                f"{part.nbytes / 1e6:.0f}",
                f"{seconds:.2f}",
                verdict(seconds < 3),
                f"{extra_memory(one, part) / 1e6:.0f}",
            )


def extra_memory(learner: fb.ActiveLearner, X: Any) -> int:
    """Peak of what a query allocates."""
    tracemalloc.start()
    learner.query(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@dataclass(frozen=True)
class Race:
    """Labels until the target, run by run; None where a run did not reach it."""

    labels: list[int | None]
    seconds: list[float]

    @property
    def mean(self) -> float | None:
        reached = [n for n in self.labels if n is not None]
        return float(np.mean(reached)) if len(reached) == len(self.labels) else None


def efficiency(names: list[str], runs: int, with_real: bool) -> None:
    table = MarkdownTable(
        f"Labels until the lowest test error of GAMBLE with all labels, mean of {runs} runs",
        [
            *("data", "target error", "all labels", "committee"),
            *("asking", "at random", "ratio", "<= 1/3", "paper", "seconds, asking / all labels"),
        ],
    )
    for name in names:
        data = fb.load_dataset(name)
        target, batch_seconds = lowest_error(data)
        for committee in (None, real_committee()) if with_real else (None,):
            asking = race(data, target, committee, runs, utility="margin")
            chance = race(data, target, committee, runs, utility="random", batch_size=RANDOM_STEP)
            table.add(
                name,
                f"{target:.4f}",
                f"{len(data.y_train):,}",
                "GAMBLE" if committee is None else "real",
                told(asking),
                told(chance),
                *ratio_of(asking, chance),
                "{} / {}".format(*PAPER[name]) if committee is None else "",
                f"{np.mean(asking.seconds):.1f} / {batch_seconds:.1f}",
            )


def lowest_error(data: Any) -> tuple[float, float]:
    """Of GAMBLE as published on all labels, in its first 1000 rounds, and the seconds for them."""
    started = time.process_time()
    batch = fb.GambleClassifier(n_estimators=BATCH_ROUNDS).fit(data.X_train, data.y_train)
    seconds = time.process_time() - started
    wrong = [np.mean(labels != data.y_test) for labels in batch.staged_predict(data.X_test)]
    return float(min(wrong)), seconds


def race(data: Any, target: float, committee: Any, runs: int, **params: Any) -> Race:
    labels, seconds = [], []
    for seed in range(runs):
        started = time.process_time()
        learner = fb.ActiveLearner(committee, random_state=seed, **params).run(
            data.X_train,
            lambda indices: data.y_train[indices],
            validation=(data.X_test, data.y_test),
            target_error=target,
        )
        seconds.append(time.process_time() - started)
        labels.append(learner.n_labels_ if learner.stop_reason_ == "target" else None)
    return Race(labels, seconds)


def told(race: Race) -> str:
    shown = ["all" if n is None else str(n) for n in race.labels]
    mean = "not always" if race.mean is None else f"{race.mean:.0f}"
    return f"{mean} ({', '.join(shown)})"


def ratio_of(asking: Race, chance: Race) -> tuple[str, str]:
    """Runs at random that never get there are left out, which favours chance."""
    if asking.mean is None:
        return "-", verdict(False)
    reached = [n for n in chance.labels if n is not None]
    if not reached:
        return "-", verdict(True)
    ratio = asking.mean / float(np.mean(reached))
    return f"{ratio:.2f}", verdict(ratio <= 1 / 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["latency", "pool", "efficiency"])
    parser.add_argument("--runs", type=int, default=10, help="of each learner (efficiency)")
    parser.add_argument("--real", action="store_true", help="also with rule real (efficiency)")
    parser.add_argument("--data", nargs="+", default=list(PAPER), choices=list(PAPER))
    arguments = parser.parse_args()
    if arguments.what == "latency":
        latency()
    elif arguments.what == "pool":
        pool()
    else:
        efficiency(arguments.data, arguments.runs, arguments.real)


if __name__ == "__main__":
    main()
