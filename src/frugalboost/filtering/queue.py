"""Examples that arrive a few at a time and wait until there are enough for a round."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Ints
from frugalboost.filtering.loop import FilterBooster
from frugalboost.filtering.stopping import Stopped, StopReason
from frugalboost.streams import Batch


class Queue:
    """An oracle of the waiting examples, in order of arrival.

    With `recycle`, for a first round that has too few, they repeat endlessly.
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
    """Run rounds while the queue has enough examples for a whole one.

    If the target is reached or no edge is found, the examples that have shown it are used up too,
    and the round is tried again with those after them, as later examples may be different.

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
    """Append rows to the first ones, if there are any."""
    return second if first is None or len(first) == 0 else np.concatenate([first, second])
