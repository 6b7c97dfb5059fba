"""The benchmark of the defaults: its figures, and that it says when LightGBM is missing."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def defaults(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("defaults")


def test_it_writes_both_tables(defaults, tmp_path):
    pytest.importorskip("lightgbm")
    names = ["make_friedman1", "make_regression"]
    assert defaults.main(["--quick", "--output", str(tmp_path), "--only", *names]) == 0
    results = json.loads((tmp_path / "defaults.json").read_text("utf-8"))["results"]
    assert [result["name"] for result in results] == names
    for result in results:
        ours, theirs = result["scores"]["squared error"]
        assert result["ratios"]["squared error"] == ours / theirs
    text = (tmp_path / "defaults.md").read_text("utf-8")
    assert text.startswith("## Regression")
    assert all(f"| {name} | 1,000 |" in text for name in names)


def test_without_lightgbm_it_says_so(defaults, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    assert defaults.main(["--quick"]) == 2
    assert "LightGBM is missing" in capsys.readouterr().out


def test_tables_that_are_not_available_are_left_out(defaults, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("FRUGALBOOST_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert list(defaults.run(["iris", "flights3m"], quick=True)) == []
    assert capsys.readouterr().out.count("not available") == 2


def result(defaults, **changes):
    given = {
        "name": "one",
        "n_train": 10,
        "n_test": 5,
        "n_splits": 1,
        "n_classes": 2,
        "scores": {"error": [0.2, 0.1], "log loss": [0.3, 0.3]},
        "seconds": [1.0, 2.0],
        "sign": 0.01,
    }
    return defaults.Result(**(given | changes))


def test_every_goal_that_is_missed_is_named(defaults):
    rows = [result(defaults), result(defaults, name="two", seconds=[3.0, 2.0], sign=0.5)]
    lines = list(defaults.judge(rows, ["error", "log loss"]))
    assert lines == [
        "error: mean ratio 2.000, goal at most 1.0: **missed**",
        "error: tables above 1.15: one (2.00), two (2.00, not told from chance)",
        "log loss: mean ratio 1.000, goal at most 1.05",
        "log loss: tables above 1.15: none",
        "time: tables above 1.0: two (1.50)",
    ]


def test_the_sign_test_looks_at_rows_that_differ_only(defaults):
    ours = np.repeat([0.0, 1.0], [10, 90])
    assert defaults.sign_test(ours, np.ones(100)) == pytest.approx(2 * 0.5**10)
    assert defaults.sign_test(ours, ours) == 1.0
