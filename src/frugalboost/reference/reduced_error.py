"""Reduced-error pruning (Quinlan 1987): a subtree is removed where a leaf does no worse."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeAlias

Leaves: TypeAlias = tuple[int, ...]
"""The nodes that a pruning turns into leaves, from left to right: they identify the pruning."""


def best_pruning(
    left: Sequence[int], right: Sequence[int], loss_as_leaf: Sequence[float], node: int = 0
) -> tuple[float, Leaves]:
    """Return the least held-out loss of any pruning of the tree below `node`, and its leaves.

    Bottom-up: once both children are pruned as well as can be, the node stays inner only if that
    is less than its loss as a leaf. Ties become leaves: only a larger tree needs a reason.

    Parameters
    ----------
    left, right : children of each node, -1 at a leaf
    loss_as_leaf : loss on the held-out rows in each node if it were a leaf

    >>> left, right = [1, -1, -1], [2, -1, -1]
    >>> best_pruning(left, right, [3, 1, 1]), best_pruning(left, right, [2, 1, 1])
    ((2, (1, 2)), (2, (0,)))
    """
    as_leaf = loss_as_leaf[node], (node,)
    if left[node] < 0:
        return as_leaf
    below = [best_pruning(left, right, loss_as_leaf, child) for child in (left[node], right[node])]
    loss = below[0][0] + below[1][0]
    return as_leaf if as_leaf[0] <= loss else (loss, below[0][1] + below[1][1])


def all_prunings(left: Sequence[int], right: Sequence[int], node: int = 0) -> Iterator[Leaves]:
    """Yield every pruning of the tree below `node`, the whole tree included, by its leaves.

    >>> list(all_prunings([1, -1, 3, -1, -1], [2, -1, 4, -1, -1]))
    [(0,), (1, 2), (1, 3, 4)]
    """
    yield (node,)
    if left[node] >= 0:
        children = (all_prunings(left, right, child) for child in (left[node], right[node]))
        for first, second in product(*children):
            yield first + second
