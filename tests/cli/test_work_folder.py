"""The folder for the rows of `stream`: one run at a time, and nobody else's files."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from forked import start

pytest.importorskip("typer")
pytest.importorskip("rich")
pa = pytest.importorskip("pyarrow")

import pyarrow.csv  # noqa: E402
from table_helpers import ok, refused, table  # noqa: E402

from frugalboost._files import _draft_of  # noqa: E402
from frugalboost.cli.stream.work_folder import WorkFolder  # noqa: E402
from frugalboost.streams import BlockStore  # noqa: E402

pytestmark = pytest.mark.thorough

STREAM = ("--target", "sold", "--rounds", 3, "--depth", 2, "--sample-constant", 50)
STORE = (*STREAM, "--shuffle", "store")


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "data.csv"
    pyarrow.csv.write_csv(table(), path)
    return path


def contents(folder):
    return {file.relative_to(folder): file.read_bytes() for file in files_in(folder)}


def files_in(folder):
    return [file for file in folder.rglob("*") if file.is_file()]


def write_letters(rows):
    rows.mkdir(parents=True)
    (rows / "meta.json").write_text("{}")
    (rows / "letter.txt").write_text("theirs")


def write_store(rows):
    rows.parent.mkdir(parents=True)
    BlockStore.write(rows, [([[1.0], [2.0]], ["a", "b"])], random_state=0)


def write_noted_letters(rows):
    write_letters(rows)
    (rows / "made-from.json").write_text('{"store_bytes": 1}')


def write_link(rows):
    rows.parent.mkdir(parents=True)
    write_letters(rows.parent / "elsewhere")
    rows.symlink_to("elsewhere")


WRITERS = [write_letters, write_store, write_noted_letters, write_link]


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
@pytest.mark.parametrize("named", [True, False])
def test_rows_of_somebody_else_stay(write, named, csv, tmp_path):
    folder = tmp_path / "model.work"
    write(folder / "rows")
    before = contents(folder)
    more = ("--work-folder", folder) if named else ()
    said = refused(2, "stream", csv, "-o", tmp_path / "model", *STORE, *more, "--force")
    assert "--work-folder must be a new folder, or one made by stream" in said
    assert f"{folder} contains something else: rows" in said
    assert contents(folder) == before


def test_a_file_that_appears_among_our_rows_stays(csv, tmp_path):
    work = WorkFolder(tmp_path / "work", is_kept=False)
    with work.in_use():
        keep_rows(csv, tmp_path, work.path, shutil.copytree)
        (work.rows / "letter.txt").write_text("theirs")
    assert [file.name for file in files_in(work.path)] == ["letter.txt"]


def test_what_the_system_puts_among_our_rows_is_no_file_of_others(csv, tmp_path):
    line = ("stream", csv, *STORE, "--work-folder", tmp_path / "work")
    ok(*line, "-o", tmp_path / "first")
    (tmp_path / "work" / "rows" / ".DS_Store").write_text("where the window was")
    ok(*line, "-o", tmp_path / "second", "--seed", 1)
    assert not (tmp_path / "work" / "rows" / ".DS_Store").exists()


def test_a_link_that_leads_nowhere_is_named(csv, tmp_path):
    (tmp_path / "work").symlink_to(tmp_path / "nowhere")
    line = ("stream", csv, *STORE, "--work-folder", tmp_path / "work")
    said = refused(2, *line, "-o", tmp_path / "model")
    assert "work is a link that leads nowhere" in said


def keep_rows(csv, tmp_path, folder, place):
    """Put the rows that a run has kept there."""
    ok("stream", csv, "-o", tmp_path / "first", *STORE, "--work-folder", tmp_path / "kept")
    place(tmp_path / "kept" / "rows", folder / "rows")


def test_rows_and_their_note_appear_together(csv, tmp_path):
    ok("stream", csv, "-o", tmp_path / "model", *STORE, "--work-folder", tmp_path / "work")
    names = {file.name for file in files_in(tmp_path / "work" / "rows")}
    assert names == {"meta.json", "X.npy", "y.npy", "made-from.json"}
    assert [each.name for each in (tmp_path / "work").iterdir()] == ["rows"]


@pytest.mark.parametrize("more", [(), ("--seed", 1)], ids=["used", "replaced"])
def test_a_folder_of_an_earlier_version_is_known(more, csv, tmp_path):
    line = ("stream", csv, *STORE, "--work-folder", tmp_path / "work")
    ok(*line, "-o", tmp_path / "first")
    rows = tmp_path / "work" / "rows"
    old_note = rows.parent / "made-from.json"
    (rows / "made-from.json").rename(old_note)
    written = (rows / "X.npy").stat().st_ino, (rows / "X.npy").stat().st_mtime_ns
    ok(*line, "-o", tmp_path / "second", *more)
    is_used = written == ((rows / "X.npy").stat().st_ino, (rows / "X.npy").stat().st_mtime_ns)
    assert is_used == old_note.exists() == (not more)


@pytest.mark.parametrize("n_removed", range(7))
@pytest.mark.parametrize("is_old", [False, True])
def test_a_removal_cut_short_is_finished_by_the_next_run(
    n_removed, is_old, csv, tmp_path, monkeypatch
):
    """Whatever is left after each step: it must be known as ours, and never be used."""
    line = ("stream", csv, *STORE, "--work-folder", tmp_path / "work")
    ok(*line, "-o", tmp_path / "first")
    work = WorkFolder(tmp_path / "work", is_kept=True)
    if is_old:
        (work.rows / "made-from.json").rename(work.path / "made-from.json")
    steps = []

    def until_the_end(function):
        def step(*arguments, **options):
            if len(steps) == n_removed:
                raise KeyboardInterrupt
            steps.append(function)
            return function(*arguments, **options)

        return step

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", until_the_end(Path.unlink))
        patch.setattr(Path, "rmdir", until_the_end(Path.rmdir))
        with suppress(KeyboardInterrupt):
            work._remove_rows()
    assert work.has_rows() == (n_removed == 0)
    ok(*line, "-o", tmp_path / "second")
    assert work.has_rows()
    BlockStore(work.rows)


def test_a_shuffle_cut_short_leaves_nothing_to_the_next_run(csv, tmp_path):
    """Killed on another machine, whose name is in that of the hidden folder."""
    work = tmp_path / "model.work"
    write_letters(work / re.sub("-[0-9a-f]{8}-", "-01234567-", _draft_of(work / "rows").name))
    ok("stream", csv, "-o", tmp_path / "model", *STORE)
    assert not (tmp_path / "model.work").exists()


def test_a_full_disk_is_told_by_the_name_of_the_rows(csv, tmp_path, monkeypatch):
    def write(path, *_, **__):
        raise OSError(28, f"there must be enough disk space for {path}; nothing was kept")

    monkeypatch.setattr(BlockStore, "write", write)
    said = refused(1, "stream", csv, "-o", tmp_path / "model", *STORE)
    rows = tmp_path / "model.work" / "rows"
    assert f"there must be enough disk space for {rows}; nothing was kept" in said
    assert not rows.parent.exists()


needs_locks = pytest.mark.skipif(os.name != "posix", reason="needs locks on folders")


@needs_locks
@pytest.mark.parametrize("named", [True, False])
def test_a_folder_in_use_is_refused(named, csv, tmp_path):
    work = WorkFolder(tmp_path / "model.work", is_kept=named)
    line = ("stream", csv, "-o", tmp_path / "model", *STORE)
    more = ("--work-folder", work.path) if named else ()
    with work.in_use():
        (work.path / ".draft").write_text("rows of the other run")
        said = refused(2, *line, *more)
        assert "--work-folder must be a folder that no other run is using" in said
        assert f"{work.path} is in use by another run. Use another --" in said
        assert (work.path / ".draft").exists()
        (work.path / ".draft").unlink()
    ok(*line, *more)


HOLD = """
import sys, time
from pathlib import Path
from frugalboost.cli.stream.work_folder import WorkFolder
with WorkFolder(Path(sys.argv[1]), is_kept=False).in_use():
    print("locked", flush=True)
    time.sleep(600)
"""


@needs_locks
def test_the_lock_goes_with_a_process_that_is_killed(csv, tmp_path):
    line = ("stream", csv, "-o", tmp_path / "model", *STORE)
    holder = start(HOLD, tmp_path / "model.work")
    try:
        assert holder.stdout.readline() == "locked\n"
        assert "in use by another run" in refused(2, *line)
    finally:
        holder.kill()
        holder.communicate()
    ok(*line)
    assert not (tmp_path / "model.work").exists()


@needs_locks
def test_a_folder_removed_by_the_run_before_is_made_anew(tmp_path, monkeypatch):
    """The second run opens the folder while the first one is about to remove it."""
    work = WorkFolder(tmp_path / "work", is_kept=False)
    work.path.mkdir()
    removed = os.open(work.path, os.O_RDONLY)
    work.path.rmdir()
    handles = [removed]
    opened = WorkFolder._open
    monkeypatch.setattr(
        WorkFolder, "_open", lambda self: handles.pop() if handles else opened(self)
    )
    with work.in_use():
        assert work.path.is_dir()
        with pytest.raises(ValueError, match="in use by another run"), work.in_use():
            pass


def test_without_locks_a_run_goes_on(csv, tmp_path, monkeypatch):
    monkeypatch.setattr("frugalboost.cli.stream.work_folder.fcntl", None)
    ok("stream", csv, "-o", tmp_path / "model", *STORE)


@pytest.fixture
def folder(csv, tmp_path):
    (tmp_path / "fold" / "deep").mkdir(parents=True)
    csv.rename(tmp_path / "fold" / "deep" / "data.csv")
    return tmp_path / "fold"


@pytest.mark.parametrize("name", ["model", "out.csv", "deep/model", "../fold/model"])
def test_an_output_in_the_folder_of_the_data_is_refused(name, folder, tmp_path):
    before = contents(folder)
    out = folder / name
    for more in ((), ("--force",), ("--resume",)):
        said = refused(2, "stream", folder, "-o", out, *STREAM, *more)
        assert f"--output must be outside of DATA, the folder {folder}; got {out}." in said
    assert contents(folder) == before


def test_links_are_followed_to_the_folder_of_the_data(folder, tmp_path):
    (tmp_path / "link").symlink_to("fold")
    (tmp_path / "model").symlink_to("fold/model")
    for out in (tmp_path / "link" / "model", tmp_path / "model"):
        assert "--output must be outside of DATA" in refused(
            2, "stream", folder, "-o", out, *STREAM
        )
    said = refused(2, "stream", tmp_path / "link", "-o", folder / "model", *STREAM)
    assert "--output must be outside of DATA" in said


def test_an_output_in_the_folder_of_the_test_is_refused(folder, tmp_path):
    data = tmp_path / "data.csv"
    shutil.copy(folder / "deep" / "data.csv", data)
    said = refused(2, "stream", data, "--test", folder, "-o", folder / "model", *STREAM)
    assert "--output must be outside of --test" in said
    ok("stream", data, "-o", tmp_path / "model", *STREAM)  # beside a file it may be


@pytest.mark.parametrize("name", ["fold", "fold/work"])
def test_a_work_folder_in_the_folder_of_the_data_is_refused(name, folder, tmp_path):
    line = ("stream", folder, "-o", tmp_path / "model", *STORE)
    said = refused(2, *line, "--work-folder", tmp_path / name)
    assert "--work-folder must be outside of DATA" in said
    ok(*line, "--work-folder", tmp_path / "work")


@pytest.mark.parametrize(
    "name", ["work", "work/rows", "work/rows/X.npy", "work/made-from.json", "link/rows"]
)
def test_an_output_in_place_of_the_rows_is_refused(name, csv, tmp_path):
    if "/" in name:
        (tmp_path / "link").symlink_to(tmp_path / "work")
        (tmp_path / "work").mkdir()
        (tmp_path / name).parent.mkdir(exist_ok=True)
    line = ("stream", csv, *STORE, "--work-folder", tmp_path / "work")
    said = refused(2, *line, "-o", tmp_path / name)
    assert "--output must be a different path from --work-folder" in said
    ok(*line, "-o", tmp_path / "work" / "model" if "/" in name else tmp_path / "model")
