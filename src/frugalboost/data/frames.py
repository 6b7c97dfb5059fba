"""Columns of pandas, polars and pyarrow tables, read through narwhals."""

from __future__ import annotations

from numbers import Real
from typing import Any, cast

import narwhals as nw
import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray, Bools, Floats, Ints
from frugalboost.data.categories import AnyLabels, CodedLabels, Labels

Series = nw.Series[Any]
Frame = nw.DataFrame[Any]

_WIDE_INTEGERS = (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128)
_CAST_HINT = "Cast it to a category dtype, or list it in categorical_features."
_TIME_HINT = "Turn it into numbers first, such as the year or the seconds since a date."


def is_frame(X: Any) -> bool:
    """Say whether X is an eager table that narwhals knows."""
    return not _is_array(X) and nw.dependencies.is_into_dataframe(X)


def is_lazy(X: Any) -> bool:
    """Say whether X is a query that has not been run."""
    return not _is_array(X) and isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame)


def _is_array(X: Any) -> bool:
    """Most tables are arrays, and to say so is much faster than to ask every library of frames."""
    return isinstance(X, (np.ndarray, list))


def read_frame(X: Any) -> Frame:
    """Wrap a table; its columns are read by position, as names may be of any type."""
    try:
        frame: Frame = nw.from_native(X, eager_only=True)
        names = frame.columns
    except nw.exceptions.NarwhalsError as error:
        raise ValueError(f"X must be a table with distinct column names; {error}") from None
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"X must have distinct column names; got {twice!r} twice.")
    return frame


def feature_names(names: list[Any]) -> AnyArray | None:
    """Return the names if all are strings, None if none is, as scikit-learn does."""
    types = sorted({type(name).__qualname__ for name in names})
    if len(types) > 1 and "str" in types:
        raise TypeError(
            "Feature names are only supported if all input features have string names, "
            f"but your input has {types} as feature name / column name types."
        )
    return np.asarray(names, dtype=object) if types == ["str"] else None


def is_category(series: Series) -> bool:
    return bool(series.dtype in (nw.Categorical, nw.Enum))


def read_numbers(series: Series, *, feature: str) -> AnyArray:
    """Return the column as numbers with NaN for null; strings and dates are errors."""
    dtype = series.dtype
    if dtype.is_numeric() or dtype == nw.Boolean or _is_pandas_sparse(series):
        values = series.to_numpy()
        if values.dtype.kind in "fiub":
            return values
        return series.cast(nw.Float64).to_numpy()  # nulls among booleans, decimals
    if series.null_count() == len(series):
        return np.full(len(series), np.nan)
    if is_category(series) or dtype == nw.Object:
        labels = read_labels(series)
        types = set(map(type, labels.present))
        if all(issubclass(each, (Real, np.bool_)) for each in types):
            pairs = zip(labels.values, labels.missing.tolist(), strict=True)
            numbers = [np.nan if gone else x for x, gone in pairs]
            return to_floats(numbers, feature=feature)
    hint = _TIME_HINT if dtype.is_temporal() else _CAST_HINT
    raise ValueError(f"{feature} of X must be numeric or boolean; got {dtype}. {hint}")


def to_floats(values: Any, *, feature: str) -> Floats:
    """Return Python's numbers as floats."""
    try:
        return np.asarray(values, dtype=float)
    except OverflowError:
        raise too_large(feature) from None


def too_large(feature: str) -> ValueError:
    largest = np.finfo(float).max
    return ValueError(
        f"{feature} of X must hold numbers up to {largest:.2g}; got a larger integer."
    )


def extremes(series: Series) -> list[Any]:
    """Return the smallest and the largest of the integers, or all values of a mixed column."""
    if series.dtype in _WIDE_INTEGERS:
        return [] if series.null_count() == len(series) else [series.min(), series.max()]
    return series.to_list() if is_category(series) or series.dtype == nw.Object else []


def read_labels(series: Series) -> Labels:
    """Return the values of a column as they are; narwhals' ``to_numpy`` loses pyarrow's nulls."""
    missing: Bools = np.asarray(series.is_null().to_numpy(), dtype=bool)
    return Labels(series.to_list(), missing)


def read_categorical(series: Series, *, feature: str) -> AnyArray | AnyLabels:
    """Return a column that is to be categorical: numbers as numbers, the rest as labels."""
    if is_category(series) and nw.dependencies.is_pandas_series(series.to_native()):
        categories = series.to_native().cat
        return CodedLabels(categories.categories.tolist(), categories.codes.to_numpy(np.int64))
    if is_category(series) and nw.dependencies.is_pyarrow_chunked_array(series.to_native()):
        return _read_dictionaries(series.to_native().chunks)
    if series.dtype.is_temporal() or not (series.dtype.is_numeric() or series.dtype == nw.Boolean):
        return read_labels(series)
    if series.dtype in _WIDE_INTEGERS and series.null_count():
        return read_labels(series)  # beside NaN they would have to be floats
    return read_numbers(series, feature=feature)


def _read_dictionaries(chunks: list[Any]) -> CodedLabels:
    """Return the labels of arrays that have a dictionary each, without a look at single rows."""
    values: list[Any] = []
    codes: list[Ints] = [np.empty(0, dtype=np.int64)]
    for chunk in chunks:
        words = chunk.dictionary.to_pylist()
        code = [-1 if word is None else len(values) + at for at, word in enumerate(words)]
        # A null has the index -1 here, and so finds the last place.
        indices = chunk.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
        codes.append(np.array([*code, -1], dtype=np.int64)[indices])
        values += words
    return CodedLabels(values, np.concatenate(codes))


def sparse_matrix_of(X: Any) -> sparse.coo_matrix | None:
    """Return the matrix of a pandas frame whose columns are all sparse around zero, else None."""
    is_pandas: bool = nw.dependencies.is_pandas_dataframe(X)
    if not is_pandas or X.shape[1] == 0:
        return None
    if all(hasattr(dtype, "fill_value") and dtype.fill_value == 0 for dtype in X.dtypes):
        matrix: sparse.coo_matrix = X.sparse.to_coo()
        return matrix
    return None


def _is_pandas_sparse(series: Series) -> bool:
    native = series.to_native()
    return nw.dependencies.is_pandas_series(native) and hasattr(native.dtype, "fill_value")


def take_rows(X: Any, rows: AnyArray) -> Any:
    """Return the given rows of an array, list, sparse matrix or data frame.

    >>> take_rows([[1, 2], [3, 4], [5, 6]], np.array([2, 0]))
    array([[5, 6],
           [1, 2]])
    """
    if is_frame(X):
        return nw.from_native(X, eager_only=True)[rows].to_native()
    if sparse.issparse(X):
        return cast(Any, X).tocsr()[rows]
    return np.asarray(X)[rows]


def gather_rows(X: Any, rows: AnyArray) -> Any:
    """Return the given rows; those of an array as a C-contiguous one of the same dtype.

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
    """Return the rows from ``start`` to before ``stop``, without a copy where X allows that."""
    if isinstance(X, np.ndarray) or sparse.issparse(X) or not is_frame(X):
        return X[start:stop]
    return nw.from_native(X, eager_only=True)[start:stop].to_native()
