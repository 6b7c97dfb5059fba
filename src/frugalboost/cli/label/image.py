"""A row as a picture: a PNG file, and rough blocks in the terminal."""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.style import Style
from rich.text import Text

from frugalboost._files import whole_file
from frugalboost._typing import AnyArray

SMALLEST_SIDE = 256
"""Of a PNG: pictures of a few pixels are enlarged."""

SAMPLED = 5000
"""Rows that say what is black and what is white."""

LARGEST_SIDE = 40
"""Up to which pictures are enlarged in the terminal, in pixels."""

SHADES = " ░▒▓█"

SIGNATURE = b"\x89PNG\r\n\x1a\n"
WRITER = (b"tEXt", b"Software\x00frugalboost label")
"""By which a picture is known for one that may be written over."""


@dataclass(frozen=True, eq=False)
class Picture:
    """How the columns of a row become pixels.

    Attributes
    ----------
    shape : (height, width) or (height, width, 3)
    columns : places of the pixels in a row of the pool
    low, high : numbers that are black and white
    """

    shape: tuple[int, ...]
    columns: AnyArray
    low: float
    high: float

    def pixels(self, row: AnyArray) -> AnyArray:
        """The picture of one row, 0 to 255."""
        span = self.high - self.low
        values = np.nan_to_num(np.asarray(row[self.columns], dtype=np.float64), nan=self.low)
        scaled = np.clip((values - self.low) / (span if span > 0 else 1.0), 0.0, 1.0)
        return np.rint(255.0 * scaled).astype(np.uint8).reshape(self.shape)


def parse_shape(text: str) -> tuple[int, ...]:
    """Width and height, perhaps with 3 for colours, as the shape of an array.

    >>> parse_shape("28x20"), parse_shape("32x32x3")
    ((20, 28), (32, 32, 3))
    """
    found = re.fullmatch(r"(\d+)x(\d+)(x3)?", text.strip().lower())
    if found is None or 0 in (int(found[1]), int(found[2])):
        raise ValueError(
            f"--image must be width and height, such as 28x28, or 32x32x3 with colours; got "
            f"{text!r}."
        )
    size = (int(found[2]), int(found[1]))
    return (*size, 3) if found[3] else size


def make_picture(X: AnyArray, columns: AnyArray, shape: tuple[int, ...]) -> Picture:
    """For these columns of a pool; black is zero, or less if there is less."""
    if len(columns) != int(np.prod(shape)):
        sides = "x".join(map(str, (shape[1], shape[0], *shape[2:])))
        raise ValueError(
            f"--image {sides} must have as many pixels as columns; got {len(columns)} columns."
        )
    values = X[:: -(-len(X) // SAMPLED)][:, columns]
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return Picture(shape, columns, min(low, 0.0), high)


def write_png(path: Path, pixels: AnyArray) -> None:
    """Write a picture of bytes, (height, width) or (height, width, 3), in one step.

    Whoever looks at the file meanwhile sees the last picture or this one.
    """
    factor = -(-SMALLEST_SIDE // min(pixels.shape[:2]))
    large = pixels.repeat(factor, axis=0).repeat(factor, axis=1)
    height, width = large.shape[:2]
    colours = 2 if large.ndim == 3 else 0
    lines = b"".join(b"\x00" + line.tobytes() for line in large)
    header = struct.pack(">IIBBBBB", width, height, 8, colours, 0, 0, 0)
    chunks = [(b"IHDR", header), WRITER, (b"IDAT", zlib.compress(lines)), (b"IEND", b"")]
    with whole_file(path) as file:
        file.write(SIGNATURE + b"".join(_chunk(*chunk) for chunk in chunks))


def is_our_png(path: Path) -> bool:
    """Whether `write_png` has written a file."""
    with open(path, "rb") as file:
        head = file.read(100)
    return head.startswith(SIGNATURE) and _chunk(*WRITER) in head


def _chunk(name: bytes, content: bytes) -> bytes:
    check = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", check)


def blocks(pixels: AnyArray, width: int, height: int, has_colours: bool) -> Text:
    """A picture in characters, at most so many wide and high."""
    if not has_colours:
        return _shades(fitted(_grey(pixels), width // 2, height))
    fit = fitted(pixels, width, 2 * height)
    if len(fit) % 2:
        fit = np.concatenate([fit, np.zeros_like(fit[:1])])
    text = Text(no_wrap=True)
    for upper, lower in zip(fit[::2], fit[1::2], strict=True):
        for above, below in zip(upper, lower, strict=True):
            text.append("▀", Style(color=_rgb(above), bgcolor=_rgb(below)))
        text.append("\n")
    return text


def fitted(pixels: AnyArray, width: int, height: int) -> AnyArray:
    """Larger or smaller by a whole factor, so that the picture fits and can be seen.

    >>> fitted(np.eye(2), 5, 7).shape, fitted(np.eye(9), 4, 7).shape
    ((4, 4), (3, 3))
    """
    high, wide = pixels.shape[:2]
    larger = min(width // wide, height // high, LARGEST_SIDE // max(high, wide))
    if larger > 1:
        return pixels.repeat(larger, axis=0).repeat(larger, axis=1)
    step = max(1, -(-high // max(height, 1)), -(-wide // max(width, 1)))
    return pixels[::step, ::step]


def _shades(grey: AnyArray) -> Text:
    text = Text(no_wrap=True)
    for line in grey:
        text.append("".join(2 * SHADES[int(value) * len(SHADES) // 256] for value in line) + "\n")
    return text


def _grey(pixels: AnyArray) -> AnyArray:
    return pixels.mean(axis=2) if pixels.ndim == 3 else pixels


def _rgb(value: AnyArray) -> str:
    red, green, blue = value.tolist() if np.ndim(value) else [int(value)] * 3
    return f"#{red:02x}{green:02x}{blue:02x}"
