"""Categories of a column: which there are, and the code of each value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Bools, Floats, Ints

MAX_CATEGORIES = native.MAX_BINS
NUMBERS = (Real, np.bool_)


@dataclass(frozen=True)
class Labels:
    """A column of arbitrary values, such as strings; ``missing`` marks those that are none."""

    values: list[Any]
    missing: Bools

    @property
    def present(self) -> list[Any]:
        pairs = zip(self.values, self.missing.tolist(), strict=True)
        return [value for value, is_missing in pairs if not is_missing]

    def look_up(self, position: dict[Any, float]) -> Floats:
        """The position of each value; NaN where missing or not there."""
        found = map(position.get, self.values, repeat(np.nan))
        return np.where(self.missing, np.nan, np.fromiter(found, float, len(self.values)))


@dataclass(frozen=True)
class CodedLabels:
    """A column that comes with codes of its own: row i holds ``values[codes[i]]``; -1 is none."""

    values: list[Any]
    codes: Ints

    @property
    def present(self) -> list[Any]:
        """The values that occur, each once."""
        is_used = np.bincount(self.codes + 1, minlength=len(self.values) + 1)[1:] > 0
        return [self.values[code] for code in np.flatnonzero(is_used).tolist()]

    def look_up(self, position: dict[Any, float]) -> Floats:
        """See `Labels.look_up`; the NaN at the end is what the code -1 finds."""
        return np.array([*map(position.get, self.values, repeat(np.nan)), np.nan])[self.codes]


AnyLabels: TypeAlias = Labels | CodedLabels


def find_categories(column: AnyArray | AnyLabels, *, feature: str) -> AnyArray:
    """Return the distinct values of the column in ascending order, without missing ones.

    The order does not depend on how a data frame numbers its categories, so the same table gives
    the same model from every kind of frame.
    """
    if isinstance(column, (Labels, CodedLabels)):
        categories = _as_array(_sort(_distinct(column.present, feature)))
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
    """Return the position of each value in ``categories``; NaN where missing or not there.

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


def categories_for_digest(categories: AnyArray) -> tuple[str, list[Any]]:
    """Return the categories such that numbers of one value look alike, whatever their type.

    >>> categories_for_digest(np.array([1, 2], dtype=np.int8))
    ('float64', [1.0, 2.0])
    >>> categories_for_digest(np.array(["a", "b"], dtype=object))
    ('object', ['a', 'b'])
    """
    values = [_as_float(value) if is_number(value) else value for value in categories.tolist()]
    is_all_floats = bool(values) and all(type(value) is float for value in values)
    return "float64" if is_all_floats else "object", values


def is_number(value: Any) -> bool:
    return isinstance(value, NUMBERS)


def _as_float(value: Any) -> Any:
    """Return a number as a float without the sign of zero; as it is where no float equals it."""
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
        found: Ints = np.flatnonzero(names == item)
        if len(found) == 0:
            raise ValueError(f"categorical_features must hold names of columns of X; got {item!r}.")
        return int(found[0])
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


def _sort(values: list[Any]) -> list[Any]:
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
        # As floats, large integers among fractions would become one.
        if array.dtype.kind in "biuf" and array.tolist() == list(values):
            return array
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _may_be_rounded(column: AnyArray, categories: AnyArray) -> bool:
    """Whether NumPy would compare large numbers of two types as floats, so that some are one."""
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
    """Refuse numbers for texts and texts for numbers: all would be missing without a word."""
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
        # Numbers match no string, so all would be taken for missing without a word.
        raise ValueError(
            f"{feature} of X must hold categories such as {categories[0]!r}; "
            f"got numbers ({column.dtype})."
        )
    labels = Labels(column.tolist(), missing)
    return encode_categories(labels, categories, feature=feature)
