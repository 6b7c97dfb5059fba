"""The tables on which searches and thread counts must agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from frugalboost.datasets import load_dataset


def _training_part(name: str) -> tuple[Any, Any]:
    data = load_dataset(name)
    return data.X_train, data.y_train


def _covtype() -> tuple[Any, Any]:
    data = load_dataset("covtype")
    rows = np.sort(np.random.default_rng(0).choice(len(data.y), 50_000, replace=False))
    return data.X[rows], data.y[rows]


def _random_sparse() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = sp.random(2000, 100, density=0.03, format="csr", random_state=rng)
    score = X @ rng.normal(size=100) + rng.normal(scale=0.3, size=2000)
    return X, np.digitize(score, np.quantile(score, [0.3, 0.7]))


# a6a is sparse with two classes, satimage has six, adult has categories and missing values.
PROBLEMS: dict[str, Callable[[], tuple[Any, Any]]] = {
    "a6a": lambda: _training_part("a6a"),
    "satimage": lambda: _training_part("satimage"),
    "adult": lambda: _training_part("adult"),
    "covtype": _covtype,
    "random-sparse": _random_sparse,
}
