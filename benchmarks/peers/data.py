"""The tables, with small ones that ship with scikit-learn where the real ones are absent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import scipy.sparse as sp

LETTER_TRAIN = 16_000
COVTYPE_TRAIN = 400_000


@dataclass(frozen=True)
class Part:
    """Rows with class codes; dense tables are float32, which every library reads as it is."""

    X: Any
    y: Any

    @property
    def is_sparse(self) -> bool:
        return bool(sp.issparse(self.X))

    def head(self, n_rows: int | None) -> Part:
        if n_rows is None or n_rows >= len(self.y):
            return self
        return Part(self.X[:n_rows], self.y[:n_rows])


@dataclass(frozen=True)
class Table:
    """A training and a test part; the head of either is a fair sample of it."""

    train: Part
    test: Part

    @property
    def n_classes(self) -> int:
        return int(self.train.y.max()) + 1


def _official(name: str, code: Callable[[Any], Any]) -> Table:
    from frugalboost import load_dataset

    data = load_dataset(name)
    n_train = LETTER_TRAIN if data.n_train is None else data.n_train
    return _split(data.X, code(data.y), np.arange(len(data.y)), n_train)


def _covtype() -> Table:
    from frugalboost import load_dataset

    data = load_dataset("covtype")
    order = np.random.default_rng(0).permutation(len(data.y))
    # Test rows as many as MNIST's: their errors are there to compare, not to be exact.
    return _split(data.X, data.y == 2, order[: COVTYPE_TRAIN + 10_000], COVTYPE_TRAIN)


def _shipped(load: Callable[..., Any], code: Callable[[Any], Any]) -> Table:
    X, y = load(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return _split(X, code(y), order, len(y) * 3 // 4)


def _split(X: Any, y: Any, order: Any, n_train: int) -> Table:
    y = np.unique(y, return_inverse=True)[1].astype(np.int32)
    return Table(*(Part(plain(X[rows]), y[rows]) for rows in np.split(order, [n_train])))


def plain(X: Any) -> Any:
    """float32, row by row: what every library reads as it is."""
    X = X.astype(np.float32)
    return X if sp.issparse(X) else np.ascontiguousarray(X)


def _halves(y: Any) -> Any:
    return y >= 5


def _three(y: Any) -> Any:
    return y == 3


def _same(y: Any) -> Any:
    return y


def _digits(code: Callable[[Any], Any]) -> Table:
    from sklearn.datasets import load_digits

    return _shipped(load_digits, code)


def _cancer() -> Table:
    from sklearn.datasets import load_breast_cancer

    return _shipped(load_breast_cancer, _same)


LOADERS: dict[str, Callable[[], Table]] = {
    "mnist": lambda: _official("mnist", _same),
    "mnist-halves": lambda: _official("mnist", _halves),
    "mnist-three": lambda: _official("mnist", _three),
    "covtype": _covtype,
    "a6a": lambda: _official("a6a", _same),
    "letter": lambda: _official("letter", _same),
    "pendigits": lambda: _official("pendigits", _same),
}
# Small tables that come with scikit-learn, for machines without the real ones.
STAND_INS: dict[str, tuple[str, Callable[[], Table]]] = {
    "mnist": ("digits", lambda: _digits(_same)),
    "mnist-halves": ("digits", lambda: _digits(_halves)),
    "mnist-three": ("digits", lambda: _digits(_three)),
    "covtype": ("breast_cancer", _cancer),
}


@lru_cache(maxsize=1)
def load(name: str) -> tuple[Table, str]:
    """Return a table and what it is when it stands in for another, else an empty string."""
    try:
        return LOADERS[name](), ""
    except FileNotFoundError:
        if name not in STAND_INS:
            raise
        stand_in, loader = STAND_INS[name]
        return loader(), stand_in
