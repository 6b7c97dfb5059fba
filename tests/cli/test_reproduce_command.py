from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("typer")
pytest.importorskip("rich")

from typer.testing import CliRunner

import frugalboost as fb
from frugalboost.cli.app import app
from frugalboost.cli.reproduce import PaperName
from frugalboost.reproduce import PAPERS, read_archive, write_archive
from frugalboost.reproduce.jobs import Store
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


FEW = ("--quick", "--rounds", 2)


def run_glass(folder, *arguments, out="out"):
    return run("gamble", "--data", folder, *FEW, "-o", folder / out, *arguments)


@pytest.fixture(scope="module")
def first_run(tmp_path_factory):
    """A folder with data, and with what a run with --docs has written; tests work on copies."""
    folder = tmp_path_factory.mktemp("first")
    write_glass(folder)
    (folder / "page.md").write_bytes(f"Above\r\n\r\n{BEGIN}\r\n{END}\r\nBelow\n".encode())
    return folder, run_glass(folder, "--docs", folder / "page.md")


@pytest.fixture
def ready(first_run, tmp_path):
    return Path(shutil.copytree(first_run[0], tmp_path / "copy"))


@pytest.mark.thorough
def test_a_run_prints_tables_and_writes_the_report(first_run):
    folder, result = first_run
    assert result.exit_code == 0, result.output
    assert "Figure 3" in result.stdout
    assert "Skipping satimage" in result.stderr
    report = (folder / "out" / "quick" / "report.md").read_text()
    assert "### Figure 3" in report
    assert (
        "## A short run\n\nWith smaller data and fewer rounds than the paper and at most 2"
        in report
    )


@pytest.mark.thorough
def test_a_page_keeps_what_is_around_its_markers(first_run):
    folder, _ = first_run
    above, rest = (folder / "page.md").read_bytes().decode().split(BEGIN)
    inside, below = rest.split(END)
    assert (above, below) == ("Above\r\n\r\n", "\r\nBelow\n")
    assert "### Figure 3" in inside
    assert inside.count("\n") == inside.count("\r\n") > 10


@pytest.mark.thorough
def test_a_run_from_the_results_of_another_one_gives_its_report(ready):
    results = ready / "results" / "page.json.xz"
    drawn = run_glass(ready, "--results", results, out="again")
    assert drawn.exit_code == 0, drawn.output
    reports = [(ready / name / "quick" / "report.md").read_text() for name in ("out", "again")]
    assert reports[0] == reports[1]  # the times in it as well


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("results", 2, "--results must be a file of results"),
        ("page.md", 1, "page.md must be a file of results"),
    ],
)
def test_what_is_no_file_of_results_is_refused(ready, name, code, said):
    refused = run_glass(ready, "--results", ready / name, out="again")
    assert refused.exit_code == code, refused.output
    assert said in refused.stderr


@pytest.mark.thorough
def test_results_that_no_report_can_be_made_of_are_refused_and_not_kept(ready):
    """As from a stranger, who can compute the checksum as well."""
    results = ready / "results" / "page.json.xz"
    names = read_archive(results, is_quick=True)
    write_archive(results, {name: {"a": 1} for name in names}, is_quick=True)
    refused = run_glass(ready, "--results", results, out="again")
    assert refused.exit_code == 2
    assert f"--results: {results}: results must be those of jobs of gamble" in refused.stderr
    assert not list((ready / "again").rglob("*.json"))
    assert run_glass(ready, out="again").exit_code == 0


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["no archive", "of a long run", "of other jobs"])
def test_other_results_beside_a_page_are_not_overwritten(ready, kind):
    results, page = ready / "results" / "page.json.xz", ready / "page.md"
    others = {
        "no archive": b"mine",
        "of a long run": archive_of(ready, {"x": {"y": 1}}, is_quick=False),
        "of other jobs": archive_of(ready, {"x": {"y": 1}}, is_quick=True),
    }
    results.write_bytes(others[kind])
    refused = run_glass(ready, "--docs", page, out="third")
    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    if kind == "of other jobs":
        assert "has 1 results that this run has not, such as x" in refused.stderr
    assert results.read_bytes() == others[kind]


@pytest.mark.thorough
def test_a_picture_of_others_stays_and_so_does_the_page_but_the_tables_are_printed(ready):
    page, picture = ready / "page.md", ready / "figures" / "gamble-1.svg"
    page.write_text(f"{BEGIN}\n{END}\n")
    picture.write_text("mine")
    kept = run_glass(ready, "--docs", page)
    assert kept.exit_code == 2
    assert "gamble-1.svg already exists; use --force to overwrite it" in kept.stderr
    assert "Figure 3" in kept.stdout
    assert (picture.read_text(), page.read_text()) == ("mine", f"{BEGIN}\n{END}\n")
    forced = run_glass(ready, "--docs", page, "--force")
    assert forced.exit_code == 0
    assert picture.read_text() != "mine"


@pytest.mark.thorough
@pytest.mark.parametrize("beside", [[], ["results/mine.txt"], ["results/mine.json"]])
@pytest.mark.parametrize("name", ["report.md", "report.json", "figures/one.svg"])
def test_a_file_of_another_kind_is_not_overwritten(tmp_path, name, beside):
    """A folder of that name, and even results, do not make a report one of this command."""
    write_glass(tmp_path)
    folder = tmp_path / "out" / "quick"
    for each in (name, *beside):
        (folder / each).parent.mkdir(parents=True, exist_ok=True)
        (folder / each).write_text('{"title": "Mine"}')
    (folder / "results").mkdir(exist_ok=True)
    check_nothing_is_overwritten(tmp_path, folder / name)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["report.md", "report.json"])
def test_a_report_of_another_title_is_not_overwritten_beside_results(tmp_path, name):
    write_glass(tmp_path)
    folder = tmp_path / "out" / "quick"
    Store(folder / "results", fb.__version__).keep("one", {"seconds": 1.0})
    (folder / name).write_text('{"title": "Mine"}')
    check_nothing_is_overwritten(tmp_path, folder / name)


def check_nothing_is_overwritten(tmp_path, path):
    refused = run_glass(tmp_path)
    assert refused.exit_code == 2
    assert "already exists; use --force to overwrite it" in refused.stderr
    assert path.read_text() == '{"title": "Mine"}'


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
