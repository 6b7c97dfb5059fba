"""The benchmark of labels runs and prints its figures, here on made-up satellite images."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from small_data import write_satimage

pytestmark = pytest.mark.thorough

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "labels.py"


def test_asking_and_chance_stand_side_by_side(tmp_path):
    write_satimage(tmp_path)
    result = subprocess.run(
        [sys.executable, SCRIPT, "efficiency", "--runs", "2", "--data", "satimage"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "FRUGALBOOST_DATA": str(tmp_path)},
    )
    assert result.returncode == 0, result.stderr
    lines = [line for line in result.stdout.splitlines() if line.startswith("|")]
    headings, _, figures = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines)
    found = dict(zip(headings, figures, strict=True))
    assert found["all labels"] == "200"
    assert 0 <= float(found["target error"]) < 0.5
    assert found["asking"].count(",") == found["at random"].count(",") == 1
