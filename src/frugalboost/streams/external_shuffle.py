"""A uniformly random order of more rows than fit in memory.

Each row goes to one of many files at random, with equal probabilities; then the rows of each file
are permuted in memory. Every order of all rows is equally likely, as each file's share is a
random subset. A file that is still too large is scattered again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from frugalboost._typing import AnyArray

N_FILES = 64


def scatter(records: Iterable[AnyArray], folder: Path, rng: np.random.Generator) -> list[Path]:
    """Write each record to one of the files of a new folder; return the files."""
    folder.mkdir()
    paths = [folder / f"{number}.bin" for number in range(N_FILES)]
    with ExitStack() as stack:
        files = [stack.enter_context(path.open("wb")) for path in paths]
        for part in records:
            which = rng.integers(N_FILES, size=len(part), dtype=np.uint8)
            ordered = part.take(np.argsort(which, kind="stable"))
            ends = np.cumsum(np.bincount(which, minlength=N_FILES)).tolist()
            for file, start, end in zip(files, [0, *ends], ends, strict=False):
                file.write(ordered[start:end].tobytes())
    return paths


def permuted_parts(
    paths: Iterable[Path], record: np.dtype[np.void], limit: int, rng: np.random.Generator
) -> Iterator[AnyArray]:
    """Yield the records of the files in random order, ``limit`` bytes or less; delete the files."""
    for path in paths:
        size = path.stat().st_size
        if size <= max(limit, record.itemsize):
            records = np.fromfile(path, record)
            path.unlink()
            yield records.take(rng.permutation(len(records)))
        else:
            step = max(1, limit // record.itemsize)
            folder = path.with_suffix("")
            smaller = scatter(_parts(path, record, step), folder, rng)
            path.unlink()
            yield from permuted_parts(smaller, record, limit, rng)
            folder.rmdir()


def _parts(path: Path, record: np.dtype[np.void], step: int) -> Iterator[AnyArray]:
    with path.open("rb") as file:
        while len(part := np.fromfile(file, record, step)):
            yield part
