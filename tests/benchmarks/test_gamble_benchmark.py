"""The benchmark of GAMBLE runs and prints its tables, here on made-up pictures from space."""

from __future__ import annotations

from pathlib import Path

import pytest

from forked import run_module
from small_data import write_satimage

pytestmark = pytest.mark.thorough

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(scope="module", name="lines")
def printed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write_satimage(folder, n_train=320)
    folders = {"FRUGALBOOST_DATA": str(folder), "XDG_CACHE_HOME": str(folder)}
    result = run_module(BENCHMARKS, "gamble", "--quick", **folders)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def cells(lines, first):
    """The first row that begins with this cell."""
    row = next(line for line in lines if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in row.split("|")[1:-1]]


def test_tables_that_are_absent_are_named(lines):
    assert "letter is not there" in lines


def test_everything_that_stands_beside_gamble_has_a_row(lines):
    for model in ("GAMBLE as published", "GAMBLE, 150 leaves", 'AdaBoost.MH (rule "mh")'):
        *shown, seconds = cells(lines, model)[1:]
        assert all(0 <= float(error) < 100 for error in shown)
        assert float(seconds) >= 0


def test_few_rows_have_a_table_of_their_own(lines):
    few = next(at for at, line in enumerate(lines) if "draws of few rows" in line)
    assert all(0 <= float(error) <= 100 for error in cells(lines[few:], "satimage")[2:])
    assert cells(lines[few:], "soybean")[1:] == ["not there"] * 7
