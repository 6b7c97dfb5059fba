"""Utilities: how much the label of a row would help, from the scores or votes of a committee.

Each function takes an array with one row per row of the pool and returns one number for each,
larger for rows that are more worth asking about. To add one, write a function here, add it to
`UTILITIES`, and add its input to `SOURCES` in `active/committee_scores.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats, Ints


def margin(scores: Floats) -> Floats:
    """Reciprocal of the lead of the first class over the second (GAMBLE, Algorithm 3, step c).

    A tie is infinitely useful.

    >>> margin(np.array([[5.0, 1.0, 1.0], [3.0, 1.0, 2.5], [2.0, 2.0, 0.0]]))
    array([0.25, 2.  ,  inf])
    """
    with np.errstate(divide="ignore", over="ignore"):
        return np.asarray(1.0 / leads(scores))


def leads(scores: Floats) -> Floats:
    """Return the lead of the best class over the second; scores (n,) are those of two classes.

    >>> leads(np.array([-0.5, 2.0]))
    array([0.5, 2. ])
    """
    if scores.ndim == 1:
        return np.abs(scores)
    top = np.partition(scores, scores.shape[1] - 2, axis=1)[:, -2:]
    # Two infinite scores tie; their difference would be NaN.
    is_tie = top[:, 1] == top[:, 0]
    with np.errstate(over="ignore"):
        return np.subtract(top[:, 1], top[:, 0], out=np.zeros(len(top)), where=~is_tie)


def entropy(shares: Floats) -> Floats:
    """Entropy, in nats, of each row of shares that sum to one.

    >>> entropy(np.array([[0.5, 0.5], [1.0, 0.0]])).round(4)
    array([0.6931, 0.    ])
    """
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)  # 0 log 0 = 0
    return np.asarray(-(shares * logs).sum(axis=1) + 0.0)  # no -0.0


def disagreement(votes: Floats) -> Floats:
    """Vote entropy: the entropy of the shares of the rounds that vote for each class.

    >>> disagreement(np.array([[10.0, 0.0, 0.0], [4.0, 4.0, 2.0]])).round(4)
    array([0.    , 1.0549])
    """
    return entropy(votes / votes.sum(axis=1, keepdims=True))


UTILITIES: dict[str, Callable[[Floats], Floats]] = {
    "margin": margin,
    "entropy": entropy,
    "disagreement": disagreement,
}
"""By name; "random" needs no committee."""


def first_two(scores: Floats) -> tuple[Ints, Ints]:
    """Return the codes of the classes with the highest and second highest score.

    >>> [codes.tolist() for codes in first_two(np.array([[1.0, 5.0, 3.0]]))]
    [[1], [2]]
    """
    if scores.ndim == 1:
        first = (scores > 0).astype(np.int64)
        return first, 1 - first
    first = scores.argmax(axis=1)
    others = scores.copy()
    others[np.arange(len(scores)), first] = -np.inf
    second = others.argmax(axis=1)
    # If all others are minus infinity, argmax may return the first again: any other will do.
    return first, np.where(second == first, (first + 1) % scores.shape[1], second)


def explain(name: str, scores: Floats, classes: Sequence[Any]) -> list[str]:
    """Return, in words, why each row is asked about.

    >>> explain("margin", np.array([[1.0, 5.0, 4.75]]), ["a", "b", "c"])
    ['margin 0.25 between b and c']
    """
    figures = leads(scores) if name == "margin" else UTILITIES[name](scores)
    first, second = first_two(scores)
    return [
        f"{name} {figure:.3g} between {classes[a]} and {classes[b]}"
        for figure, a, b in zip(figures.tolist(), first.tolist(), second.tolist(), strict=True)
    ]


def count_votes(leaves: AnyArray, vote_of_leaf: Sequence[Ints], n_classes: int) -> Floats:
    """Count the trees that vote for each class, (n, n_classes).

    Parameters
    ----------
    leaves : (n, n_trees), the leaf that each row falls into
    vote_of_leaf : for each tree, the class code that each of its nodes votes for
    """
    counts = np.zeros((len(leaves), n_classes))
    rows = np.arange(len(leaves))
    for tree, votes in enumerate(vote_of_leaf):
        counts[rows, votes[leaves[:, tree]]] += 1.0
    return counts
