"""A row as a picture: a PNG file, and coarse blocks in the terminal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.style import Style
from rich.text import Text

from frugalboost._files import whole_file
from frugalboost._typing import AnyArray

if TYPE_CHECKING:
    from PIL.Image import Image

SMALLEST_SIDE = 256
"""Pixels that a PNG file has at least; smaller pictures are enlarged."""

LARGEST_SIDE = 40
"""Pixels up to which pictures are enlarged in the terminal."""

SAMPLED = 5000
"""Rows that decide which numbers are black and white."""

SHADES = " ░▒▓█"

SOFTWARE = "frugalboost label"
"""Marks the PNG files that may be overwritten."""


@dataclass(frozen=True, eq=False)
class PixelLayout:
    """How the columns of a row become pixels.

    Attributes
    ----------
    shape : (height, width) or (height, width, 3)
    columns : positions of the pixels in a row of the pool
    low, high : the numbers shown as black and white
    """

    shape: tuple[int, ...]
    columns: AnyArray
    low: float
    high: float

    def picture(self, row: AnyArray) -> Image:
        """One row as a picture."""
        from PIL import Image

        span = self.high - self.low
        values = np.nan_to_num(np.asarray(row[self.columns], dtype=np.float64), nan=self.low)
        scaled = np.clip((values - self.low) / (span if span > 0 else 1.0), 0.0, 1.0)
        return Image.fromarray(np.rint(255.0 * scaled).astype(np.uint8).reshape(self.shape))


def parse_shape(text: str) -> tuple[int, ...]:
    """Width and height, with x3 for colour, as the shape of an array.

    >>> parse_shape("28x20"), parse_shape("32x32x3")
    ((20, 28), (32, 32, 3))
    """
    match = re.fullmatch(r"(\d+)x(\d+)(x3)?", text.strip().lower())
    if match is None or 0 in (int(match[1]), int(match[2])):
        raise ValueError(
            f"--image must be width and height, such as 28x28, or 32x32x3 with colours; got "
            f"{text!r}."
        )
    size = (int(match[2]), int(match[1]))
    return (*size, 3) if match[3] else size


def pixel_layout(X: AnyArray, columns: AnyArray, shape: tuple[int, ...]) -> PixelLayout:
    """For these columns of a pool; black is zero, or the smallest number if that is negative."""
    if len(columns) != int(np.prod(shape)):
        sides = "x".join(map(str, (shape[1], shape[0], *shape[2:])))
        raise ValueError(
            f"--image {sides} must have as many pixels as columns; got {len(columns)} columns."
        )
    values = X[:: -(-len(X) // SAMPLED)][:, columns]
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return PixelLayout(shape, columns, min(low, 0.0), high)


def check_pillow() -> None:
    """Raise an ImportError that names the extra, before any row is asked about."""
    try:
        import PIL  # noqa: F401
    except ModuleNotFoundError:
        raise ImportError(
            'label needs pillow to show pictures; install it with pip install "frugalboost[cli]".'
        ) from None


def write_png(path: Path, picture: Image) -> None:
    """Write a picture in one step: a viewer sees either the previous picture or this one."""
    from PIL.PngImagePlugin import PngInfo

    mark = PngInfo()
    mark.add_text("Software", SOFTWARE)
    with whole_file(path) as file:
        enlarged(picture, -(-SMALLEST_SIDE // min(picture.size))).save(file, "PNG", pnginfo=mark)


def is_our_png(path: Path) -> bool:
    """Whether `write_png` wrote a file."""
    from PIL import Image

    try:
        with Image.open(path, formats=["PNG"]) as picture:
            return picture.info.get("Software") == SOFTWARE
    # Damaged files can raise any of these; a huge picture is not one of ours either.
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False


def block_text(picture: Image, width: int, height: int, has_colours: bool) -> Text:
    """A picture in characters, at most so many wide and high."""
    if not has_colours:
        return _shades(scaled_to_fit(picture.convert("L"), width // 2, height))
    pixels = np.asarray(scaled_to_fit(picture, width, 2 * height).convert("RGB"))
    if len(pixels) % 2:
        pixels = np.concatenate([pixels, np.zeros_like(pixels[:1])])
    text = Text(no_wrap=True)
    for upper, lower in zip(pixels[::2], pixels[1::2], strict=True):
        for above, below in zip(upper, lower, strict=True):
            text.append("▀", Style(color=_hex(above), bgcolor=_hex(below)))
        text.append("\n")
    return text


def scaled_to_fit(picture: Image, width: int, height: int) -> Image:
    """Enlarge or reduce a picture by a whole factor, so that it fits and can be seen.

    >>> from PIL import Image
    >>> small, large = Image.new("L", (2, 2)), Image.new("L", (9, 9))
    >>> scaled_to_fit(small, 5, 7).size, scaled_to_fit(large, 4, 7).size
    ((4, 4), (3, 3))
    """
    wide, high = picture.size
    factor = min(width // wide, height // high, LARGEST_SIDE // max(high, wide))
    if factor > 1:
        return enlarged(picture, factor)
    return picture.reduce(max(1, -(-high // max(height, 1)), -(-wide // max(width, 1))))


def enlarged(picture: Image, factor: int) -> Image:
    from PIL.Image import Resampling

    size = (factor * picture.width, factor * picture.height)
    return picture.resize(size, Resampling.NEAREST)


def _shades(grey: Image) -> Text:
    text = Text(no_wrap=True)
    for line in np.asarray(grey).tolist():
        text.append("".join(2 * SHADES[value * len(SHADES) // 256] for value in line) + "\n")
    return text


def _hex(colour: AnyArray) -> str:
    red, green, blue = colour.tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"
