"""The five methods of Ensemble pruning (Margineantu, Dietterich 1997), in the paper's words.

An ensemble is given by its members' predictions for some rows. ``votes[t][i]`` is the class that
member t names for row i. Where votes are counted, ``says[t][i]`` is the vector that member t adds
to the sums of row i: its weight at the class it names (`weighted`), or any numbers for members
that give confidences. Ties go to the lowest class. Fractions are exact, so ties are ties.

Every method returns the members in the order in which they were chosen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

Votes: TypeAlias = Sequence[Sequence[int]]
Says: TypeAlias = Sequence[Sequence[Sequence[Fraction]]]
Members: TypeAlias = list[int]

KAPPA_UNITS = 2**50
"""Sums of kappas are compared in these units, so that they do not depend on the order of terms."""


def early_stopping(n_members: int, n_kept: int) -> Members:
    """Section 3.1: the first members."""
    return list(range(n_members))[:n_kept]


def kl_divergence(p: Sequence[float], q: Sequence[float]) -> float:
    """``D(p || q)`` in bits; infinite if q is zero somewhere p is not.

    >>> kl_divergence([0.5, 0.5], [0.125, 0.5]), kl_divergence([0.5, 0.5], [1.0, 0.0])
    (1.0, inf)
    """
    pairs = [(a, b) for a, b in zip(p, q, strict=True) if a > 0]
    return math.fsum(a * (math.log2(a) - math.log2(b)) if b > 0 else math.inf for a, b in pairs)


def kl_pruning(distributions: Sequence[Sequence[float]], n_kept: int) -> Members:
    """Section 3.2: from h_1 on, the member adding most to the sum of ``D(p_i || p_j)``, i < j."""
    chosen = [0]
    while len(chosen) < n_kept:

        def increase(new: int) -> float:
            pairs = [(min(new, old), max(new, old)) for old in chosen]
            return math.fsum(kl_divergence(distributions[i], distributions[j]) for i, j in pairs)

        chosen.append(first_best(outside(chosen, len(distributions)), lambda t: -increase(t)))
    return chosen


def kappa(a: Sequence[int], b: Sequence[int]) -> Fraction:
    """Agreement beyond chance; 1 where both always name the same single class.

    >>> kappa([0, 0, 1, 1], [0, 1, 1, 1]), kappa([0, 1], [1, 0]), kappa([2, 2], [2, 2])
    (Fraction(1, 2), Fraction(-1, 1), Fraction(1, 1))
    """
    m = len(a)
    classes = {*a, *b}
    agree = Fraction(sum(x == y for x, y in zip(a, b, strict=True)), m)
    by_chance = sum(Fraction(list(a).count(c) * list(b).count(c), m * m) for c in classes)
    return Fraction(1) if by_chance == 1 else (agree - by_chance) / (1 - by_chance)


def kappa_pruning(votes: Votes, n_kept: int) -> Members:
    """Section 3.3: pairs by increasing kappa, ties by number, the lower member of a pair first."""
    pairs = sorted(combinations(range(len(votes)), 2), key=lambda pair: kappa_of(votes, pair))
    chosen = dict.fromkeys(member for pair in pairs for member in pair)
    return (list(chosen) or [0])[:n_kept]


def kappa_of(votes: Votes, pair: tuple[int, int]) -> Fraction:
    return kappa(votes[pair[0]], votes[pair[1]])


Point: TypeAlias = tuple[Fraction, Fraction]


def kappa_error_points(votes: Votes, labels: Sequence[int]) -> dict[tuple[int, int], Point]:
    """The diagram of section 3.4: kappa and mean error of every pair."""
    errors = [
        Fraction(sum(v != y for v, y in zip(vote, labels, strict=True)), len(labels))
        for vote in votes
    ]
    return {
        pair: (kappa_of(votes, pair), (errors[pair[0]] + errors[pair[1]]) / 2)
        for pair in combinations(range(len(votes)), 2)
    }


def is_corner(point: Point, points: Iterable[Point]) -> bool:
    """Whether a point is a corner of the convex hull: not between, nor within, others."""
    others = set(points) - {point}
    return not (
        any(turn(a, b, point) == 0 and is_between(a, b, point) for a, b in combinations(others, 2))
        or any(is_within(triangle, point) for triangle in combinations(others, 3))
    )


def turn(a: Point, b: Point, c: Point) -> Fraction:
    """Positive where a, b, c turn left, zero on a line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def is_between(a: Point, b: Point, c: Point) -> bool:
    return all(min(u, v) <= w <= max(u, v) for u, v, w in zip(a, b, c, strict=True))


def is_within(triangle: tuple[Point, Point, Point], point: Point) -> bool:
    a, b, c = triangle
    turns = [turn(a, b, point), turn(b, c, point), turn(c, a, point)]
    return turn(a, b, c) != 0 and (all(t >= 0 for t in turns) or all(t <= 0 for t in turns))


def hull_pruning(votes: Votes, labels: Sequence[int]) -> Members:
    """Section 3.4: the members of the pairs at the hull's corners; their number is not chosen."""
    points = kappa_error_points(votes, labels)
    corners = [pair for pair, point in points.items() if is_corner(point, points.values())]
    return sorted({member for pair in corners for member in pair}) or [0]


def weighted(votes: Votes, weights: Sequence[float], n_classes: int) -> Says:
    """Weighted votes: a negative weight counts against the class, a zero not at all.

    >>> weighted([[1]], [0.5], n_classes=2)
    [[[Fraction(0, 1), Fraction(1, 2)]]]
    """
    return [
        [[Fraction(weight) * (c == v) for c in range(n_classes)] for v in vote]
        for vote, weight in zip(votes, weights, strict=True)
    ]


def n_wrong(says: Says, labels: Sequence[int], members: Iterable[int]) -> int:
    """Rows whose highest sum, the first of equal ones, is not that of their label."""
    chosen = list(members)
    wrong = 0
    for row, label in enumerate(labels):
        sums = [sum(column) for column in zip(*(says[t][row] for t in chosen), strict=True)]
        wrong += sums.index(max(sums)) != label
    return wrong


def reduce_error_pruning(
    says: Says, labels: Sequence[int], n_kept: int, max_sweeps: int = 100
) -> Members:
    """Section 3.5: the fewest errors of the vote, one member at a time, with backfitting."""

    def errors(members: Members) -> int:
        return n_wrong(says, labels, members)

    first = first_best(range(len(says)), lambda t: errors([t]))
    return backfitted([first], len(says), n_kept, errors, max_sweeps)


def kappa_backfitting(votes: Votes, n_kept: int, max_sweeps: int = 100) -> Members:
    """As section 5 suggests: the least sum of kappas, starting with the pair of the lowest."""
    pairs = {pair: kappa_of(votes, pair) for pair in combinations(range(len(votes)), 2)}
    units = {pair: round(Fraction(float(value)) * KAPPA_UNITS) for pair, value in pairs.items()}

    def sum_of_kappas(members: Members) -> int:
        return sum(units[i, j] for i, j in combinations(sorted(members), 2))

    lowest = sorted(units, key=units.__getitem__)[:1]
    first = [*lowest[0]] if lowest else [0]
    return backfitted(first[:n_kept], len(votes), n_kept, sum_of_kappas, max_sweeps)


def backfitted(
    chosen: Members,
    n_members: int,
    n_kept: int,
    cost: Callable[[Members], float],
    max_sweeps: int,
) -> Members:
    """Grow a set by its best next member; from three on, revisit every choice after each step.

    A member is replaced only by a better one: on ties it stays.
    """
    while len(chosen) < n_kept:
        grown = [*chosen]
        best = first_best(outside(grown, n_members), lambda t: cost([*grown, t]))  # noqa: B023
        chosen = [*chosen, best]
        for _ in range(max_sweeps if len(chosen) > 2 else 0):
            before = list(chosen)
            for place, deleted in enumerate(before):
                rest = [t for t in chosen if t != deleted]
                best = first_best(
                    [deleted, *outside(chosen, n_members)],
                    lambda t: cost([*rest, t]),  # noqa: B023
                )
                chosen[place] = best
            if chosen == before:
                break
    return chosen


def outside(chosen: Iterable[int], n_members: int) -> Members:
    """Members not chosen, ascending."""
    taken = set(chosen)
    return [t for t in range(n_members) if t not in taken]


def first_best(members: Iterable[int], cost: Callable[[int], float]) -> int:
    """Return the first member of lowest cost."""
    return min(members, key=cost)
