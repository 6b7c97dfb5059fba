"""Texts for people to read: names from files may be of any length and hold anything."""

from __future__ import annotations

NAME = 80
"""Characters of a name that are shown."""

VALUE = 1000
"""Characters of another text that are shown: commands and parameters are longer than names."""

SCORE_NAMES = {
    "error": "error",
    "log_loss": "log loss",
    "auc": "AUC",
    "rmse": "RMSE",
    "mae": "MAE",
    "r2": "R2",
}
"""Scores of models by the names that JSON has for them."""


def shortened(text: str, most: int = NAME) -> str:
    """A text of at most so many characters; an ellipsis stands for what was cut off.

    >>> shortened("petal length", 8), shortened("petal")
    ('petal l…', 'petal')
    """
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"


def printable(text: object) -> str:
    """Text from a file, so that a terminal or a page takes no part of it for commands.

    >>> printable("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(text))


def size_text(n_bytes: int) -> str:
    """
    >>> size_text(999), size_text(12_345), size_text(12_345_678)
    ('999 bytes', '12.3 kB', '12.3 MB')
    """
    if n_bytes < 1000:
        return f"{n_bytes} bytes"
    return f"{n_bytes / 1e3:.1f} kB" if n_bytes < 1e6 else f"{n_bytes / 1e6:.1f} MB"
