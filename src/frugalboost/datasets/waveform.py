"""Waveform (Breiman, Friedman, Olshen, Stone 1984, section 2.6.2)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from frugalboost._checks import check_int, names_itself
from frugalboost.datasets.batches import BLOCK, Table, first

PLACES = np.arange(1, 22)
WAVES = np.array([np.maximum(6.0 - np.abs(PLACES - peak), 0.0) for peak in (11, 15, 7)])
"""h1, h2 and h3: triangles of height 6 at 21 places."""

PAIRS = np.array([(0, 1), (0, 2), (1, 2)])
"""The waves that each class mixes."""


@names_itself
def make_waveform(
    n_samples: int = 5000, *, n_noise_features: int = 0, random_state: Any = None
) -> Table:
    """Draw examples of Waveform: each class mixes two of three triangular waves.

    An example is ``u * first + (1 - u) * second`` at 21 places, with u uniform in [0, 1], plus
    independent standard normal noise. The classes are equally likely; the best classifier errs
    on about 14 % of the examples.

    Parameters
    ----------
    n_samples : int, default=5000
    n_noise_features : int, default=0
        Additional features of pure standard normal noise; 19 in the second version of the data.
    random_state : int, RandomState or None, default=None
        With an integer, a smaller sample is the beginning of a larger one.

    Returns
    -------
    X : ndarray of shape (n_samples, 21 + n_noise_features), float64
    y : ndarray of shape (n_samples,), int64

    Examples
    --------
    >>> X, y = make_waveform(6000, random_state=0)
    >>> X[y == 0].mean(axis=0)[[6, 10, 14]].round(0)  # (h1 + h2) / 2 at places 7, 11 and 15
    array([1., 4., 4.])
    """
    n = check_int(n_noise_features, name="n_noise_features", low=0)
    return first(partial(draw_block, n), n_samples, random_state)


def draw_block(n_noise_features: int, random: np.random.Generator) -> Table:
    y = random.integers(0, len(PAIRS), BLOCK)
    u = random.random((BLOCK, 1))
    X = random.standard_normal((BLOCK, len(PLACES) + n_noise_features))
    first_wave, second_wave = WAVES[PAIRS[y, 0]], WAVES[PAIRS[y, 1]]
    X[:, : len(PLACES)] += u * first_wave + (1 - u) * second_wave
    return X, y
