"""The command line, called in this process, and data for it."""

from __future__ import annotations

import contextlib
import io
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import frugalboost as fb
from frugalboost.cli import model_rows as _rows  # noqa: F401  (imported before processes are forked)
from frugalboost.cli.app import app
from frugalboost.cli.stream import run as stream

from .attack import Failure


def command(*arguments: Any) -> tuple[int, str]:
    """Its exit status and what it says on standard error."""
    told = io.StringIO()
    with contextlib.redirect_stderr(told), contextlib.redirect_stdout(io.StringIO()):
        try:
            app([str(each) for each in arguments], prog_name="frugalboost")
        except SystemExit as end:
            return int(end.code or 0), told.getvalue()
    return 0, told.getvalue()


def succeed(*arguments: Any) -> str:
    status, told = command(*arguments)
    if status:
        raise Failure(f"{arguments} ended with {status}: {told}")
    return told


@cache
def rows() -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4)).round(2)
    return X, (X[:, 0] + X[:, 1] > 0).astype(int)


def write_csv(path: Path, with_target: bool = True) -> Path:
    X, y = rows()
    names, table = ["a", "b", "c", "d"], X.tolist()
    if with_target:
        names, table = [*names, "y"], [[*x, label] for x, label in zip(table, y, strict=True)]
    path.write_text("\n".join(",".join(map(str, line)) for line in [names, *table]) + "\n")
    return path


def small_model(seed: int, n_estimators: int = 20) -> Any:
    """A model of its own for each seed."""
    X, y = rows()
    model = fb.BoostedTreesClassifier(
        "log", n_estimators=n_estimators, sample_fraction=0.5, random_state=seed, n_jobs=1
    )
    return model.fit(X, y)


def run_stream(data: Path, output: Path, resume: bool) -> str:
    """The digest of a run that leaves a checkpoint after every round."""
    stream.CHECKPOINT_SECONDS = 0.0
    params = {"max_rounds": 40, "max_depth": 2, "sample_constant": 30, "target_error": 0.001}
    options = stream.StreamOptions(data, "y", output, params, shuffle="store", resume=resume)
    return stream.run_stream(options)["digest"]
