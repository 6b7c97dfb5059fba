"""From an oracle's batches to numbers: what the first ones tell, and reading all others alike."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray, Ints
from frugalboost.data import Schema, is_plain
from frugalboost.data.targets import (
    as_labels,
    encode_labels,
    first_missing,
    read_labels,
    warn_if_rare,
)
from frugalboost.filtering.certificate import Stopped
from frugalboost.streams import Batch, Oracle


@dataclass(frozen=True)
class BatchReader:
    """Reads every batch as the first ones were read.

    Attributes
    ----------
    schema : Schema
    classes : array of labels, in order
    is_encoded : bool
        The batches hold the schema's codes instead of categories already, and those of classes.
    """

    schema: Schema
    classes: AnyArray
    is_encoded: bool = False

    def matrix(self, X: Any, first: int) -> AnyArray:
        """X as numbers the core reads; `first` is how many examples came before it."""
        is_done = self.is_encoded or not self.schema.is_categorical.any()
        if is_done and is_plain(X, self.schema.n_features):
            return np.asarray(X)
        try:
            return self.schema.encode(dense(X))
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
    """The labels of a batch; an error says which example has none."""
    try:
        return read_labels(y)
    except ValueError as problem:
        at = None if np.ndim(y) != 1 else first_missing(as_labels(y))
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


LOOK_AHEAD = 10_000
"""Examples that are looked at for categories and classes, unless the oracle knows them."""

MOST_OF_ONE_CLASS = 1_000_000
"""Examples after which a stream of one class is given up."""


@dataclass(frozen=True)
class Opening:
    """How to read an oracle's batches, with the first ones, which are already drawn.

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
    """Look at the first examples.

    Where they are all of one class, they are passed over until another one comes.
    """
    known = classes if classes is not None else getattr(oracle, "classes", None)
    if known is not None:
        known = encode_labels(read_labels(known))[0]
    only: AnyArray | None = None
    n_seen = 0
    while True:
        state = oracle.state()
        batches = first_batches(oracle, n_seen, only)
        found = known
        if found is None:
            labels = labels_of(batches, n_seen)
            n_seen += len(labels)
            labels = labels if only is None else np.concatenate([only, labels])
            only = labels[:1]
            if (labels != only).any():
                found, codes = encode_labels(labels)
                # An oracle that begins again may give its few rows many times.
                warn_if_rare(found, codes[: getattr(oracle, "n_rows", None)])
        if found is not None:
            schema = find_schema(oracle, batches, categorical_features)
            # An oracle that has a schema gives the codes of it.
            is_encoded = schema is getattr(oracle, "schema", None)
            return Opening(BatchReader(schema, found, is_encoded), batches, state)
        assert only is not None
        if n_seen >= MOST_OF_ONE_CLASS:
            raise ValueError(
                "the stream must hold at least two classes; got only "
                f"{only.tolist()[0]!r} in the first {n_seen} examples. Name all classes with "
                "classes=, or shuffle the data."
            )


def draw(oracle: Oracle, n: int) -> list[Batch]:
    """n examples, or fewer if the oracle ends; none at all is the end of the run."""
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


def checked(found: Any, asked: int) -> Batch:
    """What an oracle gave as a batch, or an error that says how it broke the protocol."""
    if not (isinstance(found, (tuple, list)) and len(found) in (2, 3)):
        raise TypeError(
            f"draw of the oracle must return a pair (X, y); got {type(found).__name__}."
        )
    batch = Batch(*found)
    n = len(batch.y)
    if n > asked:
        raise ValueError(
            f"draw of the oracle must return at most the {asked} examples asked for; got {n}."
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
            raise ValueError("oracle must give at least one example; it ended at once.") from None
        raise ValueError(
            f"y must hold at least two classes; got 1 class, {only.tolist()[0]!r}, in all "
            f"{n_seen} examples."
        ) from None


def labels_of(batches: list[Batch], first: int) -> AnyArray:
    """All labels, `first` examples having come before."""
    starts = first + np.cumsum([0, *(len(batch.y) for batch in batches)])
    return np.concatenate(
        [
            read_labels_at(batch.y, start)
            for batch, start in zip(batches, starts.tolist(), strict=False)
        ]
    )


def find_schema(oracle: Oracle, batches: list[Batch], categorical_features: Any) -> Schema:
    """The oracle's own schema, or that of its first examples."""
    known = getattr(oracle, "schema", None)
    if isinstance(known, Schema):
        return known
    X = batches[0].X if len(batches) == 1 else joined([batch.X for batch in batches])
    schema = Schema.from_data(X, categorical_features)
    names = getattr(oracle, "feature_names", None)
    # An array from a file's columns: whoever predicts for a frame is told if its columns differ.
    return schema if names is None else replace(schema, feature_names=names)


def joined(tables: list[Any]) -> Any:
    """Tables of one kind below each other."""
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
    """Frames with the categories of all; pandas alone would make plain objects of them."""
    import pandas as pd

    whole = pd.concat(tables, ignore_index=True)
    for name in whole.columns:
        columns = [table[name] for table in tables]
        if all(isinstance(column.dtype, pd.CategoricalDtype) for column in columns):
            whole[name] = pd.api.types.union_categoricals(columns, ignore_order=True)
    return whole
