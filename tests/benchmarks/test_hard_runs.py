"""Runs of the tests under hard conditions: which they are, and that a red one is noticed."""

from __future__ import annotations

import importlib
import itertools
import os
import random
import sys
from pathlib import Path

import pytest

from conftest import shuffled

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="users and sessions are of Unix"),
    pytest.mark.thorough,
]

FAILS = """
import os

def test_passes():
    assert os.environ["FRUGALBOOST_TEST_ORDER"] == "8"

def test_fails():
    raise AssertionError("broken")
"""


@pytest.fixture
def hard_runs(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    module = importlib.import_module("hard_runs")
    monkeypatch.setattr(module, "LOGS", tmp_path / "logs")
    yield module
    sys.modules.pop("hard_runs")


def test_eight_runs_have_every_combination(hard_runs):
    runs = [hard_runs.Conditions.of_run(number) for number in range(1, 9)]
    found = {(run.busy, run.full_tmp, run.other_user) for run in runs}
    assert found == set(itertools.product([False, True], repeat=3))


def test_the_easiest_run_has_the_slow_tests_as_well(hard_runs, tmp_path):
    runs = [hard_runs.Conditions.of_run(number) for number in range(1, 9)]
    assert [run.is_easy for run in runs] == [False] * 7 + [True]
    commands = [hard_runs.pytest_command(2, tmp_path, run.is_easy, ()) for run in runs]
    assert ["-m" in command[3:] for command in commands] == [False] * 7 + [True]


def test_twenty_runs_differ_in_all_but_order(hard_runs):
    runs = [str(hard_runs.Conditions.of_run(number)) for number in range(1, 21)]
    assert len({run.rpartition(", order")[0] for run in runs}) == 20


def test_variables_of_languages_do_not_pass(hard_runs, monkeypatch, tmp_path):
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.setenv("LC_CTYPE", "de_DE.UTF-8")
    first, second = (
        hard_runs.environment(hard_runs.Conditions.of_run(number), tmp_path) for number in (1, 2)
    )
    assert not {"LANG", "LC_CTYPE", "LC_ALL"} & set(first)
    assert second["LC_ALL"] == "C"
    assert first["TZ"] != second["TZ"]


def test_a_red_run_is_counted_and_its_log_stays(hard_runs, monkeypatch, tmp_path, capsys):
    (tmp_path / "test_red.py").write_text(FAILS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.setattr(hard_runs, "CHECKOUT", tmp_path)
    # Other plugins take longer to import than two tests to run.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "xdist.plugin")
    # Run 8 is as this process is but for its order, language and time zone.
    assert hard_runs.main(["--runs", "1", "--first", "8", "--workers", "1"]) == 1
    printed = capsys.readouterr().out
    assert "order 8): 1 passed, 1 failed," in printed
    assert "0 of 1 green" in printed
    assert "broken" in (tmp_path / "logs" / "run-08.log").read_text()
    assert hard_runs.main(["--runs=1", "--first=8", "--workers=1", "--", "-k", "passes"]) == 0
    assert "1 of 1 green" in capsys.readouterr().out
    assert not list((tmp_path / "logs").iterdir())


class Item:
    def __init__(self, nodeid):
        self.nodeid = nodeid


def test_files_and_their_tests_are_shuffled():
    items = [Item(f"{file}.py::test_{test}") for file in "abcd" for test in range(4)]
    first, again, other = (shuffled(items, random.Random(seed)) for seed in ("1", "1", "2"))
    assert first == again
    assert sorted(map(id, first)) == sorted(map(id, items))
    assert first not in (items, other)
    files = [item.nodeid[0] for item in first]
    assert len(list(itertools.groupby(files))) == 4
