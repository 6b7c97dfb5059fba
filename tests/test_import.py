"""What is left for later, as it takes long to import."""

from __future__ import annotations

import subprocess
import sys

import pytest

import frugalboost

AT_ONCE = "import frugalboost"
MODELS = "import sklearn.base; before = set(sys.modules); import frugalboost as fb; "
MODELS += "fb.BoostedTreesClassifier, fb.FilterBoostClassifier, fb.load"
COMMANDS = "from frugalboost.cli.app import app"

HEAVY = ("numpy", "pyarrow", "scipy", "sklearn")
HEAVIER = (
    "frugalboost.datasets",
    "frugalboost.export",
    "frugalboost.plots",
    "frugalboost.reference",
    "frugalboost.streams.parquet",
    "matplotlib",
    "polars",
    "pyarrow",
    "sklearn.ensemble",
    "sklearn.linear_model",
    "sklearn.metrics",
    "sklearn.model_selection",
    "sklearn.multioutput",
    "sklearn.tree",
    "skops",
    "typer",
)


def imported(script, names):
    """Which of some modules a program has imported that runs this."""
    asked = f"print(*sorted(set({names!r}) & set(sys.modules) - before))"
    whole = f"import sys; before = set(sys.modules); {script}; {asked}"
    ended = subprocess.run(
        [sys.executable, "-c", whole], capture_output=True, text=True, check=True
    )
    return ended.stdout.split()


def test_nothing_is_imported_before_it_is_asked_for():
    assert imported(AT_ONCE, HEAVY) == []


def test_commands_that_only_say_something_need_no_numbers():
    """Shells run them at each press of a key, to complete a line."""
    pytest.importorskip("typer")
    assert imported(COMMANDS, HEAVY) == []


@pytest.mark.thorough
def test_models_leave_the_heavier_packages_for_later():
    assert imported(MODELS, HEAVIER) == []


@pytest.mark.parametrize("package", [frugalboost, frugalboost.streams])
def test_what_is_imported_later_is_there(package):
    for name in package.__all__:
        assert name in dir(package)
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        package.nothing  # noqa: B018
