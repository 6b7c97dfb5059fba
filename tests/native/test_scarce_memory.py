"""Whichever allocation of the core fails, a call raises MemoryError and the next one is right."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COMPILER = shutil.which("c++")

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="needs LD_PRELOAD"),
    pytest.mark.skipif(COMPILER is None, reason="needs a compiler"),
]

# All of the first, in which calls set out, and a sample of the others.
NUMBERS = [*range(1, 50), *range(50, 400, 37)]


def test_every_call_survives_a_failed_allocation(tmp_path):
    library = tmp_path / "failing_new.so"
    source = str(HERE / "failing_new.cpp")
    command = [str(COMPILER), "-O1", "-shared", "-fPIC", "-o", str(library), source, "-ldl"]
    subprocess.run(command, check=True)
    ended = subprocess.run(
        [sys.executable, str(HERE / "scarce_calls.py"), str(library), *map(str, NUMBERS)],
        env={**os.environ, "LD_PRELOAD": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    n_denied = [int(line.split()[-1]) for line in ended.stdout.splitlines()]
    assert len(n_denied) > 20
    assert min(n_denied) > 0
