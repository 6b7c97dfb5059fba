"""Tables with everything that can go wrong in a split, and the models that must not care."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from frugalboost import BinnedDataset, BoostedTreesClassifier, BoostedTreesRegressor, digest
from frugalboost.rules import RULES, rule_class

SEARCHES = ("exhaustive", "quick", "adaptive", "ap_boost", "incremental", "two_stage", "auto")

RULES_AND_CRITERIA = [
    (rule, criterion) for rule in RULES for criterion in rule_class(rule).criteria
]

CATEGORICAL = [3]


def mixed_table(n_rows: int = 90, seed: int = 0) -> np.ndarray:
    """Ties, missing values, a copied column, categories, a mostly empty column, infinities."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 7))
    X[:, 0] = rng.integers(5, size=n_rows)
    X[rng.random(n_rows) < 0.25, 1] = np.nan
    X[:, 2] = X[:, 0]
    X[:, 3] = rng.choice([1.0, 2.0, 3.0, 5.0, 8.0, np.nan], size=n_rows)
    X[rng.random(n_rows) < 0.92, 4] = 0.0
    X[rng.random(n_rows) < 0.2, 5] = np.inf
    X[:, 6] = X[:, 6].round(1)
    return X


def stored_in_every_way(X: np.ndarray) -> Any:
    """As a sparse matrix, of which full columns become dense and empty ones stay sparse."""
    return sparse.csr_array(X)


def binned_in_every_way(X: np.ndarray) -> BinnedDataset:
    """Binned once for all fits; with dense and sparse columns, categories and missing values."""
    return BinnedDataset.from_data(stored_in_every_way(X), categorical_features=CATEGORICAL)


def noisy_labels(X: np.ndarray, n_classes: int, seed: int = 0) -> np.ndarray:
    """Labels that depend on several columns, a fifth of them drawn at random."""
    rng = np.random.default_rng(seed)
    score = X[:, 0] + np.nan_to_num(X[:, 1]) + (X[:, 3] > 2) + (X[:, 4] > 0)
    labels = np.searchsorted(np.quantile(score, np.arange(1, n_classes) / n_classes), score)
    return np.where(rng.random(len(X)) < 0.2, rng.integers(n_classes, size=len(X)), labels)


def noisy_targets(X: np.ndarray, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return noisy_labels(X, 5, seed) + rng.normal(size=len(X)).round(1)


def classifier(rule: str = "adaboost", **options: Any) -> BoostedTreesClassifier:
    """A small model of `mixed_table`."""
    defaults = {"n_estimators": 8, "max_depth": 3, "categorical_features": CATEGORICAL}
    return BoostedTreesClassifier(rule, **{**defaults, **options})


def regressor(**options: Any) -> BoostedTreesRegressor:
    """A small model of `mixed_table`."""
    defaults = {"n_estimators": 8, "max_depth": 3, "categorical_features": CATEGORICAL}
    return BoostedTreesRegressor(**{**defaults, **options})


def digests(model: Any, X: Any, y: Any, weights: Any = None, n_jobs: Any = (1,)) -> set[str]:
    """Digests of the model fitted with every search, and with each of `n_jobs`."""
    return {
        digest(model.set_params(search=search, n_jobs=jobs).fit(X, y, weights))
        for search in SEARCHES
        for jobs in n_jobs
    }
