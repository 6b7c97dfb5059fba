"""Before the first round: what a stream's examples look like, and how much memory they may take."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from frugalboost.filtering.loop import FilterPlan
from frugalboost.filtering.scored_stream import CHUNK_BYTES, KEPT_BYTES, SMALLEST_CHUNK, scores_bytes
from typing import Any, cast
import numpy as np
from scipy import sparse
from frugalboost._typing import AnyArray, Ints
from frugalboost.data import Schema, is_plain
from frugalboost.data.labels import read_labels
from frugalboost.streams.arrays import as_labels, first_missing
from dataclasses import dataclass, replace
from typing import Any
from frugalboost._typing import AnyArray
from frugalboost.data import Schema
from frugalboost.data.labels import encode_labels, read_labels
from frugalboost.data.labels import warn_if_rare
from frugalboost.filtering.certificate import Stopped
from frugalboost.filtering.scored_stream import draw
from frugalboost.streams import Batch, Oracle


RESERVE = 10 << 20
"""For what is not counted below: buffers of oracles and files, and room that an allocator keeps."""

CHUNK_COPIES = 3
"""A chunk is drawn in batches, put into one piece, and rows of it are picked."""

SAMPLE_COPIES = 2
"""The examples that a tree is grown on, or weighed with: in parts, and in one piece."""

NUMBERS_BYTES = 200
"""Of an example besides its features: labels, rivals, coins, weights, codes, room to sort them."""

NODE_BYTES = 260
"""Of a node in the ensemble and in the packed forests of the chain, some of them twice."""


@dataclass(frozen=True)
class Room:
    """What a `Tap` may take: for examples that are fetched at a time, and for scores it keeps."""

    chunk_bytes: int = CHUNK_BYTES
    kept_bytes: int = KEPT_BYTES


def find_room(
    limit: int | None,
    plan: FilterPlan,
    width: int,
    n_rows: int | None,
    owner: str,
    *,
    reading: int = 0,
) -> Room:
    """Divide what the limit leaves beside what the process holds already.

    `width` is that of a row, in bytes. Scores are kept for as many rows as fit, as
    making them anew takes the most time. `reading` is what the oracle may come to hold besides.
    """
    if limit is None:
        return Room()
    held = resident_bytes()
    needed = needed_bytes(plan, width) + reading
    spare = limit - held - needed
    if spare < 0:
        raise ValueError(
            f"{owner}: memory_limit must be at least {as_megabytes(held + needed)} for this run, "
            f"of which the process holds {as_megabytes(held)} already; got {as_megabytes(limit)}."
        )
    kept = min(scores_bytes(n_rows or 0, plan.rule.n_outputs), spare * 9 // 10)
    chunk = SMALLEST_CHUNK * width + (spare - kept) // CHUNK_COPIES
    return Room(min(chunk, CHUNK_BYTES), kept)


def needed_bytes(plan: FilterPlan, width: int) -> int:
    """The least that the last, largest round takes: its sample, a small chunk, and all trees."""
    n = plan.sample_size(plan.max_rounds)
    per_example = SAMPLE_COPIES * width + NUMBERS_BYTES + 32 * plan.rule.n_outputs
    chunk = CHUNK_COPIES * SMALLEST_CHUNK * width
    nodes = plan.max_rounds * 2 * most_leaves(plan, n)
    trees = nodes * (NODE_BYTES + 16 * plan.rule.n_outputs)
    return RESERVE + n * per_example + chunk + trees


def most_leaves(plan: FilterPlan, n: int) -> int:
    """Of a tree; where its options set no limit, a guess of eight examples to a leaf."""
    tree = plan.tree
    leaves = max(2, n // max(8, tree.min_samples_leaf))
    if tree.max_depth is not None:
        leaves = min(leaves, 2 ** min(tree.max_depth, 30))
    return leaves if tree.max_leaf_nodes is None else min(leaves, tree.max_leaf_nodes)


def resident_bytes() -> int:
    """What the process holds now; where the system does not tell, the most it ever held."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return peak_bytes()
    return pages * os.sysconf("SC_PAGE_SIZE")


def peak_bytes() -> int:
    """The most that the process has held at a time.

    From /proc where there is one: `getrusage` also counts what the process held that started
    this one. Zero on Windows, which has neither.
    """
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        pass
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def as_megabytes(n_bytes: int) -> str:
    """
    >>> as_megabytes(300_000_000)
    '300 MB'
    """
    return f"{-(-n_bytes // 1_000_000):,} MB"


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
