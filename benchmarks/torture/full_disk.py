"""No room for a file: the error names it, the old one is as it was, and no draft is left."""

from __future__ import annotations

import resource
import signal
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import frugalboost as fb

from .attack import Attack, expect
from .children import run
from .commands import command, run_stream, small_model, write_csv
from .kills import models

Write = Callable[[Path, Path, Path], str]


def save(data: Path, model: Path, path: Path) -> str:
    fb.save(small_model(5, 60), path)
    return ""


def fit(data: Path, model: Path, path: Path) -> str:
    return told("fit", data, "--target", "y", "-j", 1, "--force", "-o", path)


def predict(data: Path, model: Path, path: Path) -> str:
    new = data.with_name("new.csv")
    return told("predict", model, new, "--force", "-o", path.with_suffix(".csv"))


def export(data: Path, model: Path, path: Path) -> str:
    return told("export", model, "--force", "-o", path.with_suffix(".c"))


def stream(data: Path, model: Path, path: Path) -> str:
    return run_stream(data, path, resume=False)


def told(*arguments: object) -> str:
    """Raises what a command says when it fails."""
    status, text = command(*arguments)
    if status == 1:
        raise OSError(text)
    expect(status == 0, f"{arguments} ended with {status}: {text}")
    return text


WAYS: dict[str, tuple[Write, str]] = {
    "save": (save, "old.fboost"),
    "fit": (fit, "old.fboost"),
    "predict": (predict, "old.csv"),
    "export": (export, "old.c"),
    "stream": (stream, "old.fboost"),
}


def within(limit: int, write: Write, data: Path, model: Path, path: Path) -> str:
    """Write with files of at most `limit` bytes; returns what went wrong."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        write(data, model, path)
    except OSError as problem:
        return f"error: {problem}"
    return "written"


def fill(seed: int, number: int, folder: Path) -> Counter[str]:
    rng = np.random.default_rng([4, seed, number])
    name = list(WAYS)[int(rng.integers(len(WAYS)))]
    write, file = WAYS[name]
    data, model, path = write_csv(folder / "data.csv"), folder / "model", folder / "old.fboost"
    write_csv(folder / "new.csv", with_target=False)
    fb.save(models()[0], model)
    old = folder / file
    old.write_bytes(b"old")
    limit = int(10 ** rng.uniform(0, 4.5))
    before = {each.name for each in folder.iterdir()}
    text = run(partial(within, limit, write, data, model, path)).value()
    left = {each.name for each in folder.iterdir()} - before
    expect(not left, f"{name} with {limit} bytes left {sorted(left)}; {text}")
    if text == "written":
        expect(old.read_bytes() != b"old", f"{name} with {limit} bytes wrote nothing")
        return Counter({"fitted in": 1})
    is_old = old.read_bytes() == b"old"
    if name == "stream" and not is_old:
        fb.load(old)  # an earlier checkpoint, which had room
    else:
        expect(is_old, f"{name} with {limit} bytes changed the old file")
    is_named = old.name in text or "old.fboost.work" in text
    expect(is_named, f"{name} with {limit} bytes does not name the file: {text}")
    return Counter({f"{name} refused": 1})


FULL_DISK = Attack(
    "full disk", "the error names the file, the old one stays, no draft is left", fill
)
