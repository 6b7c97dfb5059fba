"""Texts from data, for people to read: files may hold names of any length."""

from __future__ import annotations

NAME = 80
"""Characters of a name that are shown."""

VALUE = 1000
"""Characters of another text that are shown: commands and parameters are longer than names."""


def shortened(text: str, most: int = NAME) -> str:
    """A text of at most so many characters; an ellipsis stands for what was cut off.

    >>> shortened("petal length", 8), shortened("petal")
    ('petal l…', 'petal')
    """
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"
