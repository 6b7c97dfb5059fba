"""Kill a run at random moments, let it go on, and compare the models."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHILD = """
import sys
import frugalboost as fb
from frugalboost.datasets import make_majority
X, y = make_majority(200_000, random_state=0)
model = fb.FilterBoostClassifier(
    max_depth=2, max_rounds=600, random_state=0, checkpoint=sys.argv[1], checkpoint_rounds=20
)
print("fitting", flush=True)
print(fb.digest(model.fit(X, y, resume=True)))
"""


def start(path: Path) -> subprocess.Popen[str]:
    """A run that goes on from the checkpoint if it is there; returns when it has begun to fit."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "fitting\n"
    return child


def finish(path: Path) -> str:
    return start(path).communicate()[0].strip()


def measure(quick: bool) -> list[tuple[str, str]]:
    n_kills = 3 if quick else 20
    moments = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        whole = finish(Path(folder) / "whole.npz")
        seconds = time.perf_counter() - started
        equal = resumed = 0
        for kill in range(n_kills):
            path = Path(folder) / f"{kill}.npz"
            child = start(path)
            time.sleep(moments.uniform(0, 0.9 * seconds))
            os.kill(child.pid, signal.SIGKILL)
            child.communicate()
            resumed += path.exists()
            equal += finish(path) == whole
    return [
        ("killed and resumed with the same digest", f"{equal} of {n_kills}"),
        ("of these with a checkpoint to go on from", f"{resumed}"),
    ]
