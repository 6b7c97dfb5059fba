"""Haar-like features of images (Viola and Jones 2004): sums over rectangles, less their neighbours.

The face and pedestrian images of Quick Boost are not available; these features on MNIST images
replace them, with the same number of rows and features.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from frugalboost._typing import AnyArray

SIDE = 28
PATTERNS = ((1, 2), (2, 1), (1, 3), (3, 1), (2, 2))
"""Rows and columns of rectangles: edges, lines and diagonals."""


class Wavelet(NamedTuple):
    """Rectangles of one size side by side, their signs alternating."""

    pattern: tuple[int, int]
    height: int
    width: int
    top: int
    left: int


def wavelets(side: int = SIDE, smallest: int = 2) -> list[Wavelet]:
    """All that fit into a square image, rectangles being `smallest` pixels high and wide at least.

    >>> len(wavelets(side=4)), wavelets(side=4)[0]
    (13, Wavelet(pattern=(1, 2), height=2, width=2, top=0, left=0))
    """
    sizes = range(smallest, side + 1)
    return [
        Wavelet((down, across), height, width, top, left)
        for (down, across), height, width in product(PATTERNS, sizes, sizes)
        if down * height <= side and across * width <= side
        for top in range(side - down * height + 1)
        for left in range(side - across * width + 1)
    ]


def draw_wavelets(n: int, seed: int, side: int = SIDE) -> list[Wavelet]:
    """`n` different ones, in a fixed order."""
    everyone = wavelets(side)
    chosen = np.random.default_rng(seed).choice(len(everyone), n, replace=False)
    return [everyone[index] for index in np.sort(chosen)]


def haar_features(images: AnyArray, chosen: list[Wavelet], side: int = SIDE) -> AnyArray:
    """Return the wavelets' values, (n_images, n_wavelets), of images given as rows of pixels.

    >>> image = np.array([[1, 1, 5, 5], [1, 1, 5, 5], [0, 0, 0, 0], [0, 0, 0, 0]])
    >>> haar_features(image.reshape(1, -1), [Wavelet((1, 2), 2, 2, 0, 0)], side=4)
    array([[-16]], dtype=int32)
    """
    pixels = images.reshape(len(images), side, side)
    sums = np.zeros((side + 1, side + 1, len(images)), dtype=np.int32)
    sums[1:, 1:] = pixels.transpose(1, 2, 0).cumsum(axis=0, dtype=np.int32).cumsum(axis=1)
    values = np.empty((len(images), len(chosen)), dtype=np.int32, order="F")
    for column, wavelet in enumerate(chosen):
        values[:, column] = apply(wavelet, sums)
    return values


def apply(wavelet: Wavelet, sums: AnyArray) -> AnyArray:
    """One wavelet on all images; `sums` has the sum of all pixels above and left of a place."""
    (down, across), height, width, top, left = wavelet
    value = np.zeros(sums.shape[2], dtype=np.int32)
    for i, j in product(range(down), range(across)):
        y, x = top + i * height, left + j * width
        inside = sums[y + height, x + width] - sums[y, x + width]
        inside = inside - sums[y + height, x] + sums[y, x]
        value += inside if (i + j) % 2 == 0 else -inside
    return value
