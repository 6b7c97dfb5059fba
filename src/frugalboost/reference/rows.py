"""Rows of a node, heaviest first, with what each of them adds to a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from frugalboost._typing import Bools, Ints
from frugalboost.reference.losses import Loss, LossValue


@dataclass(frozen=True)
class WeightedRows:
    """The rows that reached a node.

    `index` numbers them in the training table, `cells` holds what each adds to its bin, and
    `masses` is what the papers sort by, in decreasing order: the weight of a row; for real
    responses its square, the most that the row can still add to the loss of a pure leaf.
    """

    loss: Loss
    index: Ints
    cells: Ints
    masses: Ints

    def __len__(self) -> int:
        return len(self.index)

    @cached_property
    def seen_masses(self) -> list[int]:
        """``Z_0``, ``Z_1`` to ``Z_n``: the mass of the heaviest m rows."""
        return [0, *np.cumsum(self.masses).tolist()]

    @property
    def total_mass(self) -> int:
        return self.seen_masses[-1]

    @cached_property
    def cell(self) -> list[int]:
        return [int(total) for total in self.cells.sum(axis=0)]

    @cached_property
    def leaf_loss(self) -> LossValue:
        return self.loss.leaf(self.cell)

    def take(self, chosen: Bools) -> WeightedRows:
        """Return some of the rows; they stay in order, so a child never sorts."""
        return WeightedRows(self.loss, self.index[chosen], self.cells[chosen], self.masses[chosen])


def heaviest_first(loss: Loss, cells: Ints, masses: Ints) -> WeightedRows:
    """Sort rows by decreasing mass, ties by row number."""
    order = np.argsort(-masses, kind="stable")
    return WeightedRows(loss, order.astype(np.int64), cells[order], masses[order])


def class_rows(criterion: str, labels: Ints, weights: Ints, n_classes: int) -> WeightedRows:
    """Rows of the layout ``classes``: one weight a row, added to its class."""
    cells = np.zeros((len(labels), n_classes), dtype=np.int64)
    cells[np.arange(len(labels)), labels] = weights
    return heaviest_first(Loss("classes", criterion), cells, weights)


def vote_rows(criterion: str, labels: Ints, weights: Ints) -> WeightedRows:
    """Rows of the layout ``votes`` (AdaBoost.MH): K weights a row, "plus" where k is its label."""
    is_plus = labels[:, None] == np.arange(weights.shape[1])
    cells = np.hstack([weights, np.where(is_plus, weights, 0)])
    return heaviest_first(Loss("votes", criterion), cells, weights.sum(axis=1))


def real_rows(weights: Ints, numerators: Ints) -> WeightedRows:
    """Rows of the layout ``real``: K weights and K numerators (weight times response) a row."""
    squares = np.array(
        [square_bound(w, p) for w, p in zip(weights.tolist(), numerators.tolist(), strict=True)],
        dtype=np.int64,
    )
    cells = np.hstack([weights, numerators, squares[:, None]])
    return heaviest_first(Loss("real", "variance"), cells, squares)


def square_bound(weights: Sequence[int], numerators: Sequence[int]) -> int:
    """``sum_k ceil(p_k^2 / w_k)``: an integer, and large enough for Proposition 1.

    >>> square_bound([2, 4], [3, -2])  # 9/2 and 4/4
    6
    """
    return sum(-(-p * p // w) for w, p in zip(weights, numerators, strict=True))
