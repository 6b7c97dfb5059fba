"""Small tables to boost on, and ensembles made by hand."""

from __future__ import annotations

import numpy as np

from frugalboost.boosting import Ensemble
from frugalboost.tree import FlatTree


def noisy_table(n_rows=24, n_classes=2, seed=0):
    """Integers with ties and missing values, with labels that no tree can get all right."""
    rng = np.random.default_rng(seed)
    X = rng.integers(4, size=(n_rows, 3)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.arange(n_rows) % n_classes
    X[n_classes:, :][: n_rows // 3] = X[:1]  # equal rows, different labels
    return X, y


def stump(rng, n_outputs=1, n_features=5) -> FlatTree:
    """A stump with random threshold and values, and a second one on categories below it."""
    return FlatTree(
        feature=np.array([rng.integers(3), -1, 4, -1, -1], dtype=np.int32),
        threshold=np.array([rng.normal(), *[np.nan] * 4]),
        left=np.array([1, -1, 3, -1, -1], dtype=np.int32),
        right=np.array([2, -1, 4, -1, -1], dtype=np.int32),
        missing_left=np.array([rng.integers(2), 0, rng.integers(2), 0, 0], dtype=np.uint8),
        category_start=np.array([-1, -1, 0, -1, -1], dtype=np.int32),
        n_categories=np.array([0, 0, 6, 0, 0], dtype=np.int32),
        category_words=rng.integers(64, size=1).astype(np.uint64),
        value=rng.normal(size=(5, n_outputs)) * [[0], [1], [0], [1], [1]],
        gain=rng.random(5) * [1, 0, 1, 0, 0],
        n_samples=rng.integers(1, 9, size=5),
        n_features=n_features,
    )


def random_ensemble(rng, n_trees=7, n_outputs=1) -> Ensemble:
    ensemble = Ensemble(5, n_outputs, baseline=0.25)
    for _ in range(n_trees):
        ensemble.append(stump(rng, n_outputs), float(rng.random() + 0.1), restarted=False)
    return ensemble


def random_block(rng, ensemble, n_rows=50) -> np.ndarray:
    """Rows of the features that the ensemble uses, the last one categorical."""
    X = rng.normal(size=(n_rows, 5))
    X[:, 4] = rng.integers(8, size=n_rows)
    X[rng.random(X.shape) < 0.1] = np.nan
    return np.ascontiguousarray(X[:, ensemble.used_features])
