"""No command overwrites a file unless it is told to, and none ever overwrites what it reads.

The list of commands is the app's own: an option that takes a path must be put into `READS` or
`WRITES` here before these tests pass.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

import frugalboost as fb

pytest.importorskip("typer")
pytest.importorskip("rich")
pa = pytest.importorskip("pyarrow")
pytest.importorskip("PIL")

import pyarrow.parquet as pq  # noqa: E402
import typer  # noqa: E402
from PIL import Image  # noqa: E402
from table_helpers import FAST, ok, refused, run, table  # noqa: E402

from frugalboost._files import claim  # noqa: E402
from frugalboost.cli import outputs  # noqa: E402
from frugalboost.cli.app import app  # noqa: E402
from frugalboost.cli.label import run as label_run  # noqa: E402
from frugalboost.cli.label.pictures import write_png  # noqa: E402

pytestmark = pytest.mark.thorough

STREAM = ("--rounds", 3, "--depth", 2, "--sample-constant", 50)

READS = {
    ("fit", "data"),
    ("fit", "test"),
    ("predict", "model"),
    ("predict", "data"),
    ("evaluate", "model"),
    ("evaluate", "data"),
    ("inspect", "model"),
    ("prune", "model"),
    ("prune", "data"),
    ("prune", "test"),
    ("export", "model"),
    ("report", "model"),
    ("report", "data"),
    ("stream", "data"),
    ("stream", "test"),
    ("label", "data"),
    ("label", "validation"),
    ("reproduce", "data"),
    ("reproduce", "results"),
}

FOLDERS = {("stream", "work_folder"), ("reproduce", "output"), ("reproduce", "docs")}
"""Folders, and a page with markers; they have tests of their own."""

WRITES = {
    ("fit", "output"): ("new.fboost", "fit {csv} --target sold --test {test} -o {out}", FAST),
    ("predict", "output"): ("new.csv", "predict {model} {csv} -o {out}", ()),
    ("prune", "output"): ("new.fboost", "prune {model} {csv} --test {test} -o {out}", ()),
    ("export", "output"): ("new.c", "export {model} -o {out}", ()),
    ("report", "output"): ("new.html", "report {model} {csv} -o {out}", ()),
    ("stream", "output"): ("new.npz", "stream {pq} --test {pq2} --target sold -o {out}", STREAM),
    ("label", "output"): (
        "new.csv",
        "label {csv} --label-column sold --validation {test} --session {session} -o {out}",
        (),
    ),
    ("label", "session"): ("new", "label {csv} --label-column sold --session {out}", ()),
}


def path_options():
    """Every option and argument of the app that is a path."""
    for command in app.registered_commands:
        for option, hint in get_type_hints(command.callback).items():
            if hint is Path or Path in get_args(hint):
                yield command.name or command.callback.__name__, option


FILES = {
    "csv": "data.csv",
    "test": "test.csv",
    "pq": "data.parquet",
    "pq2": "test.parquet",
    "model": "model.fboost",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with what commands read."""
    folder = tmp_path_factory.mktemp("made")
    for name, seed in (("data", 0), ("test", 1)):
        pa.csv.write_csv(table(seed), folder / f"{name}.csv")
        pq.write_table(table(seed), folder / f"{name}.parquet")
    ok("fit", folder / "data.csv", "--target", "sold", "-o", folder / "model.fboost", *FAST)
    return folder


@pytest.fixture
def files(made, tmp_path):
    """Copies of it, by the names that `WRITES` has for them."""
    for file in FILES.values():
        shutil.copy(made / file, tmp_path)
    return {name: tmp_path / file for name, file in (FILES | {"session": "session"}).items()}


def arguments(case, files, out):
    _, line, more = WRITES[case]
    return [*(word.format(out=out, **files) for word in line.split()), *more]


def test_every_path_is_known_here():
    assert set(path_options()) == READS | FOLDERS | set(WRITES)


def test_every_command_that_writes_has_force():
    commands = typer.main.get_command(app).commands
    for name in {name for name, _ in {*WRITES, *FOLDERS}}:
        assert "force" in {param.name for param in commands[name].params}


@pytest.mark.parametrize("case", [case for case in WRITES if case[1] != "session"], ids="-".join)
def test_a_file_is_overwritten_with_force_alone(case, files, tmp_path):
    out = tmp_path / WRITES[case][0]
    out.write_text("theirs")
    said = refused(2, *arguments(case, files, out))
    assert f"--output: {out} already exists; use --force to overwrite it." in said
    assert out.read_text() == "theirs"
    result = run(*arguments(case, files, out), "--force")
    assert result.exit_code == 0, result.output
    assert out.read_bytes() != b"theirs"


@pytest.mark.parametrize("case", [case for case in WRITES if case[0] != "label"], ids="-".join)
def test_a_file_that_appears_while_a_command_runs_stays(case, files, tmp_path, monkeypatch):
    out = tmp_path / WRITES[case][0]

    def claim_and_appear(path):
        claim(path)
        out.write_text("theirs")

    monkeypatch.setattr(outputs, "claim", claim_and_appear)
    check_kept(out, run(*arguments(case, files, out)))


def test_labels_that_appear_while_label_runs_stay(files, tmp_path, monkeypatch):
    out = tmp_path / "new.csv"

    def appear_and_write(*given):
        out.write_text("theirs")
        write_labels(*given)

    write_labels = label_run.write_labels
    monkeypatch.setattr(label_run, "write_labels", appear_and_write)
    check_kept(out, run(*arguments(("label", "output"), files, out)))


def check_kept(out, result):
    kept = out.with_name(f"new-1{out.suffix}")
    assert result.exit_code == 1, result.output
    assert f"{out} was created by another program" in result.stderr
    assert f"the new file was saved as {kept}." in result.stderr
    assert out.read_text() == "theirs"
    assert kept.stat().st_size > 0


def test_a_command_that_failed_claims_nothing(files, tmp_path):
    out = tmp_path / "new.fboost"
    refused(2, "fit", files["csv"], "--target", "absent", "-o", out)
    out.write_text("old")
    fb.save(fb.load(files["model"]), out)
    assert out.read_bytes() == files["model"].read_bytes()


@pytest.mark.parametrize("link", ["itself", "symbolic", "hard", "relative"])
@pytest.mark.parametrize("case", WRITES, ids="-".join)
def test_what_is_read_is_never_overwritten(case, link, files, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    used = [name for name in files if f"{{{name}}}" in WRITES[case][1] and name != "session"]
    ending = "" if case[0] in ("fit", "prune", "stream", "label") else WRITES[case][0][3:]
    for name in used:
        source, out = files[name], tmp_path / f"{name}-link{ending}"
        if link == "symbolic":
            out.symlink_to(source)
        elif link == "hard":
            os.link(source, out)
        elif ending and not source.name.endswith(ending):
            continue  # refused for its ending
        else:
            out = source if link == "itself" else os.path.join("..", tmp_path.name, source.name)
        before = source.read_bytes()
        said = refused(2, *arguments(case, files, out), "--force")
        assert f"--{case[1]} must be a different file from" in said
        assert source.read_bytes() == before


@pytest.mark.skipif(os.name != "posix", reason="needs named pipes")
@pytest.mark.parametrize("case", WRITES, ids="-".join)
def test_a_pipe_is_refused(case, files, tmp_path):
    out = tmp_path / WRITES[case][0]
    os.mkfifo(out)
    said = refused(2, *arguments(case, files, out), "--force")
    assert f"{out} cannot be written: it must be a regular file, not a named pipe." in said
    assert out.is_fifo()


def test_stream_goes_on_with_its_own_checkpoint_only(files, tmp_path):
    out = tmp_path / "run.npz"
    line = ("stream", files["pq"], "--target", "sold", "-o", out, *STREAM)
    ok(*line)
    first = out.read_bytes()
    assert "already exists" in refused(2, *line)
    assert out.read_bytes() == first
    ok(*line, "--resume", "--rounds", 4)
    assert fb.load(out).n_estimators_ == 4
    out.write_text("theirs")
    assert run(*line, "--resume").exit_code == 1
    assert out.read_text() == "theirs"


def test_a_file_in_the_folder_that_stream_reads_stays(files, tmp_path):
    (tmp_path / "folder").mkdir()
    inside = files["pq"].rename(tmp_path / "folder" / "part.parquet")
    before = inside.read_bytes()
    said = refused(2, "stream", inside.parent, "--target", "sold", "-o", inside, "--force")
    assert "--output must be a different file from DATA" in said
    assert inside.read_bytes() == before


@pytest.mark.parametrize("name", ["rows/letter", "made-from.json"])
def test_a_work_folder_of_somebody_else_stays(name, files, tmp_path):
    theirs = tmp_path / "work" / name
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")
    line = ("stream", files["pq"], "--target", "sold", "-o", tmp_path / "run.npz", *STREAM)
    said = refused(2, *line, "--work-folder", tmp_path / "work", "--force")
    assert "--work-folder must be a new folder, or one made by stream" in said
    assert theirs.read_text() == "theirs"


def test_label_goes_on_with_its_own_labels_only(files, tmp_path):
    line = ("label", files["csv"], "--label-column", "sold")
    ok(*line)
    ok(*line)
    labels = tmp_path / "data.csv.labels.csv"
    labels.write_text("edited by hand")
    assert "already exists; use --force" in refused(2, *line)
    assert labels.read_text() == "edited by hand"
    ok(*line, "--force")
    assert labels.read_text().startswith("row,label,how")


def test_a_refused_label_leaves_no_session(files, tmp_path):
    (tmp_path / "data.csv.labels.csv").write_text("theirs")
    refused(2, "label", files["csv"], "--label-column", "sold")
    assert not (tmp_path / "data.csv.session").exists()


def test_reproduce_replaces_only_its_own_report(tmp_path):
    report = tmp_path / "out" / "quick" / "report.md"
    report.parent.mkdir(parents=True)
    report.write_text("theirs")
    said = refused(2, "reproduce", "quick-boost", "--quick", "-o", tmp_path / "out")
    assert f"{report} already exists; use --force" in said
    assert report.read_text() == "theirs"


@pytest.mark.parametrize("out", ["-", "/dev/stdout"])
def test_standard_output(out, files):
    printed = ok("predict", files["model"], files["csv"], "-o", out)
    assert printed.stdout == ok("predict", files["model"], files["csv"]).stdout
    made = ok("export", files["model"], "-o", out)
    assert made.stdout == fb.export.to_c(fb.load(files["model"]))
    said = refused(2, "fit", files["csv"], "--target", "sold", "-o", out)
    assert f"--output must be a file; got '{out}', standard output." in said


def test_a_picture_of_somebody_else_stays(files, tmp_path):
    theirs = tmp_path / "data.csv.session.png"
    theirs.write_text("theirs")
    line = ("label", files["csv"], "--label-column", "sold", "--columns", "price,rooms")
    said = refused(2, *line, "--image", "2x1")
    assert f"--image: {theirs} already exists; use --force to overwrite it." in said
    assert theirs.read_text() == "theirs"
    write_png(theirs, Image.new("L", (2, 2)))
    ok(*line, "--image", "2x1")
