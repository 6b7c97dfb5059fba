"""Weights as integers, so that their sums do not depend on the order of addition."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats, Ints, Rows
from frugalboost.native import Grower, GrownNodes
from frugalboost.rules import LeafSums, TreeProblem

GOAL = native.GOAL_BITS
"""A total of classes or votes is scaled to about 2^50 units: rounding n rows costs at most
n * 2^-49 of it, and weights may grow a thousandfold before sums approach the limit of int64."""

LARGEST, SMALLEST = native.LARGEST_BITS, native.SMALLEST_BITS
"""While the total stays between 2^40 and 2^60 the scale is kept, so that a weight that did not
change keeps its integer."""


class Scale(NamedTuple):
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

    def leaf_sums(
        self, sums: Ints, n_rows: int, n_examples: float, sums_of_all: Ints | None = None
    ) -> LeafSums:
        """Turn integer sums (n_leaves, channels) into what a rule judges.

        `sums_of_all` are over all rows if the tree grew on only some of them.
        """
        if sums_of_all is None:
            return LeafSums(self.numbers(sums), n_rows, n_examples)
        return LeafSums(self.numbers(sums_of_all), n_rows, n_examples, self.numbers(sums))

    def numbers(self, sums: Ints) -> Floats:
        """Sums in the units of the problem, (n_leaves, K) or (n_leaves, 2, V)."""
        numbers = native.scale_sums(sums, *self.exponents)
        if self.layout == "classes":
            return numbers
        return numbers.reshape(len(sums), 2, self.n_outputs)


class FixedProblem(NamedTuple):
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
    labels : (n,), of any width
    n_classes : int
    """

    native: native.GrowingWeights
    labels: AnyArray
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

    def grown_by(self, grower: Grower, features: Rows) -> GrownNodes:
        """The nodes of a tree on all rows in the order of the table."""
        return grower.grow_on(self.native, features)


@dataclass(frozen=True)
class RealProblem:
    """Real targets that the core keeps itself, as integers, from round to round.

    Attributes
    ----------
    native : the core's targets
    labels : None, as for every problem of real targets
    """

    native: native.Residuals | native.LogitTargets
    labels: ClassVar[None] = None

    @property
    def scale(self) -> Scale:
        return Scale("real", 1, self.native.exponents)

    @property
    def mass(self) -> Ints:
        """A copy of the integers: see `FixedProblem`."""
        return self.native.mass()

    @property
    def weights(self) -> Ints:
        return self.native.rows()

    def mass_of_every(self, stride: int) -> Ints:
        return self.native.mass(stride)

    @property
    def n_rows(self) -> int:
        return self.native.n_rows

    def grown_by(self, grower: Grower, features: Rows, rows: Rows | None) -> GrownNodes:
        """The nodes of a tree on some rows, None for all in the order of the table."""
        raise NotImplementedError


@dataclass(frozen=True)
class ResidualProblem(RealProblem):
    """Residuals of rows of equal weight.

    A tree subtracts the same integer from all rows of a leaf, so the next root's histograms can be
    put together from those of this tree's leaves.
    """

    native: native.Residuals

    def grown_by(self, grower: Grower, features: Rows, rows: Rows | None) -> GrownNodes:
        return grower.grow_on_residuals(self.native, features, rows)


@dataclass(frozen=True)
class LogitProblem(RealProblem):
    """LogitBoost's residuals and curvatures.

    Attributes
    ----------
    shift : int
        The core's scales are the examples' times ``2**-shift``.
    """

    native: native.LogitTargets
    shift: int = 0

    @property
    def scale(self) -> Scale:
        weight, numerator = self.native.exponents
        return Scale("real", self.native.n_outputs, (weight - self.shift, numerator - self.shift))

    def grown_by(self, grower: Grower, features: Rows, rows: Rows | None) -> GrownNodes:
        return grower.grow_on_targets(self.native, features, rows)


AnyProblem: TypeAlias = FixedProblem | GrowingProblem | RealProblem


class FixedPoint:
    """Turns the problems of successive rounds into integers, keeping the scale while it fits."""

    def __init__(self, n_threads: int = 1) -> None:
        self._n_threads = n_threads
        self._weight_exponent: int | None = None
        # As long as this lives, the memory of a round's arrays is reused for the next round's.
        self._kept_arrays = native.KeptArrays()

    def convert(
        self, problem: TreeProblem, labels: AnyArray | None, n_classes: int
    ) -> FixedProblem:
        """Return the problem in integers; `labels` are class codes, None for regression."""
        if problem.layout == "real":
            return self._convert_real(problem)
        exponent = self._keep_exponent(native.total(by_row(problem.weights), self._n_threads))
        scale = Scale(problem.layout, n_classes, (exponent, exponent))
        if problem.layout == "classes":
            weights = to_fixed(problem.weights, exponent, self._n_threads)
            return FixedProblem(scale, weights[:, np.newaxis], weights, labels)
        fixed, mass = native.votes_to_fixed(problem.weights, exponent, self._n_threads)
        return FixedProblem(scale, fixed, mass, labels)

    def _keep_exponent(self, total: float) -> int:
        self._weight_exponent = kept_exponent(total, self._weight_exponent)
        return self._weight_exponent

    def _convert_real(self, problem: TreeProblem) -> FixedProblem:
        weights, numerators = problem.weights, problem.numerators
        assert numerators is not None
        exponents = native.real_exponents(weights, numerators, self._n_threads)
        fixed, mass = native.real_to_fixed(weights, numerators, *exponents, self._n_threads)
        return FixedProblem(Scale("real", weights.shape[1], exponents), fixed, mass, None)


def kept_exponent(total: float, exponent: int | None) -> int:
    """Keep `exponent` while ``total * 2**exponent`` is in range, else aim for 2**GOAL.

    >>> kept_exponent(1.0, None), kept_exponent(500.0, 49), kept_exponent(5000.0, 49)
    (49, 49, 37)
    """
    if total == 0.0:
        return 0 if exponent is None else exponent
    magnitude = math.frexp(total)[1]
    if exponent is not None and SMALLEST < magnitude + exponent <= LARGEST:
        return exponent
    return GOAL - magnitude


def to_fixed(weights: Floats, exponent: int, n_threads: int = 1) -> Ints:
    """Round to integers, at least 1.

    A weight of zero would remove its row from every histogram, and so from its leaf; one unit is
    already below every rounding bound.
    """
    return native.to_fixed(by_row(weights), exponent, n_threads).reshape(weights.shape)


def by_row(weights: Floats) -> Floats:
    """Weights as (n, V), V being 1 for the layout "classes"."""
    return weights if weights.ndim == 2 else weights[:, np.newaxis]


def class_sums(
    node_of_row: AnyArray, labels: AnyArray, weights: AnyArray, shape: tuple[int, int]
) -> AnyArray:
    """Weight of each class in each node (or leaf), of `shape`; exact for integers.

    >>> class_sums(np.array([2, 0, 2]), np.array([1, 0, 1]), np.array([5, 1, 2]), (3, 2))
    array([[1, 0],
           [0, 0],
           [0, 7]])
    """
    cell = node_of_row.astype(np.int64) * shape[1] + labels
    return sums_by(cell, weights, shape[0] * shape[1]).reshape(shape)


def sums_by(cell: AnyArray, weights: AnyArray, n_cells: int) -> AnyArray:
    """Sum of the weights in each cell; `np.bincount` would add them as floats."""
    sums = np.zeros(n_cells, dtype=weights.dtype)
    np.add.at(sums, cell, weights)
    return sums


def sums_by_leaf(
    problem: AnyProblem, leaf_of_row: AnyArray, n_leaves: int, rows: Rows | None = None
) -> Ints:
    """What a tree's leaf sums would be if it had grown on `rows`, (n_leaves, channels).

    Parameters
    ----------
    problem : of the layouts "classes", "votes" or "real"
    leaf_of_row : (n,) leaf that each row of the table ends in
    n_leaves : int
    rows : row numbers; None: all
    """
    weights, labels = problem.weights, problem.labels
    if rows is not None:
        weights, leaf_of_row = weights[rows], leaf_of_row[rows]
        labels = None if labels is None else labels[rows]
    if labels is None:
        return _totals(weights, leaf_of_row, n_leaves)
    shape = n_leaves, problem.scale.n_outputs
    if problem.scale.layout == "classes":
        return class_sums(leaf_of_row, labels, weights[:, 0], shape)
    own = np.take_along_axis(weights, labels.astype(np.int64)[:, np.newaxis], axis=1)[:, 0]
    plus = class_sums(leaf_of_row, labels, own, shape)
    return np.hstack([_totals(weights, leaf_of_row, n_leaves), plus])


def _totals(weights: Ints, leaf_of_row: AnyArray, n_leaves: int) -> Ints:
    # Column by column: NumPy adds single numbers by index ten times as fast as rows.
    return np.column_stack([sums_by(leaf_of_row, column, n_leaves) for column in weights.T])


def total_weight(scale: Scale, sums: Ints) -> float:
    """Weight of all rows, in integers, from sums by leaf."""
    return float(sums[:, : scale.n_outputs].sum())
