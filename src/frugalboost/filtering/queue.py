"""Examples that are handed over a few at a time and wait until a round has enough of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Ints
from frugalboost.filtering.loop import FilterBooster
from frugalboost.filtering.stops import Stopped, StopReason
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

    Returns how many examples the finished rounds have used, and why there was no other round.
    """
    while True:
        used = booster.tap.n_used
        try:
            booster.round()
        except Stopped as stopped:
            return used, stopped.reason


def appended(first: AnyArray | None, second: AnyArray) -> AnyArray:
    """Rows below rows, if there are any above."""
    return second if first is None or len(first) == 0 else np.concatenate([first, second])
