"""Counting votes: how many rows a set of members gets wrong, and would with one more.

All sums are integers (weights and scores are rounded once), so a member that is added and removed
again leaves no trace, and ties are exact. Classes are counted relative to a row's own: what matters
is by how much its rivals lead.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

import numpy as np

from frugalboost._typing import AnyArray, Bools, Floats, Ints
from frugalboost.pruning.ballots import Ballots, RealVotes, WeightedVotes, check_codes

BITS = 29
"""What a member adds is scaled below 2^29 units and rounded: 32 bits hold it, and are read twice as
fast as 64. Rounding matters only where sums of hundreds of members agree to six digits."""

FAR = 2**30
"""More than any member adds."""


class Counter(Protocol):
    """The sums of a set of members that grows and shrinks."""

    n_rows: int

    def add(self, member: int) -> None: ...

    def remove(self, member: int) -> None: ...

    def n_wrong(self) -> int:
        """Rows that the set gets wrong; an empty set predicts the lowest class for all."""

    def costs(self) -> Ints:
        """Rows that it would get wrong with each member added, (n_members,)."""


def make_counter(ballots: Ballots, labels: Any) -> Counter:
    """Return the counter for this kind of ballots.

    Parameters
    ----------
    ballots : WeightedVotes or RealVotes
    labels : (n_rows,) class codes

    Returns
    -------
    counter : counts the rows that the members added to it get wrong

    Examples
    --------
    >>> votes = WeightedVotes.from_arrays([[0, 1, 1], [0, 0, 1]], weights=[1.0, 2.0])
    >>> counter = make_counter(votes, labels=[0, 1, 1])
    >>> counter.add(1)
    >>> counter.n_wrong()
    1
    """
    codes = check_codes(labels, ballots.n_rows, ballots.n_classes)
    if isinstance(ballots, RealVotes):
        return ScoreCounter(ballots, codes)
    return VoteCounter(ballots, codes)


def errors_of(counter: Counter, sets: Iterable[AnyArray]) -> Floats:
    """Return the share of rows that each set of members gets wrong.

    Parameters
    ----------
    counter : an empty one, as `make_counter` returns it
    sets : iterable of arrays of members

    Returns
    -------
    errors : array, one for each set

    Examples
    --------
    >>> votes = WeightedVotes.from_arrays([[0, 1, 1, 0], [0, 0, 1, 0]], weights=[1.0, 2.0])
    >>> errors_of(make_counter(votes, labels=[0, 1, 1, 1]), [[0], [0, 1]])
    array([0.25, 0.5 ])
    """
    present: set[int] = set()
    errors = []
    for members in sets:
        wanted = set(np.asarray(members).tolist())
        for member in present - wanted:
            counter.remove(member)
        for member in wanted - present:
            counter.add(member)
        present = wanted
        errors.append(counter.n_wrong() / counter.n_rows)
    return np.array(errors)


class VoteCounter:
    """Members that each vote for one class: a vote changes one sum of a row."""

    def __init__(self, ballots: WeightedVotes, labels: Ints) -> None:
        self.n_rows = ballots.n_rows
        votes = ballots.votes.T
        # A row's own class is number 0; its rivals follow in the order of classes.
        own = labels[:, np.newaxis]
        rivals = votes + (votes < own).astype(votes.dtype)  # at most K - 1, never below own
        choice = np.where(votes == own, 0, rivals).astype(votes.dtype)
        self._choice_of = np.ascontiguousarray(choice.T)
        self._units = to_units(ballots.weights, float(np.abs(ballots.weights).max()))
        self._groups = [
            VoteGroup.of(choice, self._units, members) for members in groups(self._units)
        ]
        self._sums = head_start(labels, ballots.n_classes)
        self._row = np.arange(self.n_rows)

    def add(self, member: int) -> None:
        self._count(member, int(self._units[member]))

    def remove(self, member: int) -> None:
        self._count(member, -int(self._units[member]))

    def _count(self, member: int, units: int) -> None:
        self._sums[self._choice_of[member], self._row] += units

    def _lead(self) -> Ints:
        return np.asarray(self._sums[1:].max(axis=0) - self._sums[0])

    def n_wrong(self) -> int:
        return int(np.count_nonzero(self._lead() > 0))

    def costs(self) -> Ints:
        lead = self._lead()
        costs = np.empty(len(self._units), dtype=np.int64)
        for group in self._groups:
            costs[group.members] = group.costs(self._sums, lead)
        return costs


class VoteGroup(NamedTuple):
    """Members of about the same weight; where that is small, few rows depend on them."""

    members: Ints
    choice: AnyArray  # (n_rows, n_members)
    push: AnyArray  # by how much the vote raises the lead of a rival, or of all
    largest: int

    @classmethod
    def of(cls, choice: AnyArray, units: AnyArray, members: Ints) -> VoteGroup:
        own = np.ascontiguousarray(choice[:, members])
        # A vote for a row's own class lowers its rivals' lead.
        push = np.where(own == 0, -units[members], units[members])
        return cls(members, own, push, int(np.abs(units[members]).max()))

    def costs(self, sums: Ints, lead: Ints) -> Ints:
        # No single vote can change the prediction for the other rows.
        rows = np.flatnonzero((lead > -self.largest) & (lead <= self.largest))
        n_lost = int(np.count_nonzero(lead > self.largest))
        limits = push_limits(sums[:, rows].T)
        cell = np.add(self.choice[rows], first_cells(limits), dtype=np.intp)
        return n_lost + count_by_member(self.push[rows] > limits.reshape(-1).take(cell))


def groups(sizes: AnyArray) -> list[Ints]:
    """Members grouped by size within a factor of two, those below 1/32 of the largest together.

    >>> groups(np.array([10, 3, 8, 4, 0]))
    [array([0, 2]), array([1, 3]), array([4])]
    """
    sizes = np.maximum(np.abs(sizes).astype(np.float64), 1.0)
    steps = np.minimum(np.log2(sizes.max() / sizes).astype(np.int64), 5)
    return [np.flatnonzero(steps == step) for step in np.unique(steps)]


def first_cells(table: AnyArray) -> AnyArray:
    """Position of each row's first cell in the flattened table, (n_rows, 1)."""
    return np.arange(0, table.size, table.shape[1])[:, np.newaxis]


def count_by_member(is_wrong: Bools) -> Ints:
    """Number of wrong rows, (n_members,), of (n_rows, n_members).

    Added as bytes, 255 rows at a time: four times as fast as NumPy's own count.
    """
    counts = np.zeros(is_wrong.shape[1], dtype=np.int64)
    for start in range(0, len(is_wrong), 255):
        block = is_wrong[start : start + 255].view(np.uint8)
        counts += np.add.reduce(block, axis=0, dtype=np.uint8)
    return counts


def push_limits(sums: Ints) -> AnyArray:
    """A push above this makes a row wrong, (n_rows, n_choices) like `sums`."""
    own, rivals = sums[:, :1], sums[:, 1:]
    is_ahead = rivals > own
    n_ahead = is_ahead.sum(axis=1, keepdims=True)
    limits = np.empty(sums.shape, dtype=np.int32)
    # A push of all rivals together, by a vote for a row's own class.
    limits[:, :1] = own - rivals.max(axis=1, keepdims=True)  # in range, as a row is open
    # A push of one rival, which does not help if another is ahead anyway.
    is_lost = n_ahead - is_ahead > 0
    limits[:, 1:] = np.where(is_lost, -FAR, np.minimum(own - rivals, FAR))
    return limits


class ScoreCounter:
    """Members that add a number to every class."""

    def __init__(self, ballots: RealVotes, labels: Ints) -> None:
        self.n_rows = ballots.n_rows
        self._pushes = relative_scores(ballots.scores, labels)
        self._lead = head_start(labels, ballots.n_classes)[1:]
        self._highest = self._pushes.max(axis=2)
        self._lowest = self._pushes.min(axis=2)
        self._push_of: dict[int, AnyArray] = {}

    def add(self, member: int) -> None:
        self._lead += self._push(member)

    def remove(self, member: int) -> None:
        self._lead -= self._push(member)

    def _push(self, member: int) -> AnyArray:
        """What one member adds; once it is chosen, kept as a contiguous array."""
        if member not in self._push_of:
            self._push_of[member] = np.ascontiguousarray(self._pushes[:, :, member])
        return self._push_of[member]

    def n_wrong(self) -> int:
        return int(np.count_nonzero((self._lead > 0).any(axis=0)))

    def costs(self) -> Ints:
        is_lost = (self._lead + self._lowest > 0).any(axis=0)
        threatens = (self._lead + self._highest > 0) & ~is_lost
        n_threats = np.count_nonzero(threatens, axis=0)
        costs = np.full(self._pushes.shape[2], np.count_nonzero(is_lost))
        for rival in range(len(self._lead)):
            costs += count_by_member(self._wrong(rival, threatens[rival] & (n_threats == 1)))
        return costs + count_by_member(self._wrong_by_several(threatens, n_threats > 1))

    def _wrong(self, rival: int, among: Bools) -> Bools:
        """Whether a rival would be ahead with each member added, for some rows."""
        rows = np.flatnonzero(among)
        # Within the range of 32 bits, as a rival that threatens is close enough.
        limit = (-self._lead[rival, rows]).astype(np.int32)
        return np.asarray(self._pushes[rival, rows] > limit[:, np.newaxis])

    def _wrong_by_several(self, threatens: Bools, among: Bools) -> Bools:
        place = np.cumsum(among) - 1
        wrong = np.zeros((int(np.count_nonzero(among)), self._pushes.shape[2]), dtype=bool)
        for rival in range(len(self._lead)):
            some = threatens[rival] & among
            wrong[place[some]] |= self._wrong(rival, some)
        return wrong


def relative_scores(scores: AnyArray, labels: Ints) -> AnyArray:
    """What each member adds to the lead of each rival, in units: (K - 1, n_rows, n_members)."""
    n_members, n_rows, K = scores.shape
    order = np.argsort(np.arange(K) != labels[:, np.newaxis], axis=1, kind="stable")
    largest = 2.0 * max((float(np.abs(each).max()) for each in scores), default=0.0)
    pushes = np.empty((K - 1, n_rows, n_members), dtype=np.int32)
    for member, own_scores in enumerate(scores):
        sorted_ = np.take_along_axis(own_scores.astype(np.float64), order, axis=1)
        push = sorted_[:, 1:] - sorted_[:, :1]
        pushes[:, :, member] = to_units(push, largest).T
    return pushes


def head_start(labels: Ints, n_classes: int) -> Ints:
    """Sums before any vote, (n_classes, n_rows), a row's own class first.

    A tie goes to the lowest class, so lower rivals are one unit ahead.
    """
    sums = np.zeros((n_classes, len(labels)), dtype=np.int64)
    sums[1:] = np.arange(1, n_classes)[:, np.newaxis] <= labels
    return sums


def to_units(numbers: Floats, bound: float) -> AnyArray:
    """Even integers below 2^29 for numbers up to `bound`; a head start is 1, less than any but 0.

    >>> to_units(np.array([0.5, -1.0, 0.0]), bound=1.0) / 2**28
    array([ 0.5, -1. ,  0. ])
    """
    exponent = math.frexp(bound)[1] if bound > 0 else 0
    return np.asarray(2 * np.rint(np.ldexp(numbers, BITS - 1 - exponent)).astype(np.int32))
