"""One fit of tables 2 to 10, and what is kept of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import frugalboost as fb
from frugalboost._typing import AnyArray
from frugalboost.data import BinnedDataset
from frugalboost.reproduce.fits import make_model, stages
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source


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


def with_constants(source: Source) -> Source:
    """The same rows; searches then look at constant features, too.

    Here a feature of one value has one bin, and no search looks at it. The paper does not say that
    it leaves such features out. With a second bin that no row is in, a feature is assessed until
    its lower bound rules it out, as any other, and cannot win, so the model is the same.
    """
    other = replace(source)
    other.__dict__["binned"] = with_empty_bins(source.binned)
    return other


def with_empty_bins(data: BinnedDataset) -> BinnedDataset:
    """Every feature of a single value gets a bin above it, without rows.

    >>> data = with_empty_bins(BinnedDataset.from_data([[7.0, 1.0], [7.0, 2.0]]))
    >>> data.n_bins, data.thresholds[0]
    (array([2, 2], dtype=int32), array([1.79769313e+308]))
    """
    is_constant = data.n_bins + data.has_missing == 1
    above = np.array([np.finfo(np.float64).max])
    thresholds = tuple(
        above if constant else cuts
        for constant, cuts in zip(is_constant, data.thresholds, strict=True)
    )
    n_bins = np.where(is_constant, 2, data.n_bins).astype(np.int32)
    return replace(data, n_bins=n_bins, thresholds=thresholds)


def count_constants(data: BinnedDataset) -> int:
    return int(np.count_nonzero(data.n_bins + data.has_missing == 1))


def seconds_of(
    source: Source, searches: Iterable[str], n_times: int, depth: int, rounds: int, **options: Any
) -> Result:
    """Seconds of each search, the least of several fits that take turns, and what they assess."""
    models = {name: make_model(depth, rounds, search=name, **options) for name in searches}
    taken: dict[str, list[float]] = {name: [] for name in models}
    for _ in range(n_times):
        for name, model in models.items():
            ledger = model.fit(source.binned, source.y_train).ledger_
            taken[name].append(float(ledger.total("seconds")))
    return {
        "rounds": rounds,
        "seconds": {name: min(each) for name, each in taken.items()},
        "assessments": {
            name: int(model.ledger_.total("assessments")) for name, model in models.items()
        },
    }


def repeated(source: Source, n_times: int) -> Source:
    """Every row so many times: searches take the same steps, with as many times the reads."""
    rows = np.tile(np.arange(len(source.y_train)), n_times)
    return replace(source, X_train=source.X_train[rows], y_train=source.y_train[rows])


def work_by_steps(source: Source, model: Any, numbers: Iterable[int]) -> Result:
    """Quick Boost's assessments by the number of its subsets: a share of all, and by round."""
    shares, by_round = {}, {}
    for n_steps in numbers:
        model.set_params(search="quick", quick_steps=n_steps)
        ledger = model.fit(source.binned, source.y_train).ledger_
        shares[str(n_steps)] = ledger.share
        by_round[str(n_steps)] = ledger.assessments.tolist()
    return {"shares": shares, "by_round": by_round}
