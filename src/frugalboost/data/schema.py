"""What a model remembers about its training table, to read tables for prediction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray, Bools, Floats, Ints
from frugalboost.data.columns import NUMBERS, AnyLabels, encode_categories
from frugalboost.data.tables import (
    NumberTable,
    SparseTable,
    Table,
    check_distinct,
    read_table,
    to_core_dtype,
)

BLOCK_BYTES = 32 << 20

Reader = Callable[[int, int], AnyArray]  # rows [start, stop) as a matrix of floats


@dataclass(frozen=True, eq=False)
class Schema:
    """Names, kinds and categories of the features of a training table.

    Prediction reads raw values: numbers as they are, a category as its code, NaN for missing
    values and for categories that were not seen in training.
    """

    n_features: int
    feature_names: AnyArray | None
    is_categorical: Bools
    categories: tuple[AnyArray | None, ...]

    def __post_init__(self) -> None:
        arrays = (self.feature_names, self.is_categorical, *self.categories)
        freeze(array for array in arrays if array is not None)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()  # arrays come out of a pickle writeable

    @classmethod
    def from_data(cls, X: Any, categorical_features: Any) -> Schema:
        """Return the schema that binning a table would give.

        >>> Schema.from_data([[0.5, 5], [1.5, 3]], [1]).categories[1]
        array([3., 5.])
        """
        table = read_table(X)
        is_categorical = select_categorical(
            categorical_features, table.n_features, table.names, table.has_category_dtype
        )
        check_distinct(table, np.flatnonzero(~is_categorical).tolist())
        categories: list[AnyArray | None] = [None] * table.n_features
        for feature in np.flatnonzero(is_categorical).tolist():
            categories[feature] = table.categories(feature)
        return cls(table.n_features, table.names, is_categorical, tuple(categories))

    def encode(self, X: Any) -> AnyArray:
        """Return X as a C-contiguous matrix of float64, or of float32 if X is float32.

        A sparse X would become dense as a whole; read it with `iter_blocks`.

        >>> schema = Schema(2, None, np.array([False, True]), (None, np.array([3, 5])))
        >>> schema.encode([[0.5, 5], [1.5, 4]])
        array([[0.5, 1. ],
               [1.5, nan]])
        """
        if sparse.issparse(X):
            raise TypeError("X must be dense here; read a sparse X with iter_blocks.")
        table = self.read(X)
        return self._reader(table, range(self.n_features))(0, table.n_rows)

    def iter_blocks(
        self, X: Any, features: Sequence[int], *, max_bytes: int = BLOCK_BYTES
    ) -> Iterator[tuple[slice, AnyArray]]:
        """Yield slices of the rows of X with the given features of these rows, as `encode` would.

        X may also be what `read` returned. Memory stays bounded for sparse and for integer X,
        which take more room as floats.
        """
        table = X if isinstance(X, Table) else self.read(X)
        read = self._reader(table, features)
        step = max(1, max_bytes // (8 * max(1, len(features))))
        for start in range(0, table.n_rows, step):
            stop = min(start + step, table.n_rows)
            yield slice(start, stop), read(start, stop)

    def iter_matrices(self, X: Any, features: Sequence[int]) -> Iterator[AnyArray]:
        """Yield X in parts, from its first row to its last, for trees that use these features.

        An array of numbers comes whole, in place and with all its columns, unless one of the
        features is categorical; any other table comes in blocks of the given features.
        """
        table = self.read(X)
        has_categories = bool(self.is_categorical[list(features)].any())
        if isinstance(table, NumberTable) and table.is_read_in_place and not has_categories:
            yield table.matrix
        else:
            yield from (block for _, block in self.iter_blocks(table, features))

    def read(self, X: Any) -> Table:
        """Return X as a table after checking that it has the features of training."""
        table = read_table(X)
        if self.feature_names is not None and table.names is not None:
            _check_names(self.feature_names, table.names)
        if table.n_features != self.n_features:
            raise ValueError(
                f"X must have {self.n_features} features, as in training; got {table.n_features}."
            )
        return table

    def _reader(self, table: Table, features: Sequence[int]) -> Reader:
        chosen = list(features)
        if isinstance(table, SparseTable):
            rows = table.matrix()[:, chosen].tocsr()
            return lambda start, stop: self._floats(rows[start:stop].toarray(), chosen, table)
        if isinstance(table, NumberTable):
            columns = slice(None) if chosen == list(range(self.n_features)) else chosen
            return lambda start, stop: self._floats(
                table.matrix[start:stop][:, columns], chosen, table
            )
        whole = [self._column(table, feature) for feature in chosen]
        return lambda start, stop: _stack([column[start:stop] for column in whole], stop - start)

    def _floats(self, block: AnyArray, features: list[int], table: Table) -> AnyArray:
        """Turn raw numbers into floats, and into codes where the feature is categorical."""
        block = to_core_dtype(block)
        dtype = np.float32 if block.dtype == np.float32 else np.float64
        out = np.ascontiguousarray(block, dtype=dtype)
        coded = np.flatnonzero(self.is_categorical[features])
        if len(coded) and np.shares_memory(out, block):
            out = out.copy()
        for at in coded.tolist():
            out[:, at] = self._codes(block[:, at], features[at], table)
        return out

    def _column(self, table: Table, feature: int) -> AnyArray:
        if self.is_categorical[feature]:
            return self._codes(table.categorical(feature), feature, table)
        return table.numbers(feature)

    def _codes(self, column: AnyArray | AnyLabels, feature: int, table: Table) -> Floats:
        categories = self.categories[feature]
        assert categories is not None
        name = table.describe(feature)
        return encode_categories(column, categories, feature=name)


def _stack(columns: list[AnyArray], n_rows: int) -> Floats:
    out = np.empty((n_rows, len(columns)))
    for at, column in enumerate(columns):
        out[:, at] = column
    return out


def _check_names(expected: AnyArray, given: AnyArray) -> None:
    """Raise scikit-learn's error unless the names are those of training, in the same order."""
    if len(expected) == len(given) and bool(np.all(expected == given)):
        return
    message = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(given) - set(expected))
    absent = sorted(set(expected) - set(given))
    if unseen:
        message += "Feature names unseen at fit time:\n" + _list_names(unseen)
    if absent:
        message += "Feature names seen at fit time, yet now missing:\n" + _list_names(absent)
    if not unseen and not absent:
        message += "Feature names must be in the same order as they were in fit.\n"
    raise ValueError(message)


def _list_names(names: list[str]) -> str:
    lines = [f"- {name}\n" for name in names[:5]]
    return "".join(lines) + ("- ...\n" if len(names) > 5 else "")


def freeze(arrays: Iterable[AnyArray]) -> None:
    """Make arrays read-only: a dataset may be shared by many fits."""
    for array in arrays:
        array.flags.writeable = False


def categories_for_digest(schema: Schema) -> list[tuple[str, list[Any]] | None]:
    """Return each feature's categories such that equal numbers look alike, whatever their type.

    >>> categories = np.array([1, 2], dtype=np.int8), None, np.array(["a", "b"], dtype=object)
    >>> categories_for_digest(Schema(3, None, np.array([True, False, True]), categories))
    [('float64', [1.0, 2.0]), None, ('object', ['a', 'b'])]
    """
    return [None if known is None else _for_digest(known) for known in schema.categories]


def _for_digest(categories: AnyArray) -> tuple[str, list[Any]]:
    values = [
        _as_float(value) if isinstance(value, NUMBERS) else value for value in categories.tolist()
    ]
    is_all_floats = bool(values) and all(type(value) is float for value in values)
    return "float64" if is_all_floats else "object", values


def _as_float(value: Any) -> Any:
    """Return a number as a float without the sign of zero; unchanged if no float equals it."""
    try:
        as_float = float(value)
    except OverflowError:
        return value
    return as_float + 0.0 if as_float == value else value


def select_categorical(
    categorical_features: Any,
    n_features: int,
    names: AnyArray | None,
    has_category_dtype: Callable[[], Bools],
) -> Bools:
    """Turn the parameter ``categorical_features`` into a mask of the features."""
    if categorical_features is None:
        return np.zeros(n_features, dtype=bool)
    if isinstance(categorical_features, str) and categorical_features == "from_dtype":
        return has_category_dtype()
    if isinstance(categorical_features, str) or not isinstance(categorical_features, Iterable):
        raise _selection_error(categorical_features)
    selected = list(categorical_features)
    if selected and all(isinstance(item, (bool, np.bool_)) for item in selected):
        if len(selected) != n_features:
            raise ValueError(
                f"categorical_features must have one entry for each of the {n_features} "
                f"features when it is a mask; got {len(selected)} entries."
            )
        return np.array(selected, dtype=bool)
    mask = np.zeros(n_features, dtype=bool)
    for item in selected:
        mask[_feature_index(item, n_features, names)] = True
    return mask


def _feature_index(item: Any, n_features: int, names: AnyArray | None) -> int:
    if isinstance(item, str):
        if names is None:
            raise ValueError(
                f"categorical_features must hold indices when X has no column names; got {item!r}."
            )
        matches: Ints = np.flatnonzero(names == item)
        if len(matches) == 0:
            raise ValueError(f"categorical_features must hold names of columns of X; got {item!r}.")
        return int(matches[0])
    if not isinstance(item, (int, np.integer)) or isinstance(item, bool):
        raise _selection_error(item)
    if not 0 <= item < n_features:
        raise ValueError(
            f"categorical_features must hold indices from 0 to {n_features - 1}; got {item!r}."
        )
    return int(item)


def _selection_error(value: Any) -> ValueError:
    return ValueError(
        "categorical_features must be 'from_dtype', None, or a list of column names, "
        f"column indices or a boolean mask; got {value!r}."
    )
