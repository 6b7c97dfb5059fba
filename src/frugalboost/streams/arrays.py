"""Examples from tables in memory."""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast

import narwhals as nw
import numpy as np
from scipy import sparse

from frugalboost._checks import check_bool, check_int
from frugalboost._typing import AnyArray
from frugalboost.data import check_kind
from frugalboost.data.columns import feature_names, is_frame
from frugalboost.data.targets import as_labels, check_present, distinct
from frugalboost.streams.oracle import Batch, EpochOracle, gather_rows, permuted, repeated, seed_of


def as_table(X: Any) -> Any:
    """Return X in a form whose rows can be taken: an array, a CSR matrix, or the frame itself.

    >>> as_table([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    check_kind(X)
    if is_frame(X):
        return X
    if sparse.issparse(X):
        return cast(Any, X).tocsr()
    table = _as_array(X)
    if table.ndim != 2:
        raise ValueError(f"X must have two dimensions; got {table.ndim}.")
    return table


def names_of(X: Any) -> AnyArray | None:
    """Return the names of a frame's columns if all are strings; other tables have none."""
    if not is_frame(X):
        return None
    return feature_names(nw.from_native(X, eager_only=True).columns)


def _as_array(X: Any) -> AnyArray:
    try:
        return np.asarray(X)
    except ValueError as error:
        raise ValueError(f"X must have rows of equal length; {error}.") from None


class ArrayOracle(EpochOracle):
    """The rows of an array, a sparse matrix or a data frame, in a random order.

    Recycled rows come in the same order again, so that each row returns as late as possible: a
    tree grown on some examples is then weighed on others.

    Parameters
    ----------
    X, y : table and labels
        Neither is copied or converted; batches are of the same kind and dtype.
    recycle : bool
        Whether to start again after the last row; otherwise the oracle ends.
    shuffle : bool
        Whether to permute the rows.
    replace : bool
        Whether to draw with replacement: each example is any row with equal probability, whatever
        came before. Guarantees that assume independent examples of these rows need this. An epoch
        is then ``n_rows`` draws.
    random_state : int, generator or None

    Examples
    --------
    >>> oracle = ArrayOracle([[1.5], [2.5], [3.5]], ["a", "b", "a"], random_state=0)
    >>> oracle.draw(2)
    Batch(X=array([[3.5],
           [1.5]]), y=array(['a', 'a'], dtype='<U1'), rows=array([2, 0]))
    >>> oracle.draw(2).rows, oracle.draw(2).rows, oracle.n_given
    (array([1]), array([2, 0]), 5)
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        *,
        recycle: bool = True,
        shuffle: bool = True,
        replace: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(recycle=recycle)
        self.shuffle = check_bool(shuffle, name="shuffle")
        self.replace = check_bool(replace, name="replace")
        self.seed = seed_of(random_state)
        self.X = as_table(X)
        self.y = as_labels(y)
        self.n_rows: int = self._count_rows()
        self.feature_names = names_of(self.X)
        self._order: AnyArray | None = None

    @cached_property
    def classes(self) -> AnyArray:
        """The distinct labels, in order."""
        return distinct(self.y)

    def _settings(self) -> dict[str, Any]:
        return {"shuffle": self.shuffle, "replace": self.replace}

    def state(self) -> dict[str, Any]:
        return {**super().state(), "seed": self.seed}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self._order = None
        self.seed = check_int(state.get("seed"), name="state['seed']", low=0)

    def _read(self, n: int) -> Batch | None:
        start, stop = self._position, min(self._position + n, self.n_rows)
        if start == stop:
            return None
        if not (self.shuffle or self.replace):
            rows = np.arange(start, stop)
            return Batch(self.X, self.y).cut(start, stop)._replace(rows=rows)
        if self._order is None:
            if self.replace:
                self._order = repeated(self.n_rows, self.seed, self._epoch)
            else:
                self._order = permuted(self.n_rows, self.seed, 0)
        rows = self._order[start:stop].astype(np.int64)
        return Batch(gather_rows(self.X, rows), self.y[rows], rows)

    def _begin(self, epoch: int) -> None:
        super()._begin(epoch)
        if self.replace:
            self._order = None

    def _count_rows(self) -> int:
        n_rows = int(self.X.shape[0])
        if n_rows != len(self.y):
            raise ValueError(
                f"y must have one label for each of the {n_rows} rows of X; got {len(self.y)}."
            )
        if n_rows == 0:
            raise ValueError("X must have at least one row; got none.")
        check_present(self.y, first=0, what="row")
        return n_rows
