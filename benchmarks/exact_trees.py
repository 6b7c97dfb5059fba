"""What exact boosted trees must show: one model from every search, the papers' figures, speed.

    python benchmarks/exact_trees.py digests [--rounds 10] [--data a6a ...]
    python benchmarks/exact_trees.py table4 | table10 | real | mnist-speed | all

Prints Markdown tables; the exit code is 1 when a figure does not hold. Real data come from
``load_dataset``, so set FRUGALBOOST_DATA to their folder.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

import frugalboost as fb
from frugalboost.reproduce.adaptive_pruning.published import DEPTHS, ERRORS
from frugalboost.rules import CLASSIFIER_RULES, REGRESSOR_RULES
from problems import PROBLEMS
from tables import MarkdownTable, verdict

SEARCHES = ("exhaustive", "quick", "adaptive", "ap_boost", "incremental", "two_stage", "auto")
JOBS = (1, 2)

# AP-Boost, Table 4: a6a, depth 3, (train, test) error by rounds; both searches have the same.
TABLE_4 = {
    cell.rounds: (cell.train_error, cell.test_error)
    for cell in ERRORS
    if (cell.table, cell.data) == (4, "a6a")
}
# AP-Boost, Table 10: a6a, 500 rounds, assessments for depth 1 to 5.
TABLE_10 = {"adaptive": DEPTHS["a6a", "ap_boost"], "quick": DEPTHS["a6a", "quick"]}
# Test errors to reach with rule="real": (max_depth, n_estimators, error).
REAL_ERRORS = {
    "pendigits": (4, 200, 0.027),
    "satimage": (5, 200, 0.090),
    "letter": (5, 100, 0.046),
}
LETTER_TRAIN = 16_000
SPEED_RATIO = 50
THEIRS = "scikit-learn"


def digests(rounds: int, names: list[str]) -> bool:
    """Every rule with every criterion that fits it: one model from all searches and threads."""
    table = MarkdownTable(
        f"One model from {len(SEARCHES)} searches and n_jobs {JOBS}, {rounds} rounds",
        ["data", "rule", "criterion", "digest", "models", "equal"],
    )
    all_equal = True
    for name in names:
        X, y = PROBLEMS[name]()
        for rule, criterion in rules_and_criteria():
            found = {
                fb.digest(fit_for_digest(X, y, rule, criterion, rounds, search, n_jobs))
                for search, n_jobs in product(SEARCHES, JOBS)
            }
            all_equal &= len(found) == 1
            table.add(name, rule, criterion, min(found)[:12], len(found), verdict(len(found) == 1))
    return all_equal


def rules_and_criteria() -> Iterator[tuple[str, str]]:
    for name, rule in (CLASSIFIER_RULES | REGRESSOR_RULES).items():
        yield from product([name], rule.criteria)


def fit_for_digest(
    X: Any, y: Any, rule: str, criterion: str, rounds: int, search: str, n_jobs: int
) -> Any:
    # Deep enough that merging of weight orders and subtraction at inner nodes take part.
    options = {"n_estimators": rounds, "max_depth": 3, "search": search, "n_jobs": n_jobs}
    if rule in REGRESSOR_RULES:
        target = np.unique(y, return_inverse=True)[1].astype(np.float64)
        return fb.BoostedTreesRegressor(criterion=criterion, **options).fit(X, target)
    return fb.BoostedTreesClassifier(rule=rule, criterion=criterion, **options).fit(X, y)


def table4() -> bool:
    """Errors on a6a beside the paper's."""
    data = fb.load_dataset("a6a")
    model = papers_adaboost(max_depth=3, search="auto").fit(data.X_train, data.y_train)
    train = staged_errors(model, data.X_train, data.y_train)
    test = staged_errors(model, data.X_test, data.y_test)
    table = MarkdownTable(
        "a6a, AdaBoost on the error, depth 3 (AP-Boost, Table 4)",
        ["rounds", "train error", "paper", "test error", "paper", "within 0.001"],
    )
    all_hold = True
    for rounds, (paper_train, paper_test) in TABLE_4.items():
        ours = train[rounds - 1], test[rounds - 1]
        holds = max(abs(ours[0] - paper_train), abs(ours[1] - paper_test)) <= 0.001
        all_hold &= holds
        table.add(
            rounds, f"{ours[0]:.4f}", paper_train, f"{ours[1]:.4f}", paper_test, verdict(holds)
        )
    return all_hold


def papers_adaboost(max_depth: int, search: str, n_estimators: int = 500) -> Any:
    return fb.BoostedTreesClassifier(
        rule="adaboost",
        criterion="error",
        max_depth=max_depth,
        n_estimators=n_estimators,
        search=search,
    )


def staged_errors(model: Any, X: Any, y: Any) -> list[float]:
    return [float(np.mean(labels != y)) for labels in model.staged_predict(X)]


def table10() -> bool:
    """Assessments on a6a beside the paper's."""
    data = fb.load_dataset("a6a")
    table = MarkdownTable(
        "a6a, 500 rounds, assessments (AP-Boost, Table 10)",
        ["search", "depth", "assessments", "paper", "deviation", "at most +3 %", "seconds"],
    )
    all_hold = True
    for search, paper in TABLE_10.items():
        for max_depth, expected in enumerate(paper, start=1):
            model = papers_adaboost(max_depth, search).fit(data.X_train, data.y_train)
            ours = float(model.ledger_.total("assessments"))
            deviation = ours / expected - 1
            all_hold &= deviation <= 0.03
            table.add(
                search,
                max_depth,
                f"{ours:.3e}",
                f"{expected:.2e}",
                f"{deviation:+.1%}",
                verdict(deviation <= 0.03),
                f"{model.ledger_.total('seconds'):.1f}",
            )
    return all_hold


def real() -> bool:
    """Test errors of the confidence-rated rule."""
    table = MarkdownTable(
        'rule="real", learning_rate=1',
        ["data", "depth", "rounds", "test error", "at most", "holds", "seconds"],
    )
    all_hold = True
    for name, (max_depth, rounds, limit) in REAL_ERRORS.items():
        data = fb.load_dataset(name)
        n_train = LETTER_TRAIN if data.n_train is None else data.n_train
        model = fb.BoostedTreesClassifier(
            rule="real", learning_rate=1.0, max_depth=max_depth, n_estimators=rounds
        ).fit(data.X[:n_train], data.y[:n_train])
        error = 1.0 - model.score(data.X[n_train:], data.y[n_train:])
        all_hold &= error <= limit
        seconds = f"{model.ledger_.total('seconds'):.1f}"
        table.add(name, max_depth, rounds, f"{error:.4f}", limit, verdict(error <= limit), seconds)
    return all_hold


def mnist_speed(repeats: int = 3, trees: int = 50, slow_trees: int = 2) -> bool:
    """Seconds per tree beside scikit-learn's: whole fits, in turns, divided by their trees.

    Binning and checks are counted. 50 trees are scikit-learn's default; it trains two of them
    here, because all would take many minutes and its time per tree does not fall with their number.
    """
    data = fb.load_dataset("mnist")
    X, y = data.X_train, data.y_train >= 5
    X32 = X.astype(np.float32)  # what scikit-learn's trees want, so that it need not convert

    def ours(criterion: str) -> Any:
        return fb.BoostedTreesClassifier(
            rule="adaboost", criterion=criterion, max_depth=4, n_estimators=trees, n_jobs=1
        ).fit(X, y)

    def theirs() -> Any:
        tree = DecisionTreeClassifier(max_depth=4)
        return AdaBoostClassifier(tree, n_estimators=slow_trees).fit(X32, y)

    contenders = {"error": partial(ours, "error"), "gini": partial(ours, "gini"), THEIRS: theirs}
    timings: dict[str, list[Timing]] = {name: [] for name in contenders}
    with threadpool_limits(1):
        for _, (name, train) in product(range(repeats), contenders.items()):
            timings[name].append(time_per_tree(train))
    return print_speed({name: median_timing(runs) for name, runs in timings.items()})


class Timing(NamedTuple):
    """Seconds per tree; those of the processor tell a busy machine from slow code."""

    wall: float
    processor: float


def time_per_tree(train: Callable[[], Any]) -> Timing:
    wall, processor = time.perf_counter(), time.process_time()
    n_trees = len(train().estimators_)
    return Timing(
        (time.perf_counter() - wall) / n_trees, (time.process_time() - processor) / n_trees
    )


def median_timing(runs: list[Timing]) -> Timing:
    return Timing(*(statistics.median(seconds) for seconds in zip(*runs, strict=True)))


def print_speed(medians: dict[str, Timing]) -> bool:
    slow = medians.pop(THEIRS)
    table = MarkdownTable(
        "MNIST, 0 to 4 against 5 to 9, depth 4, one thread, median seconds per tree",
        ["criterion", "frugalboost", THEIRS, "ratio", "processor ratio", f">= {SPEED_RATIO}"],
    )
    for criterion, fast in medians.items():
        ratio = slow.wall / fast.wall
        table.add(
            criterion,
            f"{fast.wall:.4f}",
            f"{slow.wall:.2f}",
            f"{ratio:.0f}",
            f"{slow.processor / fast.processor:.0f}",
            verdict(ratio >= SPEED_RATIO),
        )
    return all(slow.wall / fast.wall >= SPEED_RATIO for fast in medians.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = ["digests", "table4", "table10", "real", "mnist-speed", "all"]
    parser.add_argument("what", choices=names)
    parser.add_argument("--rounds", type=int, default=10, help="rounds of each model of digests")
    parser.add_argument("--data", nargs="+", choices=PROBLEMS, default=list(PROBLEMS))
    options = parser.parse_args()
    runs = {
        "digests": lambda: digests(options.rounds, options.data),
        "table4": table4,
        "table10": table10,
        "real": real,
        "mnist-speed": mnist_speed,
    }
    chosen = runs if options.what == "all" else [options.what]
    try:
        outcomes = [runs[name]() for name in chosen]  # all of them, also after one that fails
    except FileNotFoundError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
