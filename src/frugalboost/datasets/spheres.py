"""Concentric spheres (Friedman, Hastie, Tibshirani 2000, Additive logistic regression)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.stats import chi2

from frugalboost._checks import check_int, names_itself
from frugalboost._typing import Floats
from frugalboost.datasets.batches import BLOCK, Batches, Draw, Table, first, make_batches


@names_itself
def make_concentric_spheres(
    n_samples: int = 10_000,
    *,
    n_classes: int = 2,
    n_features: int = 10,
    random_state: Any = None,
) -> Table:
    """Draw examples of the concentric spheres: classes are shells around the origin.

    Examples are normal with unit covariance. The squared radius, which is chi-square distributed,
    decides the class: class k lies between the quantiles k / K and (k + 1) / K, so that classes are
    equally likely. No example is ambiguous, so the best possible error is 0, but no single
    attribute is very informative.

    Parameters
    ----------
    n_samples : int, default=10_000
    n_classes : int, default=2
    n_features : int, default=10
    random_state : int, RandomState or None, default=None
        With an integer, a smaller sample is the beginning of a larger one, and the examples are
        the same for any number of classes.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features), float64
    y : ndarray of shape (n_samples,), int64

    Examples
    --------
    >>> X, y = make_concentric_spheres(10_000, n_classes=5, random_state=0)
    >>> squared_radius = (X**2).sum(axis=1)
    >>> [round(float(squared_radius[y == k].max()), 1) for k in range(4)]
    [6.2, 8.3, 10.5, 13.4]
    """
    return first(drawing(n_classes, n_features), n_samples, random_state)


@names_itself
def concentric_spheres_batches(
    batch_size: int = BLOCK, *, n_classes: int = 2, n_features: int = 10, random_state: Any = None
) -> Batches:
    """Draw the spheres endlessly, in batches: the examples of `make_concentric_spheres`.

    Iterating twice gives the same batches twice.

    Parameters
    ----------
    batch_size : int
    n_classes, n_features, random_state : as in `make_concentric_spheres`

    Returns
    -------
    batches : endless iterable of pairs (X, y)

    Examples
    --------
    >>> X, y = next(iter(concentric_spheres_batches(500, random_state=0)))
    >>> X.shape
    (500, 10)
    """
    return make_batches(drawing(n_classes, n_features), batch_size, random_state)


def drawing(n_classes: Any, n_features: Any) -> Draw:
    K = check_int(n_classes, name="n_classes", low=2)
    n = check_int(n_features, name="n_features", low=1)
    return partial(draw_block, thresholds(K, n), n)


def thresholds(n_classes: int, n_features: int) -> Floats:
    """Return the squared radii between the classes, t_1 to t_(K-1) in the paper.

    >>> thresholds(2, 10).round(2)
    array([9.34])
    """
    return np.asarray(chi2.ppf(np.arange(1, n_classes) / n_classes, n_features))


def draw_block(between: Floats, n_features: int, random: np.random.Generator) -> Table:
    X = random.standard_normal((BLOCK, n_features))
    squared_radius = np.einsum("ij,ij->i", X, X)
    return X, np.searchsorted(between, squared_radius).astype(np.int64)
