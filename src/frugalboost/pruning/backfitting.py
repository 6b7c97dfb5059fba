"""Growing a set one member at a time, and revisiting every choice after each step (section 3.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from frugalboost._progress import OnShare, ignore_progress
from frugalboost._typing import Ints

MAX_SWEEPS = 100
"""The paper's limit on iterations after each step."""

NEVER = np.iinfo(np.int64).max


class Search(Protocol):
    """A set of members, and what it would cost with one more."""

    def add(self, member: int) -> None: ...

    def remove(self, member: int) -> None: ...

    def costs(self) -> Ints:
        """Cost of the set with each member added, (n_members,): lower is better."""


def backfit(
    search: Search,
    start: list[int],
    n_kept: int,
    max_sweeps: int = MAX_SWEEPS,
    on_share: OnShare = ignore_progress,
) -> list[Ints]:
    """Return the best set found of each size up to `n_kept`, members in the order chosen.

    Ties go to the lowest number; a member is replaced only by a better one.

    Parameters
    ----------
    search : an empty set
    start : members to begin with; their prefixes are the sets of the smaller sizes
    n_kept : int of at least 1
    on_share : called with the share of the tries made so far
    """
    chosen = start[:n_kept]
    for member in chosen:
        search.add(member)
    sets = [np.array(chosen[: size + 1]) for size in range(len(chosen))]
    while len(chosen) < n_kept:
        costs = search.costs()
        costs[chosen] = NEVER
        chosen.append(int(costs.argmin()))
        search.add(chosen[-1])
        if len(chosen) > 2:
            revisit(search, chosen, max_sweeps, lambda n: on_share(share(len(chosen), n, n_kept)))
        on_share(share(len(chosen), len(chosen), n_kept))
        sets.append(np.array(chosen))
    return sets


def share(size: int, n_tried: int, n_kept: int) -> float:
    """Share of the tries of all sizes, if each member of each set is revisited once.

    Some sizes take a second sweep, but with many members each try has less to count.

    >>> share(2, 2, n_kept=3), share(3, 3, n_kept=3), share(3, 7, n_kept=3)
    (0.5, 1.0, 1.0)
    """
    n_before = size * (size - 1) // 2
    return (n_before + min(n_tried, size)) / (n_kept * (n_kept + 1) // 2)


def revisit(
    search: Search, chosen: list[int], max_sweeps: int, on_try: Callable[[int], None]
) -> None:
    """Replace members, in place, until none can be replaced by a better one.

    The last one has just been chosen as the best addition to the others, so once all others in a
    row have stayed, it would stay too: a sweep need not be finished.
    """
    n_best = 1
    for n_tried, place in enumerate([*range(len(chosen))] * max_sweeps):
        if n_best == len(chosen):
            return
        on_try(n_tried)
        best = best_instead(search, chosen, place)
        n_best = n_best + 1 if best == chosen[place] else 1
        chosen[place] = best


def best_instead(search: Search, chosen: list[int], place: int) -> int:
    deleted = chosen[place]
    search.remove(deleted)
    costs = search.costs()
    as_it_was = costs[deleted]
    costs[chosen] = NEVER
    best = int(costs.argmin())
    if costs[best] >= as_it_was:
        best = deleted
    search.add(best)
    return best
