"""matplotlib is for drawing only, and its absence is said in one line."""

from __future__ import annotations

import subprocess
import sys

import pytest
from plots_helpers import one_of_each

import forked


def run(code):
    """The exit code of a program, what it printed and what it said of errors."""
    process = forked.start(code)
    printed, said = process.communicate(timeout=120)
    return process.returncode, printed, said


@pytest.mark.thorough
def test_importing_leaves_it_alone():
    code = "import sys, frugalboost, frugalboost.plots; print('matplotlib' in sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.stdout == "False\n", done.stderr


@pytest.mark.thorough
def test_numbers_need_it_as_little():
    code, printed, said = run(
        "import sys; sys.modules['matplotlib'] = None\n"
        "import frugalboost as fb\n"
        "d = fb.plots.GapDisplay.from_counts([1], [0], [4], {'quick': [1]})\n"
        "print(d.shares['quick'].tolist())\n"
        "d.plot()"
    )
    assert printed == "[0.25]\n"
    assert code == 1
    assert said.splitlines()[-1] == (
        "ImportError: GapDisplay: plot needs matplotlib; "
        'install it with pip install "frugalboost[plots]".'
    )


@pytest.mark.parametrize("display", one_of_each(), ids=lambda display: type(display).__name__)
def test_every_display_says_what_is_missing(display, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    owner = type(display).__name__
    with pytest.raises(ImportError, match=rf"^{owner}: plot needs .*frugalboost\[plots\]"):
        display.plot()


def test_what_matplotlib_itself_misses_is_not_hidden():
    pytest.importorskip("matplotlib")
    code, _, said = run(
        "import sys; sys.modules['kiwisolver'] = None\n"
        "import frugalboost as fb\n"
        "fb.plots.GapDisplay([1], {'quick': [0.5]}).plot()"
    )
    assert code == 1
    assert "kiwisolver" in said.splitlines()[-1]
    assert "frugalboost[plots]" not in said
