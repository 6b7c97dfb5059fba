from __future__ import annotations

import json

import pytest

pytest.importorskip("typer")
pytest.importorskip("rich")

from typer.testing import CliRunner

from frugalboost.cli.app import app
from frugalboost.cli.reproduce import PaperName
from frugalboost.reproduce import PAPERS, write_archive
from frugalboost.reproduce.writing import BEGIN, END
from small_data import write_a6a, write_glass


def test_every_paper_can_be_named():
    assert [name.value for name in PaperName] == [*PAPERS, "all"]


def run(*arguments):
    return CliRunner().invoke(app, ["reproduce", *map(str, arguments)])


def test_no_data_is_one_clear_line_and_a_failure(tmp_path):
    result = run("quick-boost", "--data", tmp_path, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "none of the paper's data sets were found" in result.stderr
    assert "Skipping faces" in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["boosting"], "adaptive-pruning"), (["quick-boost", "--data", "no-such-folder"], "--data")],
)
def test_bad_arguments(arguments, said):
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.output


@pytest.mark.thorough
def test_a_run_prints_tables_and_writes_the_report(tmp_path):
    write_glass(tmp_path)
    page = tmp_path / "page.md"
    page.write_text(f"Above\n\n{BEGIN}\n{END}\n\nBelow\n")
    out = tmp_path / "out"
    few = ("--quick", "--rounds", 2)
    result = run("gamble", "--data", tmp_path, *few, "-o", out, "--docs", page)
    assert result.exit_code == 0, result.output
    assert "Figure 3" in result.stdout
    assert "Skipping satimage" in result.stderr
    report = (out / "quick" / "report.md").read_text()
    assert "### Figure 3" in report
    assert (
        "## A short run\n\nWith smaller data and fewer rounds than the paper and at most 2"
        in report
    )
    above, rest = page.read_text().split(BEGIN)
    inside, below = rest.split(END)
    assert (above, below) == ("Above\n\n", "\n\nBelow\n")
    assert "### Figure 3" in inside
    results = tmp_path / "results" / "page.json.xz"
    again = tmp_path / "again"
    drawn = run("gamble", "--data", tmp_path, *few, "-o", again, "--results", results)
    assert drawn.exit_code == 0, drawn.output
    assert (again / "quick" / "report.md").read_text() == report  # the times in it as well
    for wrong, code, said in (
        (results.parent, 2, "--results must be a file of results"),
        (page, 1, "page.md must be a file of results"),
    ):
        refused = run("gamble", "--data", tmp_path, *few, "-o", again, "--results", wrong)
        assert refused.exit_code == code, refused.output
        assert said in refused.stderr
    for other in (b"mine", archive_of(tmp_path, {"x": {"y": 1}}, is_quick=False)):
        results.write_bytes(other)
        refused = run("gamble", "--data", tmp_path, *few, "-o", tmp_path / "third", "--docs", page)
        assert refused.exit_code == 2
        assert "--force" in refused.stderr
        assert results.read_bytes() == other
    results.write_bytes(archive_of(tmp_path, {"x": {"y": 1}}, is_quick=True))
    refused = run("gamble", "--data", tmp_path, *few, "-o", tmp_path / "third", "--docs", page)
    assert refused.exit_code == 2
    assert "has 1 results that this run has not, such as x" in refused.stderr
    results.unlink()
    page.write_text(f"{BEGIN}\n{END}\n")
    picture = tmp_path / "figures" / "gamble-1.svg"
    picture.write_text("mine")
    for force in ((), ("--force",)):
        drawn = run("gamble", "--data", tmp_path, *few, "-o", out, "--docs", page, *force)
        assert drawn.exit_code == (0 if force else 2)
        assert ("gamble-1.svg already exists" in drawn.stderr) == (not force)
        assert (picture.read_text() == "mine") == (not force)


def archive_of(folder, results, **kind):
    path = folder / "other.json.xz"
    write_archive(path, results, **kind)
    return path.read_bytes()


def test_a_page_without_markers_is_refused_before_any_work(tmp_path):
    write_a6a(tmp_path)
    page = tmp_path / "page.md"
    page.write_text("no markers")
    result = run(
        "adaptive-pruning", "--data", tmp_path, "--quick", "-o", tmp_path / "out", "--docs", page
    )
    assert result.exit_code == 2
    assert "markers" in result.stderr
    assert not (tmp_path / "out").exists()


def test_an_interruption_before_the_jobs_names_the_results_that_are_kept(tmp_path, monkeypatch):
    write_glass(tmp_path)
    out = tmp_path / "out"
    few = ("--data", tmp_path, "--quick", "--rounds", 2, "-o", out)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("frugalboost.reproduce.Run.find", interrupted)
    nothing = run("gamble", *few)
    assert nothing.exit_code == 130
    assert "nothing was written" in nothing.stderr
    (out / "quick" / "results").mkdir(parents=True)
    assert "nothing was written" in run("gamble", *few).stderr
    (out / "quick" / "results" / "job.json").write_text("{}")
    some = run("gamble", *few)
    assert some.exit_code == 130
    assert f"Results so far are in {out / 'quick'}; run the same command" in some.stderr
    assert "nothing was written" not in some.stderr


def test_a_folder_without_results_is_refused(tmp_path):
    write_glass(tmp_path)
    result = run("all", "--data", tmp_path, "--results", tmp_path, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "--results must have files PAPER.json.xz" in result.stderr
    assert not (tmp_path / "out").exists()


def test_no_threads_are_refused_before_any_work(tmp_path):
    write_glass(tmp_path)
    result = run("gamble", "--data", tmp_path, "--n-jobs", 0, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "--n-jobs must be an integer other than 0; got 0." in result.stderr
    assert not (tmp_path / "out").exists()


def test_rounds_are_refused_where_a_paper_cannot_be_cut(tmp_path):
    result = run("adaptive-pruning", "--data", tmp_path, "--rounds", 2, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "--rounds must be omitted for adaptive-pruning; got 2." in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("paper", "page", "said"),
    [("all", "page.md", "a folder of pages"), ("gamble", ".", "a page"), ("all", ".", "gamble.md")],
)
def test_the_pages_fit_what_is_run(tmp_path, paper, page, said):
    """Several papers have a folder of pages, one paper has a page, and all of these exist."""
    for name in PAPERS:
        if name != "gamble":
            (tmp_path / f"{name}.md").write_text(f"{BEGIN}\n{END}\n")
    (tmp_path / "page.md").write_text(f"{BEGIN}\n{END}\n")
    result = run(paper, "--data", tmp_path, "-o", tmp_path / "out", "--docs", tmp_path / page)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
@pytest.mark.thorough
def test_all_papers_run_in_two_processes_and_go_on(tmp_path):
    """Papers without data are left out, and what is done is not done again."""
    write_glass(tmp_path)
    out = tmp_path / "out"
    few = ("--data", tmp_path, "--quick", "--rounds", 2, "--processes", 2, "-o", out)
    result = run("all", *few)
    assert result.exit_code == 0, result.output
    assert "Skipping mnist (adaptive-pruning, quick-boost, gamble): it needs" in result.stderr
    assert "Skipping quick-boost: it has no data." in result.stderr
    names = ("filterboost", "gamble", "ensemble-pruning")
    assert (
        f"Reports written to {', '.join(str(out / name / 'quick') for name in names)}."
        in " ".join(result.stdout.split())
    )
    for name in names:
        assert json.loads((out / name / "quick" / "report.json").read_text())["results"]
    times = {path: path.stat().st_mtime_ns for path in out.rglob("results/*.json")}
    again = run("all", *few)
    assert again.exit_code == 0
    assert {path: path.stat().st_mtime_ns for path in out.rglob("results/*.json")} == times
    assert "Claims that hold" in again.stdout
    assert again.stdout == result.stdout
