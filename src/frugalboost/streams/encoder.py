"""Batches of any kind as rows of one dtype: categories and labels become codes.

Codes are assigned as values turn up, and put in order once all have been seen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray, Bools, Ints
from frugalboost.data import Schema
from frugalboost.data.columns import (
    MAX_CATEGORIES,
    AnyLabels,
    CodedLabels,
    Labels,
    find_categories,
)
from frugalboost.data.schema import select_categorical
from frugalboost.data.tables import NumberTable, Table, read_table
from frugalboost.data.targets import as_labels, check_present, distinct

KINDS = (str, bool, int, float)  # that JSON returns unchanged


class RowEncoder:
    """Writes examples into records of features and label; knows what the codes stand for."""

    def __init__(
        self, X: Any, *, names: AnyArray | None, dtype: Any, categorical_features: Any
    ) -> None:
        """``names`` are column names known from elsewhere, used if X has none."""
        table = self._read(X)
        self.n_features = table.n_features
        self.names = names if table.names is None else table.names
        self.is_categorical: Bools = select_categorical(
            categorical_features, table.n_features, self.names, table.has_category_dtype
        )
        self.is_given = dtype is not None
        self.dtype = self._choose_dtype(dtype, table)
        self.record = np.dtype([("x", self.dtype, (self.n_features,)), ("y", np.int32)])
        self.n_rows = 0
        self._codes: list[dict[Any, float]] = [{} for _ in range(self.n_features)]
        self._classes: dict[Any, int] = {}

    def encode(self, X: Any, y: Any) -> AnyArray:
        """Return the examples as records."""
        table = self._read(X)
        labels = as_labels(y)
        self._check(table, labels)
        self._check_integers(table)
        records = np.empty(len(labels), self.record)
        if isinstance(table, NumberTable) and not self.is_categorical.any():
            self._fill(records["x"], table.matrix)
        else:
            for feature in range(self.n_features):
                self._fill(records["x"][:, feature], self._column(table, feature))
        records["y"] = self._encode_labels(labels)
        self.n_rows += len(labels)
        return records

    def order_labels(self) -> tuple[AnyArray, AnyArray]:
        """Return the classes in order, and the position of each code among them."""
        classes = distinct(as_labels(list(self._classes)))
        place = {label: at for at, label in enumerate(classes.tolist())}
        places = np.array([place[label] for label in self._classes])
        return classes, places.astype(np.min_scalar_type(len(classes)))

    def order_categories(self) -> tuple[Schema | None, dict[int, AnyArray]]:
        """Return the schema, if there are categories, and the position of each code by feature."""
        if not self.is_categorical.any():
            return None, {}
        ordered: list[AnyArray | None] = [None] * self.n_features
        places = {}
        for feature in np.flatnonzero(self.is_categorical).tolist():
            unordered = list(self._codes[feature])
            labels = Labels(unordered, np.zeros(len(unordered), dtype=bool))
            values = find_categories(labels, feature=f"column {feature}")
            place = {value: at for at, value in enumerate(values.tolist())}
            places[feature] = np.array([place[value] for value in unordered], dtype=self.dtype)
            ordered[feature] = values
        return Schema(self.n_features, self.names, self.is_categorical, tuple(ordered)), places

    def _read(self, X: Any) -> Table:
        if sparse.issparse(X):
            raise TypeError("X must be dense; got a sparse matrix.")
        return read_table(X)

    def _choose_dtype(self, dtype: Any, table: Table) -> np.dtype[Any]:
        has_codes = bool(self.is_categorical.any())
        if dtype is None:
            if isinstance(table, NumberTable) and not has_codes:
                return np.dtype(table.matrix.dtype)
            return np.dtype(np.float64)  # a frame's whole numbers are floats where some are missing
        chosen: np.dtype[Any] = np.dtype(dtype)
        if chosen.kind not in ("f" if has_codes else "fiub"):
            kind = (
                "a float dtype, to hold missing categories"
                if has_codes
                else "a real or boolean dtype"
            )
            raise ValueError(f"dtype must be {kind}; got {chosen}.")
        return chosen

    def _check(self, table: Table, labels: AnyArray) -> None:
        at = f"example {self.n_rows} (counted from 0)"
        if table.n_features != self.n_features:
            raise ValueError(
                f"X must have {self.n_features} columns, as in the first example; "
                f"got {table.n_features} in {at}."
            )
        if self.names is not None and table.names is not None:
            wanted, given = self.names.tolist(), table.names.tolist()
            if wanted != given:
                raise ValueError(f"X must have the columns {wanted}; got {given} in {at}.")
        if table.n_rows != len(labels):
            raise ValueError(
                f"y must have one label for each of the {table.n_rows} rows of X; "
                f"got {len(labels)} from {at} on."
            )
        check_present(labels, first=self.n_rows, what="example")

    def _check_integers(self, table: Table) -> None:
        """Reject integers that float64 would round, unless a dtype was given."""
        if self.is_given or self.dtype.kind != "f":
            return
        for feature in table.with_large_integers(np.flatnonzero(~self.is_categorical).tolist()):
            for value in table.exact(feature).tolist():
                if float(value) != value:
                    raise ValueError(
                        f"{table.describe(feature)} of X must hold integers that "
                        f"{self.dtype} holds exactly; got {value}. Subtract an offset from the "
                        "column, list it in categorical_features, or pass a dtype."
                    )

    def _fill(self, out: AnyArray, values: AnyArray) -> None:
        """Copy numbers. A given float dtype may round them, a given integer dtype must hold each
        exactly, and an inferred dtype must hold every value of their type."""
        if not np.can_cast(values.dtype, self.dtype, "safe"):
            with np.errstate(invalid="ignore", over="ignore"):
                fits = self.is_given and (
                    self.dtype.kind == "f" or bool((values.astype(self.dtype) == values).all())
                )
            if not fits:
                raise ValueError(
                    f"dtype must hold all values of X; {self.dtype} does not hold "
                    f"those of {values.dtype} from example {self.n_rows} on (counted from 0)."
                )
        with np.errstate(over="ignore"):
            out[...] = values.astype(self.dtype, copy=False)

    def _column(self, table: Table, feature: int) -> AnyArray:
        if not self.is_categorical[feature]:
            return table.numbers(feature)
        column = as_coded(table.categorical(feature))
        codes = self._codes[feature]
        for value in column.present:
            self._check_value(value, f"{table.describe(feature)} of X")
            codes.setdefault(value, float(len(codes)))
        if len(codes) > MAX_CATEGORIES:
            raise ValueError(
                f"{table.describe(feature)} of X must have at most "
                f"{MAX_CATEGORIES} categories; got more."
            )
        return column.look_up(codes).astype(self.dtype)

    def _encode_labels(self, labels: AnyArray) -> Ints:
        if labels.dtype.kind == "O":
            values, inverse = labels.tolist(), slice(None)
        else:
            unique, inverse = np.unique(labels, return_inverse=True)  # type: ignore[assignment]
            values = unique.tolist()
        for value in dict.fromkeys(values):
            if value not in self._classes:
                self._check_value(value, "y")
                self._classes[value] = len(self._classes)
        if len(self._classes) > MAX_CATEGORIES:
            raise ValueError(f"y must have at most {MAX_CATEGORIES} classes; got more.")
        codes = np.array([self._classes[value] for value in values], dtype=np.int64)
        return codes[inverse]

    def _check_value(self, value: Any, what: str) -> None:
        if not isinstance(value, KINDS):
            raise TypeError(f"{what} must hold strings, numbers or booleans; got {value!r}.")


def as_coded(column: AnyArray | AnyLabels) -> AnyLabels:
    """Return a column of numbers as labels.

    >>> as_coded(np.array([5.0, np.nan, 3.0])).codes
    array([ 1, -1,  0])
    """
    if isinstance(column, (Labels, CodedLabels)):
        return column
    values, codes = np.unique(column, return_inverse=True)
    is_nan = values != values
    return CodedLabels(values[~is_nan].tolist(), np.where(is_nan[codes], -1, codes))
