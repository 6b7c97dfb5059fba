"""What an attack is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

GIGABYTE = 1 << 30

Problem = Callable[[int, int, Path], Counter[str]]
"""From (seed, number, empty folder) to what was tried; anything that is raised is a failure."""


class Failure(AssertionError):  # noqa: N818
    """A promise that was not kept."""


@dataclass(frozen=True)
class Attack:
    """Numbered problems of one kind.

    Attributes
    ----------
    share : how much of the time it should have, beside the others'
    seconds : after which a problem counts as a hang
    memory : bytes of address space that a batch may have; None: no limit
    most : problems that there are, if they are few
    """

    name: str
    promise: str
    run: Problem
    share: float = 1.0
    seconds: float = 60.0
    memory: int | None = 8 * GIGABYTE
    most: int | None = None


def expect(holds: bool, text: str) -> None:
    """Raise unless a promise was kept."""
    if not holds:
        raise Failure(text)
