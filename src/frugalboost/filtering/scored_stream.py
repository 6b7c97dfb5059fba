"""Examples of an oracle in chunks, each with its coin and its score by the trees so far."""

from __future__ import annotations

import math
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.filtering.reading import (
    LOOK_AHEAD,
    ORACLE_ERRORS,
    BatchReader,
    draw,
    reason_of,
)
from frugalboost.filtering.stopping import Stopped
from frugalboost.streams import Batch, Oracle
from frugalboost.tree import FlatTree
from frugalboost.tree.flat import pack


class IncrementalForest:
    """Packed forests of 2^a, 2^b, ... trees with a > b > ..., as the binary digits of their count.

    Packing all trees anew for each round would take longer than a round. Here a tree is packed
    once for each power of two, and scores are sums tree by tree, as `Ensemble.decision` adds them:
    a score that is brought up to date equals one computed afresh, bit for bit.
    """

    def __init__(self) -> None:
        self._parts: list[tuple[native.Forest, list[FlatTree], list[float]]] = []
        self.n_trees = 0

    def append(self, tree: FlatTree, step: float) -> None:
        trees, steps = [tree], [step]
        while self._parts and len(self._parts[-1][1]) <= len(trees):
            _, earlier, earlier_steps = self._parts.pop()
            trees, steps = earlier + trees, earlier_steps + steps
        self._parts.append((pack(trees, steps), trees, steps))
        self.n_trees += 1

    def advance(self, X: AnyArray, seen: AnyArray, scores: Floats, n_threads: int = 1) -> None:
        """Add to the scores, in place, the values of the trees that a row has not seen.

        `seen` is int32: how many trees a row's score already includes.
        """
        begin = 0
        for forest, trees, _ in self._parts:
            end = begin + len(trees)
            first = np.clip(seen - begin, 0, len(trees)).astype(np.int32)
            if not (first == len(trees)).all():
                forest.add_from(X, first, n_threads, scores)
            begin = end
        seen[:] = self.n_trees


CHUNK_BYTES = 4 << 20
"""Size of the examples fetched at a time; larger chunks exceed the processor's cache."""

SMALLEST_CHUNK, LARGEST_CHUNK = 256, 1 << 16
FILE = "file"
"""Names the checkpoint in the state of a stream that was read from it, for errors."""

KEPT_BYTES = 256 << 20
"""Scores of recycled examples are kept up to this size, and recomputed beyond it."""


@dataclass(frozen=True)
class MemoryBudget:
    """Bytes that a `ScoredStream` may take for a chunk of examples, and for scores it keeps."""

    chunk_bytes: int = CHUNK_BYTES
    kept_bytes: int = KEPT_BYTES


@dataclass
class Examples:
    """Some examples in the order of the oracle.

    Attributes
    ----------
    X : matrix of numbers
    labels : class codes
    scores : (n, n_outputs), from all trees so far
    coins : (n,), a uniform number in [0, 1) for each example
    rows : (n,), row numbers in a fixed data set, None if unknown
    """

    X: AnyArray
    labels: Ints
    scores: Floats
    coins: Floats
    rows: Ints | None = None

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def of(cls, parts: list[Examples]) -> Examples:
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([part.X for part in parts]),
            np.concatenate([part.labels for part in parts]),
            np.concatenate([part.scores for part in parts]),
            np.concatenate([part.coins for part in parts]),
            joined_rows([part.rows for part in parts]),
        )

    def __getitem__(self, which: slice | AnyArray) -> Examples:
        """Return some of them; a slice is a view."""
        rows = None if self.rows is None else self.rows[which]
        return Examples(
            self.X[which], self.labels[which], self.scores[which], self.coins[which], rows
        )


REMEMBERED = 64
"""Examples by which a run that goes on recognises its data; more would take longer than a round."""


def digest_of(examples: Examples) -> str:
    """Return the SHA-256 of some examples' values and labels, whatever type the values have."""
    values = examples.X.astype(np.float64) + 0.0  # there are two zeros, and many a NaN
    values[np.isnan(values)] = np.nan
    return sha256(values.tobytes() + examples.labels.astype(np.int64).tobytes()).hexdigest()


def last_used(examples: Examples, n: int) -> Examples:
    """Return the last of the first n examples, or the first one if none has been used."""
    end = max(n, 1)
    return examples[max(0, end - REMEMBERED) : end]


def joined_rows(parts: list[Ints | None]) -> Ints | None:
    """Concatenate row numbers, None unless all are known."""
    known = [rows for rows in parts if rows is not None]
    return np.concatenate(known) if known and len(known) == len(parts) else None


class KeptScores:
    """Scores of the first rows of a fixed data set, by row number, and how many trees they hold."""

    def __init__(self, n_rows: int, n_outputs: int) -> None:
        self.scores = np.zeros((n_rows, n_outputs))
        self.seen = np.zeros(n_rows, dtype=np.int32)

    @classmethod
    def for_oracle(cls, oracle: Oracle, n_outputs: int, most_bytes: int) -> KeptScores | None:
        """Allocate scores of all rows, or as many as fit; None if their number is unknown."""
        n_rows = getattr(oracle, "n_rows", None)
        if n_rows is None:
            return None
        n_kept = min(int(n_rows), most_bytes // scores_bytes(1, n_outputs))
        return cls(n_kept, n_outputs) if n_kept else None

    def kept(self, rows: Ints) -> slice | Ints:
        """Return which of the rows have kept scores."""
        n = len(self.seen)
        return slice(None) if rows.max() < n else np.flatnonzero(rows < n)


def scores_bytes(n_rows: int, n_outputs: int) -> int:
    """Return the bytes that `KeptScores` takes."""
    return n_rows * (8 * n_outputs + 4)


class ScoredStream:
    """Draws from an oracle in chunks and hands examples out in any number.

    Examples that were drawn and not used stay for the next call, with new scores in the next
    round. The coins come from a generator of their own, one for each example in order, so what
    is accepted does not depend on the size of the chunks.
    """

    def __init__(
        self,
        oracle: Oracle,
        reader: BatchReader,
        forest: IncrementalForest,
        n_outputs: int,
        seed: int,
        *,
        max_examples: int | None = None,
        kept_bytes: int = KEPT_BYTES,
        chunk_bytes: int = CHUNK_BYTES,
        n_threads: int = 1,
    ) -> None:
        self.oracle, self.reader, self.forest = oracle, reader, forest
        self.n_used = 0
        self.max_examples = max_examples
        self._n_outputs, self._n_threads = n_outputs, n_threads
        self._chunk_bytes = chunk_bytes
        self._random = np.random.Generator(np.random.PCG64(seed))
        self._kept = KeptScores.for_oracle(oracle, n_outputs, kept_bytes)
        self._chunk: Examples | None = None
        self._at = self._n_trees = 0
        self._before: dict[str, Any] = {}
        self.file: str | None = None  # the checkpoint that it goes on from

    @property
    def n_rows(self) -> float:
        """Number of rows in the oracle's data set; infinite if unknown."""
        n_rows = getattr(self.oracle, "n_rows", None)
        return math.inf if n_rows is None else n_rows

    def look(self, n: int) -> Examples:
        """Return the next examples, at least one and at most n, without using them up."""
        if self.max_examples is not None:
            n = min(n, self.max_examples - self.n_used)
            if n <= 0:
                raise Stopped("examples")
        if self._chunk is None or self._at == len(self._chunk):
            self._fetch(n)
        assert self._chunk is not None
        if self._n_trees < self.forest.n_trees:
            self._catch_up(self._at)
        return self._chunk[self._at : self._at + n]

    def use(self, n: int) -> None:
        """Use up the next n of the examples that `look` returned."""
        self._at += n
        self.n_used += n

    def skip_coins(self, n: int) -> None:
        """Continue as if n examples had come before: an example's coin depends on its position."""
        bits = self._random.bit_generator
        assert isinstance(bits, np.random.PCG64)
        bits.advance(n)  # one step for each coin

    def begin_with(self, batches: list[Batch], state: dict[str, Any]) -> None:
        """Take in examples already drawn; `state` is the oracle's state before them."""
        self._begin_chunk(batches, state, sum(len(batch.y) for batch in batches))

    def take(self, n: int) -> Examples:
        """Use up the next n examples; in one piece, as sums over parts would round differently."""
        parts: list[Examples] = []
        missing = n
        while missing:
            parts.append(self.look(missing))
            self.use(len(parts[-1]))
            missing -= len(parts[-1])
        return Examples.of(parts)

    def _fetch(self, n: int) -> None:
        asked = int(np.clip(n, SMALLEST_CHUNK, self._largest_chunk(self.itemsize)))
        state = self.oracle.state()
        self._begin_chunk(draw(self.oracle, asked), state, asked)

    def _begin_chunk(self, batches: list[Batch], state: dict[str, Any], asked: int) -> None:
        """Take in examples that were drawn when the oracle was in this state."""
        coins = self._random.bit_generator.state
        self._before = {"oracle": state, "coins": coins, "asked": asked}
        self._take_in(batches)

    def _largest_chunk(self, itemsize: int) -> int:
        width = self.reader.schema.n_features
        rows = self._chunk_bytes // max(1, width * itemsize)
        return int(np.clip(rows, SMALLEST_CHUNK, LARGEST_CHUNK))

    def _take_in(self, batches: list[Batch]) -> None:
        read = self._read(batches)
        X = stack([matrix for matrix, _ in read])
        labels = np.concatenate([codes for _, codes in read])
        scores = np.zeros((len(labels), self._n_outputs))
        coins = self._random.random(len(labels))
        rows = joined_rows([batch.rows for batch in batches])
        self._chunk = Examples(X, labels, scores, coins, rows)
        self._at = self._n_trees = 0
        self._catch_up(0)

    def _read(self, batches: list[Batch]) -> list[tuple[AnyArray, Ints]]:
        """Return numbers and class codes; an error may be the data's or the checkpoint's."""
        sizes = np.cumsum([self.n_used, *(len(batch.y) for batch in batches)]).tolist()
        try:
            return [
                (self.reader.matrix(batch.X, first), self.reader.codes(batch.y, first))
                for batch, first in zip(batches, sizes, strict=False)
            ]
        except ValueError as problem:
            if self.file is None:
                raise
            text = str(problem).rstrip()
            raise ValueError(f"{text} (The run goes on from the checkpoint {self.file}.)") from None

    def _catch_up(self, begin: int) -> None:
        """Bring the scores of the chunk's examples from `begin` on up to date."""
        chunk = self._chunk
        assert chunk is not None
        rest, kept = chunk[begin:], self._kept
        seen = np.full(len(rest), self._n_trees, dtype=np.int32)
        if rest.rows is not None and kept is not None:
            at = kept.kept(rest.rows)
            rows = rest.rows[at]
            seen[at] = kept.seen[rows]
            rest.scores[at] = kept.scores[rows]
        self.forest.advance(rest.X, seen, rest.scores, self._n_threads)
        if rest.rows is not None and kept is not None:
            kept.scores[rows] = rest.scores[at]
            kept.seen[rows] = seen[at]
        self._n_trees = self.forest.n_trees

    def state(self) -> dict[str, Any]:
        """Return where the next example is, as JSON: the oracle before this chunk, and the offset.

        A chunk is drawn again rather than stored, even if it is used up: by its last examples,
        other data are recognised. Scores are recomputed.
        """
        if self._chunk is None:
            here = {"oracle": self.oracle.state(), "coins": self._random.bit_generator.state}
            return {**here, "asked": 0, "at": 0, "n_used": self.n_used, "itemsize": self.itemsize}
        return {
            **self._before,
            "at": self._at,
            "n_used": self.n_used,
            "itemsize": self.itemsize,
            "last": digest_of(last_used(self._chunk, self._at)),
        }

    @property
    def itemsize(self) -> int:
        """Bytes per value of X."""
        return 8 if self._chunk is None else self._chunk.X.dtype.itemsize

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken, on an oracle of the same examples."""
        self.oracle.restore(state["oracle"])
        self.go_on(state)

    def go_on(self, state: dict[str, Any]) -> None:
        """Continue on an oracle that is restored already: a generator cannot be a second time."""
        self.file = state.get(FILE, self.file)
        self._random.bit_generator.state = state["coins"]
        self.n_used = state["n_used"] - state["at"]
        self._chunk = None
        if not state["asked"]:
            return
        # No chunk tells yet how large values are; with another size, another number would be asked.
        most = max(LOOK_AHEAD, self._largest_chunk(state["itemsize"]))
        found = digest_of(self._use_again(state["asked"], state["at"], most))
        # Checkpoints of older versions do not tell.
        if state.get("last", found) != found:
            raise ValueError(
                f"oracle must return the examples of the run in the checkpoint{self._at_file}; "
                f"got others before example {self.n_used}: other data, or other labels."
            )

    def _use_again(self, asked: int, used: int, most: int) -> Examples:
        """Draw a chunk again and use what was used of it; return the last of that.

        It is drawn as it was, as an oracle's examples may depend on how many are asked for at a
        time; but in pieces if it is larger than chunks are here, whether it is of a run with more
        memory or no run wrote it.
        """
        chunk, missing, last = self._draw_again(min(asked, most), used), used, list[Examples]()
        while missing > len(chunk):
            last = [*last, last_used(chunk, len(chunk))]
            self.use(len(chunk))
            missing -= len(chunk)
            chunk = self._draw_again(min(missing, most), missing)
        self.use(missing)
        joined = Examples.of([*last, last_used(chunk, missing)])
        return last_used(joined, len(joined))

    def _draw_again(self, n: int, needed: int) -> Examples:
        """Draw some examples again; a chunk was kept only if there was one, used or not."""
        state, why = self.oracle.state(), "0"
        try:
            batches = draw(self.oracle, n)
        except Stopped:
            batches = []
        except ORACLE_ERRORS as problem:
            # An oracle may take in any state, and find out only now that it has no such place.
            batches, why = [], reason_of(problem)
        if not batches:
            raise ValueError(
                f"oracle must return again the {max(needed, 1)} examples of this chunk that the "
                f"checkpoint{self._at_file} goes on from; got {why}."
            )
        self._begin_chunk(batches, state, n)
        assert self._chunk is not None
        return self._chunk

    @property
    def _at_file(self) -> str:
        return "" if self.file is None else f" {self.file}"


def stack(matrices: list[AnyArray]) -> AnyArray:
    return matrices[0] if len(matrices) == 1 else np.concatenate(matrices)
