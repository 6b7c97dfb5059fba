"""Losses of a cell: the cost of a leaf with these exact integer sums.

A *cell* is the sum over some rows of what each row adds, as integers:

- ``classes``: ``[w_0 .. w_{K-1}]``, the weight of each class;
- ``votes``: ``[T_0 .. T_{K-1}, P_0 .. P_{K-1}]``, total and "plus" weight of each output;
- ``real``: ``[W_0 .. W_{K-1}, P_0 .. P_{K-1}, Q]``, weights, numerators, bound on the squares.
  The sum of squared errors is Q less a gain. Q is the same for all splits of a node, so a loss is
  minus the gain; the rows not looked at may still gain their Q (`Loss.unseen`).

Every loss here is superadditive, ``loss(a + b) >= loss(a) + loss(b)``, which is all that
Proposition 1 needs (docs/exactness.md). To add a criterion: write its cell loss below, prove
it superadditive, enter it in the tables, and `tests/reference/test_reference_losses.py` tests it.

The order of the floating-point operations is part of the specification: the compiled core
follows it and the tests compare with ``==``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Cell: TypeAlias = Sequence[int]
LossValue: TypeAlias = "int | float"

ROUND_OFF = 2.0**-53


def add_up(terms: Iterable[float]) -> float:
    """Sum from left to right.

    Not the built-in ``sum``: since Python 3.12 it compensates for rounding, so its result
    would differ from the compiled core's and between Python versions.
    """
    total = 0.0
    for term in terms:
        total += term
    return total


def classes_error(cell: Cell) -> int:
    """Weight outside the heaviest class.

    >>> classes_error([3, 5, 1])
    4
    """
    return sum(cell) - max(cell)


def classes_gini(cell: Cell) -> float:
    """Weight times Gini impurity.

    >>> classes_gini([3, 5, 0])
    3.75
    """
    total = sum(cell)
    if total == 0:
        return 0.0
    return add_up(float(w) * float(total - w) for w in cell) / float(total)


def classes_entropy(cell: Cell) -> float:
    """Weight times entropy in nats; log1p keeps nearly pure cells accurate.

    >>> round(classes_entropy([4, 4]), 4)
    5.5452
    """
    total = sum(cell)
    return add_up(float(w) * math.log1p(float(total - w) / float(w)) for w in cell if w > 0)


def classes_z(cell: Cell) -> float:
    """Schapire and Singer's normaliser; one class against the rest when there are more than two.

    >>> classes_z([4, 9])
    12.0
    """
    if len(cell) == 2:
        return 2.0 * math.sqrt(float(cell[0]) * float(cell[1]))
    total = sum(cell)
    return add_up(2.0 * math.sqrt(float(w) * float(total - w)) for w in cell)


def two_class_error(minus: int, plus: int) -> int:
    return min(minus, plus)


def two_class_gini(minus: int, plus: int) -> float:
    total = minus + plus
    return ((2.0 * float(minus)) * float(plus)) / float(total) if total else 0.0


def two_class_entropy(minus: int, plus: int) -> float:
    return classes_entropy((minus, plus))


def two_class_z(minus: int, plus: int) -> float:
    return classes_z((minus, plus))


def real_gain(cell: Cell) -> float:
    """How much a leaf at its weighted means reduces the sum of squares: sum of P^2 / W.

    >>> real_gain([2, 6, 10])  # weight 2, numerator 6, squares 10
    18.0
    """
    n_outputs = (len(cell) - 1) // 2
    weights, numerators = cell[:n_outputs], cell[n_outputs:-1]
    return add_up(
        (float(p) * float(p)) / float(w) for w, p in zip(weights, numerators, strict=True) if w > 0
    )


# The variance of the class codes is a positive multiple of Gini, so it chooses the same splits.
CLASSES: dict[str, Callable[[Cell], LossValue]] = {
    "error": classes_error,
    "gini": classes_gini,
    "variance": classes_gini,
    "entropy": classes_entropy,
    "z": classes_z,
}
VOTES: dict[str, Callable[[int, int], LossValue]] = {
    "error": two_class_error,
    "gini": two_class_gini,
    "variance": two_class_gini,
    "entropy": two_class_entropy,
    "z": two_class_z,
}
# How much a loss can grow per unit of added weight. The others have no such number:
# the slopes of the square root and the logarithm are infinite at zero.
GROWTH = {"error": 1, "gini": 2, "variance": 2}


@dataclass(frozen=True)
class Loss:
    """One criterion on one layout.

    >>> Loss("classes", "error").split([3, 1], [0, 5])
    1
    """

    layout: str
    criterion: str

    def __post_init__(self) -> None:
        allowed = {"classes": [*CLASSES], "votes": [*VOTES], "real": ["variance"]}
        if self.criterion not in allowed.get(self.layout, []):
            raise ValueError(
                f"Loss: layout and criterion must be one of {allowed}; "
                f"got {self.layout!r} and {self.criterion!r}."
            )

    def leaf(self, cell: Cell) -> LossValue:
        """Loss of a node that stays a leaf."""
        if self.layout == "classes":
            return CLASSES[self.criterion](cell)
        if self.layout == "real":
            return -real_gain(cell)
        return self._votes(cell)

    def split(self, left: Cell, right: Cell) -> LossValue:
        """Loss of a split: what its two leaves cost."""
        if self.layout == "real":
            return -(real_gain(left) + real_gain(right))
        return self.leaf(left) + self.leaf(right)

    def finest(self, cells: Sequence[Cell]) -> LossValue:
        """Loss if every bin were a leaf of its own; no grouping of the bins can be cheaper."""
        if self.layout == "real":
            return -add_up(map(real_gain, cells))
        if self.criterion == "error":
            return sum(map(self.leaf, cells))
        return add_up(map(self.leaf, cells))

    def unseen(self, mass: int) -> LossValue:
        """The lowest that the loss of rows of this mass can be."""
        return -float(mass) if self.layout == "real" else 0

    def slack(self, node: Cell, n_finest: int = 0) -> LossValue:
        """By how much two computed losses of this node can be in the wrong order.

        Zero for the error, which is an integer. `n_finest` is the number of cells that a
        `finest` bound adds up, 0 if there is none. Derived in docs/exactness.md, section 3.
        """
        if self.criterion == "error":
            return 0
        n_channels = len(node) - (self.layout == "real")
        size = float(node[-1]) if self.layout == "real" else float(self.leaf(node))
        return 4.0 * (n_channels + n_finest + 16) * ROUND_OFF * size

    def grown(self, loss: LossValue, weight: int) -> LossValue:
        """The most that `loss` can become when rows of this weight are added; may be infinite."""
        if self.layout == "real" or self.criterion not in GROWTH:
            return math.inf
        return loss + GROWTH[self.criterion] * weight

    def _votes(self, cell: Cell) -> LossValue:
        n_outputs = len(cell) // 2
        two_class = VOTES[self.criterion]
        terms = [
            two_class(total - plus, plus)
            for total, plus in zip(cell[:n_outputs], cell[n_outputs:], strict=True)
        ]
        return sum(terms) if self.criterion == "error" else add_up(terms)
