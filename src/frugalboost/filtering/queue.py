"""Examples that are handed over a few at a time and wait until a round has enough of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Ints
from frugalboost.filtering.certificate import Stopped, StopReason
from frugalboost.filtering.loop import FilterBooster
from frugalboost.streams import Batch


class Queue:
    """An oracle of the examples that wait, in the order in which they came.

    With `recycle`, for a first round that has too few, they come again and again.
    """

    def __init__(self, X: AnyArray, codes: Ints, *, recycle: bool = False) -> None:
        self.X, self.codes, self.recycle = X, codes, recycle
        self._at = 0

    def draw(self, n: int) -> Batch:
        if self.recycle and self._at == len(self.codes):
            self._at = 0
        s = slice(self._at, self._at + n)
        self._at = min(s.stop, len(self.codes))
        return Batch(self.X[s], self.codes[s])

    def state(self) -> dict[str, Any]:
        return {"at": self._at}

    def restore(self, state: dict[str, Any]) -> None:
        self._at = state["at"]


def run_on_queue(booster: FilterBooster) -> tuple[int, StopReason]:
    """Rounds while the queue has examples enough for a whole one.

    Where the target is reached or no edge found, the examples that have shown it are used up too,
    and the round is tried again with those after them: what comes later may be of another kind.

    Returns how many examples are used up, and why no tree came after the last one.
    """
    used = 0
    reason: StopReason = "stream"
    while True:
        try:
            booster.round()
            reason = "stream"
        except Stopped as stopped:
            if stopped.reason == "stream":
                return used, reason
            reason = stopped.reason
        used = booster.stream.n_used
        if reason == "examples":
            return used, reason


def appended(first: AnyArray | None, second: AnyArray) -> AnyArray:
    """Rows below rows, if there are any above."""
    return second if first is None or len(first) == 0 else np.concatenate([first, second])
