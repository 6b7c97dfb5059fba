"""Endless synthetic examples, in batches of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from frugalboost._checks import check_int
from frugalboost._typing import AnyArray, Ints

BLOCK = 8192
"""Rows drawn at a time, however many are requested, so that the rows do not depend on that."""

Table = tuple[AnyArray, Ints]
Draw = Callable[[np.random.Generator], Table]
"""Draws the next `BLOCK` examples."""


@dataclass(frozen=True)
class Batches:
    """Endless batches of examples; iterating again gives the same ones again."""

    draw: Draw
    batch_size: int
    seed: tuple[int, ...]

    def __iter__(self) -> Iterator[Table]:
        blocks = self._blocks()
        left = next(blocks)
        while True:
            parts = [left]
            n = len(left[1])
            while n < self.batch_size:
                parts.append(next(blocks))
                n += BLOCK
            X, y = joined(parts)
            # Copies, as a batch that the caller keeps must not keep its block in memory.
            yield X[: self.batch_size].copy(), y[: self.batch_size].copy()
            left = X[self.batch_size :], y[self.batch_size :]

    def _blocks(self) -> Iterator[Table]:
        random = np.random.default_rng(self.seed)
        while True:
            yield self.draw(random)


def make_batches(draw: Draw, batch_size: Any, random_state: Any) -> Batches:
    """Return the batches, after checking the remaining parameters."""
    size = check_int(batch_size, name="batch_size", low=1)
    return Batches(draw, size, make_seed(random_state))


def first(draw: Draw, n_samples: Any, random_state: Any) -> Table:
    """Return the first examples; beyond these, this needs memory for one block only."""
    n = check_int(n_samples, name="n_samples", low=1)
    batches = iter(Batches(draw, min(n, BLOCK), make_seed(random_state)))
    X, y = next(batches)
    all_X, all_y = np.empty((n, X.shape[1]), X.dtype), np.empty(n, y.dtype)
    for start in range(0, n, BLOCK):
        if start:
            X, y = next(batches)
        rows = slice(start, min(start + BLOCK, n))
        all_X[rows], all_y[rows] = X[: n - start], y[: n - start]
    return all_X, all_y


def joined(parts: list[Table]) -> Table:
    if len(parts) == 1:
        return parts[0]
    X, y = zip(*parts, strict=True)
    return np.concatenate(X), np.concatenate(y)


def make_seed(random_state: Any) -> tuple[int, ...]:
    """Return a seed for NumPy's generators, drawn once."""
    try:
        random = check_random_state(random_state)
    except ValueError:
        raise ValueError(
            "random_state must be None, an integer from 0 to 2**32 - 1 or a "
            f"numpy.random.RandomState; got {random_state!r}."
        ) from None
    return tuple(random.randint(2**31, size=4).tolist())
