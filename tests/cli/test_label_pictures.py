"""Rows as pictures in the terminal."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("rich")
Image = pytest.importorskip("PIL.Image")

from frugalboost.cli.label.pictures import PixelLayout, block_text, pixel_layout  # noqa: E402


def test_the_smallest_number_is_black_and_the_largest_white():
    layout = PixelLayout((2, 2), np.array([3, 1, 0, 2]), low=-1.0, high=3.0)
    picture = layout.picture(np.array([1.0, 3.0, np.nan, -1.0]))
    assert np.asarray(picture).tolist() == [[0, 255], [128, 0]]


def test_a_table_of_one_number_is_black():
    layout = pixel_layout(np.zeros((3, 4)), np.arange(4), (2, 2))
    assert not np.asarray(layout.picture(np.zeros(4))).any()


def test_a_character_shows_two_pixels_one_above_the_other():
    picture = Image.fromarray(np.array([[[255, 0, 0]], [[0, 0, 255]], [[0, 255, 0]]], np.uint8))
    text = block_text(picture, width=1, height=2, has_colours=True)
    assert text.plain == "▀\n▀\n"
    pairs = [(span.style.color.name, span.style.bgcolor.name) for span in text.spans]
    # A picture of an odd height ends with a black line.
    assert pairs == [("#ff0000", "#0000ff"), ("#00ff00", "#000000")]


def test_without_colours_a_pixel_is_two_characters_of_its_shade():
    picture = Image.fromarray(np.array([[0, 255], [128, 64]], np.uint8))
    text = block_text(picture, width=4, height=2, has_colours=False)
    assert text.plain == "  ██\n▒▒░░\n"
