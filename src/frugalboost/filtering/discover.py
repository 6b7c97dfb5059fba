"""What the first examples of a stream tell: its columns and its classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray
from frugalboost.data import Schema
from frugalboost.data.labels import encode_labels, read_labels
from frugalboost.data.rare_classes import warn_if_rare
from frugalboost.filtering.reader import Reader, read_labels_at
from frugalboost.filtering.stops import Stopped
from frugalboost.filtering.tap import draw
from frugalboost.streams import Batch, Oracle

LOOK_AHEAD = 10_000
"""Examples that are looked at for categories and classes, unless the oracle knows them."""

MOST_OF_ONE_CLASS = 1_000_000
"""Examples after which a stream of one class is given up."""


@dataclass(frozen=True)
class Opening:
    """How to read an oracle's batches, with the first ones, which are already drawn.

    Attributes
    ----------
    reader : Reader
    batches : list of Batch
    state : of the oracle before they were drawn
    """

    reader: Reader
    batches: list[Batch]
    state: dict[str, Any]


def discover(
    oracle: Oracle, classes: AnyArray | None, categorical_features: Any, owner: str
) -> Opening:
    """Look at the first examples.

    Where they are all of one class, they are passed over until another one comes.
    """
    known = classes if classes is not None else getattr(oracle, "classes", None)
    if known is not None:
        known = encode_labels(read_labels(known, owner), owner)[0]
    only: AnyArray | None = None
    n_seen = 0
    while True:
        state = oracle.state()
        batches = first_batches(oracle, n_seen, only, owner)
        found = known
        if found is None:
            labels = labels_of(batches, n_seen, owner)
            n_seen += len(labels)
            labels = labels if only is None else np.concatenate([only, labels])
            only = labels[:1]
            if (labels != only).any():
                found, codes = encode_labels(labels, owner)
                # An oracle that begins again may give its few rows many times.
                warn_if_rare(found, codes[: getattr(oracle, "n_rows", None)], owner)
        if found is not None:
            schema = find_schema(oracle, batches, categorical_features, owner)
            # An oracle that has a schema gives the codes of it.
            is_encoded = schema is getattr(oracle, "schema", None)
            return Opening(Reader(schema, found, owner, is_encoded), batches, state)
        assert only is not None
        if n_seen >= MOST_OF_ONE_CLASS:
            raise ValueError(
                f"{owner}: the stream must hold at least two classes; got only "
                f"{only.tolist()[0]!r} in the first {n_seen} examples. Name all classes with "
                "classes=, or shuffle the data."
            )


def first_batches(oracle: Oracle, n_seen: int, only: AnyArray | None, owner: str) -> list[Batch]:
    try:
        return draw(oracle, LOOK_AHEAD, owner)
    except Stopped:
        if only is None:
            raise ValueError(
                f"{owner}: oracle must give at least one example; it ended at once."
            ) from None
        raise ValueError(
            f"{owner}: y must hold at least two classes; got 1 class, {only.tolist()[0]!r}, in all "
            f"{n_seen} examples."
        ) from None


def labels_of(batches: list[Batch], first: int, owner: str) -> AnyArray:
    """All labels, `first` examples having come before."""
    starts = first + np.cumsum([0, *(len(batch.y) for batch in batches)])
    return np.concatenate(
        [
            read_labels_at(batch.y, start, owner)
            for batch, start in zip(batches, starts.tolist(), strict=False)
        ]
    )


def find_schema(
    oracle: Oracle, batches: list[Batch], categorical_features: Any, owner: str
) -> Schema:
    """The oracle's own schema, or that of its first examples."""
    known = getattr(oracle, "schema", None)
    if isinstance(known, Schema):
        return known
    X = batches[0].X if len(batches) == 1 else joined([batch.X for batch in batches], owner)
    schema = Schema.from_data(X, categorical_features, owner)
    names = getattr(oracle, "feature_names", None)
    # An array from a file's columns: whoever predicts for a frame is told if its columns differ.
    return schema if names is None else replace(schema, feature_names=names)


def joined(tables: list[Any], owner: str) -> Any:
    """Tables of one kind below each other."""
    import narwhals as nw

    if sparse.issparse(tables[0]):
        return sparse.vstack(tables)
    if nw.dependencies.is_into_dataframe(tables[0]):
        kinds = sorted({type(table).__name__ for table in tables})
        if len(kinds) > 1:
            raise TypeError(f"{owner}: batches must be of one kind; got {' and '.join(kinds)}.")
        frames = [nw.from_native(table, eager_only=True) for table in tables]
        other = next((f.columns for f in frames if f.columns != frames[0].columns), None)
        if other is not None:
            raise ValueError(
                f"{owner}: batches must all have the columns {frames[0].columns!r}; got {other!r}."
            )
        if nw.dependencies.is_pandas_dataframe(tables[0]):
            return joined_pandas(tables)
        return nw.concat(frames).to_native()
    widths = sorted({np.asarray(table).shape[1] for table in tables})
    if len(widths) > 1:
        raise ValueError(
            f"{owner}: batches must all have the same number of columns; got "
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
