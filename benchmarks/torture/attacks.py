"""All attacks by name."""

from __future__ import annotations

from .attack import Attack
from .exactness import LARGE, TINY

ATTACKS: dict[str, Attack] = {each.name: each for each in (TINY, LARGE)}
