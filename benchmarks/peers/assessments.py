"""Assessments of AdaBoost on stumps that remember last round, beside those of any that does not."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .contenders import OURS, FrugalBoost
from .data import Part
from .entrants import Field, Row, progress
from .tasks import TO_BOUND


@dataclass(frozen=True)
class Round:
    """What a round of AdaBoost starts with: float weights, and the rows whose weight is new."""

    weights: Any
    n_changed: int


def rounds_of(model: Any, X: Any, y: Any) -> Iterator[Round]:
    """Follow the weights of a fit with two classes through its rounds.

    From its predictions alone: a tree that is wrong about a row multiplies its weight by
    ``exp(2 * step)``, all other weights stay. Before the first round every weight is new.
    """
    log_weights = np.zeros(len(y))
    n_changed = len(y)
    before = np.zeros(len(y))
    steps = model.estimator_weights_
    for step, decision in zip(steps, model.staged_decision_function(X), strict=True):
        yield Round(np.exp(log_weights - log_weights.max()), n_changed)
        is_wrong = (decision > before) != (y == 1)
        log_weights[is_wrong] += 2.0 * step
        n_changed = int(is_wrong.sum())
        before = decision


def assessments(run: Field, part: Part, rounds: int) -> list[Row]:
    """Rows whose weight changed times features, and the weight order bound, over all rounds."""
    if OURS not in {contender.name for contender in run.contenders}:
        raise LookupError(f"needs {OURS}")
    from frugalboost.analysis import weight_order_bound
    from frugalboost.reference import choose_shift, fixed_point

    ours, settings = FrugalBoost(), run.settings(rounds)
    dataset, labels = data = ours.build(part, settings)
    model = ours.train(data, settings)
    n_features = int(np.count_nonzero(dataset.n_bins + dataset.has_missing > 1))
    progress(f"  {OURS}: bounds of {ours.n_rounds(model, settings)} rounds")
    incremental = bound = done = 0
    started = time.perf_counter()
    for each in rounds_of(model, part.X, part.y):
        incremental += each.n_changed * n_features
        units = fixed_point(each.weights, choose_shift(each.weights))
        bound += weight_order_bound(dataset, labels, units)
        done += 1
        if time.perf_counter() - started > run.options.limit:
            break
    note = "" if done == rounds else f"the first {done} of {rounds} rounds"
    figures = {
        "assessments, incremental": incremental,
        "weight order bound": bound,
        TO_BOUND: incremental / bound,
    }
    return [Row(OURS, figures, note)]
