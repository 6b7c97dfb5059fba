"""The benchmark of labels runs and prints its figures, here on made-up satellite images."""

from __future__ import annotations

from pathlib import Path

import pytest

from forked import run_module
from small_data import write_satimage

pytestmark = pytest.mark.thorough

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_asking_and_chance_stand_side_by_side(tmp_path):
    write_satimage(tmp_path)
    options = ("efficiency", "--runs", "2", "--data", "satimage")
    result = run_module(BENCHMARKS, "labels", *options, FRUGALBOOST_DATA=str(tmp_path))
    assert result.returncode == 0, result.stderr
    lines = [line for line in result.stdout.splitlines() if line.startswith("|")]
    headings, _, figures = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines)
    found = dict(zip(headings, figures, strict=True))
    assert found["all labels"] == "200"
    assert 0 <= float(found["target error"]) < 0.5
    assert found["asking"].count(",") == found["at random"].count(",") == 1
