"""The answers so far. Every change returns a new object, so nothing is ever half changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Ints
from frugalboost.active.rows import append_rows, count_columns, kind_of, row_keys
from frugalboost.data import take_rows
from frugalboost.data.targets import is_missing, must_stay_objects


@dataclass(frozen=True, eq=False)
class Answers:
    """Answers in the order in which they were given; the position of each is its permanent number.

    Attributes
    ----------
    table : the answered rows, including withdrawn ones; None before the first
    labels : the label of each
    keys : a hash of the content of each row
    is_live : False if the answer was withdrawn
    skipped : keys of the rows that were skipped
    n_heard : number of answers and skips so far, including withdrawn ones
    """

    table: Any = None
    labels: tuple[Any, ...] = ()
    keys: tuple[bytes, ...] = ()
    is_live: tuple[bool, ...] = ()
    skipped: frozenset[bytes] = frozenset()
    n_heard: int = 0

    def add(self, X: Any, answers: Sequence[Any]) -> Answers:
        """Add one answer for each row of X; None (or NaN) skips the row."""
        keys = row_keys(X)
        given = [at for at, answer in enumerate(answers) if not is_skip(answer)]
        skipped = self.skipped | {key for key, a in zip(keys, answers, strict=True) if is_skip(a)}
        n_heard = self.n_heard + len(keys)
        if not given:
            return replace(self, skipped=skipped, n_heard=n_heard)
        rows = X if len(given) == len(keys) else take_rows(X, np.array(given))
        self.check_fits(X, "X")
        new = [keys[at] for at in given]
        return Answers(
            rows if self.table is None else append_rows(self.table, rows),
            (*self.labels, *(plain_label(answers[at]) for at in given)),
            (*self.keys, *new),
            (*self.is_live, *([True] * len(given))),
            skipped.difference(new),
            n_heard,
        )

    def check_fits(self, X: Any, name: str) -> None:
        """Raise an error if a table cannot belong to the same data."""
        if self.table is None:
            return
        if kind_of(X) != kind_of(self.table):
            raise TypeError(
                f"{name} must be the same kind of table as the rows answered so far, "
                f"{kind_of(self.table)}; got {kind_of(X)}."
            )
        if count_columns(X) != count_columns(self.table):
            raise ValueError(
                f"{name} must have the {count_columns(self.table)} features of the rows "
                f"answered so far; got {count_columns(X)}."
            )

    def correct(self, number: int, label: Any) -> Answers:
        """Change the label of one answer."""
        self._check_number(number)
        if is_skip(label):
            raise ValueError(f"label must be a class; got {label!r}. Use withdraw to remove it.")
        labels = list(self.labels)
        labels[number] = plain_label(label)
        return replace(self, labels=tuple(labels))

    def withdraw(self, number: int) -> Answers:
        """Remove one answer; its row may be asked about again."""
        self._check_number(number)
        is_live = list(self.is_live)
        is_live[number] = False
        return replace(self, is_live=tuple(is_live))

    def unskip(self, key: bytes) -> Answers:
        """Undo one skip; its row may be asked about again."""
        return replace(self, skipped=self.skipped - {key})

    def _check_number(self, number: int) -> None:
        n = len(self.labels)
        if not 0 <= number < n:
            allowed = f"from 0 to {n - 1}" if n else "that of an answer, but none was given yet"
            raise ValueError(f"number must be {allowed}; got {number}.")
        if not self.is_live[number]:
            raise ValueError(
                f"number must be that of a current answer; got {number}, which was withdrawn."
            )

    @property
    def live(self) -> Ints:
        """Numbers of the answers that have not been withdrawn."""
        return np.flatnonzero(np.array(self.is_live, dtype=bool))

    @property
    def taken(self) -> set[bytes]:
        """Keys of the rows that must not be asked about: answered or skipped."""
        standing = zip(self.keys, self.is_live, strict=True)
        return {key for key, is_live in standing if is_live} | self.skipped

    def rows(self) -> Any:
        """Return the rows whose answers have not been withdrawn, as the same kind of table."""
        return self.table if all(self.is_live) else take_rows(self.table, self.live)

    def standing_labels(self) -> list[Any]:
        return [label for label, is_live in zip(self.labels, self.is_live, strict=True) if is_live]


def is_skip(answer: Any) -> bool:
    """Return whether an answer is missing: None, NaN or pandas.NA."""
    if isinstance(answer, (str, bytes, tuple)):
        return False
    return bool(is_missing(answer))


def plain_label(label: Any) -> Any:
    """Convert a NumPy scalar to Python, so that labels print and compare as the user wrote them."""
    return label.item() if isinstance(label, np.generic) else label


def label_array(labels: Sequence[Any]) -> AnyArray:
    """Return the labels as an array for estimators; labels of mixed types stay objects.

    >>> label_array(["a", 3])
    array(['a', 3], dtype=object)
    """
    if must_stay_objects(labels):
        return np.fromiter(labels, dtype=object, count=len(labels))
    return np.array(labels)
