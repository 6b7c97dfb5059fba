"""Damaged checkpoints: each is one ValueError that names the file, or loads and is usable.

    python benchmarks/fuzz_checkpoints.py [--files 2000] [--seed 0]

Each file is a good one, of a table, a stream or a tandem, with an entry, an array or some bytes
changed. Models are read from it, and some of the runs go on. The first that is not treated as it
should be is kept, named, and makes the exit status 1.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import frugalboost as fb
from fuzz_sessions import change_bytes

X = np.random.default_rng(0).normal(size=(300, 3))
Y = np.where(X[:, 0] > 0, "yes", "no")
COLOURS = np.array(["blue", "green", "red"])[np.digitize(X[:, 1], [-0.4, 0.4])]
FRAME = pd.DataFrame({"a": X[:, 0], "b": X[:, 2], "colour": pd.Categorical(COLOURS)})
VALUES: tuple[Any, ...] = (
    *(None, "", "x", [], {}, [1], {"a": 1}, True),
    *(-1, 0, 1, 3, 65_536, 2**40, 10**30, 0.5, float("nan"), float("inf")),
)


SHARE = 0.4
"""Of the files whose model can be read: their runs go on, which takes longer."""

SECONDS = 5
"""After which a file counts as a hang."""

OTHER_TABLE = re.compile("feature names should match")
OTHER_CALL = re.compile("as in the checkpoint|number in the checkpoint|those of the trees so far")
"""What an error says of names in a file other than those of the table to predict, and of parameters
or classes other than those of the call to resume; it need not name the file."""


def member(path: Path, **options: Any) -> Any:
    options = {"sample_constant": 20, "random_state": 0, "n_jobs": 1, "checkpoint": path, **options}
    return fb.FilterBoostClassifier(**options)


def run_table(path: Path, more: int = 0) -> Any:
    return member(path, max_rounds=3 + more).fit(X, Y, resume=more > 0)


def run_stream(path: Path, more: int = 0) -> Any:
    oracle = fb.streams.ArrayOracle(FRAME, Y, random_state=1)
    model = member(path, max_rounds=3 + more, rule="mada", confidence_rated=True)
    return model.fit_stream(oracle, resume=more > 0)


def run_tandem(path: Path, more: int = 0) -> Any:
    estimator = member(
        path,
        target_error=0.35,
        max_rounds=4,
        max_examples=4_700 + 2_500 * more,
        checkpoint_rounds=1,
        random_state=None,
    )
    model = fb.TandemBoostClassifier(estimator, target_error=0.4, random_state=0)
    return model.fit(X, Y, resume=more > 0)


Run = Callable[..., Any]
RUNS: tuple[Run, ...] = (run_table, run_stream, run_tandem)


@cache
def good_file(run: Run) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        run(path)
        return path.read_bytes()


@cache
def contents(run: Run) -> dict[str, Any]:
    with np.load(io.BytesIO(good_file(run))) as archive:
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


def change_entry(rng: np.random.Generator, path: Path, run: Run) -> None:
    arrays = dict(contents(run))
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


def change_array(rng: np.random.Generator, path: Path, run: Run) -> None:
    arrays = dict(contents(run))
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


def change_any_bytes(rng: np.random.Generator, path: Path, run: Run) -> None:
    path.write_bytes(good_file(run))
    change_bytes(rng, path)


CHANGES = (change_entry, change_entry, change_array, change_any_bytes)


def broken(seed: int, number: int, path: Path) -> tuple[Run, bool]:
    """Write one file; return the run that it is of, and whether to go on with it."""
    rng = np.random.default_rng([seed, number])
    run, goes_on = RUNS[rng.integers(len(RUNS))], bool(rng.random() < SHARE)
    goes_on = goes_on or run is run_tandem  # nothing else reads its file
    CHANGES[rng.integers(len(CHANGES))](rng, path, run)
    return run, goes_on


def use(path: Path, run: Run, goes_on: bool) -> None:
    """Read the model, or finish its run, and predict."""
    model = run(path, 2) if goes_on else fb.FilterBoostClassifier.from_checkpoint(path)
    shares = model.predict_proba(FRAME if run is run_stream else X)
    if not (shares.shape == (len(X), 2) and np.isfinite(shares).all()):
        raise AssertionError("the model is not usable: its probabilities are not finite")


def problems(seed: int, number: int, folder: Path) -> str | None:
    """Try one file; return what is wrong with how it was treated."""
    path, started = folder / "run", time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run, goes_on = broken(seed, number, path)
        what = f"{run.__name__}, {'going on' if goes_on else 'read'}: "
        try:
            use(path, run, goes_on)
        except ValueError as problem:
            text = str(problem)
            is_other = OTHER_TABLE.search(text) or (goes_on and OTHER_CALL.search(text))
            if str(path) not in text and not is_other:
                return f"{what}the file is not named: {text}"
        except Exception as problem:
            return what + repr(problem)
    seconds = time.process_time() - started
    return None if seconds < SECONDS else f"{what}it took {seconds:.1f} seconds"


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
