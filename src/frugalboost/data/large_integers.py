"""Integers beyond 2^53, which float64 no longer holds one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.data.frames import to_floats
from frugalboost.data.tables import LAST_EXACT, Table

_HINT = "Subtract an offset from the column, or list it in categorical_features."


def check_distinct(table: Table, features: Sequence[int]) -> None:
    """Refuse integers of a feature that would become one value among the floats."""
    for feature in table.with_large_integers(features):
        values = np.unique(table.exact(feature))
        floats = to_floats(values, feature=table.describe(feature), owner=table.owner)
        same = np.flatnonzero(floats[1:] == floats[:-1])
        if len(same):
            one, other = values[same[0] : same[0] + 2].tolist()
            raise ValueError(
                f"{table.owner}: {table.describe(feature)} of X must hold integers that float64 "
                f"tells apart; got {one} and {other}, which it does not. {_HINT}"
            )


def check_sides(table: Table, thresholds: dict[int, Floats]) -> None:
    """Refuse integers that would get to the other side of a feature's thresholds."""
    for feature in table.with_large_integers(list(thresholds)):
        values = np.unique(table.exact(feature))
        # Rounding keeps the order, so only what is rounded down to a threshold changes sides.
        floats = to_floats(values, feature=table.describe(feature), owner=table.owner)
        touching = values[np.isin(floats, thresholds[feature])]
        moved = [value for value in touching.tolist() if value > float(value)]
        if moved:
            raise ValueError(
                f"{table.owner}: {table.describe(feature)} of X must hold integers that float64 "
                f"tells from the model's thresholds; got {moved[0]}, which it does not tell from "
                f"{int(float(moved[0]))}. Subtract an offset from the column before "
                "fit and predict."
            )


def large_thresholds(features: AnyArray, thresholds: Floats) -> dict[int, Floats]:
    """Return the thresholds that an integer may be rounded to, by feature.

    >>> large_thresholds(np.array([0, 1]), np.array([0.5, 1e300]))
    {1: array([1.e+300])}
    """
    is_large = np.isfinite(thresholds) & (np.abs(thresholds) >= LAST_EXACT) & (features >= 0)
    features, thresholds = features[is_large], thresholds[is_large]
    return {int(each): np.unique(thresholds[features == each]) for each in np.unique(features)}
