"""What ``import frugalboost`` leaves for later, as it takes long to import."""

from __future__ import annotations

import subprocess
import sys

import pytest

import frugalboost

LATER = (
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

SCRIPT = f"""
import sys
import sklearn.base
before = set(sys.modules)
import frugalboost
print(*sorted(set({LATER!r}) & set(sys.modules) - before))
"""


def test_heavy_packages_are_imported_when_they_are_needed():
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == []


@pytest.mark.parametrize("package", [frugalboost, frugalboost.streams])
def test_what_is_imported_later_is_there(package):
    for name in package.__all__:
        assert name in dir(package)
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        package.nothing  # noqa: B018
