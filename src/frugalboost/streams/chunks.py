"""Oracles that read their data in chunks of their own size."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from frugalboost._checks import check_int
from frugalboost.streams.oracle import Batch, EpochOracle, seed_of


class ChunkOracle(EpochOracle):
    """Returns chunk after chunk in pieces; the seed and its number determine a chunk."""

    def __init__(self, *, recycle: bool, random_state: Any) -> None:
        super().__init__(recycle=recycle)
        self.seed = seed_of(random_state)
        self._chunk = 0
        self._offset = 0
        self._current: Batch | None = None
        self._reader: Iterator[Batch] | None = None

    def state(self) -> dict[str, Any]:
        here = {"seed": self.seed, "chunk": self._chunk, "offset": self._offset}
        return {**super().state(), **here}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.seed = state["seed"]
        self._chunk, self._offset = state["chunk"], state["offset"]

    @abstractmethod
    def _chunks(self, first: int) -> Iterator[Batch]:
        """Yield the chunks of an epoch from number ``first`` on; some may be empty.

        They are the same in every epoch.
        """

    def _begin(self, epoch: int) -> None:
        super()._begin(epoch)
        self._chunk = self._offset = 0
        self._current = self._reader = None

    def _read(self, n: int) -> Batch | None:
        while (chunk := self._load()) is not None:
            start, size = self._offset, len(chunk.y)
            stop = min(start + n, size)
            if stop == size:  # release the chunk before the next one is read
                self._chunk, self._offset, self._current = self._chunk + 1, 0, None
            else:
                self._offset = stop
            if start < stop:
                return chunk.cut(start, stop)
        return None

    def _load(self) -> Batch | None:
        if self._current is None:
            if self._reader is None:
                self._reader = self._chunks(self._chunk)
            try:
                self._current = next(self._reader, None)
            except BaseException:
                # A generator that has raised would end silently next time; a new one raises the
                # same error again, or goes on after Ctrl-C.
                self._reader = None
                raise
        return self._current

    def _check_state(self, state: Any) -> None:
        super()._check_state(state)
        for name in ("seed", "chunk", "offset"):
            check_int(state.get(name), name=f"state[{name!r}]", low=0)
