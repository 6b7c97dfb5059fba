"""The sweep over threads: what it measures, what it keeps, and what it makes of both."""

from __future__ import annotations

import doctest
import importlib
import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
# As where times are measured: no libraries that only pictures and frames need.
BLOCKED = """
import runpy, sys
sys.modules.update(dict.fromkeys(["matplotlib", "pandas", "tqdm"]))
sys.argv = ["threads", *sys.argv[1:]]
runpy.run_module("threads", run_name="__main__")
"""


@pytest.fixture
def threads(monkeypatch):
    """The modules of the benchmark, by name."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return lambda name: importlib.import_module(f"threads.{name}")


@pytest.fixture
def run(threads, tmp_path):
    """Run the command; return its status and the JSON that it leaves."""

    def run_it(*arguments):
        given = ["--quick", "--threads", "1", "--output", str(tmp_path), *arguments]
        status = threads("__main__").main(given)
        path = tmp_path / "threads.json"
        return status, json.loads(path.read_text("utf-8")) if path.exists() else None

    return run_it


def cells_of(content):
    return {outcome["name"]: outcome["cells"] for outcome in content["outcomes"]}


def make_results(threads, **changes):
    """One task whose second thread helps and whose fourth hurts."""
    results = threads("results")
    cells = [
        results.Cell(1, [7.9, 8.0, 9.0], [16.0], "d"),
        results.Cell(2, [4.0], [10.0, 8.0, 7.0], "d"),
        results.Cell(4, [5.0], [4.0], "d"),
    ]
    outcome = results.Outcome("iris", "flowers", "seconds", "150 rows", cells=cells)
    about = {"processor": "abacus", "cores": 4, "system": "Linux", "python": "3.12"}
    given = {"machine": about, "versions": {"LightGBM": "4"}, "quick": False} | changes
    return results.Results(**given, outcomes=[outcome])


@pytest.mark.thorough
def test_a_machine_without_pandas_and_matplotlib_measures_and_names_what_is_absent(tmp_path):
    tasks = ["covtype", "iris", "adult", "normals-logit"]
    (tmp_path / "adult.csv.gz").write_bytes(b"")
    arguments = ["--quick", "--threads", "1", "--data", tmp_path, "--output", tmp_path / "out"]
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, *map(str, arguments), "--only", *tasks],
        cwd=BENCHMARKS,
        env=os.environ | {"FRUGALBOOST_DATA": "nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    content = json.loads((tmp_path / "out" / "threads.json").read_text("utf-8"))
    cells = cells_of(content)
    assert [len(cells[name]) for name in tasks] == [0, 1, 0, 1]
    assert all(cells[name][0]["ours"][0] > 0 for name in ("iris", "normals-logit"))
    absent = {outcome["name"]: outcome["absent"] for outcome in content["outcomes"]}
    assert absent["covtype"] == "its data is not available"
    assert "need pandas" in absent["adult"]
    assert "covtype, class 2 against the rest: left out, its data is not available" in done.stderr


def test_a_resumed_run_measures_what_is_missing_and_nothing_else(run, threads, capsys):
    status, content = run("--only", "iris", "digits", "--minutes", "0")
    assert (status, content) == (0, None)
    assert "what is left: iris with 1, digits with 1" in capsys.readouterr().err
    first = cells_of(run("--only", "iris")[1])
    both = cells_of(run("--only", "digits", "iris", "--resume")[1])
    assert list(both) == ["iris", "digits"]  # the order of the tasks, whenever they were measured
    assert both["iris"] == first["iris"]
    again = cells_of(run("--only", "iris", "--resume", "--again")[1])
    assert again["digits"] == both["digits"]
    assert again["iris"][0]["digest"] == both["iris"][0]["digest"]
    assert again["iris"][0]["ours"] != both["iris"][0]["ours"]


def test_figures_of_another_machine_are_not_mixed_with_these(run, tmp_path, monkeypatch, threads):
    run("--only", "iris")
    before = (tmp_path / "threads.json").read_text("utf-8")
    monkeypatch.setattr(threads("__main__"), "machine", lambda: {"processor": "abacus"})
    with pytest.raises(SystemExit, match="other conditions"):
        run("--only", "digits", "--resume")
    assert (tmp_path / "threads.json").read_text("utf-8") == before


def test_a_digest_that_depends_on_threads_ends_the_run(run, tmp_path, capsys):
    _, content = run("--only", "iris")
    cell = content["outcomes"][0]["cells"][0]
    content["outcomes"][0]["cells"] = [cell | {"threads": 2, "digest": "another"}]
    (tmp_path / "threads.json").write_text(json.dumps(content), "utf-8")
    status, kept = run("--only", "iris", "--resume")
    assert status == 1
    assert f"iris: the digest with 1 threads is {cell['digest']}, that of 2 threads another." in (
        capsys.readouterr().err
    )
    assert kept == content  # the figure without a place is not kept


def test_runs_of_one_number_of_threads_must_agree_as_well(threads):
    measure, works, task = threads("measure"), threads("works"), threads("tasks").TASKS["iris"]
    digests = itertools.cycle(["one", "other"])

    class Fickle(works.WholeFit):
        def ours(self, n_threads):
            return works.Run(1.0, next(digests))

    options = measure.Options([1], repeats=2, quick=True)
    with pytest.raises(threads("results").DigestError, match="that of run 2 other"):
        measure.measure_cell(Fickle(task, task.quick, 1), 1, options)


def test_the_table_has_a_column_for_each_number_of_threads(threads):
    lines = threads("report").markdown(make_results(threads)).splitlines()
    start = lines.index("### flowers")
    assert lines[start + 2 : start + 9] == [
        "150 rows.",
        "",
        "| threads | 1 | 2 | 4 |",
        "|---|---|---|---|",
        "| seconds, frugalboost / LightGBM = ratio | 8 / 16 = 0.5 | 4 / 8 = 0.5 | 5 / 4 = 1.25 |",
        "| speed-up, frugalboost / LightGBM | 1 / 1 | 2 / 2 | 1.6 / 4 |",
        "| frugalboost takes at most 1.05 of the column before |  | yes | **no** |",
    ]
    assert "| flowers | seconds | 8 / 16 = 0.5 | 5 / 4 = 1.25 | 1.6 / 4 |" in lines


def test_page_and_picture_are_made_from_a_file(threads, tmp_path, capsys):
    results, report = make_results(threads), importlib.import_module("peers.report")
    results.write(tmp_path / "threads.json")
    assert threads("results").read(tmp_path / "threads.json") == results
    page = tmp_path / "page.md"
    page.write_text(f"before\n{report.BEGIN}\nold\n{report.END}\nafter\n", "utf-8")
    given = ["--from", str(tmp_path / "threads.json"), "--docs", str(page)]
    assert threads("__main__").main(given) == 0
    text = page.read_text("utf-8")
    assert "](figures/threads.svg)" in text
    assert "abacus, 4 cores" in text
    assert "old" not in text
    picture = (tmp_path / "figures" / "threads.svg").read_text("utf-8")
    assert all(colour.lower() in picture for colour in threads("picture").COLOURS.values())
    assert "fill: #ffffff" not in picture
    assert capsys.readouterr().out == threads("report").markdown(results)


def test_lines_of_the_picture_are_the_speed_ups(threads):
    picture = threads("picture")
    (ax,) = picture.draw(make_results(threads)).axes
    lines = {line.get_label(): (*line.get_xdata(), *line.get_ydata()) for line in ax.lines}
    assert lines == {
        "ideal": (1, 2, 4, 1, 2, 4),
        "frugalboost": (1, 2, 4, 1.0, 2.0, 1.6),
        "LightGBM": (1, 2, 4, 1.0, 2.0, 4.0),
    }
    for labels in (ax.get_xticklabels(), ax.get_yticklabels()):
        assert [label.get_text() for label in labels] == ["1", "2", "4"]
    picture.plt.close("all")


def test_page_of_the_documentation_has_the_markers(threads):
    page = (BENCHMARKS.parent / "docs" / "threads.md").read_text(encoding="utf-8")
    threads("report")
    report = importlib.import_module("peers.report")
    assert page.index(report.BEGIN) < page.index(report.END)


def test_more_threads_than_there_are_is_refused(threads, tmp_path):
    with pytest.raises(SystemExit, match=r"--threads must be from 1 to .*; got \[1, 100000\]"):
        threads("__main__").main(["--threads", "1", "100000", "--output", str(tmp_path)])


@pytest.mark.parametrize("name", ["measure", "works", "report", "picture"])
def test_examples_in_docstrings(threads, name):
    outcome = doctest.testmod(threads(name))
    assert outcome.attempted > 0
    assert outcome.failed == 0
