"""Examples from any Python iterable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.data.columns import is_frame
from frugalboost.data.targets import as_labels, check_present
from frugalboost.streams.arrays import as_table, names_of
from frugalboost.streams.oracle import Batch, EpochOracle

AT_ONCE = 4096  # rows held in memory at a time while skipping

Source: TypeAlias = Iterable[Any] | Callable[[], Iterable[Any]]


class UsedSourceError(ValueError):
    """A source that can be iterated only once, and has been."""

    def __init__(self, n_items: int) -> None:
        super().__init__(
            "source must be restartable; got one that can be iterated only once and "
            f"has yielded {n_items} items. Create an oracle from a new one."
        )
        self.n_items = n_items


class IterableOracle(EpochOracle):
    """Examples from an iterable of batches (X, y), or of single rows (x, y).

    Parameters
    ----------
    source : iterable, or function without parameters that returns one
        A batch is a table with its labels; a row is a sequence of values with one label. A
        function, or an iterable that can be iterated again such as a list, can be restarted.
    recycle : bool
        Whether to start again after the last example, which a generator cannot.

    Nothing is read ahead: a batch is fetched when the last one is used up, rows as they are
    drawn. `restore` restarts the source and skips what was already drawn; a source that can be
    iterated only once must then be a new one, at its first example.

    Examples
    --------
    >>> oracle = IterableOracle(([i, i * i], i % 2) for i in range(5))
    >>> oracle.draw(3).X.tolist(), oracle.draw(3).y.tolist()
    ([[0, 0], [1, 1], [2, 4]], [1, 0])
    >>> len(oracle.draw(3).y), oracle.n_given
    (0, 5)
    """

    def __init__(self, source: Source, *, recycle: bool = False) -> None:
        super().__init__(recycle=recycle)
        self.source = source
        self._is_broken = False
        self._n_items = 0
        self._n_columns: int | None = None
        self._rest: Batch | None = None
        self._items = self._restart()
        if self.recycle and self._items is source:
            raise ValueError(
                "source must be a function or an iterable that can be iterated again "
                f"when recycle=True; got {type(source).__name__}."
            )

    @property
    def is_restartable(self) -> bool:
        """Whether the source can be iterated more than once, as a generator cannot."""
        return self._items is not self.source

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        n_passed, self._position = self._position, 0
        while self._position < n_passed:
            batch = self._read(min(n_passed - self._position, AT_ONCE))
            if batch is None:
                raise ValueError(
                    f"source must yield the {n_passed} examples of the epoch that come before the "
                    f"state; got {self._position}."
                )
            self._position += len(batch.y)

    def _restart(self) -> Iterator[Any]:
        source = self.source() if callable(self.source) else self.source
        if not isinstance(source, Iterable):
            raise TypeError(
                f"source must be an iterable or a function that returns one; got {source!r}."
            )
        return iter(source)

    def _begin(self, epoch: int) -> None:
        items = self._restart()
        if items is self._items and self._n_items:
            raise UsedSourceError(self._n_items)
        super()._begin(epoch)
        self._items = items
        self._is_broken = False
        self._n_items = 0
        self._rest = None

    def _read(self, n: int) -> Batch | None:
        if self._is_broken:
            raise ValueError(
                f"source failed at example {self._position} of its epoch; "
                "only restore can restart it."
            )
        # An iterator that has raised an error ends silently afterwards.
        self._is_broken = True
        if self._rest is None:
            self._rest = self._next_batch(n)
        self._is_broken = False
        if self._rest is None:
            return None
        batch, n_left = self._rest, len(self._rest.y)
        self._rest = batch.cut(n, n_left) if n < n_left else None
        return batch.cut(0, n) if n < n_left else batch

    def _next_batch(self, n: int) -> Batch | None:
        """Return the next batch that is not empty, or ``n`` rows; None at the end."""
        for item in self._items:
            X, y, rows = self._split(item)
            self._n_items += 1
            if is_row(X):
                return self._gather(X, y, n)
            batch = self._check(X, y, rows)
            if len(batch.y):
                return batch
        return None

    def _gather(self, x: Any, label: Any, n: int) -> Batch:
        xs, labels = [x], [label]
        while len(xs) < n and (item := next(self._items, None)) is not None:
            x, label, _ = self._split(item)
            self._n_items += 1
            if not is_row(x):
                raise ValueError(
                    "source must yield rows only, or batches only; got a batch "
                    f"after example {self._position + len(xs) - 1} (counted from 0)."
                )
            xs.append(x)
            labels.append(label)
        for at, x in enumerate(xs):
            self._check_columns(len(x), self._position + at)
        return self._check(stack(xs), labels, None)

    def _split(self, item: Any) -> tuple[Any, Any, Any]:
        if isinstance(item, tuple | list) and len(item) in (2, 3):
            return item[0], item[1], item[2] if len(item) == 3 else None
        raise ValueError(
            f"source must yield pairs (X, y); got {type(item).__name__} as item "
            f"{self._n_items} (counted from 0)."
        )

    def _check(self, X: Any, y: Any, rows: Any) -> Batch:
        X, y = as_table(X), as_labels(y)
        if X.shape[0] != len(y):
            raise ValueError(
                f"y must have one label for each of the {X.shape[0]} rows of X; "
                f"got {len(y)} in batch {self._n_items - 1} (counted from 0)."
            )
        self._check_columns(int(X.shape[1]), self._position)
        check_present(y, first=self._position, what="example")
        if self.feature_names is None:
            self.feature_names = names_of(X)
        return Batch(X, y, rows)

    def _check_columns(self, n_columns: int, example: int) -> None:
        if self._n_columns is None:
            self._n_columns = n_columns
        if n_columns != self._n_columns:
            raise ValueError(
                f"X must have {self._n_columns} columns, as in the first example; "
                f"got {n_columns} in example {example} (counted from 0)."
            )


def is_row(X: Any) -> bool:
    """Return whether X holds the values of a single example."""
    if isinstance(X, (list, tuple)):
        return len(X) == 0 or np.ndim(X[0]) == 0
    return not is_frame(X) and np.ndim(X) == 1


def stack(rows: list[Any]) -> AnyArray:
    """Return rows as a matrix, of objects if some values are text.

    >>> stack([[1, "a"], [2, "b"]]).dtype, stack([[1, 2.5]]).dtype
    (dtype('O'), dtype('float64'))
    """
    matrix = np.array(rows)
    return matrix if matrix.dtype.kind in "biufO" else np.array(rows, dtype=object)
