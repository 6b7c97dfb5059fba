"""What models are trained on: rows of a file, how `fit` divides them, what a model remembers."""

from __future__ import annotations

import hashlib
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

import numpy as np

import frugalboost as fb
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.cli.errors import BadUsageError, implausible
from frugalboost.cli.outputs import unguarded_labels
from frugalboost.cli.printing import counted
from frugalboost.cli.progress import bar
from frugalboost.cli.scores import Scorer
from frugalboost.data import take_rows
from frugalboost.data.columns import MAX_CATEGORIES
from frugalboost.data.targets import encode_labels, why_implausible
from frugalboost.pruning.fitting import split_rows
from frugalboost.tables.errors import listed
from frugalboost.tables.files import bytes_bar
from frugalboost.tables.table import Kind, Rows, TableFile

Task = Literal["classes", "regression"]

BLOCK_ROWS = 1 << 16
CHUNK_BYTES = 1 << 20

FEW_NUMBERS = 30
"""Whole numbers with at most this many different values are taken for classes."""

FEW_WORDS = 20
"""A text column with more words than this, most of them in one row only, is not a category."""

PLAIN_SCORES = ("rows", "error", "log_loss", "auc", "rmse", "mae", "r2")
FIELD_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "str | None": (str, type(None)),
    "int | None": (int, type(None)),
    "float | None": (int, float, type(None)),
    "dict[str, Any]": (dict,),
}


@dataclass(frozen=True, eq=False)
class Examples:
    """Rows in memory with labels and, optionally, weights."""

    X: Any
    y: AnyArray
    weights: Floats | None = None

    def take(self, rows: Ints) -> Examples:
        weights = None if self.weights is None else self.weights[rows]
        return Examples(take_rows(self.X, rows), self.y[rows], weights)

    def blocks(self, n_rows: int) -> Iterator[Examples]:
        """All rows in order, `n_rows` at a time."""
        if len(self) <= n_rows:
            yield self
            return
        for start in range(0, len(self), n_rows):
            yield self.take(np.arange(start, min(start + n_rows, len(self))))

    def __len__(self) -> int:
        return len(self.y)


def read_target(rows: Rows, name: str, table: TableFile, first_row: int = 0) -> AnyArray:
    """The labels, none of which may be missing; whole numbers become integers."""
    if rows.kind(name) == "other":
        raise ValueError(
            f"{table.path}: the target {name!r} must hold numbers or words; got "
            f"{rows.type_name(name)}."
        )
    values = rows.values(name)
    is_missing = _missing(values)
    if is_missing.any():
        at = first_row + int(np.flatnonzero(is_missing)[0])
        raise ValueError(
            f"{table.path}: the target {name!r} must not have missing values; it is missing in "
            f"{counted(int(is_missing.sum()), 'row')}, first in row {at + 1}."
        )
    return unguarded_labels(values) if values.dtype.kind == "O" else _whole_numbers(values)


def _missing(values: AnyArray) -> AnyArray:
    if values.dtype.kind == "O":
        return np.array([value is None for value in values], dtype=bool)
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)


def _whole_numbers(values: AnyArray) -> AnyArray:
    """Floats as integers if all of them are whole; otherwise unchanged."""
    if values.dtype.kind != "f":
        return values
    is_whole = bool((values == np.rint(values)).all() and (np.abs(values) < 2**53).all())
    return values.astype(np.int64) if is_whole else values


def read_weights(rows: Rows, name: str, table: TableFile) -> Floats:
    """Weights of the rows; a row of weight zero does not count."""
    if rows.kind(name) not in ("number", "boolean"):
        raise BadUsageError(
            f"--weight must be a column of numbers; {name!r} of {table.path} is not."
        )
    weights = np.asarray(rows.values(name), dtype=np.float64)
    invalid = weights[~(np.isfinite(weights) & (weights >= 0))]
    if len(invalid):
        raise ValueError(
            f"{table.path}: --weight must be a column of numbers >= 0; {name!r} contains "
            f"{invalid[0]}."
        )
    return weights


@dataclass(frozen=True)
class Columns:
    """The columns that are not features."""

    target: str
    ignore: tuple[str, ...] = ()
    weight: str | None = None


def choose_columns(
    table: TableFile, target: str | None, ignore: Sequence[str], weight: str | None
) -> Columns:
    """Check the names of columns; formats with their own label column need no target."""
    target = table.target if target is None else target
    if target is None:
        raise BadUsageError(
            f"--target must name the column to predict; the columns of {table.path} are "
            f"{listed(table.names)}."
        )
    table.check(target, "--target")
    for name in ignore:
        table.check(name, "--ignore")
    if weight is not None:
        table.check(weight, "--weight")
        if weight == target:
            raise BadUsageError(f"--weight must be a column other than --target; got {weight!r}.")
    if target in ignore:
        raise BadUsageError(f"--ignore must not name the target; got {target!r}.")
    return Columns(target, tuple(ignore), weight)


@dataclass(frozen=True, eq=False)
class Learning:
    """A table to learn from.

    Attributes
    ----------
    path, columns : where the examples come from
    examples : all of them
    task : "classes" or "regression"
    kinds : of the features, by name
    left_out : why other columns are not features, by name
    first_feature : number of the first feature in the file, if it numbers them
    """

    path: Path
    columns: Columns
    examples: Examples
    task: Task
    kinds: dict[str, Kind]
    left_out: dict[str, str]
    first_feature: int | None


def read_learning(
    table: TableFile, columns: Columns, task: Task | None, many_classes: bool = False
) -> Learning:
    """Read all rows of a file, and decide what is to be learnt."""
    rows = table.read()
    if rows.n_rows == 0:
        raise ValueError(f"{table.path} must have at least one row; it has none.")
    with bar("looking at the columns", len(table.feature_names)) as advance:
        return look_at(rows, table, columns, task, advance, many_classes)


def look_at(
    rows: Rows,
    table: TableFile,
    columns: Columns,
    task: Task | None,
    advance: Callable[[float], None],
    many_classes: bool,
) -> Learning:
    y = read_target(rows, columns.target, table)
    if task == "regression" and y.dtype.kind not in "iufb":
        raise BadUsageError(
            f"--task regression needs a numeric target; {columns.target!r} contains words."
        )
    task = task or task_of(y)
    if task == "regression":
        y = y.astype(np.float64)
    elif not many_classes and (oddity := why_implausible(y)) is not None:
        raise implausible(table.path, f"target {columns.target!r}", oddity)  # would take hours
    weights = None if columns.weight is None else read_weights(rows, columns.weight, table)
    kinds, left_out = survey(table, rows, columns, advance)
    if not kinds:
        raise ValueError(nothing_to_learn_from(table, left_out))
    examples = Examples(rows.features(list(kinds)), y, weights)
    return Learning(table.path, columns, examples, task, kinds, left_out, table.first_number)


def nothing_to_learn_from(table: TableFile, left_out: Mapping[str, str]) -> str:
    why = [f"{name!r} was left out ({reason})" for name, reason in left_out.items()]
    more = [*why[:3], *([f"and {len(why) - 3} more"] if len(why) > 3 else [])]
    columns = ", ".join(more) or f"its columns are {listed(table.names)}"
    return f"{table.path} must have a column to learn from; {columns}."


def task_of(y: AnyArray) -> Task:
    """Words, booleans and whole numbers with few different values are classes.

    >>> task_of(np.array([1, 2, 1])), task_of(np.array([0.5, 2.0]))
    ('classes', 'regression')
    """
    is_few = y.dtype.kind in "iu" and len(np.unique(y)) <= FEW_NUMBERS
    return "classes" if is_few or y.dtype.kind not in "iuf" else "regression"


def survey(
    table: TableFile, rows: Rows, columns: Columns, advance: Callable[[float], None]
) -> tuple[dict[str, Kind], dict[str, str]]:
    """The features with their kinds, and the reasons why other columns are not features."""
    kinds: dict[str, Kind] = {}
    left_out: dict[str, str] = {}
    for name in table.feature_names:
        advance(1)
        if name in (columns.target, columns.weight, *columns.ignore):
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


def check_test_share(share: float) -> None:
    if not 0 <= share < 1:
        raise BadUsageError(f"--test-share must be in [0, 1); got {share}.")


def split(y: AnyArray, task: str, share: float, seed: int) -> tuple[Ints, Ints]:
    """Rows to fit and rows to test on, ascending; every class has rows to fit."""
    n = len(y)
    if share == 0 or n < 2:
        return np.arange(n), np.arange(0)
    codes = encode_labels(y)[1] if task == "classes" else np.zeros(n, dtype=np.int64)
    return split_codes(codes, share, seed)


def split_codes(codes: AnyArray, share: float, seed: int) -> tuple[Ints, Ints]:
    """The same for class codes; an error if no row would be left to test on."""
    try:
        return split_rows(codes, share, seed)
    except ValueError as problem:
        n_classes = len(np.unique(codes))
        raise ValueError(
            "--test-share must leave a row to test on in addition to one of each class to learn "
            f"from; got {counted(len(codes), 'row')} of {counted(n_classes, 'class', 'classes')}. "
            "Use --test-share 0 to train without a test."
        ) from problem


def score_rows(model: Any, rows: Examples) -> dict[str, Any]:
    """Compare a model's predictions with the labels, block by block."""
    scorer = Scorer(model)
    with bar("testing", len(rows)) as advance:
        for block in rows.blocks(BLOCK_ROWS):
            scorer.add(block.X, block.y, block.weights)
            advance(len(block))
        return scorer.result()


def plain_scores(scores: dict[str, Any] | None) -> dict[str, Any]:
    """The scores that are single numbers."""
    given = scores or {}
    return {name: given[name] for name in PLAIN_SCORES if given.get(name) is not None}


@dataclass(frozen=True)
class Record:
    """How a model was made; read with care, as model files come from strangers.

    Attributes
    ----------
    command : the command line
    version : of the library
    data, data_sha256 : name and fingerprint of the training file
    target, weight : names of its columns
    task : "classes" or "regression"
    rows : how many the model was fitted to
    test_share, seed : of the held-out rows
    booleans : features that were true or false; other numbers are numbers
    ignored, left_out : columns excluded by the user, or because no model can learn from them
    first_feature : number of the first feature in a LIBSVM file, 0 or 1
    scores : on rows that the model has not seen, if there were any
    pruned : how it was pruned, if it was
    """

    command: str = ""
    version: str = ""
    data: str = ""
    data_sha256: str = ""
    target: str | None = None
    weight: str | None = None
    task: str = ""
    rows: int | None = None
    test_share: float | None = None
    seed: int | None = None
    booleans: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    first_feature: int | None = None
    scores: dict[str, Any] = field(default_factory=dict)
    pruned: dict[str, Any] = field(default_factory=dict)

    def attach(self, model: Any) -> None:
        """Give the model this record; `save` keeps it as long as the model is unchanged."""
        model.training_ = {**asdict(self), "digest": fb.digest(model)}

    @classmethod
    def of(cls, model: Any) -> Record | None:
        """The record of a model; None if it has none that can be relied on."""
        stored = getattr(model, "training_", None)
        if not isinstance(stored, dict):
            return None
        known = {each.name: stored[each.name] for each in fields(cls) if each.name in stored}
        for each in fields(cls):
            if each.name in known and not _fits(known[each.name], str(each.type)):
                return None
        return cls(**known)


def _fits(value: Any, kind: str) -> bool:
    if kind == "list[str]":
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, FIELD_TYPES[kind]) and not isinstance(value, bool)


def typed_command() -> str:
    """The command line as the user typed it, for the record."""
    return shlex.join(["frugalboost", *sys.argv[1:]])


def fingerprint(path: Path) -> str:
    """SHA-256 of a file."""
    state = hashlib.sha256()
    with bytes_bar(bar, "checking", path) as advance, open(path, "rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            state.update(chunk)
            advance(len(chunk))
    return state.hexdigest()


def is_data_of(record: Record | None, path: Path) -> bool:
    """Whether a file is, byte for byte, the one that a model was fitted to."""
    if record is None or not record.data_sha256:
        return False
    return fingerprint(path) == record.data_sha256


def split_again(record: Record, y: AnyArray) -> tuple[Ints, Ints]:
    """The same rows that `split` returned during the fit."""
    return split(y, record.task, record.test_share or 0.0, record.seed or 0)


def chosen_by(pruned: Mapping[str, Any]) -> str | None:
    """A note for scores on held-out rows, if some of those rows were used for pruning."""
    if not pruned.get("by_held_out"):
        return None
    return (
        f"{pruned.get('rows', 0):,} of the rows held out chose the trees that stayed when the "
        "model was pruned, so the scores flatter it a little."
    )
