"""One whole number behind all that an oracle draws, so that its state stays small."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray


def seed_of(random_state: Any, *, owner: str) -> int:
    """Return a seed: the number given, one from the generator given, or any.

    >>> seed_of(7, owner="Oracle")
    7
    """
    if random_state is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    is_number = isinstance(random_state, Integral) and not isinstance(random_state, bool)
    if is_number and random_state >= 0:
        return int(random_state)
    raise ValueError(
        f"{owner}: random_state must be None, an integer >= 0 or a generator of numpy; "
        f"got {random_state!r}."
    )


def permuted(n: int, *key: int) -> AnyArray:
    """Return the numbers below ``n`` in an order that the key determines, in 32 bits if they fit.

    >>> permuted(4, 0, 1).tolist(), permuted(4, 0, 2).tolist()
    ([3, 0, 2, 1], [2, 1, 0, 3])
    """
    order = np.arange(n, dtype=np.uint32 if n < 2**32 else np.int64)
    np.random.default_rng(key).shuffle(order)
    return order


def repeated(n: int, *key: int) -> AnyArray:
    """Return ``n`` independent draws of the numbers below ``n``, determined by the key."""
    dtype = np.uint32 if n < 2**32 else np.int64
    return np.random.default_rng(key).integers(n, size=n, dtype=dtype)
