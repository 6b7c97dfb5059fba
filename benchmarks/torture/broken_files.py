"""Broken and hostile files of every kind: refused with one error, or read, in bounds."""

from __future__ import annotations

import importlib
import importlib.util
import random
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import fuzz_csv
import fuzz_loader
from frugalboost.saving.model_file import to_bytes

from .attack import Attack, Failure, expect

PROMISE = "refused with one clear error, or read, in little time and memory"


@cache
def good_models() -> list[bytes]:
    files = [to_bytes(model) for model in fuzz_loader.models()]
    tracemalloc.start()
    return files


def model_file(seed: int, number: int, folder: Path) -> Counter[str]:
    tally = fuzz_loader.Tally()
    fuzz_loader.measured(number, good_models(), tally, seed)
    return Counter({name.split(":")[0]: count for name, count in tally.outcomes.items()})


def csv_file(seed: int, number: int, folder: Path) -> Counter[str]:
    name, content = fuzz_csv.broken(random.Random(f"{seed} {number}"))
    path = folder / name
    path.write_bytes(content)
    started = time.process_time()
    try:
        fuzz_csv.read(path)
        outcome = "read"
    except (ValueError, OSError):
        outcome = "refused"
    expect(time.process_time() - started < fuzz_csv.SLOW, "it took too long")
    return Counter({outcome: 1})


def by_module(name: str, seed: int, number: int, folder: Path) -> Counter[str]:
    """Of a module with a function ``problems(seed, number, folder)``, which returns None or what is
    wrong."""
    problems: Callable[[int, int, Path], str | None] = importlib.import_module(name).problems
    text = problems(seed, number, folder)
    if text is not None:
        raise Failure(text)
    return Counter({"tried": 1})


def is_there(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


MODELS = Attack("model files", PROMISE, model_file, share=2)
CSV = Attack("CSV files", PROMISE, csv_file)
OTHERS = [
    Attack(name, PROMISE, partial(by_module, module))
    for name, module in (("sessions", "fuzz_sessions"), ("checkpoints", "fuzz_checkpoints"))
    if is_there(module)
]
