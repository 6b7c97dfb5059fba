"""The fewest rows on which every stump of a feature is bad enough, as a linear program.

Rows with the same code and label are wrong for the same stumps, so it only matters how many of them
are taken; those of equal weight are one variable. A stump divides the codes at a cut and predicts a
class on either side, so its loss is a loss on the left plus a loss on the right, and both follow
from sums over prefixes of the codes: the size of the program grows with the feature's codes, not
with its stumps.

Weights are in units of the loss that must be reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from scipy import sparse

from frugalboost._typing import AnyArray, Bools, Floats, Ints


class Groups(NamedTuple):
    """Rows of one code, label and weight: how many there are, and what each weighs."""

    codes: Ints
    labels: Ints
    weights: Ints
    counts: Ints

    @classmethod
    def from_rows(cls, codes: AnyArray, labels: Ints, weights: Ints) -> Groups:
        table = np.column_stack([codes.astype(np.int64), labels, weights])
        kinds, counts = np.unique(table, axis=0, return_counts=True)
        return cls(kinds[:, 0], kinds[:, 1], kinds[:, 2], counts)

    def sums(self, taken: Ints, n_codes: int, n_classes: int) -> Ints:
        """Exact weight by code and class when this many rows of each group are taken."""
        sums = np.zeros((n_codes, n_classes), dtype=np.int64)
        np.add.at(sums, (self.codes, self.labels), self.weights * taken)
        return sums


class Prices(NamedTuple):
    """Multipliers of stumps: their total, and by code and label the total of those stumps that get
    such a row wrong."""

    total: float
    by_kind: Floats


class Cover(Protocol):
    """The losses of a feature's stumps, in terms of the weight taken of each kind of row.

    Auxiliary variables follow the weights by (code, label). The constraints are
    ``matrix @ [weights, auxiliaries] >= right``.
    """

    @property
    def n_auxiliaries(self) -> int: ...

    @property
    def matrix(self) -> sparse.csr_array: ...

    @property
    def right(self) -> Floats: ...

    def prices(self, multipliers: Floats) -> Prices:
        """Non-negative multipliers of stumps that come nearest to those of the rows of `matrix`;
        any such multipliers give a bound."""


@dataclass(frozen=True)
class NumberCover:
    """A numeric feature: every cut, including one-sided ones, with any class on either side.

    The auxiliaries are, for each cut, the least loss on the left and on the right.
    """

    n_bins: int
    has_missing: bool
    n_classes: int

    @cached_property
    def goes_left(self) -> Bools:
        """By cut and code; missing values may go to either side."""
        cuts = np.arange(self.n_bins) < np.arange(self.n_bins + 1)[:, np.newaxis]
        if not self.has_missing:
            return cuts
        sides = [np.column_stack([cuts, np.full(len(cuts), side)]) for side in (False, True)]
        return np.concatenate(sides)

    @property
    def n_auxiliaries(self) -> int:
        return 2 * len(self.goes_left)

    @cached_property
    def matrix(self) -> sparse.csr_array:
        n_cuts, K = len(self.goes_left), self.n_classes
        is_wrong = ~np.eye(K, dtype=bool)
        blocks = []
        for side, goes in enumerate((self.goes_left, ~self.goes_left)):
            # The loss if class k is predicted, minus the auxiliary, for every k and cut.
            losses = [np.kron(goes, is_wrong[k]) for k in range(K)]
            auxiliary = sparse.eye_array(n_cuts, self.n_auxiliaries, k=side * n_cuts)
            blocks += [[sparse.csr_array(loss.astype(float)), -auxiliary] for loss in losses]
        both = sparse.hstack([sparse.eye_array(n_cuts), sparse.eye_array(n_cuts)])
        nothing = sparse.csr_array((n_cuts, self.goes_left.shape[1] * K))
        return sparse.csr_array(sparse.block_array([*blocks, [nothing, both]]))

    @property
    def right(self) -> Floats:
        n_cuts = len(self.goes_left)
        return np.repeat([0.0, 1.0], [2 * self.n_classes * n_cuts, n_cuts])

    def prices(self, multipliers: Floats) -> Prices:
        n_cuts, K = len(self.goes_left), self.n_classes
        by_side = np.maximum(multipliers[: 2 * K * n_cuts], 0.0).reshape(2, K, n_cuts)
        total = by_side.sum(axis=1)  # of each side and cut
        agreed = total.min(axis=0)  # a stump has both sides
        by_side = (
            by_side
            * np.divide(agreed, total, out=np.zeros_like(total), where=total > 0)[:, np.newaxis]
        )
        # A row of label y is wrong wherever another class is predicted.
        wrong = by_side.sum(axis=1, keepdims=True) - by_side
        sides = np.stack([self.goes_left, ~self.goes_left]).astype(float)
        return Prices(float(agreed.sum()), np.einsum("skc,scb->bk", wrong, sides))


@dataclass(frozen=True)
class CategoryCover:
    """A categorical feature of two classes: every set of categories may go left, so each category
    loses the lighter of its classes. The auxiliaries are these losses."""

    n_codes: int

    @property
    def n_auxiliaries(self) -> int:
        return self.n_codes

    @cached_property
    def matrix(self) -> sparse.csr_array:
        n = self.n_codes
        loss = -sparse.eye_array(n)
        cells = sparse.eye_array(2 * n, format="csr")  # weight by code and class, class by class
        total = sparse.csr_array(np.repeat([0.0, 1.0], [2 * n, n])[np.newaxis])
        by_class = [sparse.hstack([cells[k::2], loss]) for k in range(2)]
        return sparse.csr_array(sparse.vstack([*by_class, total]))

    @property
    def right(self) -> Floats:
        return np.repeat([0.0, 1.0], [2 * self.n_codes, 1])

    def prices(self, multipliers: Floats) -> Prices:
        by_class = np.maximum(multipliers[: 2 * self.n_codes], 0.0).reshape(2, self.n_codes)
        total = by_class.sum(axis=0)
        agreed = float(total.min())  # a stump loses something at every category
        share = np.divide(by_class, total, out=np.zeros_like(by_class), where=total > 0)
        return Prices(agreed, agreed * share.T)
