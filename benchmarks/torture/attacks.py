"""All attacks by name."""

from __future__ import annotations

from .attack import Attack
from .broken_files import CSV, MODELS, OTHERS
from .exactness import LARGE, TINY
from .failed_allocations import FAILED_ALLOCATIONS
from .full_disk import FULL_DISK
from .interrupts import INTERRUPTS
from .kills import KILLS
from .scarce_memory import CORE, SCARCE_MEMORY

ATTACKS: dict[str, Attack] = {
    each.name: each
    for each in (
        TINY,
        LARGE,
        MODELS,
        CSV,
        *OTHERS,
        KILLS,
        FULL_DISK,
        INTERRUPTS,
        SCARCE_MEMORY,
        FAILED_ALLOCATIONS,
        CORE,
    )
}
