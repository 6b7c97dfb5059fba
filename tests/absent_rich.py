"""A machine without rich, which draws the bars."""

from __future__ import annotations

import sys

import pytest


def remove_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the end of the test, whether or not it was imported before."""
    for name in [*sys.modules]:
        if name == "rich" or name.startswith("rich."):
            monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "rich.console", None)
