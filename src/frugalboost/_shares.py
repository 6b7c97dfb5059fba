"""How far a long piece of work is: functions that are told the share of it that is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

OnShare: TypeAlias = Callable[[float], None]
"""Is called now and then, with numbers from 0 to 1 that do not fall."""

Item = TypeVar("Item")


def unheard(share: float) -> None:
    """Where nobody asks."""


def part_of(on_share: OnShare, start: float, end: float) -> OnShare:
    """For a part of the work: its share is told as one of the whole.

    >>> part_of(print, 0.5, 1.0)(0.5)
    0.75
    """
    return lambda share: on_share(start + (end - start) * share)


def counted(items: Iterable[Item], n_items: int, on_share: OnShare) -> Iterator[Item]:
    """The items, each of which is done when the next one is asked for.

    >>> list(counted("ab", 2, print))
    0.5
    1.0
    ['a', 'b']
    """
    for number, item in enumerate(items, start=1):
        yield item
        on_share(number / n_items)
