"""Tiny ensembles for hypothesis, hard cases among them: copies, constant members, ties."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from frugalboost.pruning import Material, RealVotes, WeightedVotes

# Of few bits, so that the rounding to units is none; zero, negative and tied ones among them.
WEIGHTS = st.sampled_from([0.0, 1.0, 0.5, 2.0, -1.0, 0.25, 3.0, 1.0, 1.0])
SCORES = st.sampled_from([0.0, 1.0, -1.0, 0.5, -0.25, 2.0])


@dataclass(frozen=True)
class TinyEnsemble:
    """Votes as lists; `says` as the twin takes it."""

    votes: list[list[int]]
    labels: list[int]
    n_classes: int
    weights: list[float]

    @property
    def n_members(self) -> int:
        return len(self.votes)

    def material(self, **more: Any) -> Material:
        ballots = WeightedVotes.from_arrays(self.votes, self.weights, self.n_classes)
        return Material(ballots, np.array(self.labels), **more)


@st.composite
def tiny_ensembles(draw: st.DrawFn, max_members: int = 7, max_rows: int = 8) -> TinyEnsemble:
    n_classes = draw(st.integers(2, 4))
    n_rows = draw(st.integers(1, max_rows))
    code = st.integers(0, n_classes - 1)
    row = st.lists(code, min_size=n_rows, max_size=n_rows)
    member = st.one_of(row, row, row, code.map(lambda c: [c] * n_rows))
    votes = draw(st.lists(member, min_size=1, max_size=max_members))
    if draw(st.booleans()) and len(votes) < max_members:
        votes.insert(draw(st.integers(0, len(votes))), draw(st.sampled_from(votes)))
    weights = draw(st.lists(WEIGHTS, min_size=len(votes), max_size=len(votes)))
    return TinyEnsemble(votes, draw(row), n_classes, weights)


@st.composite
def tiny_scores(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Scores (members, rows, classes) and labels."""
    shape = draw(st.integers(1, 6)), draw(st.integers(1, 7)), draw(st.integers(2, 4))
    size = int(np.prod(shape))
    scores = np.array(draw(st.lists(SCORES, min_size=size, max_size=size))).reshape(shape)
    code = st.integers(0, shape[2] - 1)
    labels = draw(st.lists(code, min_size=shape[1], max_size=shape[1]))
    return scores, np.array(labels)


def real_material(scores: Any, labels: Any) -> Material:
    return Material(RealVotes.from_array(scores), np.asarray(labels))


def as_lists(sets: list[Any]) -> list[list[int]]:
    return [members.tolist() for members in sets]
