"""From an oracle's batches to matrices of numbers and class codes, with errors that say where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray, Ints
from frugalboost.data import Schema, is_plain
from frugalboost.data.labels import read_labels


@dataclass(frozen=True)
class Reader:
    """Reads every batch as the first ones were read.

    Attributes
    ----------
    schema : Schema
    classes : array of labels
    owner : str, whom errors speak of
    is_encoded : bool
        Whether categories come as codes already.
    """

    schema: Schema
    classes: AnyArray
    owner: str
    is_encoded: bool = False

    def matrix(self, X: Any, first: int) -> AnyArray:
        """X as numbers the core reads; `first` is how many examples came before it."""
        reads_codes = self.is_encoded or not self.schema.is_categorical.any()
        if reads_codes and is_plain(X, self.schema.n_features):
            return np.asarray(X)
        try:
            return self.schema.encode(dense(X), self.owner)
        except (TypeError, ValueError) as problem:
            raise type(problem)(f"{problem} (In a batch that begins at example {first}.)") from None

    def codes(self, y: Any, first: int) -> Ints:
        """Position of each label in the classes."""
        try:
            labels = read_labels(y, self.owner)
        except ValueError as problem:
            raise ValueError(f"{problem} (In a batch that begins at example {first}.)") from None
        codes, is_known = look_up(self.classes, labels)
        if not is_known.all():
            at = int(np.flatnonzero(~is_known)[0])
            raise ValueError(
                f"{self.owner}: labels must be among the classes {self.classes.tolist()!r}; got "
                f"{labels[at]!r} at example {first + at}. Name all classes with classes=."
            )
        return codes


def dense(X: Any) -> Any:
    """A sparse matrix with all its zeros; anything else as it is."""
    return cast(Any, X).toarray() if sparse.issparse(X) else X


def look_up(classes: AnyArray, labels: AnyArray) -> tuple[Ints, AnyArray]:
    """Position of each label among the classes, and whether it is there.

    >>> look_up(np.array([2, 5]), np.array([5, 4, 2]))[0]
    array([1, 1, 0])
    """
    if classes.dtype.kind == "O" or labels.dtype.kind == "O":
        position = {label: code for code, label in enumerate(classes.tolist())}
        found = np.array([position.get(label, -1) for label in labels.tolist()], dtype=np.int64)
        return np.maximum(found, 0), found >= 0
    if classes.dtype.kind in "SU" and labels.dtype.kind not in "SU":
        return np.zeros(len(labels), dtype=np.int64), np.zeros(len(labels), dtype=bool)
    codes = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    return codes.astype(np.int64), np.asarray(classes[codes] == labels)
