"""Weights as integers, so that their sums do not depend on the order of addition.

``docs/exactness.md`` shows what the rounding costs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats, Ints, Rows
from frugalboost.rules import LeafSums, TreeProblem

GOAL = 50
"""A total is scaled to about 2^50 units: n rows cost at most n * 2^-49 of it in rounding, and
weights may grow a thousandfold before sums come near the end of int64."""

LARGEST, SMALLEST = 60, 40
"""While the total stays between 2^40 and 2^60 the scale is kept, so that a weight that did not
change keeps its integer."""


@dataclass(frozen=True)
class Scale:
    """What integers stand for.

    Attributes
    ----------
    layout : {"classes", "votes", "real"}
    n_outputs : int
        Classes, or outputs for ``"real"``.
    exponents : of the weights and of the numerators: integer = number * 2**exponent
    """

    layout: str
    n_outputs: int
    exponents: tuple[int, int]

    def leaf_sums(self, sums: Ints, n_rows: int, n_examples: float) -> LeafSums:
        """Turn integer sums (n_leaves, channels) into what a rule judges."""
        weight, numerator = self.exponents
        if self.layout == "classes":
            return LeafSums(np.ldexp(sums, -weight), n_rows, n_examples)
        split = sums.reshape(len(sums), 2, self.n_outputs)
        second = weight if self.layout == "votes" else numerator
        parts = [np.ldexp(split[:, 0], -weight), np.ldexp(split[:, 1], -second)]
        return LeafSums(np.stack(parts, axis=1), n_rows, n_examples)


@dataclass(frozen=True)
class FixedProblem:
    """A tree problem in integers.

    Attributes
    ----------
    scale : Scale
    weights : (n, 1), (n, K) or (n, 2K)
        At least 1 each; for ``"real"`` the numerators follow the weights.
    mass : (n,)
        What a row can add to a loss; rows are read in decreasing order of it.
    labels : (n,) or None
    """

    scale: Scale
    weights: Ints
    mass: Ints
    labels: Rows | None

    def mass_of_every(self, stride: int) -> Ints:
        return np.ascontiguousarray(self.mass[::stride])

    @property
    def n_rows(self) -> int:
        return len(self.mass)


@dataclass(frozen=True)
class GrowingProblem:
    """Weights that the core keeps itself, with what changed since the last tree.

    Attributes
    ----------
    native : the core's weights
    labels : (n,)
    n_classes : int
    """

    native: native.GrowingWeights
    labels: Rows
    n_classes: int

    @property
    def scale(self) -> Scale:
        exponent = self.native.exponent
        return Scale("classes", self.n_classes, (exponent, exponent))

    @property
    def mass(self) -> Ints:
        """A copy of the integers: see `FixedProblem`."""
        return self.native.mass()

    @property
    def weights(self) -> Ints:
        return self.mass[:, np.newaxis]

    def mass_of_every(self, stride: int) -> Ints:
        return self.native.mass(stride)

    @property
    def n_rows(self) -> int:
        return len(self.labels)


AnyProblem: TypeAlias = FixedProblem | GrowingProblem


class FixedPoint:
    """Turns the problems of successive rounds into integers, keeping the scale while it fits."""

    def __init__(self) -> None:
        self._weight_exponent: int | None = None

    def convert(
        self, problem: TreeProblem, labels: AnyArray | None, n_classes: int
    ) -> FixedProblem:
        """Return the problem in integers; `labels` are class codes, None for regression."""
        exponent = self._weight_exponent = kept_exponent(
            float(problem.weights.sum()), self._weight_exponent
        )
        weights = to_fixed(problem.weights, exponent)
        if problem.layout == "classes":
            scale = Scale("classes", n_classes, (exponent, exponent))
            return FixedProblem(scale, weights[:, np.newaxis], weights, labels)
        if problem.layout == "votes":
            scale = Scale("votes", n_classes, (exponent, exponent))
            return FixedProblem(scale, weights, weights.sum(axis=1), labels)
        return self._convert_real(problem, weights, exponent)

    def _convert_real(self, problem: TreeProblem, weights: Ints, exponent: int) -> FixedProblem:
        assert problem.numerators is not None
        # Scaled by a power of two, hence exactly: the squares of tiny or huge targets would leave
        # the range of floats.
        shift = math.frexp(float(np.abs(problem.numerators).max()))[1]
        numerators = np.ldexp(problem.numerators, -shift)
        squares = np.square(numerators) / problem.weights
        # The loss is bounded by the squares, and so, by Cauchy-Schwarz, are the numerators: with
        # total weight and total squares below 2^60, the numerators' total is below 2^60 too.
        loss_exponent = kept_exponent(float(squares.sum()), None)
        numerator_exponent = (loss_exponent + exponent) // 2
        fixed = np.rint(np.ldexp(numerators, numerator_exponent)).astype(np.int64)
        return FixedProblem(
            Scale("real", problem.weights.shape[1], (exponent, numerator_exponent - shift)),
            np.concatenate([weights, fixed], axis=1),
            squares_at_least(fixed, weights),
            None,
        )


def kept_exponent(total: float, exponent: int | None) -> int:
    """Keep `exponent` while ``total * 2**exponent`` is in range, else aim at 2**GOAL.

    >>> kept_exponent(1.0, None), kept_exponent(500.0, 49), kept_exponent(5000.0, 49)
    (49, 49, 37)
    """
    if total == 0.0:
        return 0 if exponent is None else exponent
    magnitude = math.frexp(total)[1]
    if exponent is not None and SMALLEST < magnitude + exponent <= LARGEST:
        return exponent
    return GOAL - magnitude


def to_fixed(weights: Floats, exponent: int) -> Ints:
    """Round to integers, at least 1.

    A weight of zero would take its row out of every histogram, and with it the row from the
    leaf that holds it; one unit is below every rounding bound already.
    """
    rows = weights if weights.ndim == 2 else weights[:, np.newaxis]
    return native.to_fixed(rows, exponent).reshape(weights.shape)


def squares_at_least(numerators: Ints, weights: Ints) -> Ints:
    """Sum over outputs of ``p * p / w``, rounded up: the most a row can add to a variance.

    Not below the true value: else least squares would not be monotone in the rows.
    """
    p = numerators.astype(np.float64)
    # Both conversions of p, that of w, product, quotient and this correction itself round by at
    # most 2^-53 each: six of them, made good by 2^-50, which is eight.
    squares = (p * p / weights) * (1.0 + 2.0**-50)
    return np.asarray(np.ceil(squares).astype(np.int64).sum(axis=1))
