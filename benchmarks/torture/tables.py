"""Random tables, labels and weights with everything that a split can stumble over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Random = np.random.Generator


@dataclass(frozen=True)
class Table:
    """`X` holds floats; `categories` are the columns of categories."""

    X: Any
    y: Any
    weights: Any
    categories: list[int]


def floats(rng: Random, n: int) -> Any:
    return rng.normal(size=n) * 10.0 ** rng.integers(-3, 4)


def few_integers(rng: Random, n: int) -> Any:
    return rng.integers(rng.integers(1, 9), size=n).astype(float)


def many_integers(rng: Random, n: int) -> Any:
    return rng.integers(-1000, 1000, size=n).astype(float)


def mostly_zero(rng: Random, n: int) -> Any:
    return np.where(rng.random(n) < rng.choice([0.9, 0.99]), 0.0, floats(rng, n).round(2))


def with_missing(rng: Random, n: int) -> Any:
    return np.where(rng.random(n) < rng.choice([0.05, 0.5, 0.95]), np.nan, few_integers(rng, n))


def with_infinities(rng: Random, n: int) -> Any:
    return rng.choice([-np.inf, np.inf, 0.0, -0.0, 5e-324, 1e308, np.nan], size=n)


COLUMNS = (floats, few_integers, many_integers, mostly_zero, with_missing, with_infinities)


def equal(rng: Random, n: int) -> Any:
    return np.ones(n)


def tied(rng: Random, n: int) -> Any:
    return rng.choice([1.0, 2.0], size=n)


def tiny_and_huge(rng: Random, n: int) -> Any:
    return rng.choice([1e-300, 1.0, 1e300], size=n)


def with_zeros(rng: Random, n: int) -> Any:
    return rng.integers(3, size=n) / 2


def one_huge(rng: Random, n: int) -> Any:
    weights = np.ones(n)
    weights[rng.integers(n)] = 10.0 ** rng.integers(1, 300)
    return weights


def powers(rng: Random, n: int) -> Any:
    return 2.0 ** -rng.integers(60, size=n)


def any_size(rng: Random, n: int) -> Any:
    return rng.random(n)


WEIGHTS = (equal, tied, tiny_and_huge, with_zeros, one_huge, powers, any_size)


def make_table(rng: Random, n: int, n_features: int, n_classes: int | None) -> Table:
    """`n_classes` None: targets are numbers."""
    columns: list[Any] = []
    for _ in range(n_features):
        if columns and rng.random() < 0.2:
            columns.append(columns[-1])  # a copy, so that features tie
        else:
            columns.append(COLUMNS[rng.integers(len(COLUMNS))](rng, n))
    categories = [j for j in range(n_features) if rng.random() < 0.15]
    for j in categories:
        columns[j] = np.where(rng.random(n) < 0.1, np.nan, rng.integers(6, size=n))
    X = np.column_stack(columns)
    weights = None if rng.random() < 0.3 else WEIGHTS[rng.integers(len(WEIGHTS))](rng, n)
    return Table(X, targets(rng, X, n_classes), weights, categories)


def targets(rng: Random, X: Any, n_classes: int | None) -> Any:
    score = np.nan_to_num(X, posinf=3, neginf=-3).clip(-5, 5).sum(axis=1).round(1)
    score += rng.normal(size=len(X)).round(1)
    if n_classes is None:
        return score * 10.0 ** rng.integers(-100, 100) if rng.random() < 0.2 else score
    cuts = np.quantile(score, np.arange(1, n_classes) / n_classes)
    return np.searchsorted(cuts, score)
