"""The oracle interface: examples in an order of its own, as many at a time as requested."""

from __future__ import annotations

from abc import ABC, abstractmethod
from numbers import Integral
from typing import Any, NamedTuple, Protocol, runtime_checkable

import narwhals as nw
import numpy as np
from scipy import sparse

from frugalboost._checks import NamesItself, check_bool, check_int
from frugalboost._typing import AnyArray, Ints
from frugalboost.data.columns import is_frame, take_rows


def seed_of(random_state: Any) -> int:
    """Return a seed: the given number, one drawn from the given generator, or a random one.

    >>> seed_of(7)
    7
    """
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    is_number = isinstance(random_state, Integral) and not isinstance(random_state, bool)
    if is_number and random_state >= 0:
        return int(random_state)
    raise ValueError(
        f"random_state must be None, an integer >= 0 or a NumPy generator; got {random_state!r}."
    )


def permuted(n: int, *key: int) -> AnyArray:
    """Return the numbers below ``n`` in an order set by the key, as 32-bit integers if they fit.

    >>> permuted(4, 0, 1).tolist(), permuted(4, 0, 2).tolist()
    ([3, 0, 2, 1], [2, 1, 0, 3])
    """
    order = np.arange(n, dtype=np.uint32 if n < 2**32 else np.int64)
    np.random.default_rng(key).shuffle(order)
    return order


def repeated(n: int, *key: int) -> AnyArray:
    """Return ``n`` independent draws of the numbers below ``n``, determined by the key."""
    dtype = np.uint32 if n < 2**32 else np.int64
    return np.random.default_rng(key).integers(n, size=n, dtype=dtype)


class Batch(NamedTuple):
    """Some examples: a table, its labels and, where known, the row numbers.

    Row numbers refer to a fixed data set of ``n_rows`` rows, so that what was computed for a row
    can be looked up when it comes again.

    Parameters
    ----------
    X : table
    y : labels
    rows : row numbers, or None

    Examples
    --------
    >>> Batch(np.eye(3), np.array([0, 1, 1])).cut(1, 3).y
    array([1, 1])
    """

    X: Any
    y: Any
    rows: Ints | None = None

    def cut(self, start: int, stop: int) -> Batch:
        """Return the examples from ``start`` up to, but not including, ``stop``."""
        rows = None if self.rows is None else self.rows[start:stop]
        return Batch(cut_rows(self.X, start, stop), self.y[start:stop], rows)

    def none(self) -> Batch:
        """Return an empty batch of the same kind, which keeps nothing of this one in memory."""
        nowhere = np.empty(0, dtype=np.int64)
        rows = None if self.rows is None else nowhere
        return Batch(gather_rows(self.X, nowhere), self.y[:0].copy(), rows)


@runtime_checkable
class Oracle(Protocol):
    """A source of examples: the same ones in the same order, however many are drawn at a time.

    Examples
    --------
    Any object with the three methods is one; `FilterBoostClassifier.fit_stream` needs no more.

    >>> class Coins:
    ...     random = np.random.default_rng(0)
    ...     def draw(self, n):
    ...         return Batch(self.random.random((n, 2)), self.random.integers(2, size=n))
    ...     def state(self):
    ...         return self.random.bit_generator.state
    ...     def restore(self, state):
    ...         self.random.bit_generator.state = state
    >>> isinstance(Coins(), Oracle), Coins().draw(3).X.shape
    (True, (3, 2))
    """

    def draw(self, n: int) -> Batch | tuple[Any, Any]:
        """Return the next examples, at most ``n``; none only when there are no more."""

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs, as numbers, strings, lists and dicts that JSON can hold."""

    def restore(self, state: dict[str, Any]) -> None:
        """Continue as the oracle that returned ``state`` would have, given the same data."""


class EpochOracle(NamesItself, ABC):
    """An oracle whose examples end or, if recycled, start again in a new epoch.

    The oracles of this library are subclasses.

    Parameters
    ----------
    recycle : bool

    Examples
    --------
    >>> from frugalboost.streams.arrays import (ArrayOracle)
    >>> oracle = ArrayOracle([[1.0], [2.0]], [0, 1], recycle=True, shuffle=False)
    >>> isinstance(oracle, EpochOracle), [int(oracle.draw(1).y[0]) for _ in range(5)]
    (True, [0, 1, 0, 1, 0])
    """

    n_rows: int | None = None
    """Number of rows in one epoch, where known."""

    feature_names: AnyArray | None = None

    def __init__(self, *, recycle: bool) -> None:
        self.recycle = check_bool(recycle, name="recycle")
        self._epoch = 0
        self._position = 0
        self._n_given = 0
        self._nothing: Batch | None = None

    @property
    def n_given(self) -> int:
        """Number of examples drawn, recycled ones counted each time."""
        return self._n_given

    @property
    def is_restartable(self) -> bool:
        """Whether `restore` can go back to examples that were drawn before."""
        return True

    @property
    def classes(self) -> AnyArray | None:
        """The distinct labels, in order, where all are known in advance."""
        return None

    def draw(self, n: int) -> Batch:
        """Return the next examples, at most ``n``; none only when there are no more."""
        n = check_int(n, name="n", low=1)
        batch = self._read(n)
        # An epoch without a single row would start again for ever.
        while batch is None and self.recycle and self._position:
            self._begin(self._epoch + 1)
            batch = self._read(n)
        if batch is None:
            return self._no_examples()
        self._position += len(batch.y)
        self._n_given += len(batch.y)
        if self._nothing is None:
            self._nothing = batch.none()
        return batch

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs, as numbers and strings that JSON can hold."""
        return {
            "oracle": type(self).__name__,
            "settings": self._settings(),
            "epoch": self._epoch,
            "position": self._position,
            "n_given": self._n_given,
            "n_rows": self.n_rows,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue as the oracle that returned ``state`` would have, given the same data."""
        self._check_state(state)
        self._begin(state["epoch"])
        self._position = state["position"]
        self._n_given = state["n_given"]

    @abstractmethod
    def _read(self, n: int) -> Batch | None:
        """Return at most ``n`` examples from the position in this epoch, or None at its end."""

    def _settings(self) -> dict[str, Any]:
        """Return what else the order depends on, in a form that JSON can hold."""
        return {}

    def _begin(self, epoch: int) -> None:
        self._epoch = epoch
        self._position = 0

    def _no_examples(self) -> Batch:
        if self._n_given == 0:
            raise ValueError("there must be at least one example; got none.")
        return self._nothing or Batch(np.empty((0, 0)), np.empty(0))  # restored at the end

    def _check_state(self, state: Any) -> None:
        if not isinstance(state, dict) or state.get("oracle") != type(self).__name__:
            of = state.get("oracle") if isinstance(state, dict) else state
            raise ValueError(f"state must come from an oracle of the same kind; got {of!r}.")
        if state.get("n_rows") != self.n_rows:
            raise ValueError(
                "state must come from an oracle of the same data, of "
                f"{self.n_rows} rows; got one of {state.get('n_rows')} rows."
            )
        if state.get("settings") != self._settings():
            raise ValueError(
                "state must come from an oracle with the settings "
                f"{self._settings()}; got {state.get('settings')}."
            )
        for name in ("epoch", "position", "n_given"):
            check_int(state.get(name), name=f"state[{name!r}]", low=0)
        most = state["n_given"] if self.n_rows is None else self.n_rows
        if state["position"] > most:
            raise ValueError(
                f"state['position'] must be at most {most}, the examples of an epoch; got "
                f"{state['position']}."
            )


def gather_rows(X: Any, rows: AnyArray) -> Any:
    """Return the given rows; for an array, as a C-contiguous one of the same dtype.

    >>> gather_rows(np.array([[1, 2], [3, 4]], dtype=np.int8), np.array([1, 1]))
    array([[3, 4],
           [3, 4]], dtype=int8)
    """
    if not isinstance(X, np.ndarray):
        return take_rows(X, rows)
    if X.flags.c_contiguous:
        return X.take(rows, axis=0)
    return np.ascontiguousarray(X[rows])  # `take` would first copy all of X


def cut_rows(X: Any, start: int, stop: int) -> Any:
    """Return the rows from ``start`` up to, but not including, ``stop``; a view where possible."""
    if isinstance(X, np.ndarray) or sparse.issparse(X) or not is_frame(X):
        return X[start:stop]
    return nw.from_native(X, eager_only=True)[start:stop].to_native()
