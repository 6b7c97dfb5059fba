"""A column of a data frame as numbers or as labels, whatever its library and type."""

from __future__ import annotations

from numbers import Real
from typing import Any

import narwhals as nw
import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray, Bools, Floats, Ints
from frugalboost.data.columns import AnyLabels, CodedLabels, Labels, Series

_WIDE_INTEGERS = (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128)
_CAST_HINT = "Cast it to a category dtype, or list it in categorical_features."
_LIST_HINT = "Its dtype is a category: list it in categorical_features as well."
_TIME_HINT = "Convert it to numbers first, such as the year or the seconds since a date."


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
        labels = labels_of(series)
        types = set(map(type, labels.present))
        if all(issubclass(each, (Real, np.bool_)) for each in types):
            pairs = zip(labels.values, labels.missing.tolist(), strict=True)
            numbers = [np.nan if gone else x for x, gone in pairs]
            return to_floats(numbers, feature=feature)
    raise ValueError(f"{feature} of X must be numeric or boolean; got {dtype}. {_hint(series)}")


def _hint(series: Series) -> str:
    """What to do about a column that is not numeric."""
    if series.dtype.is_temporal():
        return _TIME_HINT
    return _LIST_HINT if is_category(series) else _CAST_HINT


def to_floats(values: Any, *, feature: str) -> Floats:
    """Return Python numbers as floats."""
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


def labels_of(series: Series) -> Labels:
    """Return the values of a column as they are; narwhals' ``to_numpy`` loses pyarrow's nulls."""
    missing: Bools = np.asarray(series.is_null().to_numpy(), dtype=bool)
    return Labels(series.to_list(), missing)


def read_categorical(series: Series, *, feature: str) -> AnyArray | AnyLabels:
    """Return a column that will be categorical: numbers as numbers, the rest as labels."""
    if is_category(series) and nw.dependencies.is_pandas_series(series.to_native()):
        categories = series.to_native().cat
        return CodedLabels(categories.categories.tolist(), categories.codes.to_numpy(np.int64))
    if is_category(series) and nw.dependencies.is_pyarrow_chunked_array(series.to_native()):
        return _read_dictionaries(series.to_native().chunks)
    if series.dtype.is_temporal() or not (series.dtype.is_numeric() or series.dtype == nw.Boolean):
        return labels_of(series)
    if series.dtype in _WIDE_INTEGERS and series.null_count():
        return labels_of(series)  # beside NaN they would have to be floats
    return read_numbers(series, feature=feature)


def _read_dictionaries(chunks: list[Any]) -> CodedLabels:
    """Return the labels of arrays that each have a dictionary, without looking at single rows."""
    values: list[Any] = []
    codes: list[Ints] = [np.empty(0, dtype=np.int64)]
    for chunk in chunks:
        words = chunk.dictionary.to_pylist()
        code = [-1 if word is None else len(values) + at for at, word in enumerate(words)]
        # A null has the index -1 here, and so selects the last place.
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
