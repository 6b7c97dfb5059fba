"""Small pools whose labels are known, and learners that are quick."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost import ActiveLearner, GambleClassifier


def make_pool(n_rows: int = 240, n_classes: int = 3, seed: int = 0) -> tuple[Any, Any]:
    """Rows of small whole numbers, some of them equal, with a class for each sector."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, size=(n_rows, 3)).astype(np.float64)
    angle = np.arctan2(X[:, 1], X[:, 0]) + np.pi
    return X, np.minimum((angle / (2 * np.pi) * n_classes).astype(int), n_classes - 1)


def committee(**options: Any) -> GambleClassifier:
    defaults: dict[str, Any] = {"n_estimators": 12, "max_leaf_nodes": 6, "learning_rate": 0.9}
    return GambleClassifier(**{**defaults, **options})


def learner(**options: Any) -> ActiveLearner:
    """A quick one; `estimator` among the options replaces its committee."""
    defaults: dict[str, Any] = {"estimator": committee(), "random_state": 0, "start_size": 12}
    return ActiveLearner(**{**defaults, **options})
