"""Figure 1: how much of the weight the heaviest rows hold, by variant of boosting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

import frugalboost as fb
from frugalboost._typing import AnyArray
from frugalboost.analysis import fitted_rounds, subset_mass
from frugalboost.reproduce.fits import make_model, stages
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source

VARIANTS = ("adaboost", "real", "log", "gentle", "logit", "l2", "l2-squared")
"""L2Boost's rows have no weights: what is left to explain takes their place, or its square."""
SHARES = np.linspace(0, 1, 201)
LOOKS = 100
"""Rounds looked at, in even steps."""
EARLY = 200
MASS = 0.9
UNITS = 2.0**40
"""Weights that are not integers become integers in these units of the largest."""


def weight_of_rows(
    source: Source, variant: str, depth: int, rounds: int, n_jobs: int | None
) -> Result:
    """Share of the weight by share of the rows: means over all rounds and over the first ones.

    Also the share of the rows that holds 90 % of the weight, by round.
    """
    numbers = even_rounds(rounds)
    masses, rows = [], []
    for weights in followed_weights(source, variant, depth, numbers, n_jobs):
        masses.append(subset_mass(weights, SHARES))
        rows.append(rows_that_hold(weights, MASS))
    numbers = numbers[: len(rows)]
    early = sum(number <= EARLY for number in numbers)
    return {
        "rounds": numbers,
        "shares": SHARES.tolist(),
        "mass": np.mean(masses, axis=0).tolist(),
        "early_mass": np.mean(masses[:early], axis=0).tolist(),
        "rows": rows,
    }


def even_rounds(rounds: int) -> list[int]:
    """
    >>> even_rounds(3), even_rounds(2000)[:3], even_rounds(2000)[-1]
    ([1, 2, 3], [20, 40, 60], 2000)
    """
    step = max(1, rounds // LOOKS)
    return list(range(step, rounds + 1, step))


def rows_that_hold(weights: AnyArray, mass: float) -> float:
    """
    >>> rows_that_hold(np.array([1, 6, 1, 2]), 0.8)
    0.5
    """
    heaviest = np.sort(weights)[::-1].cumsum()
    enough = int(np.searchsorted(heaviest, mass * float(heaviest[-1]))) + 1
    return enough / len(weights)


def followed_weights(
    source: Source, variant: str, depth: int, numbers: Sequence[int], n_jobs: int | None
) -> Iterator[AnyArray]:
    """The weights in some rounds; a fit that ends early has fewer."""
    n = numbers[-1]
    if variant.startswith("l2"):
        yield from residuals(source, depth, numbers, n_jobs, is_squared=variant == "l2-squared")
        return
    model = make_model(depth, n, n_jobs=n_jobs).set_params(rule=variant, criterion="auto")
    if variant == "logit":
        yield from curvatures(source, model, numbers)
        return
    model.fit(source.binned, source.y_train)
    there = [number for number in numbers if number <= len(model.ledger_)]
    for each in fitted_rounds(model, source.binned, source.X_train, source.y_train, there):
        yield each.weights


def curvatures(source: Source, model: Any, numbers: Sequence[int]) -> Iterator[AnyArray]:
    """LogitBoost weighs a row by p (1 - p); with full steps, as in the original."""
    model.set_params(learning_rate=1.0).fit(source.binned, source.y_train)
    after = model.staged_predict_proba(source.X_train)
    for _, probabilities in stages(after, [number - 1 for number in numbers]):
        yield as_units(probabilities[:, 0] * probabilities[:, 1])


def residuals(
    source: Source, depth: int, numbers: Sequence[int], n_jobs: int | None, *, is_squared: bool
) -> Iterator[AnyArray]:
    targets = np.where(source.y_train > 0, 1.0, -1.0)
    model = fb.BoostedTreesRegressor(
        max_depth=depth, n_estimators=numbers[-1], learning_rate=1.0, n_jobs=n_jobs
    ).fit(source.binned, targets)
    after = model.staged_predict(source.X_train)
    for _, predicted in stages(after, [number - 1 for number in numbers]):
        left = np.abs(targets - predicted)
        yield as_units(left**2 if is_squared else left)


def as_units(weights: AnyArray) -> AnyArray:
    return np.asarray(np.rint(weights * (UNITS / weights.max())), dtype=np.int64)


def order_kept(source: Source, depth: int, rounds: int, n_jobs: int | None) -> Result:
    """Section 4.1: rows that a tree gets right keep their order by weight, and so do the others.

    Counted in some rounds: neighbours in that order, and those that changed places.
    """
    model = make_model(depth, rounds, n_jobs=n_jobs).fit(source.binned, source.y_train)
    last = len(model.ledger_)
    pairs = [number for number in even_rounds(last) if number < last]
    numbers = sorted({each for number in pairs for each in (number, number + 1)})
    followed = fitted_rounds(model, source.binned, source.X_train, source.y_train, numbers)
    leaves = model.apply(source.X_train)
    n_compared = n_changed = 0
    for now, then in pairwise(followed):
        if then.number != now.number + 1:
            continue
        tree = model.estimators_[now.number - 1]
        is_right = (tree.value[leaves[:, now.number - 1], 0] > 0) == (source.codes == 1)
        for group in (is_right, ~is_right):
            n_compared += max(int(group.sum()) - 1, 0)
            n_changed += changed_places(now.weights[group], then.weights[group])
    return {"n_rounds": len(pairs), "n_compared": n_compared, "n_changed": n_changed}


def changed_places(before: AnyArray, after: AnyArray) -> int:
    """Neighbours in the order of `before` that are in another order by `after`.

    >>> changed_places(np.array([1, 2, 3]), np.array([10, 10, 5]))
    1
    """
    order = np.lexsort((after, before))  # rows that tied may be in any order
    return int((np.diff(after[order]) < 0).sum())
