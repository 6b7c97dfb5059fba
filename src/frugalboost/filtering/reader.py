"""From an oracle's batches to matrices of numbers and class codes, with errors that say where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray, Ints
from frugalboost.data import Schema, is_plain
from frugalboost.data.labels import read_labels
from frugalboost.streams.labels import as_labels, first_missing


@dataclass(frozen=True)
class Reader:
    """Reads every batch as the first ones were read.

    Attributes
    ----------
    schema : Schema
    classes : array of labels, in order
    owner : named by errors
    is_encoded : bool
        The batches hold the schema's codes instead of categories already, and those of classes.
    """

    schema: Schema
    classes: AnyArray
    owner: str
    is_encoded: bool = False

    def matrix(self, X: Any, first: int) -> AnyArray:
        """X as numbers the core reads; `first` is how many examples came before it."""
        is_done = self.is_encoded or not self.schema.is_categorical.any()
        if is_done and is_plain(X, self.schema.n_features):
            return np.asarray(X)
        try:
            return self.schema.encode(dense(X), self.owner)
        except (TypeError, ValueError) as problem:
            raise type(problem)(f"{problem} (In a batch that begins at example {first}.)") from None

    def _classes_are_codes(self) -> bool:
        """An oracle with codes of categories may still give the user's labels."""
        is_whole = self.classes.dtype.kind in "iub"
        return is_whole and bool((self.classes == np.arange(len(self.classes))).all())

    def codes(self, y: Any, first: int) -> Ints:
        """Position of each label in the classes."""
        if self.is_encoded and self._classes_are_codes():
            return np.asarray(y, dtype=np.int64)
        labels = read_labels_at(y, first, self.owner)
        codes, is_known = look_up(self.classes, labels)
        if not is_known.all():
            at = int(np.flatnonzero(~is_known)[0])
            raise ValueError(
                f"{self.owner}: labels must be among the classes {self.classes.tolist()!r}; got "
                f"{labels[at : at + 1].tolist()[0]!r} at example {first + at}. Name all classes "
                "with classes=."
            )
        return codes


def read_labels_at(y: Any, first: int, owner: str) -> AnyArray:
    """The labels of a batch; an error says which example has none."""
    try:
        return read_labels(y, owner)
    except ValueError as problem:
        at = None if np.ndim(y) != 1 else first_missing(as_labels(y, owner=owner))
        place = f"At example {first + at}" if at is not None else f"In a batch at example {first}"
        raise ValueError(f"{problem} ({place}, counted from 0.)") from None


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
