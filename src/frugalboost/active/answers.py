"""What was answered so far; every change gives a new object, so that nothing is half changed."""

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
    """Answers in the order in which they came; the place of each is its number and stays it.

    Attributes
    ----------
    table : rows that were answered, withdrawn ones too; None before the first
    labels : the label of each
    keys : what stands in each row
    is_live : False where an answer was withdrawn
    skipped : keys of rows that nobody could answer
    n_heard : answers and skips so far, whatever became of them
    """

    table: Any = None
    labels: tuple[Any, ...] = ()
    keys: tuple[bytes, ...] = ()
    is_live: tuple[bool, ...] = ()
    skipped: frozenset[bytes] = frozenset()
    n_heard: int = 0

    def add(self, X: Any, answers: Sequence[Any]) -> Answers:
        """With one answer for each row of X; None (or NaN) skips the row."""
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
        """Refuse tables that cannot be of the same data."""
        if self.table is None:
            return
        if kind_of(X) != kind_of(self.table):
            raise TypeError(
                f"{name} must be of the kind of the rows answered so far, "
                f"{kind_of(self.table)}; got {kind_of(X)}."
            )
        if count_columns(X) != count_columns(self.table):
            raise ValueError(
                f"{name} must have the {count_columns(self.table)} features of the rows "
                f"answered so far; got {count_columns(X)}."
            )

    def correct(self, number: int, label: Any) -> Answers:
        """With another label for one answer."""
        self._check_number(number)
        if is_skip(label):
            raise ValueError(f"label must be a class; got {label!r}. Use withdraw to take it back.")
        labels = list(self.labels)
        labels[number] = plain_label(label)
        return replace(self, labels=tuple(labels))

    def withdraw(self, number: int) -> Answers:
        """Without one answer; its row may be asked again."""
        self._check_number(number)
        is_live = list(self.is_live)
        is_live[number] = False
        return replace(self, is_live=tuple(is_live))

    def unskip(self, key: bytes) -> Answers:
        """With one skip taken back; its row may be asked again."""
        return replace(self, skipped=self.skipped - {key})

    def _check_number(self, number: int) -> None:
        n = len(self.labels)
        if not 0 <= number < n:
            known = f"from 0 to {n - 1}" if n else "of an answer, and there is none yet"
            raise ValueError(f"number must be {known}; got {number}.")
        if not self.is_live[number]:
            raise ValueError(
                f"number must be of an answer that stands; got {number}, which was withdrawn."
            )

    @property
    def live(self) -> Ints:
        """Numbers of the answers that stand."""
        return np.flatnonzero(np.array(self.is_live, dtype=bool))

    @property
    def taken(self) -> set[bytes]:
        """Contents that are not to be asked."""
        standing = zip(self.keys, self.is_live, strict=True)
        return {key for key, is_live in standing if is_live} | self.skipped

    def rows(self) -> Any:
        """The rows whose answers stand, in the table's own kind."""
        return self.table if all(self.is_live) else take_rows(self.table, self.live)

    def standing_labels(self) -> list[Any]:
        return [label for label, is_live in zip(self.labels, self.is_live, strict=True) if is_live]


def is_skip(answer: Any) -> bool:
    """None, NaN and pandas.NA are no answers."""
    if isinstance(answer, (str, bytes, tuple)):
        return False
    return bool(is_missing(answer))


def plain_label(label: Any) -> Any:
    """A NumPy scalar as Python's own, so that labels print and compare as the user wrote them."""
    return label.item() if isinstance(label, np.generic) else label


def label_array(labels: Sequence[Any]) -> AnyArray:
    """Labels as estimators take them; kinds that do not go together stay objects.

    >>> label_array(["a", 3])
    array(['a', 3], dtype=object)
    """
    if must_stay_objects(labels):
        return np.fromiter(labels, dtype=object, count=len(labels))
    return np.array(labels)
