from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frugalboost.reproduce.haar import draw_wavelets, haar_features, wavelets

pytestmark = pytest.mark.thorough


def by_hand(image, wavelet):
    """Sum of the rectangles with signs, pixel by pixel."""
    (down, across), height, width, top, left = wavelet
    value = 0
    for y in range(down * height):
        for x in range(across * width):
            sign = 1 if (y // height + x // width) % 2 == 0 else -1
            value += sign * int(image[top + y, left + x])
    return value


@given(st.integers(0, 2**32 - 1))
def test_every_wavelet_is_a_signed_sum_of_pixels(seed):
    images = np.random.default_rng(seed).integers(0, 256, (3, 6, 6), dtype=np.uint8)
    everyone = wavelets(side=6)
    values = haar_features(images.reshape(3, 36), everyone, side=6)
    for column, wavelet in enumerate(everyone):
        assert values[:, column].tolist() == [by_hand(image, wavelet) for image in images]


def test_all_wavelets_are_different_and_inside():
    everyone = wavelets(side=10)
    assert len(set(everyone)) == len(everyone)
    for (down, across), height, width, top, left in everyone:
        assert min(top, left) >= 0
        assert top + down * height <= 10
        assert left + across * width <= 10


def test_a_draw_is_the_same_each_time_and_without_repetition():
    chosen = draw_wavelets(4300, seed=1)
    assert chosen == draw_wavelets(4300, seed=1)
    assert chosen != draw_wavelets(4300, seed=2)
    assert len(set(chosen)) == 4300
