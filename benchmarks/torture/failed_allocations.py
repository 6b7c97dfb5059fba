"""Single allocations of the core fail, in calls of every kind."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np

import fuzz_allocations

from .attack import Attack, expect

MOST = 2000
"""The last allocation of a call that may fail."""
N_TRIED, N_FIRST = 40, 10
"""Allocations of a problem; those of new processes take longer."""


@cache
def library(folder: Path) -> Path:
    return fuzz_allocations.build(folder)


def deny(seed: int, number: int, folder: Path) -> Counter[str]:
    """One call, in a process of its own with another `operator new`."""
    if sys.platform != "linux" or shutil.which("c++") is None:
        return Counter({"needs Linux and a compiler": 1})
    rng = np.random.default_rng([7, seed, number])
    is_first = rng.random() < 0.1
    names = fuzz_allocations.AT_FIRST if is_first else tuple(fuzz_allocations.calls())
    name = str(rng.choice(names))
    # Calls end at the first that they do not reach, so small numbers are more frequent.
    tried = np.exp(rng.uniform(0, np.log(MOST), N_FIRST if is_first else N_TRIED)).astype(int)
    options = [fuzz_allocations.FIRST] if is_first else []
    numbers = sorted(set(tried.tolist()))
    ended = fuzz_allocations.start(library(folder.parent), [name], numbers, *options)
    expect(ended.returncode == 0, f"{name}, {numbers}: {ended.returncode} {ended.stderr[-2000:]}")
    n_denied = int(ended.stdout.split()[0])
    return Counter({"MemoryError": n_denied, "calls without one": int(n_denied == 0)})


FAILED_ALLOCATIONS = Attack(
    "failed allocations",
    "MemoryError, nothing kept, the old model stays, and the next call is right",
    deny,
    seconds=300,
)
