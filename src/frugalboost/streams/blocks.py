"""Rows on disk in random order, and an oracle that reads them block by block."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from frugalboost._checks import NamesItself
from frugalboost._typing import AnyArray, Ints
from frugalboost.data import Schema
from frugalboost.data.targets import as_labels
from frugalboost.streams.block_writer import FORMAT, MEMORY_LIMIT, VERSION, write_store
from frugalboost.streams.chunks import ChunkOracle
from frugalboost.streams.oracle import Batch, permuted


class BlockStore(NamesItself):
    """A folder that holds examples in random order; `write` creates one in a single pass.

    Attributes
    ----------
    n_rows, n_features, block_rows : int
    dtype : dtype of all features
    order : str
        Identifies the random order, which differs from seed to seed.
    classes : distinct labels, in order
    feature_names : names of the columns, or None
    schema : Schema or None
        Set if some features are categorical: X then holds what ``schema.encode`` returns for a
        table, codes of categories and NaN for missing ones.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> sorted_by_class = [([[1], [2], [3]], ["a", "a", "a"]), ([[4], [5]], ["b", "b"])]
    >>> store = BlockStore.write(folder.name + "/store", sorted_by_class, random_state=0)
    >>> store.n_rows, store.classes, store.oracle(random_state=0).draw(5).y
    (5, array(['a', 'b'], dtype='<U1'), array(['a', 'b', 'b', 'a', 'a'], dtype='<U1'))
    >>> folder.cleanup()
    """

    def __init__(self, path: Any) -> None:
        self.path = Path(path)
        meta = self._read_meta()
        self.n_rows: int = meta["n_rows"]
        self.block_rows: int = meta["block_rows"]
        self.order: str = meta["order"]
        self.classes: AnyArray = as_labels(meta["classes"])
        names = meta["feature_names"]
        self.feature_names: AnyArray | None = names and np.array(names, dtype=object)
        X, y = self._map("X.npy"), self._map("y.npy")
        if len(X) != self.n_rows or len(y) != self.n_rows:
            raise self._not_whole("X.npy", f"{len(X)} rows instead of {self.n_rows}")
        self.n_features: int = X.shape[1]
        self.dtype: np.dtype[Any] = X.dtype
        self.schema = self._read_schema(meta["categories"])

    @classmethod
    def write(
        cls,
        path: Any,
        source: Any,
        *,
        memory_limit: int = MEMORY_LIMIT,
        block_rows: int | None = None,
        dtype: Any = None,
        categorical_features: Any = "from_dtype",
        random_state: Any = None,
        on_rows: Callable[[int], None] = lambda n_rows: None,
    ) -> BlockStore:
        """Write the examples of a source in random order and return the store.

        Parameters
        ----------
        path : str or path
            A folder that does not exist yet. It appears once everything is written; until then, a
            hidden folder beside it takes up about as much space as the store itself.
        source : oracle with ``recycle=False``, or iterable of batches (X, y) or rows (x, y)
        memory_limit : int
            Most bytes of rows to hold in memory.
        block_rows : int or None
            How many rows an oracle reads at a time. None: about a megabyte.
        dtype : dtype of all features
            None: that of the first batch if it is an array of numbers, else float64.
        categorical_features : see `BoostedTreesClassifier`
        random_state : int, generator or None
        on_rows : callable
            Called with the number of rows just read, and later just written: each row counts twice.
        """
        write_store(
            path,
            source,
            memory_limit=memory_limit,
            block_rows=block_rows,
            dtype=dtype,
            categorical_features=categorical_features,
            random_state=random_state,
            on_rows=on_rows,
        )
        return cls(path)

    def oracle(self, *, recycle: bool = True, random_state: Any = None) -> BlockOracle:
        """Return an oracle over the rows."""
        return BlockOracle(self, recycle=recycle, random_state=random_state)

    def count_classes(self) -> Ints:
        """Return how many rows each class has."""
        y = self._map("y.npy")
        counts = np.zeros(len(self.classes), dtype=np.int64)
        for start in range(0, self.n_rows, self.block_rows):
            counts += np.bincount(y[start : start + self.block_rows], minlength=len(counts))
        return counts

    def take(self, rows: Ints) -> tuple[AnyArray, AnyArray]:
        """Return the features and labels of the given rows.

        The files are mapped only during the call, so that pages read do not stay in memory.
        """
        X, y = self._map("X.npy"), self._map("y.npy")
        low, high = int(rows.min(initial=0)), int(rows.max(initial=0)) + 1
        return X[low:high].take(rows - low, axis=0), self.classes[y[low:high].take(rows - low)]

    def _read_meta(self) -> dict[str, Any]:
        file = self.path / "meta.json"
        if not file.is_file():
            raise FileNotFoundError(f"path must be a finished block store; {self.path} is not one.")
        meta = json.loads(file.read_text(encoding="utf-8"))
        if meta.get("format") != FORMAT or meta.get("version") != VERSION:
            raise ValueError(
                f"path must be a {FORMAT} of version {VERSION}; got "
                f"{meta.get('format')!r}, version {meta.get('version')!r}, in {file}."
            )
        return dict(meta)

    def _map(self, name: str) -> AnyArray:
        try:
            # As an ordinary array, so that whatever is taken from it is one too.
            array: AnyArray = np.asarray(np.load(self.path / name, mmap_mode="r"))
        except (OSError, ValueError, EOFError) as error:
            raise self._not_whole(name, str(error)) from None
        return array

    def _not_whole(self, name: str, why: str) -> ValueError:
        return ValueError(f"{self.path / name} must be complete; {why}.")

    def _read_schema(self, categories: list[Any] | None) -> Schema | None:
        if categories is None:
            return None
        arrays = [None if values is None else _as_array(values) for values in categories]
        is_categorical = np.array([values is not None for values in categories])
        return Schema(self.n_features, self.feature_names, is_categorical, tuple(arrays))


class BlockOracle(ChunkOracle):
    """The rows of a `BlockStore`: blocks in random order, rows permuted within each.

    The order depends on `random_state` and is the same in every epoch; see `ArrayOracle`.

    Parameters
    ----------
    store : BlockStore, or the path of one
    recycle : bool
        Whether to start again after the last row; otherwise the oracle ends.
    random_state : int, generator or None

    Examples
    --------
    >>> import tempfile
    >>> from frugalboost.streams.arrays import (ArrayOracle)
    >>> folder = tempfile.TemporaryDirectory()
    >>> source = ArrayOracle([[1.0], [2.0], [3.0]], ["a", "b", "b"], recycle=False)
    >>> store = BlockStore.write(folder.name + "/store", source, random_state=0)
    >>> BlockOracle(store, random_state=0).n_rows
    3
    >>> folder.cleanup()
    """

    n_rows: int

    def __init__(self, store: Any, *, recycle: bool = True, random_state: Any = None) -> None:
        super().__init__(recycle=recycle, random_state=random_state)
        if not isinstance(store, (BlockStore, str, os.PathLike)):
            raise TypeError(f"store must be a BlockStore or the path of one; got {store!r}.")
        self.store = store if isinstance(store, BlockStore) else BlockStore(store)
        self.n_rows = self.store.n_rows
        self.feature_names = self.store.feature_names

    @property
    def classes(self) -> AnyArray:
        """The distinct labels, in order."""
        return self.store.classes

    @property
    def schema(self) -> Schema | None:
        """What the codes of categories stand for; see `BlockStore`."""
        return self.store.schema

    def _settings(self) -> dict[str, Any]:
        return {"block_rows": self.store.block_rows, "order": self.store.order}

    def _chunks(self, first: int) -> Iterator[Batch]:
        size = self.store.block_rows
        blocks = permuted(-(-self.n_rows // size), self.seed)
        for number in range(first, len(blocks)):
            start = int(blocks[number]) * size
            n_rows = min(size, self.n_rows - start)
            rows = start + permuted(n_rows, self.seed, number + 1).astype(np.int64)
            yield Batch(*self.store.take(rows), rows)


def _as_array(values: list[Any]) -> AnyArray:
    """Return categories as a schema holds them: numbers as numbers, strings as objects."""
    array = as_labels(values)
    return array.astype(object) if array.dtype.kind == "U" or not values else array
