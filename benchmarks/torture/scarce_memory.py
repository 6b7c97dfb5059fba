"""Fits without enough memory: MemoryError, and the next fit is right."""

from __future__ import annotations

import resource
import subprocess
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import frugalboost as fb

from .attack import GIGABYTE, Attack, expect
from .children import run

ROOT = Path(__file__).parents[2]


@cache
def table() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60_000, 20))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


def make(kind: int) -> Any:
    if kind == 0:
        return fb.BoostedTreesClassifier(n_estimators=2, n_jobs=1)
    if kind == 1:
        return fb.BoostedTreesClassifier("adaboost", n_estimators=2, max_depth=3, n_jobs=2)
    if kind == 2:
        return fb.BoostedTreesRegressor(n_estimators=2, n_jobs=2)
    if kind == 3:
        return fb.C45Classifier(min_cases=2000)
    member = fb.FilterBoostClassifier(target_error=0.25, max_rounds=4, sample_constant=50)
    return fb.TandemBoostClassifier(member, target_error=0.6, random_state=0)


KINDS = 5


@cache
def expected(kind: int) -> str:
    """By a process of its own, so that this one has no memory to use again."""
    return run(lambda: fb.digest(make(kind).fit(*table()))).value()


def address_space() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def starved(kind: int, room: int) -> str:
    """A fit with so many bytes more than the process has, and one without a limit."""
    model = make(kind)
    old = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (address_space() + room, old[1]))
    try:
        model.fit(*table())
        outcome = "enough"
    except MemoryError:
        outcome = "MemoryError"
    finally:
        resource.setrlimit(resource.RLIMIT_AS, old)
    return f"{outcome} {fb.digest(model.fit(*table()))}"


def starve(seed: int, number: int, folder: Path) -> Counter[str]:
    rng = np.random.default_rng([6, seed, number])
    kind, room = int(rng.integers(KINDS)), int(10 ** rng.uniform(4, 7.3))
    table()
    right = expected(kind)
    ending = run(partial(starved, kind, room))
    expect(ending.result is not None, f"kind {kind} with {room} bytes: {ending}")
    outcome, digest = ending.value().split()
    expect(digest == right, f"kind {kind} differs after a fit in {room} bytes")
    return Counter({outcome: 1})


PROGRAM = ROOT / "build" / "plain" / "core_tests"
"""The core's own tests without sanitizers; with them, `make sanitize` runs them."""


def run_core(seed: int, number: int, folder: Path) -> Counter[str]:
    """They let every single allocation fail."""
    if not PROGRAM.exists():
        return Counter({"not built": 1})
    ended = subprocess.run([PROGRAM], capture_output=True, text=True, check=False)
    expect(ended.returncode == 0, ended.stdout[-1000:] + ended.stderr[-1000:])
    return Counter({"programs passed": 1})


SCARCE_MEMORY = Attack(
    "scarce memory", "MemoryError, and the next fit is right", starve, memory=16 * GIGABYTE
)
CORE = Attack(
    "core, each allocation",
    "whichever allocation fails, the next result is right",
    run_core,
    share=0.1,
    seconds=900,
    memory=None,
    most=1,
)
