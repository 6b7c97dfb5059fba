"""Processes that are killed while they write: what has the name is whole, and runs go on."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np

import frugalboost as fb

from .attack import Attack, expect
from .children import run
from .commands import run_stream, small_model, succeed, write_csv


@cache
def models() -> list[object]:
    return [small_model(seed) for seed in range(2)]


@cache
def digests() -> list[str]:
    return [fb.digest(model) for model in models()]


def killed_save(rng: np.random.Generator, folder: Path) -> Counter[str]:
    """One model after the other under one name."""
    path = folder / "model.fboost"
    fb.save(models()[0], path)

    def save_on() -> str:
        while True:
            for model in models():
                fb.save(model, path)

    run(save_on, kill_after=float(rng.uniform(0, 0.06)))
    expect(fb.digest(fb.load(path)) in digests(), "save left another model")
    return Counter({"kills of save": 1})


@cache
def fit_seconds() -> float:
    """Of `fit_once`, to be killed at any of its moments."""
    return float(run(timed_fit).value())


def timed_fit() -> str:
    with tempfile.TemporaryDirectory() as name:
        data = write_csv(Path(name) / "data.csv")
        started = time.perf_counter()
        fit_once(data, Path(name) / "model.fboost")
        return str(time.perf_counter() - started)


def fit_once(data: Path, path: Path) -> str:
    options = ["--target", "y", "--trees", 5, "-j", 1, "--force", "-o", path]
    return succeed("fit", data, *options)


def killed_fit(rng: np.random.Generator, folder: Path) -> Counter[str]:
    """A command that replaces a model."""
    data, path = write_csv(folder / "data.csv"), folder / "model.fboost"
    fb.save(models()[0], path)
    ending = run(lambda: fit_once(data, path), kill_after=fit_seconds() * rng.uniform(0, 1.1))
    model = fb.load(path)
    is_old = fb.digest(model) == digests()[0]
    expect(ending.error is None, f"fit failed: {ending.error}")
    expect(is_old or len(model.estimators_) == 5, "fit left another model")
    return Counter({"kills of fit": 1})


@cache
def whole_run() -> tuple[str, float]:
    """Digest and seconds of a run that nothing disturbs."""
    return tuple_of(run(timed_stream).value())


def tuple_of(text: str) -> tuple[str, float]:
    digest, seconds = text.split()
    return digest, float(seconds)


def timed_stream() -> str:
    with tempfile.TemporaryDirectory() as name:
        data = write_csv(Path(name) / "data.csv")
        started = time.perf_counter()
        digest = run_stream(data, Path(name) / "model.npz", resume=False)
        return f"{digest} {time.perf_counter() - started}"


def killed_stream(rng: np.random.Generator, folder: Path) -> Counter[str]:
    """A run that is killed up to three times and goes on each time."""
    data, path = write_csv(folder / "data.csv"), folder / "model.npz"
    expected, seconds = whole_run()
    n_kills = int(rng.integers(1, 4))
    resumed = 0
    for _ in range(n_kills):
        ending = run(
            lambda: run_stream(data, path, resume=True), kill_after=seconds * rng.uniform(0, 1)
        )
        expect(ending.error is None, f"stream failed: {ending.error}")
        resumed += path.exists()
        if path.exists():
            fb.load(path)
    digest = run(lambda: run_stream(data, path, resume=True)).value()
    expect(digest == expected, f"the resumed run gives {digest}, the whole one {expected}")
    left = sorted(each.name for each in folder.iterdir() if ".work" in each.name)
    expect(not left, f"the resumed run left {left}")
    return Counter({"kills of stream": n_kills, "with a checkpoint": resumed})


WAYS = (killed_save, killed_fit, killed_stream)


def kill(seed: int, number: int, folder: Path) -> Counter[str]:
    rng = np.random.default_rng([3, seed, number])
    return WAYS[int(rng.integers(len(WAYS)))](rng, folder)


KILLS = Attack(
    "kill -9",
    "a file is the old or the new one, whole; a resumed run gives the same model",
    kill,
    share=3,
)
