"""XD6, the propositional formula of the ensemble pruning paper (Margineantu, Dietterich 1997)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from frugalboost._checks import check_real, names_itself
from frugalboost.datasets.batches import BLOCK, Table, first

N_ATTRIBUTES, N_TERMS, TERM = 10, 3, 3


@names_itself
def make_xd6(n_samples: int = 200, *, noise: float = 0.1, random_state: Any = None) -> Table:
    """Draw examples of XD6: (a1 and a2 and a3) or (a4 and a5 and a6) or (a7 and a8 and a9).

    All ten attributes are fair coins; the last is irrelevant. Class 1, where the formula is true,
    makes up 33.0 % of the examples before noise.

    Parameters
    ----------
    n_samples : int, default=200
    noise : float in [0, 1], default=0.1
        Probability that a label is flipped.
    random_state : int, RandomState or None, default=None
        With an integer, a smaller sample is the beginning of a larger one.

    Returns
    -------
    X : ndarray of shape (n_samples, 10), uint8
    y : ndarray of shape (n_samples,), int64

    Examples
    --------
    >>> X, y = make_xd6(1000, noise=0.0, random_state=0)
    >>> int(y[X[:, 3:6].all(axis=1)].min())
    1
    """
    share = check_real(noise, name="noise", low=0.0, high=1.0)
    return first(partial(draw_block, share), n_samples, random_state)


def draw_block(noise: float, random: np.random.Generator) -> Table:
    X = random.integers(0, 2, (BLOCK, N_ATTRIBUTES), dtype=np.uint8)
    ones = X[:, : N_TERMS * TERM].reshape(BLOCK, N_TERMS, TERM).sum(axis=2)
    is_true = (ones == TERM).sum(axis=1) > 0
    is_flipped = random.random(BLOCK) < noise
    return X, (is_true != is_flipped).astype(np.int64)
