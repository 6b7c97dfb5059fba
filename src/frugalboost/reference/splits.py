"""The splits that a feature offers to a node, from the sums of its bins, in tie order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from frugalboost._typing import AnyArray, Bools, Ints
from frugalboost.reference.losses import Cell, LossValue


@dataclass(frozen=True)
class Column:
    """A binned feature: `codes` in 0..n_bins-1, and n_bins for a missing value."""

    codes: AnyArray
    n_bins: int
    has_missing: bool = False
    is_categorical: bool = False

    @property
    def n_codes(self) -> int:
        return self.n_bins + self.has_missing


@dataclass(frozen=True)
class Stump:
    """A split and its loss.

    Numeric: codes <= `bin` go left. Categorical: the codes in `categories` go left. The
    missing value, and a category not seen in training, goes left if `missing_left`.
    """

    loss: LossValue
    feature: int
    bin: int | None
    categories: tuple[int, ...] | None
    missing_left: bool

    def goes_left(self, column: Column) -> Bools:
        codes = np.asarray(column.codes)
        values_left = (
            codes <= self.bin if self.categories is None else np.isin(codes, self.categories)
        )
        is_missing = codes == column.n_bins
        return np.where(is_missing, self.missing_left, values_left).astype(np.bool_)

    def with_unknown(self, column: Column, codes: AnyArray, n_left: int) -> Stump:
        """Also route the values that the node's rows, with these `codes`, lack.

        Missing values, if absent from the node, follow the larger side, left if both are
        equal; absent categories go the way of missing values.
        """
        present = set(np.unique(codes).tolist())
        larger_is_left = 2 * n_left >= len(codes)
        missing_left = self.missing_left if column.n_bins in present else larger_is_left
        if self.categories is None:
            return replace(self, missing_left=missing_left)
        absent = set(range(column.n_bins)) - present if missing_left else set()
        categories = tuple(sorted(absent.union(self.categories)))
        return replace(self, missing_left=missing_left, categories=categories)


@dataclass(frozen=True)
class Candidate:
    """A way to divide the bins: the cell and the row count of the left side, and what goes left."""

    left: Cell
    n_left: int
    bin: int | None
    categories: tuple[int, ...] | None
    missing_left: bool


def numeric_candidates(column: Column, sums: Ints, counts: Ints) -> Iterator[Candidate]:
    """Every threshold, lowest bin first; at each, missing values right before left.

    The last threshold sends all values left. It separates missing values and, without missing
    rows on the right, is no split; it is offered all the same because a lower bound may use it.
    """
    left = np.cumsum(sums[: column.n_bins], axis=0)
    n_left = np.cumsum(counts[: column.n_bins])
    for bin_, (cell, n) in enumerate(zip(left, n_left, strict=True)):
        yield Candidate(cell.tolist(), int(n), bin_, None, missing_left=False)
        if column.has_missing:
            with_missing = (cell + sums[-1]).tolist()
            yield Candidate(with_missing, int(n + counts[-1]), bin_, None, missing_left=True)


def categorical_candidates(
    column: Column, sums: Ints, counts: Ints, layout: str
) -> Iterator[Candidate]:
    """Prefixes of the node's categories in increasing order of their share.

    A missing value is one more category, the last among ties. For two classes and for one
    real response the best subset is a prefix (Breiman et al. 1984, theorem 4.5). Otherwise
    one order per output is tried, lowest output first: a choice, not a theorem.
    """
    present = [code for code in range(column.n_codes) if counts[code] > 0]
    cells = {code: sums[code].tolist() for code in present}
    for output in scanned_outputs(layout, sums.shape[1]):
        order = sorted(present, key=lambda code: (share(layout, cells[code], output), code))
        left, n_left = np.zeros_like(sums[0]), 0
        for size, code in enumerate(order, start=1):
            left = left + sums[code]
            n_left += int(counts[code])
            goes_left = sorted(order[:size])
            yield Candidate(
                left.tolist(),
                n_left,
                None,
                tuple(code for code in goes_left if code < column.n_bins),
                missing_left=column.n_bins in goes_left,
            )


def scanned_outputs(layout: str, n_channels: int) -> range:
    """The outputs whose share orders the categories; for two classes, class 1 alone."""
    if layout == "classes":
        return range(1, 2) if n_channels == 2 else range(n_channels)
    return range(n_channels // 2)


def share(layout: str, cell: Cell, output: int) -> Fraction:
    """Share of a class, or mean of an output, without rounding: ties must be ties."""
    if layout == "classes":
        return Fraction(cell[output], sum(cell))
    n_outputs = len(cell) // 2
    return Fraction(cell[n_outputs + output], cell[output])


def prefix_is_best(layout: str, n_channels: int) -> bool:
    """Whether Breiman's theorem holds, so that the best prefix is the best of all subsets."""
    return len(scanned_outputs(layout, n_channels)) == 1
