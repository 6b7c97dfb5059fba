"""Twonorm (Breiman 1998, Arcing classifiers)."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from frugalboost._checks import check_int, names_itself
from frugalboost.datasets.batches import BLOCK, Batches, Draw, Table, first, make_batches


@names_itself
def make_twonorm(
    n_samples: int = 10_000, *, n_features: int = 20, random_state: Any = None
) -> Table:
    """Draw examples of Twonorm: two overlapping normal distributions.

    Both have unit covariance and are equally likely. The means are (a, ..., a) for class 1 and
    (-a, ..., -a) for class 0, with a = 2 / sqrt(n_features): a distance of 4. So the best
    classifier, the sign of the sum, errs with probability 0.0228 for any number of features.

    Parameters
    ----------
    n_samples : int, default=10_000
    n_features : int, default=20
    random_state : int, RandomState or None, default=None
        With an integer, a smaller sample is the beginning of a larger one.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features), float64
    y : ndarray of shape (n_samples,), int64

    Examples
    --------
    >>> X, y = make_twonorm(100_000, random_state=0)
    >>> round(float(np.mean((X.sum(axis=1) > 0) != y)), 3)
    0.023
    """
    return first(drawing(n_features), n_samples, random_state)


@names_itself
def twonorm_batches(
    batch_size: int = BLOCK, *, n_features: int = 20, random_state: Any = None
) -> Batches:
    """Draw Twonorm endlessly, in batches: the examples of `make_twonorm`, one after another.

    Iterating twice gives the same batches twice.

    Parameters
    ----------
    batch_size : int
    n_features, random_state : as in `make_twonorm`

    Returns
    -------
    batches : endless iterable of pairs (X, y)

    Examples
    --------
    >>> X, y = next(iter(twonorm_batches(500, random_state=0)))
    >>> X.shape
    (500, 20)
    """
    return make_batches(drawing(n_features), batch_size, random_state)


def drawing(n_features: Any) -> Draw:
    return partial(draw_block, check_int(n_features, name="n_features", low=1))


def draw_block(n_features: int, random: np.random.Generator) -> Table:
    y = random.integers(0, 2, BLOCK)
    X = random.standard_normal((BLOCK, n_features))
    X += (2 * y - 1)[:, np.newaxis] * (2 / math.sqrt(n_features))
    return X, y
