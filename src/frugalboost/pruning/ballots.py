"""The votes of the members of an ensemble on some rows, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from frugalboost._checks import check_int
from frugalboost._typing import AnyArray, Floats


@dataclass(frozen=True, eq=False)
class WeightedVotes:
    """Every member votes for a class for every row, and its vote has a weight.

    A vote with weight zero does not count, one with a negative weight counts against its class.

    Attributes
    ----------
    votes : (n_members, n_rows), class codes
    weights : (n_members,), finite
    n_classes : int of at least 2

    Examples
    --------
    >>> votes = WeightedVotes.from_arrays([[0, 1, 2], [0, 0, 2]], weights=[1.0, 0.5])
    >>> len(votes.votes), votes.n_rows, votes.n_classes
    (2, 3, 3)
    """

    votes: AnyArray
    weights: Floats
    n_classes: int

    @classmethod
    def from_arrays(cls, votes: Any, weights: Any, n_classes: int | None = None) -> WeightedVotes:
        """Check arrays; if `weights` is None, all are equal.

        >>> ballots = WeightedVotes.from_arrays([[0, 2], [1, 1]], None)
        >>> ballots.n_classes, ballots.weights
        (3, array([1., 1.]))
        """
        codes = check_votes(votes)
        largest = int(codes.max())
        if n_classes is None:
            n_classes = max(largest + 1, 2)
        check_int(n_classes, name="n_classes", low=max(largest + 1, 2))
        return cls(
            codes.astype(np.min_scalar_type(n_classes - 1), copy=False),
            check_weights(weights, len(codes)),
            n_classes,
        )

    def __len__(self) -> int:
        return len(self.votes)

    @property
    def n_rows(self) -> int:
        return int(self.votes.shape[1])


@dataclass(frozen=True, eq=False)
class RealVotes:
    """Every member adds a number to every class of every row, to express how sure it is.

    Attributes
    ----------
    scores : (n_members, n_rows, n_classes), finite

    Examples
    --------
    >>> sure = RealVotes.from_array([[[2.0, -2.0], [0.5, -0.5]], [[-1.0, 1.0], [-1.0, 1.0]]])
    >>> len(sure), sure.n_rows, sure.n_classes
    (2, 2, 2)
    """

    scores: AnyArray

    @classmethod
    def from_array(cls, scores: Any) -> RealVotes:
        """Check an array."""
        array = np.asarray(scores)
        is_fit = array.ndim == 3 and array.dtype.kind in "biuf" and array.size > 0
        if not is_fit or array.shape[2] < 2 or not np.isfinite(array).all():
            got = f"{array.dtype} of shape {array.shape}"
            raise ValueError(
                "scores must be finite numbers of shape (members, rows, classes), with at "
                f"least one member, one row and two classes; got {got}."
            )
        return cls(array)

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def n_rows(self) -> int:
        return int(self.scores.shape[1])

    @property
    def n_classes(self) -> int:
        return int(self.scores.shape[2])

    @property
    def votes(self) -> AnyArray:
        """The class with the highest number, the lowest if tied."""
        code_type = np.min_scalar_type(self.n_classes - 1)
        return np.asarray(self.scores.argmax(axis=2).astype(code_type))


Ballots: TypeAlias = WeightedVotes | RealVotes


def check_votes(votes: Any) -> AnyArray:
    """Return (n_members, n_rows) class codes."""
    codes = np.asarray(votes)
    if codes.ndim != 2 or codes.size == 0 or codes.dtype.kind not in "biu" or codes.min() < 0:
        raise ValueError(
            "votes must be class codes, integers from 0, of shape (members, rows), with at "
            f"least one of each; got {codes.dtype} of shape {codes.shape}."
        )
    return codes


def check_weights(weights: Any, n_members: int) -> Floats:
    """Return one finite number for each member."""
    if weights is None:
        return np.ones(n_members)
    numbers = np.asarray(weights, dtype=np.float64)
    if numbers.shape != (n_members,) or not np.isfinite(numbers).all():
        raise ValueError(
            f"weights must be a finite number for each of the {n_members} members; got {weights!r}."
        )
    return numbers


def check_codes(labels: Any, n_rows: int, n_classes: int) -> AnyArray:
    """Return a class code for each row."""
    codes = np.asarray(labels)
    is_fit = codes.shape == (n_rows,) and codes.dtype.kind in "biu"
    if not is_fit or codes.min() < 0 or codes.max() >= n_classes:
        raise ValueError(
            f"labels must be a class code from 0 to {n_classes - 1} for each of the "
            f"{n_rows} rows; got {labels!r}."
        )
    return codes.astype(np.int64)
