"""Broken and hostile model files: the loader refuses them with one error, and nothing else happens.

    python benchmarks/fuzz_loader.py [--files 100000] [--first 0]

Each file is a good one with bits flipped, its end cut off, bytes put in, another header or other
arrays; half of them have a right checksum, as a file of someone who means harm would. What still
loads must predict. Prints how many were refused and for what, the slowest file, and the most
memory that one took for its size. File number n is the same in every run.
"""

from __future__ import annotations

import argparse
import copy
import json
import signal
import sys
import time
import tracemalloc
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

import frugalboost as fb
from frugalboost.saving.container import (
    CHECKSUM,
    KEY,
    LEAST_ROOM,
    ROOM_PER_BYTE,
    BrokenFileError,
    checksum,
)
from frugalboost.saving.model_file import from_bytes, to_bytes

Change = Callable[[np.random.Generator, bytes], bytes]

NUMBERS = (-1, 0, 1, 2, 63, 64, 2**15, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 2**64)
FLOATS = (np.nan, np.inf, -np.inf, -0.0, 1e308, 5e-324)
NOTES: tuple[Any, ...] = (
    *(None, True, False, "", "object", "|O", "<U1", "<U999999999", "x" * 5000, [], {}, [[]]),
    *(0, -1, 2, 2**31, 2**63, 10**30, 0.5, 1e308, {"is": "list"}, {"is": "float", "value": "1"}),
    *(
        "BoostedTreesClassifier",
        "OneAgainstAllClassifier",
        {"is": "estimator"},
        {"is": "generator"},
    ),
)
SECONDS = 20
"""After which a file counts as a hang."""


def models() -> list[Any]:
    """A small fitted model of each kind, with names, categories and labels of several kinds."""
    rng = np.random.default_rng(0)
    X = rng.integers(6, size=(120, 4)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    kinds = np.arange(120) % 3
    words = np.array(["no", "yes", "é"])[kinds]
    small = {"n_estimators": 4, "max_depth": 3, "categorical_features": [1]}
    stumps = fb.BoostedTreesClassifier("gentle", n_estimators=2, max_depth=1)
    random = np.random.RandomState(0)
    member = fb.FilterBoostClassifier(target_error=0.25, max_rounds=2, sample_constant=5)
    told = fb.BoostedTreesRegressor(**small).fit(X, kinds * 1.0)
    told.training_ = {"digest": fb.digest(told), "target": "y", "scores": {"rmse": 0.5}}
    return [
        told,
        fb.BoostedTreesClassifier("real", **small).fit(X, words),
        fb.BoostedTreesClassifier("adaboost", random_state=random, **small).fit(X, kinds > 0),
        fb.BoostedTreesRegressor(early_stopping=True, **small).fit(X, kinds * 1.0),
        fb.C45Classifier("bagging", n_estimators=2, categorical_features=[1], random_state=0).fit(
            X, words
        ),
        fb.FilterBoostClassifier(sample_constant=5, random_state=0).partial_fit(X, words),
        fb.GambleClassifier(**small).fit(X, words.astype(object)),
        fb.OneAgainstAllClassifier(stumps).fit(X, kinds),
        fb.PrunedEnsembleClassifier(stumps, n_estimators=1, random_state=0).fit(X, words),
        fb.TandemBoostClassifier(member, target_error=0.6, random_state=0).fit(X, kinds > 0),
    ]


def flip_bits(rng: np.random.Generator, content: bytes) -> bytes:
    changed = bytearray(content)
    for at in rng.integers(len(content), size=rng.integers(1, 9)).tolist():
        changed[at] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def cut_off(rng: np.random.Generator, content: bytes) -> bytes:
    return content[: rng.integers(len(content))]


def put_in(rng: np.random.Generator, content: bytes) -> bytes:
    at, until = np.sort(rng.integers(len(content), size=2)).tolist()
    junk = rng.bytes(int(rng.integers(1, 200)))
    ways = (
        content[:at] + junk + content[at:],
        content[:at] + content[until:],
        content[:at] + content[at:until] * 2 + content[until:],
        content[:at] + bytes(until - at) + content[until:],
    )
    return ways[rng.integers(len(ways))]


def change_length(rng: np.random.Generator, content: bytes) -> bytes:
    """Another length of the header."""
    lengths = (0, 1, 2**63, 2**64 - 1, len(content), len(content) - 8, len(content) - 7, 10**8)
    return int(lengths[rng.integers(len(lengths))]).to_bytes(8, "little") + content[8:]


def crowd_header(rng: np.random.Generator, content: bytes) -> bytes:
    """A header with as much in it as its size allows."""
    n = int(rng.integers(1, 30_000 if rng.random() < 0.02 else 1_000))
    values = ("[],", "{},", '"ab",', "0,", "1e1,", "[[", '{"a":', "9" * 50 + ",")
    text = '{"format":1,"model":[' + values[rng.integers(len(values))] * n + "0]}"
    if rng.random() < 0.5:
        return sign(text, load_arrays(content))
    arrays = ",".join(f'"{i}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}' for i in range(n))
    raw = ('{"__metadata__":{},' + arrays + "}").encode()
    return len(raw).to_bytes(8, "little") + raw


def change_arrays(rng: np.random.Generator, content: bytes) -> bytes:
    """Other values, types, shapes or names of arrays, with a right checksum."""
    text, arrays = parts_of(content)
    names = sorted(arrays)
    for _ in range(int(rng.integers(1, 4))):
        name = names[rng.integers(len(names))]
        arrays[name] = changed_array(rng, arrays[name])
        if rng.random() < 0.05:
            arrays[names[rng.integers(len(names))]] = arrays[name]
    if rng.random() < 0.05:
        del arrays[names[rng.integers(len(names))]]
    return sign(text, arrays)


def changed_array(rng: np.random.Generator, array: Any) -> Any:
    way = rng.random()
    if way < 0.75 and array.size:
        array = array.copy()
        flat = array.reshape(-1)
        at = rng.integers(flat.size, size=rng.integers(1, 4))
        if array.dtype.kind == "f":
            flat[at] = rng.choice(FLOATS)
        else:
            flat[at] = np.array(int(NUMBERS[rng.integers(11)])).astype(array.dtype)
        return array
    if way < 0.85:
        return array.astype(rng.choice(["float64", "int64", "uint8", "bool", "int32", "float16"]))
    if way < 0.95:
        return array[: rng.integers(len(array) + 1)]
    return array.reshape(1, *array.shape)


def change_header(rng: np.random.Generator, content: bytes) -> bytes:
    """Other notes, with a right checksum."""
    text, arrays = parts_of(content)
    header = json.loads(text)
    for _ in range(int(rng.integers(1, 4))):
        place, name = somewhere(rng, header)
        if rng.random() < 0.2:
            del place[name]
        else:
            # A copy: the next change may go into it, and the next file begins anew.
            place[name] = copy.deepcopy(NOTES[rng.integers(len(NOTES))])
        if not header:
            break
    return sign(json.dumps(header), arrays)


def somewhere(rng: np.random.Generator, header: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """A note, any depth down."""
    place = header
    while True:
        name = sorted(place)[rng.integers(len(place))]
        if not (isinstance(place[name], dict) and place[name]) or rng.random() < 0.1:
            return place, name
        place = place[name]


def parts_of(content: bytes) -> tuple[str, dict[str, Any]]:
    length = int.from_bytes(content[:8], "little")
    text = json.loads(content[8 : 8 + length])["__metadata__"][KEY]
    arrays = load_arrays(content)
    del arrays[CHECKSUM]
    return text, arrays


def sign(text: str, arrays: dict[str, Any]) -> bytes:
    """A file with a right checksum."""
    arrays = {name: np.ascontiguousarray(each) for name, each in arrays.items() if name != CHECKSUM}
    arrays[CHECKSUM] = np.frombuffer(checksum(text, arrays), dtype=np.uint8)
    return bytes(save_arrays(arrays, metadata={KEY: text}))


BLIND: tuple[Change, ...] = (flip_bits, cut_off, put_in, change_length, crowd_header)
SIGNED: tuple[Change, ...] = (change_arrays, change_header)


def broken_file(number: int, good: list[bytes], seed: int = 7) -> bytes:
    """File number so and so."""
    rng = np.random.default_rng([seed, number])
    # Not by the number itself: a process may be given every second one.
    ways = SIGNED if rng.random() < 0.5 else BLIND
    return ways[rng.integers(len(ways))](rng, good[rng.integers(len(good))])


@dataclass
class Tally:
    """What happened to the files."""

    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int] = (0.0, -1)
    hungriest: tuple[float, int] = (0.0, -1)

    def note(self, number: int, outcome: str, seconds: float, share: float) -> None:
        self.outcomes[outcome] += 1
        self.slowest = max(self.slowest, (seconds, number))
        self.hungriest = max(self.hungriest, (share, number))


def try_file(content: bytes) -> str:
    """Load, and predict with what loads; anything but a refusal is raised."""
    try:
        model = from_bytes(content)
    except BrokenFileError as problem:
        return "refused: " + str(problem).split("(")[0].split("'")[0][:40]
    X = np.full((3, model.n_features_in_), np.nan)
    X[0], X[1] = 1e300, np.inf
    try:
        model.predict(X)
        model.feature_importances_  # noqa: B018
    except (TypeError, ValueError):
        return "loaded with bad parameters"  # such as n_jobs, which scikit-learn checks when used
    return "loaded"


def room_for(content: bytes) -> int:
    """Bytes that loading may take."""
    return max(LEAST_ROOM, ROOM_PER_BYTE * len(content))


def measured(number: int, good: list[bytes], tally: Tally, seed: int = 7) -> None:
    """Try one file; raise unless it was refused, or loaded, in little time and memory."""
    content = broken_file(number, good, seed)
    signal.alarm(SECONDS)
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    started = time.process_time()
    outcome = try_file(content)
    seconds = time.process_time() - started
    signal.alarm(0)
    share = (tracemalloc.get_traced_memory()[1] - before) / room_for(content)
    if share > 1:
        raise MemoryError(f"file {number} took {share:.2f} of the memory that it may take")
    tally.note(number, outcome, seconds, share)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # leaves of 1e308 overflow
    good = [to_bytes(model) for model in models()]
    tally = Tally()
    tracemalloc.start()
    for number in range(options.first, options.first + options.files):
        try:
            measured(number, good, tally)
        except Exception:
            print(f"file {number} was not refused as it should be", file=sys.stderr)
            raise
        if (number + 1) % 10_000 == 0:
            print(f"{number + 1} files", file=sys.stderr, flush=True)
    for outcome, count in tally.outcomes.most_common():
        print(f"{count:8d}  {outcome}")
    print(f"slowest: {tally.slowest[0]:.3f} s (file {tally.slowest[1]})")
    print(
        f"most memory: {tally.hungriest[0]:.2f} of ten times the file or {LEAST_ROOM:,} bytes "
        f"(file {tally.hungriest[1]})"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
