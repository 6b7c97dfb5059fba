"""Collecting the scores of the members, one by one, as ballots of the more compact kind."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.pruning.ballots import Ballots, RealVotes, WeightedVotes


def collect(scores_of_members: Iterable[Floats], n_members: int) -> Ballots:
    """Votes if each member adds one number to one class of each row, otherwise scores.

    Parameters
    ----------
    scores_of_members : arrays (n_rows, n_classes), one for each member
        What it adds to the sums of the classes. A number added to all classes has no effect.

    Notes
    -----
    Votes take a byte for a member and row, scores eight bytes for each class beside it. Scores are
    kept in single precision: what rounding loses could matter only for sums that otherwise tie.

    >>> collect([np.array([[0.0, 2.0], [2.0, 0.0]])], 1).weights
    array([2.])
    >>> collect([np.array([[0.0, 2.0], [1.0, 0.0]])], 1).scores.shape
    (1, 2, 2)
    """
    votes: list[AnyArray] = []
    weights: list[float] = []
    scores: AnyArray | None = None
    K = 2
    for member, each in enumerate(scores_of_members):
        K = each.shape[1]
        if scores is None:
            vote_and_weight = as_vote(each)
            if vote_and_weight is not None:
                votes.append(vote_and_weight[0].astype(np.min_scalar_type(K - 1)))
                weights.append(vote_and_weight[1])
                continue
            scores = np.zeros((n_members, *each.shape), dtype=np.float32)
            for earlier, (vote, weight) in enumerate(zip(votes, weights, strict=True)):
                np.put_along_axis(scores[earlier], vote[:, np.newaxis].astype(int), weight, axis=1)
        scores[member] = each
    if scores is not None:
        return RealVotes(scores)
    return WeightedVotes(np.array(votes), np.array(weights), K)


def as_vote(scores: Floats) -> tuple[AnyArray, float] | None:
    """Return the class of each row and the weight of the vote, if the scores amount to a vote."""
    lowest = scores.min(axis=1, keepdims=True)
    gap = scores.max(axis=1) - lowest[:, 0]
    n_low = np.count_nonzero(scores == lowest, axis=1)
    is_vote = (gap == gap[0]).all() and (gap[0] == 0 or (n_low == scores.shape[1] - 1).all())
    return (scores.argmax(axis=1), float(gap[0])) if is_vote else None
