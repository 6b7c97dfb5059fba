"""The benchmark of memory runs and prints its figures, here on made-up flights."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.thorough

pytest.importorskip("typer")
pytest.importorskip("pyarrow")

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

# A new process, whose memory is its own; a smaller tree and fewer rounds than --quick.
SMALLER = """
from dataclasses import replace
import stream_memory as benchmark
less = {"depth": 3, "rounds": 8, "sample_constant": 500}
benchmark.QUICK = [replace(case, **less) for case in benchmark.QUICK]
benchmark.main()
"""


def test_it_sets_both_models_side_by_side(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 100, size=(6_000, 3)).astype(np.int16)
    delay = (X[:, 0] - 70 + rng.integers(-20, 20, size=len(X))).astype(np.int16)
    names = np.array(["hour", "day", "distance"])
    np.savez(tmp_path / "flights3m.npz", X=X, y_delay=delay, feature_names=names)
    result = subprocess.run(
        [sys.executable, "-c", SMALLER, "--quick"],
        cwd=BENCHMARKS,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "FRUGALBOOST_DATA": str(tmp_path)},
    )
    if "--memory-limit must be at least" in result.stderr:
        pytest.skip("the libraries of this environment leave no room below the limit")
    assert result.returncode == 0, result.stderr
    lines = [line for line in result.stdout.splitlines() if line.startswith("|")]
    headings, _, figures = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines)
    found = dict(zip(headings, figures, strict=True))
    assert found["below"] == "yes"
    assert 0 < float(found["log loss, stream"]) < 0.5
    assert 0 < float(found["log loss, batch"]) < 0.5
