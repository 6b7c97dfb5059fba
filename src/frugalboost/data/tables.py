"""One interface to a user's data of any kind: columns of numbers, or of labels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_array

from frugalboost._typing import AnyArray, Bools, Floats
from frugalboost.data import columns
from frugalboost.data.columns import AnyLabels, Labels, find_categories, to_floats

_HINT = "Subtract an offset from the column, or list it in categorical_features."


def check_distinct(table: Table, features: Sequence[int]) -> None:
    """Reject integers of a feature that would become the same float."""
    for feature in table.with_large_integers(features):
        values = np.unique(table.exact(feature))
        floats = to_floats(values, feature=table.describe(feature))
        same = np.flatnonzero(floats[1:] == floats[:-1])
        if len(same):
            one, other = values[same[0] : same[0] + 2].tolist()
            raise ValueError(
                f"{table.describe(feature)} of X must hold integers that float64 "
                f"can tell apart; got {one} and {other}, which it cannot. {_HINT}"
            )


def check_sides(table: Table, thresholds: dict[int, Floats]) -> None:
    """Reject integers that rounding would move to the other side of a feature's thresholds."""
    for feature in table.with_large_integers(list(thresholds)):
        values = np.unique(table.exact(feature))
        # Rounding keeps the order, so only what is rounded down to a threshold changes sides.
        floats = to_floats(values, feature=table.describe(feature))
        touching = values[np.isin(floats, thresholds[feature])]
        moved = [value for value in touching.tolist() if value > float(value)]
        if moved:
            raise ValueError(
                f"{table.describe(feature)} of X must hold integers that float64 "
                f"can tell from the model's thresholds; got {moved[0]}, which it cannot tell from "
                f"{int(float(moved[0]))}. Subtract an offset from the column before "
                "fit and predict."
            )


def large_thresholds(features: AnyArray, thresholds: Floats) -> dict[int, Floats]:
    """Return the thresholds that an integer may be rounded to, by feature.

    >>> large_thresholds(np.array([0, 1]), np.array([0.5, 1e300]))
    {1: array([1.e+300])}
    """
    is_large = np.isfinite(thresholds) & (np.abs(thresholds) >= LAST_EXACT) & (features >= 0)
    features, thresholds = features[is_large], thresholds[is_large]
    return {int(each): np.unique(thresholds[features == each]) for each in np.unique(features)}


PLAIN_DTYPES = frozenset(map(np.dtype, "?bBhHiIlLqQfd"))  # all that the core reads

LAST_EXACT = 2**53
"""Beyond it, float64 cannot represent every integer."""


class Table(ABC):
    """Rows and features of X; features are read one by one or in groups."""

    n_rows: int
    n_features: int
    names: AnyArray | None = None

    def describe(self, feature: int) -> str:
        """Name a feature in an error message."""
        return f"column {feature if self.names is None else repr(self.names[feature])}"

    def has_category_dtype(self) -> Bools:
        return np.zeros(self.n_features, dtype=bool)

    @abstractmethod
    def numbers(self, feature: int) -> AnyArray:
        """Return one feature as numbers of a type that the core reads."""

    @abstractmethod
    def categorical(self, feature: int) -> AnyArray | AnyLabels:
        """Return one feature that is to be categorical."""

    @abstractmethod
    def with_large_integers(self, features: Sequence[int]) -> Iterator[int]:
        """Yield the features that hold integers which may change when they become floats."""

    @abstractmethod
    def exact(self, feature: int) -> AnyArray:
        """Return the values of such a feature as given, without missing ones."""

    def categories(self, feature: int) -> AnyArray:
        """Return the distinct values of a feature, ascending."""
        column = self.categorical(feature)
        return find_categories(column, feature=self.describe(feature))


class DenseTable(Table):
    """A table that the core reads in parts of one type each."""

    is_read_in_place = False  # else a part may be a copy

    def parts(self, features: Sequence[int]) -> list[AnyArray]:
        """Return matrices whose columns, one after another, are the features."""
        return [self.numbers(feature)[:, np.newaxis] for feature in features]


class NumberTable(DenseTable):
    """A NumPy array of numbers."""

    def __init__(self, matrix: AnyArray) -> None:
        self.matrix = matrix
        self.n_rows, self.n_features = matrix.shape
        self.is_read_in_place = can_core_read(matrix)

    def numbers(self, feature: int) -> AnyArray:
        return to_core_dtype(self.matrix[:, feature])

    def categorical(self, feature: int) -> AnyArray:
        return self.numbers(feature)

    def with_large_integers(self, features: Sequence[int]) -> Iterator[int]:
        if has_large_integers(self.matrix):  # one check of the whole array, usually the only one
            yield from (each for each in features if has_large_integers(self.matrix[:, each]))

    def exact(self, feature: int) -> AnyArray:
        return self.matrix[:, feature]

    def parts(self, features: Sequence[int]) -> list[AnyArray]:
        """Neighbouring features stay together: the core reads whole cache lines of a row."""
        return [to_core_dtype(self.matrix[:, run]) for run in runs_of(features)]


class ObjectTable(DenseTable):
    """A NumPy array of Python objects or strings."""

    def __init__(self, matrix: AnyArray) -> None:
        self.matrix = matrix
        self.n_rows, self.n_features = matrix.shape

    def numbers(self, feature: int) -> AnyArray:
        column = self.matrix[:, feature]
        rule = f"{self.describe(feature)} of X must be numeric"
        if column.dtype.kind != "O":
            raise ValueError(
                f"{rule}; got {column.dtype}. Pass numbers, or list it in categorical_features."
            )
        try:
            return columns.floats_of(column)
        except OverflowError:
            raise columns.too_large(self.describe(feature)) from None
        except (TypeError, ValueError) as error:
            hint = "List it in categorical_features if its values are categories."
            raise type(error)(f"{rule}; {error}. {hint}") from None

    def categorical(self, feature: int) -> Labels:
        values = self.matrix[:, feature].tolist()
        # NaN is the only value that differs from itself; pandas.NA compares to neither.
        missing = [x is None or columns.is_pandas_na(x) or x != x for x in values]
        return Labels(values, np.array(missing, dtype=bool))

    def with_large_integers(self, features: Sequence[int]) -> Iterator[int]:
        if self.matrix.dtype.kind == "O":
            yield from (each for each in features if any_large(self.matrix[:, each].tolist()))

    def exact(self, feature: int) -> AnyArray:
        return columns.distinct_numbers(self.categorical(feature).present)


class FrameTable(DenseTable):
    """A pandas, polars or pyarrow table."""

    def __init__(self, frame: columns.Frame) -> None:
        # All at once: to get one by its position, narwhals lists the names of all.
        self.series = list(frame.iter_columns())
        self.n_rows, self.n_features = frame.shape
        self.names = columns.feature_names(frame.columns)

    def has_category_dtype(self) -> Bools:
        return np.fromiter(map(columns.is_category, self.series), bool, self.n_features)

    def numbers(self, feature: int) -> AnyArray:
        series = self.series[feature]
        name = self.describe(feature)
        return to_core_dtype(columns.read_numbers(series, feature=name))

    def categorical(self, feature: int) -> AnyArray | AnyLabels:
        series = self.series[feature]
        return columns.read_categorical(series, feature=self.describe(feature))

    def with_large_integers(self, features: Sequence[int]) -> Iterator[int]:
        yield from (each for each in features if any_large(columns.extremes(self.series[each])))

    def exact(self, feature: int) -> AnyArray:
        return columns.distinct_numbers(columns.labels_of(self.series[feature]).present)


class SparseTable(Table):
    """A scipy.sparse matrix or array by columns, rows ascending, no entry stored twice."""

    def __init__(self, matrix: Any, names: AnyArray | None = None) -> None:
        if not matrix.has_canonical_format:
            matrix = matrix.copy()  # the caller's matrix stays as it is
            matrix.sum_duplicates()
        self.data = to_core_dtype(matrix.data)
        self.indices = np.ascontiguousarray(matrix.indices)
        self.indptr = matrix.indptr.astype(np.int64)
        self.n_rows, self.n_features = matrix.shape
        self.names = names

    def matrix(self) -> sparse.csc_array:
        parts = (self.data, self.indices, self.indptr)
        return sparse.csc_array(parts, shape=(self.n_rows, self.n_features))

    def numbers(self, feature: int) -> AnyArray:
        """Return the stored entries only."""
        return self.data[self.indptr[feature] : self.indptr[feature + 1]]

    def categorical(self, feature: int) -> AnyArray:
        return self.numbers(feature)

    def with_large_integers(self, features: Sequence[int]) -> Iterator[int]:
        if has_large_integers(self.data):
            yield from (each for each in features if has_large_integers(self.numbers(each)))

    def exact(self, feature: int) -> AnyArray:
        return self.numbers(feature)

    def rows(self, feature: int) -> AnyArray:
        """Return the rows of the stored entries."""
        return self.indices[self.indptr[feature] : self.indptr[feature + 1]]

    def categories(self, feature: int) -> AnyArray:
        stored = super().categories(feature)
        if len(self.rows(feature)) == self.n_rows:
            return stored
        return np.union1d(stored, np.zeros(1, dtype=stored.dtype))  # zeros are not stored


def read_table(X: Any) -> Table:
    """Recognise what X is; shapes and types that cannot be used get scikit-learn's errors."""
    if columns.is_frame(X):
        return _read_frame(X)
    check_kind(X)
    given = X
    X = check_array(X, accept_sparse="csc", dtype=None, ensure_all_finite=False, input_name="X")
    if isinstance(given, (list, tuple)) and X.dtype == float and (np.abs(X) >= 2**63).any():
        # NumPy rounds [2**64 - 1, 0] to floats, since uint64 and int64 have no type in common.
        X = np.array(given, dtype=object)
    if sparse.issparse(X):
        return SparseTable(X)
    if X.dtype.kind in "fiub":
        return NumberTable(X)
    if X.dtype.kind in "OUST":
        return ObjectTable(X)
    raise ValueError(f"X must be an array of numbers; got dtype {X.dtype}.")


def is_plain(X: Any, n_features: int) -> bool:
    """Whether the core can read X as it is, so that there is nothing to check or convert.

    >>> is_plain(np.zeros((1, 2)), 2), is_plain(np.zeros((1, 2), dtype=complex), 2)
    (True, False)
    """
    return (
        type(X) is np.ndarray
        and X.dtype in PLAIN_DTYPES
        and X.ndim == 2
        and X.shape[0] > 0
        and X.shape[1] == n_features
        and X.flags.aligned
        and not any(stride % X.itemsize for stride in X.strides)
    )


def check_kind(X: Any) -> None:
    """Reject what cannot be read: dicts, queries, frames with duplicate names, wrong indices."""
    if columns.is_frame(X):
        columns.read_frame(X)
    elif sparse.issparse(X):
        check_indices(X)
    elif isinstance(X, Mapping):
        raise TypeError(
            "X must be an array, a sparse matrix or a data frame; got a "
            f"{type(X).__name__}. Convert it to a data frame, for example with pandas.DataFrame(X)."
        )
    elif columns.is_lazy(X):
        raise TypeError("X must be in memory; got a lazy table. Collect it first.")


def check_indices(X: Any) -> None:
    """Reject a sparse matrix whose indices leave it: SciPy would follow them out of its arrays."""
    # SciPy's `check_format` changes the matrix, and passes an indptr that returns to 0.
    problem = next(_index_problems(X), None) if X.ndim == 2 else None  # others are refused later
    if problem is not None:
        raise ValueError(f"X must be a sparse matrix with valid indices; got {problem}.")


def _index_problems(X: Any) -> Iterator[str]:
    n_rows, n_columns = X.shape
    if X.format == "coo":
        if not len(X.row) == len(X.col) == len(X.data):
            yield "row, col and data of different lengths"
        yield from _outside("row", X.row, n_rows)
        yield from _outside("col", X.col, n_columns)
    elif X.format == "lil":
        if list(map(len, X.rows)) != list(map(len, X.data)) or len(X.rows) != n_rows:
            yield "rows and data of different lengths"
        yield from _outside("rows", np.fromiter(chain.from_iterable(X.rows), int), n_columns)
    elif X.format == "dia" and len(X.offsets) != len(X.data):
        yield "offsets and data of different lengths"
    elif X.format in ("csr", "csc", "bsr"):
        high, wide = X.blocksize if X.format == "bsr" else (1, 1)
        sizes = (n_rows // high, n_columns // wide)
        major, minor = sizes[::-1] if X.format == "csc" else sizes
        starts, n_stored = X.indptr, min(len(X.indices), len(X.data))
        if len(starts) != major + 1 or starts[0] != 0 or starts[-1] > n_stored:
            yield f"an indptr that does not lead from 0 to at most {n_stored} in {major} steps"
        if (starts[1:] < starts[:-1]).any():
            yield "an indptr that decreases"
        yield from _outside("indices", X.indices[: starts[-1]], minor)


def _outside(name: str, indices: AnyArray, size: int) -> Iterator[str]:
    if len(indices) and not 0 <= indices.min() <= indices.max() < size:
        yield f"{name} from {indices.min()} to {indices.max()}, not from 0 to {size - 1}"


def _read_frame(X: Any) -> Table:
    frame = columns.read_frame(X)
    for count, what in zip(frame.shape, ("sample", "feature"), strict=True):
        if count == 0:
            raise ValueError(
                f"Found array with 0 {what}(s) (shape={frame.shape}) while a minimum of 1 is "
                "required."
            )
    matrix = columns.sparse_matrix_of(X)
    if matrix is not None:
        return SparseTable(matrix.tocsc(), columns.feature_names(frame.columns))
    return FrameTable(frame)


def has_large_integers(array: AnyArray) -> bool:
    """Whether an array holds integers that float64 may be unable to represent.

    >>> has_large_integers(np.array([2**53])), has_large_integers(np.array([2**53 + 1]))
    (False, True)
    """
    is_wide = array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size > 0
    return is_wide and any_large((int(array.min()), int(array.max())))


def any_large(values: Iterable[Any]) -> bool:
    integers = (value for value in values if isinstance(value, (int, np.integer)))
    return any(abs(int(value)) > LAST_EXACT for value in integers)


def runs_of(features: Sequence[int]) -> Iterator[slice]:
    """Yield slices of neighbouring features, which are ascending.

    >>> list(runs_of([0, 1, 4]))
    [slice(0, 2, None), slice(4, 5, None)]
    """
    for run in np.split(np.asarray(features), np.flatnonzero(np.diff(features) != 1) + 1):
        if len(run):
            yield slice(int(run[0]), int(run[-1]) + 1)


def can_core_read(array: AnyArray) -> bool:
    """Whether the core can read this type, byte order and alignment."""
    dtype = array.dtype
    is_known = dtype.isnative and (dtype.kind != "f" or dtype.itemsize in (4, 8))
    is_aligned = not any(stride % dtype.itemsize for stride in array.strides)
    return is_known and is_aligned and array.flags.aligned


def to_core_dtype(array: AnyArray) -> AnyArray:
    """Return the array if the core can read it, else a copy that it can read.

    >>> to_core_dtype(np.ones(2, dtype=">f2")).dtype == np.float32
    True
    """
    if can_core_read(array):
        return array
    dtype = array.dtype.newbyteorder("=")
    if dtype.kind == "f" and dtype.itemsize not in (4, 8):
        dtype = np.dtype(np.float32 if dtype.itemsize < 4 else np.float64)
    with np.errstate(over="ignore"):  # long doubles beyond the largest double become infinite
        return array.astype(dtype)
