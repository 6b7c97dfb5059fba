"""Which features and rows a round looks at: LazyBoost, StochasticBoost, Weight-Trimming."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from frugalboost._typing import Ints
from frugalboost.reference.rows import WeightedRows
from frugalboost.reference.splits import Column

Subset: TypeAlias = Callable[
    [int, Sequence[Column], WeightedRows], tuple[Sequence[Column], WeightedRows]
]
"""Maps the round's number, all features and all rows to those that a tree is grown on."""


def everything(
    number: int, columns: Sequence[Column], rows: WeightedRows
) -> tuple[Sequence[Column], WeightedRows]:
    return columns, rows


def lazy(columns: Sequence[Column], features: Ints) -> list[Column]:
    """Return the columns; those that are not among `features` have no split to offer."""
    drawn = set(features.tolist())
    return [
        column
        if feature in drawn
        else replace(column, codes=column.codes * 0, n_bins=1, has_missing=False)
        for feature, column in enumerate(columns)
    ]


def sampled(rows: WeightedRows, chosen: Ints) -> WeightedRows:
    """Return the rows whose numbers are among `chosen`."""
    return rows.take(np.isin(rows.index, chosen))


def trimmed(rows: WeightedRows, share: float) -> WeightedRows:
    """The smallest m-subset with ``Z_m / Z >= share``.

    >>> from frugalboost.reference.rows import class_rows
    >>> rows = class_rows("error", np.array([0, 1, 0]), np.array([1, 6, 3]), n_classes=2)
    >>> trimmed(rows, 0.9).index
    array([1, 2])
    """
    wanted = share * rows.total_mass
    m = next(m for m, seen in enumerate(rows.seen_masses) if seen >= wanted)
    return rows.take(np.arange(len(rows)) < m)
