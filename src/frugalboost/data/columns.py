"""Columns of data frames, read through narwhals; categories and their codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from numbers import Real
from typing import Any, TypeAlias, cast

import narwhals as nw
import numpy as np
from scipy import sparse

from frugalboost import native
from frugalboost._typing import AnyArray, Bools, Floats, Ints

MAX_CATEGORIES = native.MAX_BINS
NUMBERS = (Real, np.bool_)


@dataclass(frozen=True)
class Labels:
    """A column of arbitrary values, such as strings; ``missing`` marks the missing ones."""

    values: list[Any]
    missing: Bools

    @property
    def present(self) -> list[Any]:
        pairs = zip(self.values, self.missing.tolist(), strict=True)
        return [value for value, is_missing in pairs if not is_missing]

    def look_up(self, position: dict[Any, float]) -> Floats:
        """The position of each value; NaN where missing or unknown."""
        positions = map(position.get, self.values, repeat(np.nan))
        return np.where(self.missing, np.nan, np.fromiter(positions, float, len(self.values)))


@dataclass(frozen=True)
class CodedLabels:
    """A column with its own codes: row i holds ``values[codes[i]]``; -1 stands for missing."""

    values: list[Any]
    codes: Ints

    @property
    def present(self) -> list[Any]:
        """The values that occur, each once."""
        is_used = np.bincount(self.codes + 1, minlength=len(self.values) + 1)[1:] > 0
        return [self.values[code] for code in np.flatnonzero(is_used).tolist()]

    def look_up(self, position: dict[Any, float]) -> Floats:
        """See `Labels.look_up`; the code -1 selects the NaN at the end."""
        return np.array([*map(position.get, self.values, repeat(np.nan)), np.nan])[self.codes]


AnyLabels: TypeAlias = Labels | CodedLabels


def find_categories(column: AnyArray | AnyLabels, *, feature: str) -> AnyArray:
    """Return the distinct values of the column in ascending order, without missing ones.

    The order does not depend on how a data frame numbers its categories, so the same table gives
    the same model from every kind of frame.
    """
    if isinstance(column, (Labels, CodedLabels)):
        categories = _as_array(sort_labels(_distinct(column.present, feature)))
    else:
        categories = np.unique(column[~_is_nan(column)])
    if len(categories) > MAX_CATEGORIES:
        raise ValueError(
            f"{feature} of X must have at most {MAX_CATEGORIES} categories; got {len(categories)}."
        )
    return categories


def encode_categories(
    column: AnyArray | AnyLabels, categories: AnyArray, *, feature: str
) -> Floats:
    """Return the position of each value in ``categories``; NaN where missing or unknown.

    >>> encode_categories(np.array([7, 5, 6]), np.array([5, 7]), feature="column 0")
    array([ 1.,  0., nan])
    """
    if isinstance(column, (Labels, CodedLabels)):
        _check_kind(column, categories, feature)
        return column.look_up(
            {value: float(code) for code, value in enumerate(categories.tolist())}
        )
    if categories.dtype.kind == "O" or _may_be_rounded(column, categories):
        return _encode_numbers_as_labels(column, categories, feature)
    return _positions(column, categories)


def is_number(value: Any) -> bool:
    return isinstance(value, NUMBERS)


def _is_nan(column: AnyArray) -> Bools:
    return np.isnan(column) if column.dtype.kind == "f" else np.zeros(len(column), dtype=bool)


def _distinct(values: list[Any], feature: str) -> list[Any]:
    try:
        return list(set(values))
    except TypeError as error:
        raise TypeError(f"{feature} of X must hold hashable categories; got an {error}.") from None


def sort_labels(values: list[Any]) -> list[Any]:
    """Return categories in ascending order, which is that of their codes."""
    try:
        return sorted(values)
    except TypeError:  # values of several types: numbers first, then by type
        return sorted(values, key=_place)


def _place(value: Any) -> tuple[str, Any]:
    if is_number(value):
        return "", value
    if isinstance(value, str):
        # As JSON keeps it. By their types, `np.str_("a")` came after "b", and a checkpoint, which
        # has plain texts only, was refused for its order; the `str` of an enum's member is no part
        # of the text.
        return "str", str.__str__(value)
    return type(value).__name__, str(value)


def _as_array(values: Sequence[Any]) -> AnyArray:
    """Numbers become an array of numbers, so that numeric columns can be matched with them."""
    if values and all(map(is_number, values)):
        array = np.array(values)
        # As floats, different large integers among fractions could become equal.
        if array.dtype.kind in "biuf" and array.tolist() == list(values):
            return array
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _may_be_rounded(column: AnyArray, categories: AnyArray) -> bool:
    """Whether NumPy would compare large numbers of two types as floats, making some equal."""
    differ = len(categories) > 0 and column.dtype.kind != categories.dtype.kind
    return differ and max(-float(categories[0]), float(categories[-1])) >= 2**53


def _positions(column: AnyArray, categories: AnyArray) -> Floats:
    codes = np.full(len(column), np.nan)
    if len(categories):
        at = np.searchsorted(categories, column)
        at[at == len(categories)] = 0
        known = categories[at] == column
        codes[known] = at[known]
    return codes


def _check_kind(column: AnyLabels, categories: AnyArray, feature: str) -> None:
    """Reject numbers for texts and texts for numbers: all would silently become missing."""
    known = _kinds(categories.tolist())
    if known not in ({"text"}, {"number"}):
        return
    present = column.present
    given = _kinds(present)
    if given | known == {"text", "number"} and not given & known:
        raise ValueError(
            f"{feature} of X must hold categories such as {categories.tolist()[0]!r}, "
            f"which are {known.pop()}s; got the {given.pop()} {present[0]!r}."
        )


def _kinds(values: list[Any]) -> set[str]:
    def kind(type_: type) -> str:
        if issubclass(type_, str):
            return "text"
        return "number" if issubclass(type_, NUMBERS) else "other"

    return set(map(kind, set(map(type, values))))


def _encode_numbers_as_labels(column: AnyArray, categories: AnyArray, feature: str) -> Floats:
    missing = _is_nan(column)
    if (
        len(categories)
        and all(isinstance(value, str) for value in categories)
        and not missing.all()
    ):
        # Numbers match no string, so all would silently be treated as missing.
        raise ValueError(
            f"{feature} of X must hold categories such as {categories[0]!r}; "
            f"got numbers ({column.dtype})."
        )
    labels = Labels(column.tolist(), missing)
    return encode_categories(labels, categories, feature=feature)


Series = nw.Series[Any]
Frame = nw.DataFrame[Any]

_HUGE_INTEGERS = (nw.Int128, nw.UInt128)
_WIDE_INTEGERS = (nw.Int64, nw.UInt64, *_HUGE_INTEGERS)
_CAST_HINT = "Cast it to a category dtype, or list it in categorical_features."
_LIST_HINT = "Its dtype is a category: list it in categorical_features as well."
_TIME_HINT = "Convert it to numbers first, such as the year or the seconds since a date."


def is_frame(X: Any) -> bool:
    """Whether X is an eager table that narwhals knows."""
    return not _is_array(X) and nw.dependencies.is_into_dataframe(X)


def is_lazy(X: Any) -> bool:
    """Whether X is a query that has not been run."""
    return not _is_array(X) and isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame)


def _is_array(X: Any) -> bool:
    """Most tables are arrays, and checking that is much faster than asking every frame library."""
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
    if dtype in _HUGE_INTEGERS:  # NumPy has none
        hint = "Cast it to Int64 or Float64, or list it in categorical_features."
        raise ValueError(
            f"{feature} of X must hold numbers of at most 64 bits; got {dtype}. {hint}"
        )
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
    name = _dtype_name(series)
    raise ValueError(f"{feature} of X must be numeric or boolean; got {name}. {_hint(series)}")


def _dtype_name(series: Series) -> str:
    """The dtype; where narwhals knows none, such as for periods, in the words of the library."""
    native: Any = series.to_native() if series.dtype == nw.Unknown else series
    return str(native.dtype if hasattr(native, "dtype") else native.type)  # pyarrow says type


def _hint(series: Series) -> str:
    """What to do about a column that is not numeric."""
    if series.dtype.is_temporal() or _dtype_name(series).startswith("period"):
        return _TIME_HINT
    return _LIST_HINT if is_category(series) else _CAST_HINT


def to_floats(values: Any, *, feature: str) -> Floats:
    """Return Python numbers as floats."""
    try:
        return np.asarray(values, dtype=float)
    except OverflowError:
        raise too_large(feature) from None


def is_pandas_na(value: Any) -> bool:
    """Whether it is pandas.NA, without importing pandas."""
    return type(value).__name__ == "NAType"


def floats_of(column: AnyArray) -> Floats:
    """Python objects as floats, NaN where missing; NumPy converts None, but not pandas.NA."""
    try:
        return column.astype(float)
    except TypeError:
        is_missing = np.array([is_pandas_na(value) for value in column.tolist()])
        if not is_missing.any():
            raise
        known = column.copy()
        known[is_missing] = None
        return known.astype(float)


def distinct_numbers(values: Iterable[Any]) -> AnyArray:
    """Return the distinct numbers among the values, as Python numbers."""
    return np.array(sorted({value for value in values if is_number(value)}), dtype=object)


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
    if series.dtype in _HUGE_INTEGERS or (series.dtype in _WIDE_INTEGERS and series.null_count()):
        return labels_of(series)  # in NumPy, or beside NaN, they would have to be floats
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
