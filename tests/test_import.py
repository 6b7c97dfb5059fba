"""What ``import frugalboost`` leaves for later, as it takes long to import."""

from __future__ import annotations

import subprocess
import sys

LATER = (
    "frugalboost.export",
    "frugalboost.plots",
    "frugalboost.reference",
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
