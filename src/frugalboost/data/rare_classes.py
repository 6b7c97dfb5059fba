"""Texts that can hardly be classes: names of rows, or numbers that were not read as such."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Ints

MANY_CLASSES = 100
FEW_ROWS = 2
DECIMAL_COMMA = re.compile(r"[+-]?\d+(,\d+)?")


class RareClassesWarning(UserWarning):
    """Most of very many classes have hardly a row."""


def why_implausible(labels: AnyArray) -> str | None:
    """What is odd about texts as classes; None where they may well be some.

    >>> why_implausible(np.array([f"{n},5" for n in range(150)], dtype=object))
    '150 classes in 150 rows, most of one or two rows; they look like numbers with decimal commas.'
    >>> why_implausible(np.repeat([f"word {n}" for n in range(1000)], 20)) is None
    True
    """
    if labels.dtype.kind not in "OU":
        return None
    counts = Counter(labels.tolist())
    return why_rare(list(counts), np.array(list(counts.values())))


def why_rare(classes: Sequence[Any], counts: Ints) -> str | None:
    """The same for classes and how many rows each has.

    More than 100 classes of which most have one or two rows are odd: work grows with the number
    of classes, and nothing can be learnt about a class from so few rows.
    """
    n_rare = int((counts <= FEW_ROWS).sum())
    if len(counts) <= MANY_CLASSES or 2 * n_rare <= len(counts):
        return None
    if not all(isinstance(label, str) for label in classes):
        return None
    found = f"{len(counts):,} classes in {int(counts.sum()):,} rows, most of one or two rows"
    if look_like_decimals(classes):
        return f"{found}; they look like numbers with decimal commas."
    return f"{found}."


def look_like_decimals(classes: Iterable[Any]) -> bool:
    """Whether all are texts such as "12,5", or whole numbers among them.

    >>> look_like_decimals(["12,5", "-3,25", "4"]), look_like_decimals(["12,5", "a"])
    (True, False)
    """
    texts = [label.strip() if isinstance(label, str) else "" for label in classes]
    return all(DECIMAL_COMMA.fullmatch(text) for text in texts) and any("," in t for t in texts)


def warn_if_rare(classes: AnyArray, codes: AnyArray, owner: str) -> None:
    """Warn where a fit will take long and learn little."""
    if classes.dtype.kind not in "OU" or len(classes) <= MANY_CLASSES:
        return
    odd = why_rare(classes.tolist(), np.bincount(codes, minlength=len(classes)))
    if odd is not None:
        warnings.warn(f"{owner}: y has {odd}", RareClassesWarning, stacklevel=2)
