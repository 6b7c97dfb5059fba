"""The runs of AP-Boost: tables 1 to 10, figures 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import frugalboost as fb
from frugalboost._typing import AnyArray
from frugalboost.analysis import FittedRound, exact_bound, fitted_rounds, weight_order_bound
from frugalboost.reproduce.adaptive_pruning import report
from frugalboost.reproduce.adaptive_pruning.published import (
    LAZY,
    LAZY_HALF,
    NONE,
    SEARCHES,
    TRIM,
    TRIM_MORE,
    depth_of,
)
from frugalboost.reproduce.fits import make_model, stages
from frugalboost.reproduce.jobs import Job, Result
from frugalboost.reproduce.paper import Judgement, Paper, Section
from frugalboost.reproduce.sources import Source

HEURISTICS = (NONE, LAZY_HALF, LAZY, TRIM_MORE, TRIM)
MARKS = {"mnist": (100, 200, 300), "rcv1": (100, 300, 400)}
LARGE = ("mnist", "rcv1")
"""Hours rather than minutes."""
DRAWS = {NONE: 1, LAZY_HALF: 5, LAZY: 5, TRIM_MORE: 40, TRIM: 10}
"""LazyBoost draws features; weight trimming draws an order of the rows, which decides which rows of
equal weight are trimmed. The more is trimmed, the sooner a fit ends and the more it varies."""


class Trial(NamedTuple):
    """One fit of tables 2 to 10."""

    data: str
    heuristic: str
    search: str
    depth: int
    seed: int = 0

    @property
    def key(self) -> str:
        heuristic = self.heuristic.replace(" ", "-")
        return f"{self.data}-depth{self.depth}-{heuristic}-{self.search}-seed{self.seed}"


def marks_of(data: str) -> tuple[int, ...]:
    return MARKS.get(data, (100, 300, 500))


class AdaptivePruning(Paper):
    """Assessments and errors of AP-Boost and Quick Boost, and what bounds them from below."""

    title = "Adaptively Pruning Features for Boosted Decision Trees (Aziz, Anderton, Aslam 2018)"
    data = ("a6a", "mnist", "rcv1", "satimage", "w4a")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._paired: dict[str, Source] = {}

    @property
    def chosen(self) -> list[str]:
        """Data sets to run, the large ones last: those present, with --quick the smaller ones."""
        small = [name for name in self.present if name not in LARGE]
        large = [name for name in self.present if name in LARGE]
        return small if self.settings.quick else small + large

    def seeds(self, data: str, heuristic: str) -> range:
        """Figures that depend on chance are means over several draws."""
        is_one = data in LARGE or self.settings.quick
        return range(1 if is_one else DRAWS[heuristic])

    def trials(self) -> list[Trial]:
        return [
            Trial(data, heuristic, search, depth_of(data), seed)
            for data in self.chosen
            for heuristic in HEURISTICS
            for search in SEARCHES
            for seed in self.seeds(data, heuristic)
        ]

    def depth_trials(self) -> list[Trial]:
        """Of table 10, without the depth of the other tables."""
        return [
            Trial(data, NONE, search, depth)
            for data in self.chosen
            if data in ("a6a", "w4a")
            for depth in (1, 2, 4, 5)
            for search in SEARCHES
        ]

    def source(self, data: str) -> Source:
        """A data set with two classes; one with more is converted by `paired`."""
        if data not in self._paired:
            self._paired = {data: paired(self.sources[data])}  # one at a time: MNIST's is large
        return self._paired[data]

    def jobs(self) -> list[Job]:
        return [job for data in self.chosen for job in self._jobs_of(data)]

    def _jobs_of(self, data: str) -> Iterator[Job]:
        for trial in [*self.trials(), *self.depth_trials()]:
            if trial.data == data:
                yield Job(trial.key, partial(self._fit, trial))
        if data != "rcv1":
            yield Job(f"{data}-weight-order-bound", partial(self._weight_order, data))
        if data in ("a6a", "w4a"):
            yield Job(f"{data}-exact-bound", partial(self._exact, data))

    def _fit(self, trial: Trial) -> Result:
        marks = marks_of(trial.data)
        model = make_model(
            trial.depth,
            marks[-1],
            trial.heuristic,
            search=trial.search,
            random_state=trial.seed,
            n_jobs=self.settings.n_jobs,
        )
        is_shuffled = trial.heuristic in (TRIM_MORE, TRIM) and trial.seed > 0
        return fit(self.source(trial.data), marks, model, trial.seed if is_shuffled else None)

    def _weight_order(self, data: str) -> Result:
        model = make_model(depth_of(data), marks_of(data)[-1], n_jobs=self.settings.n_jobs)
        return weight_order_totals(self.source(data), model, every=10)

    def _exact(self, data: str) -> Result:
        model = make_model(1, marks_of(data)[-1], n_jobs=self.settings.n_jobs)
        return exact_bounds(self.source(data), model, every=50 if self.settings.quick else 10)

    def judgements(self, results: Mapping[str, Result]) -> list[Judgement]:
        return []

    def sections(self, results: Mapping[str, Result]) -> list[Section]:
        shapes = {name: self.sources[name].shape for name in self.present}
        return report.sections(shapes, self.absent, self.trials(), self.chosen, results)


def fit(source: Source, marks: Sequence[int], model: Any, order: int | None = None) -> Result:
    """Fit, and return the ledger's totals and the errors after the rounds in `marks`.

    A model that ended before a mark has its last figures there. `order` is the seed that rows are
    shuffled with before the fit; None keeps their order.
    """
    fit_in_order(source, model, order)
    at = [min(mark, len(model.ledger_)) - 1 for mark in marks]
    ledger = model.ledger_
    return {
        "marks": list(marks),
        "n_trees": len(ledger),
        "digest": fb.digest(model),
        "assessments": ledger.assessments.cumsum()[at].tolist(),
        "full": ledger.full.cumsum()[at].tolist(),
        "reads": ledger.reads.cumsum()[at].tolist(),
        "seconds": ledger.seconds.cumsum()[at].tolist(),
        "by_round": {"assessments": ledger.assessments.tolist(), "full": ledger.full.tolist()},
        "train_error": errors_at(model, source.X_train, source.y_train, at, source.n_labels),
        "test_error": errors_at(model, source.X_test, source.y_test, at, source.n_labels),
    }


def fit_in_order(source: Source, model: Any, order: int | None) -> None:
    if order is None:
        model.fit(source.binned, source.y_train)
        return
    rows = np.random.default_rng(order).permutation(len(source.y_train))
    model.fit(source.binned.take_rows(rows), source.y_train[rows])


def errors_at(model: Any, X: Any, y: AnyArray, at: Sequence[int], n_labels: int = 1) -> list[float]:
    """Share of rows got wrong after the trees numbered in `at`, from 0."""
    if n_labels == 1:
        predictions = dict(stages(model.staged_predict(X), at))
        return [float(np.mean(predictions[index] != y)) for index in at]
    scores = dict(stages(model.staged_decision_function(X), at))
    own = y.reshape(-1, n_labels).argmax(axis=1)
    named = {index: each.reshape(-1, n_labels).argmax(axis=1) for index, each in scores.items()}
    return [float(np.mean(named[index] != own)) for index in at]


def paired(source: Source) -> Source:
    """More than two classes as two: one example for each row and label; two stay as they are.

    AP-Boost does not say how it treats several classes. This reproduces its errors and assessments
    of satimage: K examples for each row, positive for the row's own label, whose number is the last
    feature. The class of a row is the label whose example has the largest score.

    >>> train, test = (np.array([[5], [6]]), np.array([2, 9])), (np.array([[7]]), np.array([4]))
    >>> pairs = paired(Source("tiny", *train, *test))
    >>> pairs.X_train.tolist(), pairs.y_train.tolist()
    ([[5, 0], [5, 1], [5, 2], [6, 0], [6, 1], [6, 2]], [1, -1, -1, -1, -1, 1])
    """
    labels = np.union1d(source.y_train, source.y_test)
    if len(labels) == 2:
        return source
    return Source(
        source.name,
        with_labels(source.X_train, len(labels)),
        is_own(source.y_train, labels),
        with_labels(source.X_test, len(labels)),
        is_own(source.y_test, labels),
        n_labels=len(labels),
    )


def with_labels(X: AnyArray, n_labels: int) -> AnyArray:
    n, n_features = X.shape
    pairs = np.empty((n * n_labels, n_features + 1), dtype=X.dtype)
    pairs[:, :-1] = np.repeat(X, n_labels, axis=0)
    pairs[:, -1] = np.tile(np.arange(n_labels), n)
    return pairs


def is_own(y: AnyArray, labels: AnyArray) -> AnyArray:
    return np.where(y[:, np.newaxis] == labels, 1, -1).ravel()


def weight_order_totals(source: Source, model: Any, every: int) -> Result:
    """The weight order bound of every so many rounds, all nodes of a tree together."""
    bounds: Result = {"rounds": [], "weight_order": []}
    for each in rounds_of(source, model, every):
        of_nodes = [
            weight_order_bound(source.binned, source.codes, each.weights, rows)
            for rows in each.nodes
        ]
        bounds["rounds"].append(each.number)
        bounds["weight_order"].append(sum(of_nodes))
    return bounds


def exact_bounds(source: Source, model: Any, every: int) -> Result:
    """Exact and weight order bounds of every so many rounds of stumps.

    The relaxation of the exact bound is enough: it holds, and `upper` says how far off it may be.
    """
    bounds: Result = {"rounds": [], "exact": [], "upper": [], "weight_order": [], "seconds": []}
    for each in rounds_of(source, model, every):
        node = source.binned, source.codes, each.weights, each.nodes[0]
        exact = exact_bound(*node, integer=False)
        bounds["rounds"].append(each.number)
        bounds["exact"].append(exact.bound)
        bounds["upper"].append(exact.upper)
        bounds["seconds"].append(exact.seconds)
        bounds["weight_order"].append(weight_order_bound(*node))
    return bounds


def rounds_of(source: Source, model: Any, every: int) -> Iterator[FittedRound]:
    """The first round and every so many."""
    fitted = model.fit(source.binned, source.y_train)
    numbers = [1, *range(every, len(fitted.ledger_) + 1, every)]
    return fitted_rounds(fitted, source.binned, source.X_train, source.y_train, numbers)
