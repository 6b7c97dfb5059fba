"""An oracle of examples that the votes so far leave open, for the next member of a tandem."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.boosting import Ensemble
from frugalboost.filtering.filter import Filter
from frugalboost.filtering.majority import Majority
from frugalboost.filtering.scored_stream import IncrementalForest, ScoredStream
from frugalboost.filtering.stopping import Stopped, StopReason
from frugalboost.streams import Batch

ENDS = ("examples", "stream")
"""No more examples are allowed, or there are no more."""

COUNTED = 2_000
"""Examples on which it is counted, after each member, how often so many votes are right."""


class VoteForest(IncrementalForest):
    """Members in place of trees: a row's score is the sum of their votes, -1 or +1 each."""

    def __init__(self) -> None:
        super().__init__()
        self.members: list[Ensemble] = []

    def add(self, member: Ensemble) -> None:
        self.members.append(member)
        self.n_trees += 1

    def advance(self, X: AnyArray, seen: AnyArray, scores: Floats, n_threads: int = 1) -> None:
        for number, member in enumerate(self.members):
            rows = np.flatnonzero(seen <= number)
            if len(rows):
                scores[rows, 0] += votes_of(member, X[rows], n_threads)
        seen[:] = self.n_trees


def votes_of(member: Ensemble, X: AnyArray, n_threads: int = 1) -> Floats:
    """The class that a member names for each row, as -1 or +1; a tie names the first."""
    return np.where(member.decision(X, n_threads)[:, 0] > 0, 1.0, -1.0)


class MajorityOracle:
    """Passes on the examples that matter for the next vote, each with a probability of its own.

    It ends when hardly any do: then the vote may be anything. What comes after the end is left to
    the votes to come, so it stays ended.
    """

    def __init__(self, stream: ScoredStream, majority: Majority, confidence: float) -> None:
        self._stream = stream
        i = stream.forest.n_trees
        least = majority.least_acceptance(i)
        self._filter = Filter(stream, majority.rule(i), confidence, least)
        self.ended: StopReason | None = None

    def draw(self, n: int) -> Batch:
        """Return the next examples, at most ``n``; none only at the end."""
        if self.ended is not None:
            return self._no_examples()
        try:
            sample = self._filter.look(n)
        except Stopped as stopped:
            self.ended = stopped.reason
            return self._no_examples()
        self._filter.use(len(sample))
        # Without row numbers: a member sets aside the rows that it is weighed on, and if few rows
        # are left open, it would wait for others for ever.
        return Batch(sample.X, sample.labels)

    def _no_examples(self) -> Batch:
        nothing = np.empty((0, self._stream.reader.schema.n_features))
        return Batch(nothing, np.empty(0, dtype=np.int64))

    def state(self) -> dict[str, Any]:
        """Return what `restore` needs."""
        return {
            "stream": self._stream.state(),
            "calls": self._filter.n_calls,
            "rejected": self._filter.n_rejected,
            "ended": self.ended,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue where `state` was taken, on a stream of the same examples and votes."""
        self._stream.oracle.restore(state["stream"]["oracle"])
        self.go_on(state)

    def go_on(self, state: dict[str, Any]) -> None:
        """Continue on a stream whose oracle is restored already."""
        self._stream.go_on(state["stream"])
        self._filter.begin_again(state["calls"], state["rejected"])
        # A stream that had no more examples is asked again: a run may go on with more of them.
        self.ended = None if state["ended"] in ENDS else state["ended"]
