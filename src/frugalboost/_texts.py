"""Text for people to read: names from files may have any length and content."""

from __future__ import annotations

NAME = 80
"""How many characters of a name are shown."""

VALUE = 1000
"""How many characters of other text are shown: commands and parameters are longer than names."""

SCORE_NAMES = {
    "error": "error",
    "log_loss": "log loss",
    "auc": "AUC",
    "rmse": "RMSE",
    "mae": "MAE",
    "r2": "R2",
}
"""Display names of model scores, by their keys in JSON."""


def shortened(text: str, most: int = NAME) -> str:
    """Cut a text to at most `most` characters; an ellipsis stands for what was cut off.

    >>> shortened("petal length", 8), shortened("petal")
    ('petal l…', 'petal')
    """
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"


def printable(text: object) -> str:
    """Escape text from a file, so that no terminal or page takes parts of it for commands.

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
