"""From an oracle's batches to numbers: what the first ones show, and reading the others alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray, Ints
from frugalboost.data import Schema, is_plain
from frugalboost.data.tables import check_indices
from frugalboost.data.targets import (
    as_labels,
    encode_labels,
    first_missing,
    read_labels,
    warn_if_rare,
)
from frugalboost.filtering.stopping import Stopped
from frugalboost.streams import Batch, Oracle


@dataclass(frozen=True)
class BatchReader:
    """Reads every batch as the first ones were read.

    Attributes
    ----------
    schema : Schema
    classes : array of labels, in order
    is_encoded : bool
        Whether the batches already hold the schema's codes instead of categories, and class codes.
    """

    schema: Schema
    classes: AnyArray
    is_encoded: bool = False

    def matrix(self, X: Any, first: int) -> AnyArray:
        """Return X as numbers the core reads; `first` is the number of examples before it."""
        is_done = self.is_encoded or not self.schema.is_categorical.any()
        if is_done and is_plain(X, self.schema.n_features):
            return np.asarray(X)
        try:
            return self.schema.encode(dense(X))
        except (TypeError, ValueError) as problem:
            raise type(problem)(f"{problem} (In a batch that begins at example {first}.)") from None

    def _classes_are_codes(self) -> bool:
        """Whether the classes are 0 to K - 1. An oracle that encodes may still return labels."""
        is_whole = self.classes.dtype.kind in "iub"
        return is_whole and bool((self.classes == np.arange(len(self.classes))).all())

    def codes(self, y: Any, first: int) -> Ints:
        """Return the position of each label in the classes."""
        if self.is_encoded and self._classes_are_codes():
            return np.asarray(y, dtype=np.int64)
        labels = read_labels_at(y, first)
        codes, is_known = look_up(self.classes, labels)
        if not is_known.all():
            at = int(np.flatnonzero(~is_known)[0])
            raise ValueError(
                f"labels must be among the classes {self.classes.tolist()!r}; got "
                f"{labels[at : at + 1].tolist()[0]!r} at example {first + at}. Name all classes "
                "with classes=."
            )
        return codes


def read_labels_at(y: Any, first: int) -> AnyArray:
    """Return the labels of a batch; an error says which example has none."""
    try:
        return read_labels(y)
    except ValueError as problem:
        at = None if np.ndim(y) != 1 else first_missing(as_labels(y))
        place = f"At example {first + at}" if at is not None else f"In a batch at example {first}"
        raise ValueError(f"{problem} ({place}, counted from 0.)") from None


def dense(X: Any) -> Any:
    """Return a sparse matrix as a dense one; anything else as it is."""
    return cast(Any, X).toarray() if sparse.issparse(X) else X


def look_up(classes: AnyArray, labels: AnyArray) -> tuple[Ints, AnyArray]:
    """Return the position of each label among the classes, and whether it is one of them.

    >>> look_up(np.array([2, 5]), np.array([5, 4, 2]))[0]
    array([1, 1, 0])
    """
    if classes.dtype.kind == "O" or labels.dtype.kind == "O":
        position = {label: code for code, label in enumerate(classes.tolist())}
        codes = np.array([position.get(label, -1) for label in labels.tolist()], dtype=np.int64)
        return np.maximum(codes, 0), codes >= 0
    if classes.dtype.kind in "SU" and labels.dtype.kind not in "SU":
        return np.zeros(len(labels), dtype=np.int64), np.zeros(len(labels), dtype=bool)
    codes = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    return codes.astype(np.int64), np.asarray(classes[codes] == labels)


LOOK_AHEAD = 10_000
"""Examples that are searched for categories and classes, unless the oracle declares them."""

MOST_OF_ONE_CLASS = 1_000_000
"""Examples after which the search for a second class in a stream is given up."""


@dataclass(frozen=True)
class Opening:
    """How to read an oracle's batches, with the first ones, already drawn.

    Attributes
    ----------
    reader : BatchReader
    batches : list of Batch
    state : of the oracle before they were drawn
    """

    reader: BatchReader
    batches: list[Batch]
    state: dict[str, Any]


def discover(oracle: Oracle, classes: AnyArray | None, categorical_features: Any) -> Opening:
    """Inspect the first examples.

    If they are all of one class, they are skipped until another one comes.
    """
    known = classes if classes is not None else getattr(oracle, "classes", None)
    if known is not None:
        known = encode_labels(read_labels(known))[0]
    only: AnyArray | None = None
    n_seen = 0
    while True:
        state = oracle.state()
        batches = first_batches(oracle, n_seen, only)
        all_classes = known
        if all_classes is None:
            labels = labels_of(batches, n_seen)
            n_seen += len(labels)
            labels = labels if only is None else np.concatenate([only, labels])
            only = labels[:1]
            if (labels != only).any():
                all_classes, codes = encode_labels(labels)
                # An oracle that recycles may give its few rows many times.
                warn_if_rare(all_classes, codes[: getattr(oracle, "n_rows", None)])
        if all_classes is not None:
            schema = find_schema(oracle, batches, categorical_features)
            # An oracle that has a schema gives its codes.
            is_encoded = schema is getattr(oracle, "schema", None)
            return Opening(BatchReader(schema, all_classes, is_encoded), batches, state)
        assert only is not None
        if n_seen >= MOST_OF_ONE_CLASS:
            raise ValueError(
                "the stream must hold at least two classes; got only "
                f"{only.tolist()[0]!r} in the first {n_seen} examples. Name all classes with "
                "classes=, or shuffle the data."
            )


ORACLE_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What an oracle may raise that is restored to a state of another one, or of a damaged file."""


def reason_of(problem: Exception) -> str:
    """The message; with the type of an error whose message may be a mere key.

    >>> reason_of(KeyError("position")), reason_of(ValueError("state must be a dict."))
    ("KeyError: 'position'", 'state must be a dict')
    """
    kind = "" if isinstance(problem, ValueError) else f"{type(problem).__name__}: "
    return (kind + str(problem)).rstrip(". ")[:200]


def draw(oracle: Oracle, n: int) -> list[Batch]:
    """Draw n examples, or fewer if the oracle ends; if it has no example left, the run ends."""
    batches: list[Batch] = []
    missing = n
    while missing > 0:
        batch = checked(oracle.draw(missing), missing)
        if len(batch.y) == 0:
            break
        batches.append(batch)
        missing -= len(batch.y)
    if not batches:
        raise Stopped("stream")
    return batches


def checked(drawn: Any, asked: int) -> Batch:
    """Return what an oracle drew as a batch; an error says how it broke the protocol."""
    if not (isinstance(drawn, (tuple, list)) and len(drawn) in (2, 3)):
        raise TypeError(
            f"draw of the oracle must return a pair (X, y); got {type(drawn).__name__}."
        )
    batch = Batch(*drawn)
    if sparse.issparse(batch.X):
        check_indices(batch.X)
    n = len(batch.y)
    if n > asked:
        raise ValueError(
            f"draw of the oracle must return at most the {asked} examples requested; got {n}."
        )
    n_rows = batch.X.shape[0] if hasattr(batch.X, "shape") else len(batch.X)
    if n_rows != n:
        raise ValueError(
            f"draw of the oracle must return one label for each of the {n_rows} rows of "
            f"X; got {n} labels."
        )
    return batch


def first_batches(oracle: Oracle, n_seen: int, only: AnyArray | None) -> list[Batch]:
    try:
        return draw(oracle, LOOK_AHEAD)
    except Stopped:
        if only is None:
            raise ValueError("oracle must return at least one example; it ended at once.") from None
        raise ValueError(
            f"y must hold at least two classes; got 1 class, {only.tolist()[0]!r}, in all "
            f"{n_seen} examples."
        ) from None


def labels_of(batches: list[Batch], first: int) -> AnyArray:
    """Return all labels; `first` is the number of examples before them."""
    starts = first + np.cumsum([0, *(len(batch.y) for batch in batches)])
    return np.concatenate(
        [
            read_labels_at(batch.y, start)
            for batch, start in zip(batches, starts.tolist(), strict=False)
        ]
    )


def find_schema(oracle: Oracle, batches: list[Batch], categorical_features: Any) -> Schema:
    """Return the oracle's own schema, or that of its first examples."""
    known = getattr(oracle, "schema", None)
    if isinstance(known, Schema):
        return known
    X = batches[0].X if len(batches) == 1 else joined([batch.X for batch in batches])
    schema = Schema.from_data(X, categorical_features)
    names = getattr(oracle, "feature_names", None)
    # An array from a file's columns: with names, predicting for a frame checks its columns.
    return schema if names is None else replace(schema, feature_names=names)


def joined(tables: list[Any]) -> Any:
    """Concatenate tables of one kind."""
    import narwhals as nw

    if sparse.issparse(tables[0]):
        return sparse.vstack(tables)
    if nw.dependencies.is_into_dataframe(tables[0]):
        kinds = sorted({type(table).__name__ for table in tables})
        if len(kinds) > 1:
            raise TypeError(f"batches must be of one kind; got {' and '.join(kinds)}.")
        frames = [nw.from_native(table, eager_only=True) for table in tables]
        other = next((f.columns for f in frames if f.columns != frames[0].columns), None)
        if other is not None:
            raise ValueError(
                f"batches must all have the columns {frames[0].columns!r}; got {other!r}."
            )
        if nw.dependencies.is_pandas_dataframe(tables[0]):
            return joined_pandas(tables)
        return nw.concat(frames).to_native()
    widths = sorted({np.asarray(table).shape[1] for table in tables})
    if len(widths) > 1:
        raise ValueError(
            "batches must all have the same number of columns; got "
            f"{' and '.join(map(str, widths))}."
        )
    return np.concatenate(tables)


def joined_pandas(tables: list[Any]) -> Any:
    """Concatenate frames, uniting categories; pandas alone would turn them into plain objects."""
    import pandas as pd

    whole = pd.concat(tables, ignore_index=True)
    for name in whole.columns:
        columns = [table[name] for table in tables]
        if all(isinstance(column.dtype, pd.CategoricalDtype) for column in columns):
            whole[name] = pd.api.types.union_categoricals(columns, ignore_order=True)
    return whole
