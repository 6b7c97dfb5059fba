"""The convex hull of the kappa-error diagram (section 3.4), in exact arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from frugalboost._typing import AnyArray, Bools, Floats, Ints
from frugalboost.pruning.kappa import PairTable

Point: TypeAlias = tuple[Fraction, int]

MARGIN = 2.0**-40
"""Coordinates are at most 1 in size and rounded to 2^-53, and the errors of their products and
differences are hardly larger: a point this far inside a triangle of others is surely inside."""


def hull_members(table: PairTable, wrong: Ints) -> Ints:
    """Members of the pairs at the corners of the hull, ascending.

    Parameters
    ----------
    table : PairTable
    wrong : (n_members,), rows that each member gets wrong
    """
    if len(wrong) == 1:
        return np.zeros(1, dtype=np.int64)
    at = hull_pairs(table, wrong)
    return np.unique(np.concatenate([table.first[at], table.second[at]]))


def hull_pairs(table: PairTable, wrong: Ints) -> Ints:
    """Positions of the pairs at corners; several pairs may share one.

    In the order of the hull: by increasing kappa below, then back above.
    """
    both = wrong[table.first] + wrong[table.second]
    far = np.flatnonzero(may_be_corner(table.kappa, both / max(int(both.max()), 1)))
    pairs_at: dict[Point, list[int]] = {}
    for pair in far.tolist():
        kappa = Fraction(int(table.numerators[pair]), int(table.denominators[pair]))
        pairs_at.setdefault((kappa, int(both[pair])), []).append(pair)
    corners = convex_hull(sorted(pairs_at))
    return np.array([pair for corner in corners for pair in pairs_at[corner]], dtype=np.int64)


def may_be_corner(x: Floats, y: Floats) -> Bools:
    """False for points well inside the polygon of the extreme points in eight directions.

    Exact arithmetic is slow, and few of many thousand points are near the hull.
    """
    turns = np.pi / 4 * np.arange(8)
    reach = np.outer(np.cos(turns), x) + np.outer(np.sin(turns), y)
    at = reach.argmax(axis=1)
    inside = np.ones(len(x), dtype=bool)
    for here, there in zip(at, np.roll(at, -1), strict=True):
        if here != there:
            across = (x[there] - x[here]) * (y - y[here]) - (y[there] - y[here]) * (x - x[here])
            inside &= across > MARGIN
    has_area = len(np.unique(at)) > 2
    return ~inside if has_area else np.ones(len(x), dtype=bool)


def convex_hull(points: Sequence[Point]) -> list[Point]:
    """Corners counter-clockwise from the leftmost, of distinct sorted points; none on an edge.

    >>> points = [(0, 0), (1, 0), (1, 1), (2, 0), (2, 2)]
    >>> [(int(x), y) for x, y in convex_hull([(Fraction(x), y) for x, y in points])]
    [(0, 0), (2, 0), (2, 2)]
    """
    if len(points) < 3:
        return list(points)
    lower, upper = chain(points), chain(points[::-1])
    return lower[:-1] + upper[:-1]


def chain(points: Sequence[Point]) -> list[Point]:
    """The points of a chain that always turns left."""
    kept: list[Point] = []
    for point in points:
        while len(kept) > 1 and turn(kept[-2], kept[-1], point) <= 0:
            kept.pop()
        kept.append(point)
    return kept


def turn(a: Point, b: Point, c: Point) -> Fraction:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def count_wrong(votes: AnyArray, labels: Ints) -> Ints:
    """Rows that each member gets wrong."""
    return np.array([np.count_nonzero(vote != labels) for vote in votes], dtype=np.int64)
