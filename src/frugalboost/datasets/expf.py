"""An Expf-like set: twelve classes in the plane (after Margineantu and Dietterich 1997)."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost._checks import names_itself
from frugalboost._typing import AnyArray, Ints
from frugalboost.datasets.batches import BLOCK, Table, first

RISING = (-7.0, -2.0, 3.0)
FALLING = (-2.0, 5.0)


@names_itself
def make_expf(n_samples: int = 2000, *, random_state: Any = None) -> Table:
    """Draw points uniformly from a square, labelled by the exponential curves they lie between.

    The paper shows the boundaries of its Expf only in a figure, so these are our own, of the same
    kind: three curves y = exp(x / 4) + c, with c = -7, -2 and 3, and two curves x = c - exp(y / 4),
    with c = -2 and 5, cut the square into twelve regions, one for each class. A class is 3 times
    the number of the first curves below the point plus the number of the second to its left; each
    holds 4 to 13 % of the points. There is no noise.

    Parameters
    ----------
    n_samples : int, default=2000
    random_state : int, RandomState or None, default=None
        With an integer, a smaller sample is the beginning of a larger one.

    Returns
    -------
    X : ndarray of shape (n_samples, 2), float64
        Between -10 and 10.
    y : ndarray of shape (n_samples,), int64
        Classes 0 to 11.

    Examples
    --------
    >>> X, y = make_expf(1000, random_state=0)
    >>> len(np.unique(y))
    12
    """
    return first(draw_block, n_samples, random_state)


def draw_block(random: np.random.Generator) -> Table:
    X = random.uniform(-10.0, 10.0, (BLOCK, 2))
    return X, classes_of(X)


def classes_of(X: AnyArray) -> Ints:
    """Return the class of each point.

    >>> classes_of(np.array([[-10.0, -10.0], [0.0, 0.0], [0.0, 9.0]]))
    array([ 0,  7, 11])
    """
    x, y = X.T
    below = np.searchsorted(RISING, y - np.exp(x / 4))
    left = np.searchsorted(FALLING, x + np.exp(y / 4))
    return np.asarray(3 * below + left, dtype=np.int64)
