"""Damaged checkpoints: each is one ValueError that names the file, or loads and is usable.

    python benchmarks/fuzz_checkpoints.py [--files 2000] [--seed 0]

Each file is a good one with an entry, an array or some bytes changed. The first that is not
treated as it should be is kept, named, and makes the exit status 1.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import frugalboost as fb
from fuzz_sessions import change_bytes

X = np.random.default_rng(0).normal(size=(300, 3))
Y = np.where(X[:, 0] > 0, "yes", "no")
VALUES: tuple[Any, ...] = (
    *(None, "", "x", [], {}, [1], {"a": 1}, True),
    *(-1, 0, 1, 3, 2**40, 10**30, 0.5, float("nan"), float("inf")),
)


@cache
def good_file() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        fb.FilterBoostClassifier(
            max_rounds=3, sample_constant=20, random_state=0, checkpoint=path
        ).fit(X, Y)
        return path.read_bytes()


def contents() -> dict[str, Any]:
    with np.load(io.BytesIO(good_file())) as archive:
        return {name: archive[name] for name in archive.files}


def write(path: Path, arrays: dict[str, Any]) -> None:
    with path.open("wb") as file:
        np.savez(file, **arrays)


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands in nested lists and dictionaries."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for name, each in inside:
        found.append((*above, name))
        if isinstance(each, dict | list):
            found += places(each, (*above, name))
    return found


def change_entry(rng: np.random.Generator, path: Path) -> None:
    arrays = contents()
    meta = json.loads(str(arrays["meta"]))
    every = places(meta)
    *above, name = every[rng.integers(len(every))]
    holder = meta
    for step in above:
        holder = holder[step]
    if rng.random() < 0.1:
        del holder[name]
    else:
        holder[name] = VALUES[rng.integers(len(VALUES))]
    arrays["meta"] = np.array(json.dumps(meta))
    write(path, arrays)


def change_array(rng: np.random.Generator, path: Path) -> None:
    arrays = contents()
    names = sorted(set(arrays) - {"meta"})
    name = names[rng.integers(len(names))]
    kind = rng.integers(4)
    if kind == 0:
        del arrays[name]
    elif kind == 1:
        arrays[name] = arrays[name][: arrays[name].size // 2] if arrays[name].ndim else np.zeros(2)
    elif kind == 2:
        arrays[name] = np.asarray(arrays[name]).astype(["U8", "f4", "i8"][rng.integers(3)])
    elif arrays[name].size and arrays[name].dtype.kind in "iuf":
        flat = arrays[name].reshape(-1).copy()
        flat[rng.integers(flat.size)] = [-1, 0, 100, 127][rng.integers(4)] % 128
        arrays[name] = flat.reshape(arrays[name].shape)
    write(path, arrays)


def broken(seed: int, number: int, path: Path) -> None:
    rng = np.random.default_rng([seed, number])
    path.write_bytes(good_file())
    (change_entry, change_array, change_bytes)[rng.integers(3)](rng, path)


def problems(seed: int, number: int, folder: Path) -> str | None:
    """Try one file; return what is wrong with how it was treated."""
    path = folder / "run"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        broken(seed, number, path)
        try:
            fb.FilterBoostClassifier.from_checkpoint(path).predict_proba(X)
        except ValueError as problem:
            return None if str(path) in str(problem) else f"the file is not named: {problem}"
        except Exception as problem:
            return repr(problem)
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--files", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="fuzz-checkpoints-"))
    for number in range(options.files):
        wrong = problems(options.seed, number, folder)
        if wrong is not None:
            print(f"file {number}, kept as {folder / 'run'}: {wrong}", file=sys.stderr)
            return 1
    print(f"{options.files} files: each refused by name, or usable")
    return 0


if __name__ == "__main__":
    sys.exit(main())
