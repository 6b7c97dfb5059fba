"""Choosing the rows of a batch: the most useful, no duplicates, spread out on request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

import numpy as np

from frugalboost._typing import AnyArray, Floats, Ints

ROWS_AT_ONCE = 1024  # rows whose content is compared at a time


def best_first(utilities: Floats, tie_breakers: Floats, first: int) -> Iterator[Ints]:
    """Yield all rows by decreasing utility, ties by `tie_breakers`, in growing pieces.

    A batch is a few rows of a pool of perhaps millions, so only the pieces consumed are sorted.

    >>> pieces = best_first(np.array([1.0, np.inf, 1.0, 5.0]), np.array([0.9, 0.2, 0.1, 0.5]), 2)
    >>> [piece.tolist() for piece in pieces]
    [[1, 3], [2, 0]]
    """
    rest, size = np.arange(len(utilities)), first
    while len(rest):
        falling = -utilities[rest]
        if size < len(rest):
            is_next = falling <= np.partition(falling, size - 1)[size - 1]
        else:
            is_next = np.ones(len(rest), dtype=bool)
        piece = rest[is_next]
        yield piece[np.lexsort((tie_breakers[piece], falling[is_next]))]
        rest, size = rest[~is_next], 4 * size


def first_free(
    pieces: Iterator[Ints],
    n: int,
    keys_of: Callable[[Ints], list[bytes]],
    taken: Collection[bytes],
) -> Ints:
    """Return the first n rows whose content is neither taken nor equal to an earlier row's.

    >>> content = [b"x", b"y", b"x", b"z"]
    >>> first_free(iter([np.arange(4)]), 3, lambda rows: [content[row] for row in rows], {b"y"})
    array([0, 3])
    """
    chosen: dict[bytes, int] = {}
    for piece in pieces:
        for start in range(0, len(piece), ROWS_AT_ONCE):
            rows = piece[start : start + ROWS_AT_ONCE]
            for row, key in zip(rows.tolist(), keys_of(rows), strict=True):
                if key not in taken and key not in chosen:
                    chosen[key] = row
                    if len(chosen) == n:
                        return np.array(list(chosen.values()), dtype=np.int64)
    return np.array(list(chosen.values()), dtype=np.int64)


def spread(distances_from: Callable[[int], Floats], n_points: int, n: int) -> Ints:
    """Return n points, ascending: the first, then always the one farthest from those chosen.

    >>> points = np.array([0.0, 0.1, 5.0, 5.1, 9.0])
    >>> spread(lambda at: np.abs(points - points[at]), 5, 3)
    array([0, 2, 4])
    """
    if n >= n_points:
        return np.arange(n_points)
    chosen = [0]
    nearest = distances_from(0)
    while len(chosen) < n:
        nearest[chosen] = -1.0  # duplicates are at distance zero: never choose one twice
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, distances_from(chosen[-1]))
    return np.sort(np.array(chosen, dtype=np.int64))


def leaf_distances(leaves: AnyArray) -> Callable[[int], Floats]:
    """Return distances between rows: the share of trees that put them in different leaves."""
    return lambda at: np.asarray((leaves != leaves[at]).mean(axis=1))


def score_distances(scores: Floats) -> Callable[[int], Floats]:
    """Return Euclidean distances between the scores of rows."""
    points = scores.reshape(len(scores), -1)
    return lambda at: np.asarray(np.sqrt(((points - points[at]) ** 2).sum(axis=1)))
