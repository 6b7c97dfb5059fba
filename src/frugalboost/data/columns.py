"""Labels, categories and their codes; data frames, read through narwhals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
    return ("", value) if is_number(value) else (type(value).__name__, str(value))


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
