"""Bars at a terminal: every step has one, and where nobody looks on there is none."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("typer")
pytest.importorskip("rich")
pytest.importorskip("pyarrow")
pty = pytest.importorskip("pty")

from table_helpers import ok, table, write  # noqa: E402

from frugalboost._progress import stages  # noqa: E402
from frugalboost.tables.files import CountedBytes  # noqa: E402
from small_data import write_glass  # noqa: E402

pytestmark = pytest.mark.thorough

CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
TITLE = re.compile(r"^(.*?) +━")


def at_a_terminal(script):
    """What a program shows."""
    terminal, program = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"}
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=program, stdout=program, stderr=program, env=environment,
    )  # fmt: skip
    os.close(program)
    shown = b""
    try:
        while part := os.read(terminal, 65536):
            shown += part
    except OSError:  # the program has ended
        pass
    os.close(terminal)
    text = CODES.sub("", shown.decode())
    assert process.wait() == 0, text
    return text


def titles(text):
    """Those of the bars, in the order in which they came."""
    found = [TITLE.match(line) for line in re.split(r"[\r\n]+", text)]
    return list(dict.fromkeys(each[1] for each in found if each))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bars")
    data = write(folder / "data.parquet", table())
    common = ("--target", "sold", "--ignore", "price", "--trees", "12", "--depth", "2")
    ok("fit", data, *common, "-o", folder / "m.fboost")
    return folder


# One process for all: most of its time is that of its imports.
SHOWN = """
from frugalboost.cli.app import app
from frugalboost._progress import stages

prune, fit = {prune}, {fit}
app(prune, standalone_mode=False)
print("{mark}")
app(fit, standalone_mode=False)
print("{mark}")
with stages(1)("outer") as outer:
    outer(0.5)
    with stages(1)("inner") as inner:
        inner(0.25)
    outer(1.0)
with stages(1)("next"):
    pass
print("{mark}")
app({reproduce}, standalone_mode=False)
"""
MARK = "=" * 20


@pytest.fixture(scope="module")
def shown(folder):
    """What is seen of pruning, of a fit, of bars within bars, and of a paper."""
    data = str(folder / "data.parquet")
    prune = ["prune", str(folder / "m.fboost"), data, "-o", str(folder / "small.fboost")]
    fit = ["fit", data, "--target", "sold", "--trees", "3", "-o", str(folder / "other.fboost")]
    write_glass(folder)
    few = ["--quick", "--rounds", "2"]
    papers = ["reproduce", "gamble", "--data", str(folder), *few, "-o", str(folder / "papers")]
    script = SHOWN.format(prune=prune, fit=fit, reproduce=papers, mark=MARK)
    return at_a_terminal(script).split(MARK)


def test_every_step_of_pruning_has_a_bar(shown):
    assert titles(shown[0]) == [
        "reading data.parquet",
        "splitting the rows",
        "predicting with each member",
        "choosing by reduce_error",
        "counting errors",
        "finding new weights",
        "testing",
        "timing",
    ]
    assert "Model written to" in shown[0]


def test_every_step_of_a_fit_has_a_bar(shown):
    assert titles(shown[1]) == [
        "reading data.parquet",
        "looking at the columns",
        "splitting the rows",
        "BoostedTreesClassifier: binning",
        "BoostedTreesClassifier",
        "testing",
    ]


def test_without_a_terminal_there_are_no_bars(folder, tmp_path):
    result = ok(
        "prune", folder / "m.fboost", folder / "data.parquet", "-o", tmp_path / "small.fboost"
    )
    assert result.stderr == ""


def test_a_bar_within_a_bar_is_a_line_below_it(shown):
    assert titles(shown[2]) == ["outer", "inner", "next"]
    lines = [line for line in re.split(r"[\r\n]+", shown[2]) if "━" in line]
    inner = next(at for at, line in enumerate(lines) if line.startswith("inner"))
    assert lines[inner - 1].startswith("outer")


def test_papers_have_one_bar_with_the_jobs_and_the_time_left(shown):
    jobs = re.findall(r"(\d+) of (\d+) done, (?:\d+ days?, )?\d+:\d\d:\d\d left +(\S+)", shown[3])
    done = [int(each[0]) for each in jobs]
    assert done == sorted(done)
    # Of jobs that end between two frames nothing is seen, but the last frame always is.
    assert done[-1] == int(jobs[-1][1])


def test_a_step_that_is_not_to_be_seen_says_nothing(capsys):
    with stages(0)("silent") as on_share:
        on_share(0.5)
    assert capsys.readouterr() == ("", "")


def test_a_counted_file_tells_all_its_bytes(tmp_path):
    content = np.random.default_rng(0).bytes(3_000_000)
    (tmp_path / "file").write_bytes(content)
    told = []
    with io.BufferedReader(CountedBytes(tmp_path / "file", told.append), 1 << 20) as file:
        lines = list(file)
    assert b"".join(lines) == content
    assert sum(told) == len(content)
    assert len([each for each in told if each]) == 3
