"""Whichever allocation of the core fails, a call raises MemoryError and the next one is right."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from deny_allocations import build, start
from scarce_calls import ASK_NOTHING, calls, fits_by_search

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="needs LD_PRELOAD"),
    pytest.mark.skipif(shutil.which("c++") is None, reason="needs a compiler"),
    pytest.mark.thorough,
]

# The first, in which calls set out, and a few of the others; `fuzz_allocations` tries all.
NUMBERS = [*range(1, 12), 19, 37, 75, 150, 301, 602, 1204]

# Every rule and every search is in one of these.
NAMES = [name for name in calls() if name not in fits_by_search()] + list(fits_by_search())[::4]

STL = re.compile(r"#include <nanobind/stl/(\w+).h>")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return build(tmp_path_factory.mktemp("library"))


def counts(ended):
    """How often each call was denied memory."""
    assert ended.returncode == 0, ended.stderr
    lines = (line.split(maxsplit=2) for line in ended.stdout.splitlines())
    return {name: int(n_denied) for n_denied, _, name in lines}


def test_every_call_survives_a_failed_allocation(library):
    n_denied = counts(start(library, NAMES, NUMBERS))
    assert set(n_denied) == set(NAMES)
    assert {name for name, n in n_denied.items() if n == 0} <= set(ASK_NOTHING)


def test_the_first_call_of_a_process_survives_too(library):
    name = "binning, two threads"
    n_denied = counts(start(library, [name], range(50, 220, 17), "--first"))
    assert n_denied[name] > 5


def test_no_binding_lets_nanobind_make_containers():
    """It makes them of arguments before the call, where a lack of memory ends the process."""
    sources = (Path(__file__).parents[2] / "cpp" / "bindings").iterdir()
    included = {name for each in sources for name in STL.findall(each.read_text())}
    assert included == {"tuple"}, "tuples are results"


def test_a_leak_is_noticed(library):
    ended = start(library, ["hoarding"], [1])
    assert ended.returncode != 0
    assert "keeps memory" in ended.stderr
