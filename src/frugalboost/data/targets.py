"""Checking labels, targets and weights as users pass them, and encoding labels."""

from __future__ import annotations

import math
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from frugalboost import native
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.data.binned import BinnedDataset


def read_labels(y: Any) -> AnyArray:
    """Return y as a one-dimensional array of labels."""
    if y is None:
        raise ValueError(
            "y must hold a label for each row; got None. This estimator "
            "requires y to be passed, but the target y is None."
        )
    if isinstance(y, (list, tuple)) and must_stay_objects(y):
        y = np.fromiter(y, dtype=object, count=len(y))
    labels: AnyArray = column_or_1d(y, warn=True)
    if labels.dtype.kind == "f":
        check_finite_labels(labels)
        check_classification_targets(labels)
    elif labels.dtype.kind == "O" and any(is_missing(label) for label in labels):
        raise ValueError("y must not contain missing labels; got None or NaN in y.")
    return labels


def must_stay_objects(labels: Sequence[Any]) -> bool:
    """Whether NumPy would turn tuples into matrix rows, or numbers beside strings into strings."""
    is_text = [isinstance(label, (str, bytes)) for label in labels]
    return any(isinstance(label, tuple) for label in labels) or any(is_text) != all(is_text)


def check_finite_labels(labels: AnyArray) -> None:
    """Reject float labels that are NaN or infinite."""
    if not np.isfinite(labels).all():
        kind = "NaN" if np.isnan(labels).any() else "infinity"
        raise ValueError(f"y must not contain missing labels. Input y contains {kind}.")


def is_missing(label: Any) -> bool:
    """Whether a label is None, NaN or pandas.NA."""
    return label is None or type(label).__name__ == "NAType" or label is not label or label != label


def encode_labels(labels: AnyArray, n_threads: int = 1) -> tuple[AnyArray, AnyArray]:
    """Return the classes in order and the code of each label, in as few bytes as possible.

    Labels that cannot be compared are ordered by the name of their type, then by their repr.

    >>> encode_labels(np.array(["no", "yes", "no"]))[1]
    array([0, 1, 0], dtype=int8)
    """
    kind = labels.dtype.kind
    near = _encode_integers(labels, n_threads) if kind in "biu" else None
    if near is not None:
        classes, codes = near
    elif kind == "O":
        classes, codes = _encode_objects(labels)
    elif kind in "biufSU":
        # Not the inverse of np.unique, which would need two more arrays of indices.
        classes = np.unique(labels)
        codes = np.searchsorted(classes, labels)
    else:
        classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        only = classes.tolist()[0]
        raise ValueError(f"y must hold at least two classes; got 1 class, {only!r}.")
    # Signed: rules subtract from codes.
    return classes, codes.reshape(-1).astype(np.min_scalar_type(-len(classes)), copy=False)


def _encode_integers(labels: AnyArray, n_threads: int) -> tuple[AnyArray, AnyArray] | None:
    """Encode integers of a narrow range, or booleans; None where the range is wide."""
    dtype = labels.dtype
    plain = np.ascontiguousarray(labels, dtype=dtype.newbyteorder("="))
    encoded = native.encode_integers(plain, n_threads)
    if encoded is None:
        return None
    low, offsets, codes = encoded
    if dtype.kind == "b":
        return offsets + low > 0, codes
    # The sum wraps around where the type is narrower than what is added to its lowest number.
    return (np.array(low, dtype) + offsets.astype(dtype)).astype(dtype, copy=False), codes


def _encode_objects(labels: AnyArray) -> tuple[AnyArray, Ints]:
    try:
        distinct = in_order(list(dict.fromkeys(labels)))
    except TypeError as error:
        raise TypeError(f"y must hold hashable labels; got an {error}.") from None
    code = {label: position for position, label in enumerate(distinct)}
    classes = np.fromiter(distinct, dtype=object, count=len(distinct))
    return classes, np.array([code[label] for label in labels], dtype=np.int64)


def in_order(distinct: list[Any]) -> list[Any]:
    """Labels in order; if they cannot be compared, by the name of their type, then by repr."""
    try:
        ordered = sorted(distinct)
        # Sets can be compared, yet neither of two may be the smaller: that sorts nothing.
        if all(a < b for a, b in pairwise(ordered)):
            return ordered
    except TypeError:
        pass
    return sorted(distinct, key=lambda label: (type(label).__name__, repr(label)))


MANY_CLASSES = 100
FEW_ROWS = 2
DECIMAL_COMMA = re.compile(r"[+-]?\d+(,\d+)?")


class RareClassesWarning(UserWarning):
    """There are very many classes, and most of them have hardly any rows."""


def why_implausible(labels: AnyArray) -> str | None:
    """What is odd about strings as classes; None if they are plausible.

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

    More than 100 classes, most of them with one or two rows, are odd: work grows with the number
    of classes, and nothing can be learnt about a class from so few rows.
    """
    n_rare = int((counts <= FEW_ROWS).sum())
    if len(counts) <= MANY_CLASSES or 2 * n_rare <= len(counts):
        return None
    if not all(isinstance(label, str) for label in classes):
        return None
    summary = f"{len(counts):,} classes in {int(counts.sum()):,} rows, most of one or two rows"
    if look_like_decimals(classes):
        return f"{summary}; they look like numbers with decimal commas."
    return f"{summary}."


def look_like_decimals(classes: Iterable[Any]) -> bool:
    """Whether all are strings such as "12,5", or whole numbers among such strings.

    >>> look_like_decimals(["12,5", "-3,25", "4"]), look_like_decimals(["12,5", "a"])
    (True, False)
    """
    texts = [label.strip() if isinstance(label, str) else "" for label in classes]
    return all(DECIMAL_COMMA.fullmatch(text) for text in texts) and any("," in t for t in texts)


def warn_if_rare(classes: AnyArray, codes: AnyArray) -> None:
    """Warn if a fit will take long and learn little."""
    if classes.dtype.kind not in "OU" or len(classes) <= MANY_CLASSES:
        return
    odd = why_rare(classes.tolist(), np.bincount(codes, minlength=len(classes)))
    if odd is not None:
        warnings.warn(f"y has {odd}", RareClassesWarning, stacklevel=2)


def as_labels(y: Any) -> AnyArray:
    """Return y as a one-dimensional array; labels of several types keep their types.

    >>> as_labels(["a", 1])
    array(['a', 1], dtype=object)
    """
    if isinstance(y, (list, tuple)) and must_stay_objects(y):
        return np.fromiter(y, dtype=object, count=len(y))
    labels: AnyArray = np.asarray(y)
    if labels.ndim != 1:
        raise ValueError(f"y must have one dimension; got {labels.ndim}.")
    return labels


def first_missing(labels: AnyArray) -> int | None:
    """Return the position of the first label that is None or NaN; None if none is missing.

    >>> first_missing(np.array([1.0, np.nan])), first_missing(np.array(["a", "b"]))
    (1, None)
    """
    if labels.dtype.kind == "f":
        gone = np.isnan(labels)
        return int(gone.argmax()) if gone.any() else None
    if labels.dtype.kind != "O":
        return None
    return next((at for at, label in enumerate(labels) if is_missing(label)), None)


def check_present(labels: AnyArray, *, first: int, what: str) -> None:
    """Raise an error that says which label is missing; ``first`` is the number of the first one."""
    at = first_missing(labels)
    if at is not None:
        raise ValueError(
            f"y must not contain missing labels; got {labels.tolist()[at]!r} in {what} "
            f"{first + at} (counted from 0)."
        )


def distinct(labels: AnyArray) -> AnyArray:
    """Return the classes in order; if they cannot be compared, by type, then by repr.

    >>> distinct(np.array(["b", "a", "b"], dtype=object))
    array(['a', 'b'], dtype=object)
    """
    if labels.dtype.kind != "O":
        return np.unique(labels)
    ordered = in_order(list(dict.fromkeys(labels)))
    return np.fromiter(ordered, dtype=object, count=len(ordered))


def count_rows(X: Any, y: AnyArray) -> int:
    """Return the number of rows; raise an error if X and y differ."""
    if isinstance(X, BinnedDataset):
        if X.n_rows != len(y):
            raise ValueError(
                f"y must have one entry for each of the {X.n_rows} rows of X; got {len(y)}."
            )
        return X.n_rows
    check_consistent_length(X, y)
    if len(y) == 0:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    return len(y)


def read_targets(y: Any) -> Floats:
    """Return real targets as floats, finite and small enough to be squared."""
    if y is None:
        raise ValueError(
            "y must hold a target for each row; got None. This estimator "
            "requires y to be passed, but the target y is None."
        )
    targets = check_array(
        column_or_1d(y, warn=True),
        dtype=np.float64,
        ensure_2d=False,
        input_name="y",
    )
    largest = float(np.abs(targets).max(initial=0.0))
    if largest > 1e100:
        raise ValueError(
            f"y must be within -1e100 and 1e100, so that squares do not overflow; got {largest:g}."
        )
    return np.asarray(targets, dtype=np.float64)


def read_weights(sample_weight: Any, n_rows: int) -> Floats:
    """Return sample weights as floats; None stands for ones."""
    rule = "sample_weight must be one finite number >= 0 for each row, not all zero"
    if sample_weight is None:
        return np.broadcast_to(1.0, n_rows)  # one number, read n_rows times
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{rule}; {error}.") from None
    if weights.ndim == 0:
        weights = np.full(n_rows, weights)
    if weights.ndim != 1:
        raise ValueError(f"{rule}; Sample weights must be 1D array or scalar, got {weights.ndim}D.")
    if len(weights) != n_rows:
        raise ValueError(f"{rule}; got {len(weights)} weights for {n_rows} rows.")
    if not np.isfinite(weights).all():
        kind = "NaN" if np.isnan(weights).any() else "infinity"
        raise ValueError(f"{rule}; got {kind}.")
    if (weights < 0).any():
        raise ValueError(f"{rule}; got {float(weights.min())!r}.")
    if not weights.any():
        raise ValueError(f"{rule}; got only zeros.")
    return of_ordinary_size(weights)


def of_ordinary_size(weights: Floats) -> Floats:
    """Scale extreme weights by a power of two, hence exactly, so that no sum over- or underflows.

    Positive weights stay positive; none counts as more than 2^100 repetitions.

    >>> of_ordinary_size(np.array([0.0, 3.0 * 2.0**-200, 2.0**-198]))
    array([0.   , 0.375, 0.5  ])
    """
    exponent = math.frexp(float(weights.max()))[1]
    if abs(exponent) <= 100:
        return weights
    scaled = np.ldexp(weights, (100 if exponent > 100 else 0) - exponent)
    return np.where(weights > 0, np.maximum(scaled, sys.float_info.min), 0.0)
