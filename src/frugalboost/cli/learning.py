"""What `fit` learns from: features, target and weights of a file, and the kind of task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.cli.errors import BadUsageError, implausible
from frugalboost.cli.examples import Examples
from frugalboost.cli.progress import bar
from frugalboost.cli.spreadsheets import unguarded_labels
from frugalboost.cli.tables import Kind, Rows, TableFile
from frugalboost.data.categories import MAX_CATEGORIES
from frugalboost.data.targets import why_implausible

Task = Literal["classes", "regression"]

FEW_NUMBERS = 30
"""Whole numbers of so many values at most are taken for classes."""

FEW_WORDS = 20
"""A column of text with more, of which most stand in one row only, is no category."""


@dataclass(frozen=True)
class Choice:
    """Which columns are what."""

    target: str
    ignore: tuple[str, ...] = ()
    weight: str | None = None


@dataclass(frozen=True, eq=False)
class Learning:
    """A table to learn from.

    Attributes
    ----------
    X, y, weights : the examples
    task : "classes" or "regression"
    kinds : of the features, by name
    left_out : why columns are not features, by name
    """

    X: Any
    y: AnyArray
    weights: Floats | None
    task: Task
    kinds: dict[str, Kind]
    left_out: dict[str, str]

    @property
    def examples(self) -> Examples:
        return Examples(self.X, self.y, self.weights)


def choose(
    file: TableFile, target: str | None, ignore: Sequence[str], weight: str | None
) -> Choice:
    """Check the names of columns; formats that have a label of their own need no target."""
    if target is None:
        target = file.target
    if target is None:
        raise BadUsageError(f"--target must name the column to predict; {_columns(file)}.")
    file.check(target, "--target")
    for name in ignore:
        file.check(name, "--ignore")
    if weight is not None:
        file.check(weight, "--weight")
        if weight == target:
            raise BadUsageError(f"--weight must be another column than --target; got {weight!r}.")
    if target in ignore:
        raise BadUsageError(f"--ignore must not name the target; got {target!r}.")
    return Choice(target, tuple(ignore), weight)


def _columns(file: TableFile) -> str:
    more = ", ..." if len(file.names) > 20 else ""
    return f"{file.path} has {', '.join(map(repr, file.names[:20]))}{more}"


def read_learning(
    file: TableFile, choice: Choice, task: Task | None, many_classes: bool = False
) -> Learning:
    """Read all rows of a file, and find out what is to be learnt."""
    rows = file.read()
    if rows.n_rows == 0:
        raise ValueError(f"{file.path} must have rows; it has none.")
    with bar("looking at the columns", len(file.feature_names)) as advance:
        return look_at(rows, file, choice, task, advance, many_classes)


def look_at(
    rows: Rows,
    file: TableFile,
    choice: Choice,
    task: Task | None,
    advance: Callable[[float], None],
    many_classes: bool = False,
) -> Learning:
    y = read_target(rows, choice.target, file)
    found = task_of(y) if task is None else task
    if task == "regression" and y.dtype.kind not in "iufb":
        raise BadUsageError(
            f"--task regression needs a target of numbers; {choice.target!r} has words."
        )
    if found == "classes" and not many_classes:
        check_classes(y, choice.target, file)
    weights = None if choice.weight is None else read_weights(rows, choice.weight, file)
    kinds, left_out = survey(file, rows, choice, advance)
    if not kinds:
        raise ValueError(f"{file.path} must have a column to learn from; {_columns(file)}.")
    y = np.asarray(y, dtype=np.float64) if found == "regression" else y
    return Learning(rows.features(list(kinds)), y, weights, found, kinds, left_out)


def check_classes(y: AnyArray, name: str, file: TableFile) -> None:
    """Refuse a target that can hardly be meant for classes: its fit would take hours."""
    odd = why_implausible(y)
    if odd is not None:
        raise implausible(file.path, f"target {name!r}", odd)


def read_target(rows: Rows, name: str, file: TableFile, first_row: int = 0) -> AnyArray:
    """The labels, none of which may be missing; whole numbers are integers."""
    if rows.kind(name) == "other":
        raise ValueError(f"{file.path}: the target {name!r} must hold numbers or words.")
    values = rows.values(name)
    is_missing = missing(values)
    if is_missing.any():
        at = first_row + int(np.flatnonzero(is_missing)[0])
        raise ValueError(
            f"{file.path}: the target {name!r} must not have missing values; it is missing in "
            f"{int(is_missing.sum()):,} rows, first in row {at + 1}."
        )
    if values.dtype.kind == "O":
        return unguarded_labels(values)
    return whole_numbers(values)


def whole_numbers(values: AnyArray) -> AnyArray:
    """Floats that are all whole as integers; others as they are."""
    if values.dtype.kind != "f":
        return values
    is_whole = bool((values == np.rint(values)).all() and (np.abs(values) < 2**53).all())
    return values.astype(np.int64) if is_whole else values


def read_weights(rows: Rows, name: str, file: TableFile) -> Floats:
    """Weights of the rows; zero stands for a row that does not count."""
    if rows.kind(name) not in ("number", "boolean"):
        raise BadUsageError(
            f"--weight must be a column of numbers; {name!r} of {file.path} is not."
        )
    weights = np.asarray(rows.values(name), dtype=np.float64)
    odd = weights[~(np.isfinite(weights) & (weights >= 0))]
    if len(odd):
        raise ValueError(
            f"{file.path}: --weight must name a column of numbers of at least 0; {name!r} holds "
            f"{odd[0]}."
        )
    return weights


def missing(values: AnyArray) -> AnyArray:
    if values.dtype.kind == "O":
        return np.array([value is None for value in values], dtype=bool)
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)


def task_of(y: AnyArray) -> Task:
    """Words, booleans and few different whole numbers are classes.

    >>> task_of(np.array([1, 2, 1])), task_of(np.array([0.5, 2.0]))
    ('classes', 'regression')
    """
    if y.dtype.kind not in "iuf":
        return "classes"
    is_few = y.dtype.kind in "iu" and len(np.unique(y)) <= FEW_NUMBERS
    return "classes" if is_few else "regression"


def survey(
    file: TableFile, rows: Rows, choice: Choice, advance: Callable[[float], None]
) -> tuple[dict[str, Kind], dict[str, str]]:
    """The features with their kinds, and why other columns are none."""
    aside = {choice.target, choice.weight, *choice.ignore}
    kinds: dict[str, Kind] = {}
    left_out: dict[str, str] = {}
    for name in file.feature_names:
        advance(1)
        if name in aside:
            continue
        kind = rows.kind(name)
        reason = why_not(*rows.count_words(name)) if kind == "category" else None
        if kind == "other":
            reason = "neither numbers nor words"
        if reason is None:
            kinds[name] = kind
        else:
            left_out[name] = reason
    return kinds, left_out


def why_not(n_words: int, n_values: int) -> str | None:
    """Why a model cannot learn from so many words in so many rows; None if it can."""
    if n_words > MAX_CATEGORIES:
        return f"{n_words:,} different words, more than {MAX_CATEGORIES:,}"
    if n_words > FEW_WORDS and 2 * n_words > n_values:
        return f"{n_words:,} different words in {n_values:,} rows"
    return None
