"""Labels of examples: as arrays, without missing ones, and which there are."""

from __future__ import annotations

from typing import Any

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.data.labels import in_order, is_missing, must_stay_objects


def as_labels(y: Any, *, owner: str) -> AnyArray:
    """Return y as a one-dimensional array; labels of several types stay what they are.

    >>> as_labels(["a", 1], owner="Oracle")
    array(['a', 1], dtype=object)
    """
    if isinstance(y, (list, tuple)) and must_stay_objects(y):
        return np.fromiter(y, dtype=object, count=len(y))
    labels: AnyArray = np.asarray(y)
    if labels.ndim != 1:
        raise ValueError(f"{owner}: y must have one dimension; got {labels.ndim}.")
    return labels


def first_missing(labels: AnyArray) -> int | None:
    """Return where the first label is None or NaN, and None if all are there.

    >>> first_missing(np.array([1.0, np.nan])), first_missing(np.array(["a", "b"]))
    (1, None)
    """
    if labels.dtype.kind == "f":
        gone = np.isnan(labels)
        return int(gone.argmax()) if gone.any() else None
    if labels.dtype.kind != "O":
        return None
    return next((at for at, label in enumerate(labels) if is_missing(label)), None)


def check_present(labels: AnyArray, *, first: int, what: str, owner: str) -> None:
    """Raise an error that says which label is missing; ``first`` is the number of the first one."""
    at = first_missing(labels)
    if at is not None:
        raise ValueError(
            f"{owner}: y must not contain missing labels; got {labels.tolist()[at]!r} in {what} "
            f"{first + at} (counted from 0)."
        )


def distinct(labels: AnyArray) -> AnyArray:
    """Return the classes in order; labels that cannot be compared by type, then by name.

    >>> distinct(np.array(["b", "a", "b"], dtype=object))
    array(['a', 'b'], dtype=object)
    """
    if labels.dtype.kind != "O":
        return np.unique(labels)
    ordered = in_order(list(dict.fromkeys(labels)))
    return np.fromiter(ordered, dtype=object, count=len(ordered))
