"""How much a score falls when a column is shuffled, for tables of the kinds that files give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from frugalboost._shares import OnShare, counted, unheard
from frugalboost._typing import Floats, Ints
from frugalboost.cli.training import Examples

REPEATS = 3


def score_falls(
    model: Any, rows: Examples, used: Sequence[int], seed: int, on_share: OnShare = unheard
) -> Floats | None:
    """Mean fall of the accuracy or R2, feature by feature; None for sparse tables.

    Of a feature that no tree uses it is zero.
    """
    if hasattr(rows.X, "tocsr"):
        return None  # to shuffle a column would take as long as to read the table
    draws = np.random.default_rng(seed)
    whole = model.score(rows.X, rows.y)
    falls = np.zeros(rows.X.shape[1])
    for at in counted(used, len(used), on_share):
        for _ in range(REPEATS):
            shuffled = with_shuffled(rows.X, at, draws.permutation(len(rows)))
            falls[at] += (whole - model.score(shuffled, rows.y)) / REPEATS
    return falls


def with_shuffled(X: Any, at: int, order: Ints) -> Any:
    """A table whose column `at` is in another order."""
    if isinstance(X, np.ndarray):
        shuffled = X.copy()
        shuffled[:, at] = X[order, at]
        return shuffled
    return X.set_column(at, X.column_names[at], X.column(at).take(order))
