"""Pools of any size: scored in blocks, completely or a random portion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from frugalboost._typing import Floats, Ints
from frugalboost.active.rows import slice_rows
from frugalboost.data import take_rows


def draws(seed: int, number: int) -> np.random.Generator:
    """Return a generator determined by the seed and a number, so no state needs saving."""
    return np.random.default_rng([seed, number])


def portion(n_rows: int, size: int | None, random: np.random.Generator) -> Ints | None:
    """Return random rows to look at, ascending; None for all of them (GAMBLE, section 4)."""
    if size is None or size >= n_rows:
        return None
    return np.sort(random.choice(n_rows, size, replace=False, shuffle=False))


def score_in_blocks(
    X: Any, rows: Ints | None, n_rows: int, block_size: int, score: Callable[[Any], Floats]
) -> Floats:
    """Return one score for each of `rows`, or for all; extra memory is that of one block.

    >>> table = np.arange(6.0).reshape(3, 2)
    >>> score_in_blocks(table, None, 3, 2, lambda block: block.sum(axis=1))
    array([1., 5., 9.])
    """
    n = n_rows if rows is None else len(rows)
    out = np.empty(n)
    for part in blocks(n, block_size):
        block = slice_rows(X, part) if rows is None else take_rows(X, rows[part])
        out[part] = score(block)
    return out


def blocks(n: int, size: int) -> Iterator[slice]:
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))
