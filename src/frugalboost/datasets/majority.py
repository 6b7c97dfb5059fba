"""Majority, the synthetic data of the FilterBoost paper (Bradley and Schapire 2007)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from frugalboost._checks import check_int, check_real, names_itself
from frugalboost.datasets.batches import BLOCK, Batches, Draw, Table, first, make_batches


@names_itself
def make_majority(
    n_samples: int = 10_000,
    *,
    n_features: int = 100,
    n_relevant: int = 40,
    noise: float = 0.1,
    random_state: Any = None,
) -> Table:
    """Draw examples of Majority: the label is the majority vote of the relevant attributes.

    All attributes are fair coins. Class 1 means that more than half of the relevant ones, which
    come first, are 1; a tie, possible if `n_relevant` is even, is class 0. With 40 of them, ties
    are 12.5 % of the examples, and class 1 is 43.7 % before noise.

    Parameters
    ----------
    n_samples : int, default=10_000
    n_features : int, default=100
    n_relevant : int, default=40
        Attributes that vote.
    noise : float in [0, 1], default=0.1
        Probability that a label is flipped.
    random_state : int, RandomState or None, default=None
        With an integer, a smaller sample is the beginning of a larger one.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features), uint8
    y : ndarray of shape (n_samples,), int64

    Examples
    --------
    >>> X, y = make_majority(1000, n_features=11, n_relevant=5, noise=0.0, random_state=0)
    >>> bool((y == (X[:, :5].sum(axis=1) > 2.5)).all())
    True
    """
    draw = drawing(n_features, n_relevant, noise)
    return first(draw, n_samples, random_state)


@names_itself
def majority_batches(
    batch_size: int = BLOCK,
    *,
    n_features: int = 100,
    n_relevant: int = 40,
    noise: float = 0.1,
    random_state: Any = None,
) -> Batches:
    """Draw Majority endlessly, in batches: the examples of `make_majority`, one after another.

    Iterating twice gives the same batches twice.

    Parameters
    ----------
    batch_size : int
    n_features, n_relevant, noise, random_state : as in `make_majority`

    Returns
    -------
    batches : endless iterable of pairs (X, y)

    Examples
    --------
    >>> X, y = next(iter(majority_batches(500, random_state=0)))
    >>> bool((y == make_majority(500, random_state=0)[1]).all())
    True
    """
    draw = drawing(n_features, n_relevant, noise)
    return make_batches(draw, batch_size, random_state)


def drawing(n_features: Any, n_relevant: Any, noise: Any) -> Draw:
    n = check_int(n_features, name="n_features", low=1)
    relevant = check_int(n_relevant, name="n_relevant", low=1, high=n)
    share = check_real(noise, name="noise", low=0.0, high=1.0)
    return partial(draw_block, n, relevant, share)


def draw_block(
    n_features: int, n_relevant: int, noise: float, random: np.random.Generator
) -> Table:
    """Take attributes from the bits of random bytes, some ten times faster than a draw for each."""
    n_bytes = -(-n_features // 8)
    raw = np.frombuffer(random.bytes(BLOCK * n_bytes), np.uint8).reshape(BLOCK, n_bytes)
    X = np.unpackbits(raw, axis=1, count=n_features)
    votes = X[:, :n_relevant].sum(axis=1, dtype=np.int64)
    is_flipped = random.random(BLOCK) < noise
    return X, ((2 * votes > n_relevant) != is_flipped).astype(np.int64)
