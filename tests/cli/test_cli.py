from __future__ import annotations

import json
import subprocess
import sys

import pytest

import frugalboost
from frugalboost.cli import main

typer = pytest.importorskip("typer")
pytest.importorskip("rich")

from typer.testing import CliRunner  # noqa: E402

from frugalboost.cli.app import app  # noqa: E402
from frugalboost.cli.demo import SEARCHES, Outcome, print_outcomes  # noqa: E402
from frugalboost.tree import SEARCHES as ALL_SEARCHES  # noqa: E402


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture(scope="module")
def demo():
    return run("demo", "--rounds", "20", "--json")


def outcome(search, digest):
    return Outcome(search, assessments=10, share=1.0, seconds=0.1, test_error=0.5, digest=digest)


def test_no_search_is_left_out():
    assert sorted(SEARCHES) == sorted([*ALL_SEARCHES, "auto"])


def test_every_search_finds_one_model(demo):
    assert demo.exit_code == 0, demo.output
    report = json.loads(demo.stdout)
    assert [row["search"] for row in report["searches"]] == list(SEARCHES)
    assert len({row["digest"] for row in report["searches"]}) == 1
    assert report["same_model"] is True


def test_pruned_searches_assess_less_for_the_same_error(demo):
    rows = {row["search"]: row for row in json.loads(demo.stdout)["searches"]}
    assert rows["exhaustive"]["share"] == 1.0
    for search in ("quick", "adaptive", "ap_boost"):
        assert rows[search]["assessments"] < rows["exhaustive"]["assessments"]
        assert rows[search]["test_error"] == rows["exhaustive"]["test_error"]


def test_table_shows_every_search_and_the_verdict():
    result = run("demo", "--rounds", "2")
    assert result.exit_code == 0, result.output
    assert all(search in result.stdout for search in SEARCHES)
    assert "All digests are equal" in result.stdout


@pytest.mark.parametrize("as_json", [False, True])
def test_different_models_are_a_failure(capsys, as_json):
    outcomes = [outcome("exhaustive", "ab" * 32), outcome("quick", "cd" * 32)]
    with pytest.raises(typer.Exit) as caught:
        print_outcomes(outcomes, 3, as_json)
    assert caught.value.exit_code == 1
    printed = capsys.readouterr()
    assert "digests differ" in printed.err
    assert "All digests are equal" not in printed.out


def test_rounds_must_be_positive():
    result = run("demo", "--rounds", "0")
    assert result.exit_code == 2
    assert "--rounds" in result.output


def test_version():
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout == f"frugalboost {frugalboost.__version__}\n"


def test_module_is_the_command():
    command = [sys.executable, "-m", "frugalboost", "--version"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed == f"frugalboost {frugalboost.__version__}\n"


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_missing_extra_is_one_line(monkeypatch, capsys, missing):
    for name in [name for name in sys.modules if name.split(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "frugalboost.cli.app")
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert 'pip install "frugalboost[cli]"' in printed
