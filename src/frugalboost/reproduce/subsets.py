"""Figures 1 to 4 of Quick Boost: what part of the weight says about the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import frugalboost as fb
from frugalboost._typing import AnyArray
from frugalboost.analysis import (
    fitted_rounds,
    preliminary_errors,
    probability_among_best,
    quick_sweep,
    subset_mass,
)
from frugalboost.reproduce.fits import make_model
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source

SHARES = np.linspace(0, 1, 101)
VARIANTS = ("adaboost", "real", "log", "gentle")
UNITS = 2.0**40
"""Residuals become integers in these units of the largest."""


def masses(source: Source, rounds: int, n_jobs: int | None) -> Result:
    """Figure 1: by variant, the share of the weight in the heaviest rows, averaged over rounds."""
    found: dict[str, list[float]] = {}
    for rule in VARIANTS:
        model = make_model(1, rounds, n_jobs=n_jobs).set_params(rule=rule, criterion="auto")
        model.fit(source.binned, source.y_train)
        followed = fitted_rounds(model, source.binned, source.X_train, source.y_train)
        found[rule] = mean_mass(each.weights for each in followed)
    found["l2"] = mean_mass(residuals(source, rounds, n_jobs))
    return {"rounds": rounds, "shares": SHARES.tolist(), "masses": found}


def mean_mass(weights: Iterator[AnyArray]) -> list[float]:
    found: list[float] = np.mean([subset_mass(w, SHARES) for w in weights], axis=0).tolist()
    return found


def residuals(source: Source, rounds: int, n_jobs: int | None) -> Iterator[AnyArray]:
    """L2Boost has no weights; the part of a row that is not yet explained takes their place."""
    targets = np.where(source.y_train > 0, 1.0, -1.0)
    model = fb.BoostedTreesRegressor(
        max_depth=1, n_estimators=rounds, learning_rate=1.0, n_jobs=n_jobs
    ).fit(source.binned, targets)
    for predicted in model.staged_predict(source.X_train):
        left = np.abs(targets - predicted)
        yield np.rint(left * (UNITS / left.max())).astype(np.int64)


def errors(source: Source, rounds: int, n_jobs: int | None) -> Result:
    """Figures 2 and 3: preliminary errors of stumps in every 10th round."""
    model = make_model(1, rounds, n_jobs=n_jobs).fit(source.binned, source.y_train)
    numbers = range(10, rounds + 1, 10)
    followed = fitted_rounds(model, source.binned, source.X_train, source.y_train, numbers)
    shares = SHARES[5:]
    tables = [
        preliminary_errors(source.binned, source.codes, each.weights, shares) for each in followed
    ]
    n_features = tables[0].shape[0]
    ks = {"1": 1, "10": 10, "1 %": max(1, n_features // 100)}
    return {
        "shares": shares.tolist(),
        "probabilities": {
            name: probability_among_best(tables, k).tolist() for name, k in ks.items()
        },
        "example_round": numbers[len(tables) // 2],
        "example": thinned(tables[len(tables) // 2]),
    }


def thinned(table: AnyArray, most: int = 200) -> list[list[float]]:
    """The features that end best, some of the others, and those that mislead most."""
    final = np.argsort(table[:, -1], kind="stable")
    early = np.argsort(table[:, len(table[0]) // 2], kind="stable")[:10]
    chosen = np.unique([*final[:: max(1, len(final) // most)], final[0], *early])
    rows = table[chosen]
    kept: list[list[float]] = rows[~np.isnan(rows).any(axis=1)].tolist()
    return kept


def sweep(
    source: Source,
    rounds: int,
    masses: Sequence[float],
    steps: Sequence[int],
    n_jobs: int | None,
) -> Result:
    """Figure 4: cost of quick search over its two parameters, mean over depths 1 to 3."""
    shares: list[Any] = []
    for depth in (1, 2, 3):
        model = make_model(depth, rounds, n_jobs=n_jobs)
        shares.append(quick_sweep(model, source.binned, source.y_train, masses, steps).shares)
    return {
        "rounds": rounds,
        "masses": list(masses),
        "steps": list(steps),
        "shares": np.mean(shares, axis=0).tolist(),
    }
