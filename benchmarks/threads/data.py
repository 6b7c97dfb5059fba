"""The tables, as float32 where they are numbers. Those from disk are read once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from peers.data import COVTYPE_TRAIN, LOADERS, Part, plain

LATE = 15  # minutes
N_NORMALS, N_FEATURES = 10_000_000, 28


@cache
def _covtype() -> Part:
    from frugalboost import load_dataset

    data = load_dataset("covtype")
    rows = np.random.RandomState(1).permutation(len(data.y))[:COVTYPE_TRAIN]
    return Part(plain(data.X[rows]), data.y[rows].astype(np.int32))


@cache
def _flights() -> Part:
    from frugalboost import load_dataset

    data = load_dataset("flights3m")
    return Part(plain(data.X), data.y.astype(np.float64))


@cache
def _mnist() -> Part:
    return LOADERS["mnist"]().train


def _adult() -> Part:
    from frugalboost import load_dataset

    data = load_dataset("adult")  # needs pandas, for its categories
    return Part(data.X_train, np.unique(np.asarray(data.y_train), return_inverse=True)[1])


def _normals(n_rows: int) -> Part:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_rows, N_FEATURES), dtype=np.float32)
    noise = rng.standard_normal(n_rows, dtype=np.float32)
    return Part(X, (X[:, :8].sum(axis=1) * X[:, 8] + noise > 0).astype(np.int32))


def _shipped(name: str) -> Part:
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return Part(plain(X), y.astype(np.int32))


def with_labels(part: Part, code: Callable[[Any], Any]) -> Part:
    return Part(part.X, code(part.y).astype(np.int32))


PARTS: dict[str, Callable[[], Part]] = {
    "covtype": _covtype,
    "covtype-two": lambda: with_labels(_covtype(), lambda y: y == 2),
    "flights-late": lambda: with_labels(_flights(), lambda y: y > LATE),
    "flights-delay": _flights,
    "mnist": _mnist,
    "mnist-halves": lambda: with_labels(_mnist(), lambda y: y >= 5),
    "iris": lambda: _shipped("iris"),
    "digits": lambda: _shipped("digits"),
    "adult": _adult,
    "a6a": lambda: LOADERS["a6a"]().train,
}


@cache
def load(name: str, n_rows: int | None) -> Part:
    """The first rows of a table; `FileNotFoundError` or `ModuleNotFoundError` if it is absent."""
    if name == "normals":
        return _normals(N_NORMALS if n_rows is None else n_rows)
    return PARTS[name]().head(n_rows)
