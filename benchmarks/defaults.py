"""Both estimators untouched beside LightGBM's untouched: errors, log losses, whole-fit times.

    python benchmarks/defaults.py [--quick] [--output DIR] [--only NAME ...]

Writes ``defaults.md`` and ``defaults.json``. Classification is on every real table with classes
(set FRUGALBOOST_DATA to their folder), by the official split or else by five; regression on
300,000 rows of flights3m and on scikit-learn's generators. One thread each; a time is the
median of fits in turns, summed over the splits. A ratio is ours / LightGBM's.

Small test sets are noisy, so beside each ratio stands how sure the difference is. ``sign`` is the
two-sided sign test on the rows that only one of the two models gets right (for regression: on
which is nearer). It does not change the ratio, and the goals are judged by the ratios alone.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.stats import binomtest
from sklearn import datasets as generators
from sklearn.model_selection import KFold, StratifiedKFold

import frugalboost as fb
from peers.report import machine, table

OUTPUT = Path(__file__).parents[1] / "build" / "bench"
OURS, THEIRS = "frugalboost", "LightGBM"
CLASSIFICATION = (
    "a6a",
    "adult",
    "breast-w",
    "covtype",
    "glass",
    "higgs7k",
    "iris",
    "kr-vs-kp",
    "letter",
    "mnist",
    "pendigits",
    "satimage",
    "soybean",
    "splice",
    "waveform",
)
FLIGHTS_ROWS = 300_000
N_SPLITS = 5
QUICK_ROWS = 1_000
SURE = 0.05
"""A sign test below this says that the two models differ on more than chance."""
# Fits are repeated while they are short: the shorter, the noisier their time.
REPEATED_SECONDS, REPEATS = 2.0, 5

MEAN_GOALS = {"error": 1.0, "log loss": 1.05, "squared error": 1.0}
WORST_GOAL, TIME_GOAL = 1.15, 1.0


@dataclass(frozen=True)
class Problem:
    """A table with class codes or targets, and the rows of each split."""

    name: str
    X: Any
    y: Any
    splits: list[tuple[Any, Any]]
    is_classification: bool

    @property
    def n_classes(self) -> int:
        return int(self.y.max()) + 1 if self.is_classification else 1


@dataclass
class Result:
    """What was measured on one problem; each list is (ours, theirs)."""

    name: str
    n_train: int
    n_test: int
    n_splits: int
    n_classes: int
    scores: dict[str, list[float]]
    seconds: list[float]
    sign: float
    ratios: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ratios = {name: ratio(*pair) for name, pair in self.scores.items()}
        self.ratios["time"] = ratio(*self.seconds)


def ratio(ours: float, theirs: float) -> float:
    """Ours / theirs; two zeros are equal.

    >>> ratio(1.0, 2.0), ratio(0.0, 0.0), ratio(1.0, 0.0)
    (0.5, 1.0, inf)
    """
    if theirs == 0:
        return 1.0 if ours == 0 else float("inf")
    return ours / theirs


def load_classes(name: str, quick: bool) -> Problem:
    data = fb.load_dataset(name)
    y = np.unique(data.y, return_inverse=True)[1]
    if data.n_train is not None:
        splits = [np.split(np.arange(len(y)), [data.n_train])]
    else:
        folds = StratifiedKFold(N_SPLITS, shuffle=True, random_state=0)
        splits = list(folds.split(np.zeros(len(y)), y))
    return Problem(name, data.X, y, shortened(splits, quick), True)


def load_flights(quick: bool) -> Problem:
    import pandas

    data = fb.load_dataset("flights3m")
    rows = np.sort(np.random.default_rng(0).choice(len(data.y), FLIGHTS_ROWS, replace=False))
    X = pandas.DataFrame(np.ascontiguousarray(data.X[rows]), columns=list(data.feature_names))
    X = X.astype(dict.fromkeys(data.categorical, "category"))
    return numbers("flights3m", X, data.y[rows].astype(np.float64), quick)


def numbers(name: str, X: Any, y: Any, quick: bool) -> Problem:
    splits = list(KFold(N_SPLITS, shuffle=True, random_state=0).split(y))
    return Problem(name, X, y, shortened(splits, quick), False)


def shortened(splits: list[Any], quick: bool) -> list[Any]:
    if not quick:
        return splits
    draw = np.random.default_rng(0).permutation
    return [tuple(np.sort(draw(rows)[:QUICK_ROWS]) for rows in split) for split in splits[:2]]


# Noise of about a third of the signal for Friedman's three, as in his paper.
GENERATORS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "make_regression": lambda: generators.make_regression(
        2000, 20, n_informative=10, noise=10.0, random_state=0
    ),
    "make_friedman1": lambda: generators.make_friedman1(2000, 10, noise=1.0, random_state=0),
    "make_friedman2": lambda: generators.make_friedman2(2000, noise=125.0, random_state=0),
    "make_friedman3": lambda: generators.make_friedman3(2000, noise=0.1, random_state=0),
    "make_sparse_uncorrelated": lambda: generators.make_sparse_uncorrelated(
        2000, 10, random_state=0
    ),
}
REGRESSION = ("flights3m", *GENERATORS)


def load(name: str, quick: bool) -> Problem:
    if name in GENERATORS:
        return numbers(name, *GENERATORS[name](), quick)
    return load_flights(quick) if name == "flights3m" else load_classes(name, quick)


def take(X: Any, rows: Any) -> Any:
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def as_lightgbm_reads(X: Any) -> Any:
    """Integers as float32, before any clock runs: LightGBM would convert them in its fit."""
    is_plain = isinstance(X, np.ndarray) or sp.issparse(X)
    return X.astype(np.float32) if is_plain and X.dtype.kind in "iu" else X


def make_model(side: str, is_classification: bool) -> Any:
    """The estimator of a side with its defaults; one thread, no messages."""
    if side == OURS:
        kind = fb.BoostedTreesClassifier if is_classification else fb.BoostedTreesRegressor
        return kind(n_jobs=1)
    import lightgbm

    kind = lightgbm.LGBMClassifier if is_classification else lightgbm.LGBMRegressor
    return kind(n_jobs=1, verbose=-1)


def fit_in_turns(problem: Problem, X: dict[str, Any], rows: Any) -> tuple[dict[str, Any], Any]:
    """Models of both sides and the median seconds of each."""
    seconds: dict[str, list[float]] = {OURS: [], THEIRS: []}
    models = {}
    tables = {side: take(X[side], rows) for side in seconds}
    while True:
        for side, spent in seconds.items():
            model = make_model(side, problem.is_classification)
            started = time.perf_counter()
            models[side] = model.fit(tables[side], problem.y[rows])
            spent.append(time.perf_counter() - started)
        is_long = max(spent[0] for spent in seconds.values()) > REPEATED_SECONDS
        if is_long or len(seconds[OURS]) == REPEATS:
            return models, [statistics.median(spent) for spent in seconds.values()]


def class_losses(problem: Problem, model: Any, X: Any, y: Any) -> dict[str, Any]:
    """Error and log loss of each row."""
    shares = np.zeros((len(y), problem.n_classes))
    # A class without training rows has no column in the model.
    shares[:, model.classes_] = model.predict_proba(X)
    own = np.maximum(shares[np.arange(len(y)), y], np.finfo(np.float64).eps)
    return {"error": (model.predict(X) != y).astype(float), "log loss": -np.log(own)}


def row_losses(problem: Problem, model: Any, X: Any, y: Any) -> dict[str, Any]:
    if problem.is_classification:
        return class_losses(problem, model, X, y)
    return {"squared error": (model.predict(X) - y) ** 2}


def measure(problem: Problem) -> Result:
    X = {OURS: problem.X, THEIRS: as_lightgbm_reads(problem.X)}
    losses: dict[str, dict[str, list[Any]]] = {OURS: {}, THEIRS: {}}
    seconds = []
    for train, test in problem.splits:
        models, spent = fit_in_turns(problem, X, train)
        seconds.append(spent)
        for side, found in losses.items():
            rows = row_losses(problem, models[side], take(X[side], test), problem.y[test])
            for name, values in rows.items():
                found.setdefault(name, []).append(values)
    by_row = {
        name: [np.concatenate(losses[side][name]) for side in losses] for name in losses[OURS]
    }
    return Result(
        problem.name,
        n_train=len(problem.splits[0][0]),
        n_test=len(problem.splits[0][1]),
        n_splits=len(problem.splits),
        n_classes=problem.n_classes,
        scores={name: [float(side.mean()) for side in pair] for name, pair in by_row.items()},
        seconds=np.sum(seconds, axis=0).tolist(),
        sign=sign_test(*next(iter(by_row.values()))),
    )


def sign_test(ours: Any, theirs: Any) -> float:
    """Probability of a difference at least this lopsided if both models were equally good.

    >>> sign_test(np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.0]))
    1.0
    """
    n_worse, n_better = int((ours > theirs).sum()), int((ours < theirs).sum())
    if n_worse + n_better == 0:
        return 1.0
    return float(binomtest(n_worse, n_worse + n_better).pvalue)


def figure(value: float) -> str:
    return f"{value:.3g}" if value >= 100 or value == 0 else f"{value:.4f}"


def result_row(result: Result) -> list[str]:
    cells = [result.name, f"{result.n_train:,}", f"{result.n_splits}"]
    for name, pair in result.scores.items():
        cells += [*map(figure, pair), f"{result.ratios[name]:.2f}"]
    return [
        *cells,
        f"{result.sign:.2f}",
        *(f"{spent:.3g}" for spent in result.seconds),
        f"{result.ratios['time']:.2f}",
    ]


def headings(measures: list[str]) -> list[str]:
    sides = ["ours", "LightGBM", "ratio"]
    scores = [f"{measure}, {side}" for measure in measures for side in sides]
    return ["data", "rows", "splits", *scores, "sign", *(f"seconds, {side}" for side in sides)]


def section(title: str, results: list[Result]) -> str:
    if not results:
        return ""
    measures = list(results[0].scores)
    body = table(headings(measures), map(result_row, results))
    verdicts = "\n".join(f"- {line}" for line in judge(results, measures))
    return f"## {title}\n\n{body}\n\n{verdicts}\n"


def judge(results: list[Result], measures: list[str]) -> Iterator[str]:
    """Each goal: the figure, and which tables miss it."""
    for name in measures:
        mean = statistics.fmean(result.ratios[name] for result in results)
        yield f"{name}: mean ratio {mean:.3f}, goal at most {MEAN_GOALS[name]}" + miss(
            mean > MEAN_GOALS[name]
        )
        high = [result for result in results if result.ratios[name] > WORST_GOAL]
        yield f"{name}: tables above {WORST_GOAL}: {listed(high, name)}"
    slow = [result for result in results if result.ratios["time"] > TIME_GOAL]
    yield f"time: tables above {TIME_GOAL}: {listed(slow, 'time')}"


def miss(is_missed: bool) -> str:
    return ": **missed**" if is_missed else ""


def listed(results: list[Result], name: str) -> str:
    if not results:
        return "none"
    return ", ".join(
        f"{result.name} ({result.ratios[name]:.2f}{chance(result, name)})" for result in results
    )


def chance(result: Result, name: str) -> str:
    """Say where the sign test cannot tell the models apart; it speaks of the first measure only."""
    is_judged = name == next(iter(result.scores))
    return ", not told from chance" if is_judged and result.sign > SURE else ""


def parse(arguments: list[str] | None) -> argparse.Namespace:
    names = (*CLASSIFICATION, *REGRESSION)
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="1,000 rows, two splits")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for both files")
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="NAME")
    return parser.parse_args(arguments)


def run(names: list[str], quick: bool) -> Iterator[Result]:
    for name in names:
        try:
            problem = load(name, quick)
        except FileNotFoundError:
            print(f"{name}: not available, left out", flush=True)
            continue
        result = measure(problem)
        rounded = {key: round(value, 3) for key, value in result.ratios.items()}
        print(f"{name}: {rounded}", flush=True)
        yield result


def main(arguments: list[str] | None = None) -> int:
    given = parse(arguments)
    try:
        import lightgbm
    except ModuleNotFoundError:
        print('defaults: LightGBM is missing; install it with pip install "lightgbm".')
        return 2
    warnings.filterwarnings("ignore", message="X does not have valid feature names")
    results = list(run(given.only, given.quick))
    versions = {OURS: fb.__version__, THEIRS: lightgbm.__version__}
    write(given.output, results, versions, given.quick)
    return 0


def write(output: Path, results: list[Result], versions: dict[str, str], quick: bool) -> None:
    parts = [
        section("Classification", [each for each in results if each.n_classes > 1]),
        section("Regression", [each for each in results if each.n_classes == 1]),
    ]
    output.mkdir(parents=True, exist_ok=True)
    (output / "defaults.md").write_text("\n".join(part for part in parts if part), "utf-8")
    content = {
        "machine": machine(),
        "versions": versions,
        "quick": quick,
        "results": [asdict(result) for result in results],
    }
    (output / "defaults.json").write_text(json.dumps(content, indent=2) + "\n", "utf-8")
    print(f"written to {output}")


if __name__ == "__main__":
    sys.exit(main())
