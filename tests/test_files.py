"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from frugalboost import _files
from frugalboost._files import NameTakenError, claim, release_claims, whole_file, whole_folder


def test_a_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "file"
    with whole_file(path) as file:
        file.write(b"first")
        assert not path.exists()
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_there_stays_if_writing_fails(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"first")

    def write_half():
        with whole_file(path) as file:
            file.write(b"sec")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_several_can_write_at_once(tmp_path):
    """Each has a draft of its own: one file comes out whole, not parts of two."""
    path, both_write = tmp_path / "file", threading.Barrier(2)

    def write(content):
        with whole_file(path) as file:
            file.write(content[:500])
            both_write.wait()
            file.write(content[500:])

    writers = [threading.Thread(target=write, args=(letter * 1000,)) for letter in (b"a", b"b")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert path.read_bytes() in (b"a" * 1000, b"b" * 1000)
    assert list(tmp_path.iterdir()) == [path]


def write(path, content=b"new"):
    with whole_file(path) as file:
        file.write(content)


def test_a_link_stays_and_its_target_is_written(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "model", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert list((tmp_path / "there").iterdir()) == [target]


def test_a_link_to_nothing_gets_its_target(tmp_path):
    (tmp_path / "link").symlink_to("target")
    write(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


@pytest.mark.skipif(os.name != "posix", reason="pipes and sockets in folders are of Unix")
@pytest.mark.parametrize("kind", ["directory", "named pipe", "socket"])
def test_what_is_no_regular_file_is_refused(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names of sockets must be short
    path = Path("here")
    with socket.socket(socket.AF_UNIX) as opened:
        if kind == "directory":
            path.mkdir()
        elif kind == "named pipe":
            os.mkfifo(path)
        else:
            opened.bind(str(path))
        before = path.stat()
        with pytest.raises(OSError, match=f"must be a regular file, not a {kind}: 'here'"):
            write(path)
        assert path.stat().st_ino == before.st_ino
        assert list(tmp_path.iterdir()) == [tmp_path / "here"]


@pytest.mark.skipif(os.name != "posix", reason="modes are of Unix")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666])
def test_a_file_keeps_its_mode(mode, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(mode)
    with whole_file(path) as file:
        file.write(b"new")
        drafts = [each for each in tmp_path.iterdir() if each != path]
        assert [stat.S_IMODE(each.stat().st_mode) for each in drafts] == [mode]
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.skipif(os.name != "posix", reason="modes are of Unix")
def test_a_new_file_follows_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write(tmp_path / "file")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


def test_a_name_may_be_as_long_as_the_file_system_allows(tmp_path):
    path = tmp_path / ("m" * 255)
    write(path)
    assert path.read_bytes() == b"new"


KILLED = """
import os, sys
from pathlib import Path
from frugalboost._files import whole_file

with whole_file(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os._exit(9)
"""


@pytest.mark.skipif(os.name != "posix", reason="drafts are locked by fcntl")
def test_what_a_killed_writer_left_goes_with_the_next(tmp_path):
    """Only drafts of this file: those of others, and of writers at work, stay."""
    path, other = tmp_path / "file", tmp_path / "other"
    for each in (path, other):
        assert subprocess.run([sys.executable, "-c", KILLED, str(each)]).returncode == 9
    assert len(list(tmp_path.iterdir())) == 2
    strangers = [tmp_path / "file.part", tmp_path / ".file.1.2", tmp_path / ".frugalboost-x.part"]
    for each in strangers:
        each.write_bytes(b"theirs")
    with whole_file(path) as file:
        write(path)
        file.write(b"last")
    assert path.read_bytes() == b"last"
    assert len(list(tmp_path.iterdir())) == 2 + len(strangers)
    write(other)
    assert set(tmp_path.iterdir()) == {path, other, *strangers}


def fill(path, content=b"new"):
    with whole_folder(path) as folder:
        (folder / "inner").mkdir()
        (folder / "inner" / "file").write_bytes(content)
        assert not path.exists()


def test_a_folder_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "folder"
    fill(path)
    assert (path / "inner" / "file").read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_fails_leaves_nothing(tmp_path):
    def fill_half():
        with whole_folder(tmp_path / "folder") as folder:
            (folder / "file").write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill_half()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_folder_replaces_nothing(tmp_path, kind):
    path = tmp_path / "folder"
    if kind == "folder":
        fill(path, b"theirs")
    else:
        path.write_bytes(b"theirs")
    with pytest.raises(OSError, match=re.escape(str(path))), whole_folder(path) as folder:
        (folder / "file").write_bytes(b"new")
    assert list(tmp_path.iterdir()) == [path]
    assert (path / "inner" / "file" if kind == "folder" else path).read_bytes() == b"theirs"


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_a_folder_reaches_the_disk_before_its_name_and_its_name_before_the_end(
    tmp_path, monkeypatch
):
    path, synced, sync = tmp_path / "folder", [], os.fsync

    def record(handle):
        draft_or_parent = Path(os.readlink(f"/proc/self/fd/{handle}"))
        synced.append((draft_or_parent.name, path.exists()))
        sync(handle)

    monkeypatch.setattr(os, "fsync", record)
    fill(path)
    inside, (name, exists) = synced[:-1], synced[-1]
    assert (name, exists) == (tmp_path.name, True)
    assert {"file", "inner"} < {name for name, _ in inside}
    assert len(inside) == 3
    assert not any(exists for _, exists in inside)


KILLED_IN_FOLDER = """
import os, sys
from pathlib import Path
from frugalboost._files import whole_folder

with whole_folder(Path(sys.argv[1])) as folder:
    (folder / "inner").mkdir()
    (folder / "inner" / "file").write_bytes(b"half")
    (folder / "link").symlink_to(sys.argv[2])
    os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(os.name != "posix", reason="drafts are locked by fcntl")
def test_what_a_killed_writer_left_of_a_folder_goes_with_the_next(tmp_path):
    """Only drafts of this folder, and not what links in them lead to."""
    path, other, kept = (tmp_path / name for name in ("folder", "other", "kept"))
    fill(kept)
    for each in (path, other):
        command = [sys.executable, "-c", KILLED_IN_FOLDER, str(each), str(kept)]
        assert subprocess.run(command).returncode == -9
    assert len(list(tmp_path.iterdir())) == 3
    fill(path)
    assert len(list(tmp_path.iterdir())) == 3
    fill(other)
    assert set(tmp_path.iterdir()) == {path, other, kept}
    assert (kept / "inner" / "file").read_bytes() == b"new"


@pytest.mark.skipif(os.name != "posix", reason="drafts are locked by fcntl")
def test_a_folder_that_another_process_still_fills_stays(tmp_path, monkeypatch):
    """As in another container, where the number of the process is nobody's."""
    path = tmp_path / "folder"
    monkeypatch.setattr(_files, "_is_running", lambda process: False)
    with whole_folder(path) as folder:
        (folder / "file").write_bytes(b"first")
        _files.remove_leftovers(path)
        assert (folder / "file").exists()
    assert (path / "file").read_bytes() == b"first"


@pytest.mark.skipif(os.name != "posix", reason="drafts are locked by fcntl")
def test_drafts_of_any_machine_go_where_only_one_process_writes(tmp_path, monkeypatch):
    for machine in ("one", "two"):
        program = f"import socket\nsocket.gethostname = lambda: {machine!r}\n{KILLED_IN_FOLDER}"
        subprocess.run([sys.executable, "-c", program, str(tmp_path / "store"), "kept"])
    with whole_folder(tmp_path / "other"):
        pass
    (tmp_path / "other").rename(other := _files._draft_of(tmp_path / "other"))
    assert len(list(tmp_path.iterdir())) == 3
    with monkeypatch.context() as patch:
        patch.setattr(_files, "fcntl", None)  # then a draft may be that of a live process
        _files.remove_drafts_of_any_machine(tmp_path / "store")
    assert len(list(tmp_path.iterdir())) == 3
    _files.remove_drafts_of_any_machine(tmp_path / "store")
    assert list(tmp_path.iterdir()) == [other]


@pytest.mark.skipif(os.name != "posix", reason="drafts are locked by fcntl")
def test_a_draft_that_is_written_stays_whatever_machine_it_names(tmp_path):
    with whole_folder(tmp_path / "store") as folder:
        (folder / "file").write_bytes(b"first")
        _files.remove_drafts_of_any_machine(tmp_path / "store")
    assert (tmp_path / "store" / "file").read_bytes() == b"first"


def without_syncing_folders(number, monkeypatch):
    usual = os.fsync

    def sync(handle):
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(number, os.strerror(number))
        usual(handle)

    monkeypatch.setattr(_files.os, "fsync", sync)


@pytest.mark.skipif(os.name != "posix", reason="Windows syncs no folders")
@pytest.mark.parametrize("number", [errno.EACCES, errno.EINVAL, errno.ENOTSUP])
def test_what_is_in_a_folder_that_cannot_be_synced_is_written(tmp_path, monkeypatch, number):
    """Nothing is reported as failed that is there."""
    without_syncing_folders(number, monkeypatch)
    write(tmp_path / "file")
    fill(tmp_path / "folder")
    assert (tmp_path / "file").exists()
    assert (tmp_path / "folder" / "inner" / "file").exists()


@pytest.mark.skipif(os.name != "posix", reason="Windows syncs no folders")
def test_a_disk_that_fails_is_an_error(tmp_path, monkeypatch):
    without_syncing_folders(errno.EIO, monkeypatch)
    with pytest.raises(OSError, match=f"{os.strerror(errno.EIO)}: '{tmp_path / 'file'}'"):
        write(tmp_path / "file")


FULL = """
import resource, signal, sys
from pathlib import Path
from frugalboost._files import whole_file

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    with whole_file(Path(sys.argv[1])) as file:
        file.write(bytes(100_000))
except OSError as problem:
    print(problem)
"""


@pytest.mark.skipif(os.name != "posix", reason="limits are of Unix")
def test_an_error_names_the_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    command = [sys.executable, "-c", FULL, str(path)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.endswith(f"File too large: '{path}'\n")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_of_the_folder_names_the_file_and_not_its_draft(tmp_path):
    path = tmp_path / "none" / "file"
    with pytest.raises(FileNotFoundError, match=re.escape(f"directory: '{path}'")):
        write(path)


@pytest.fixture
def claiming():
    """`claim`, of which nothing is left for other tests."""
    yield claim
    release_claims()


def appear_as(kind, path, elsewhere):
    if kind == "file":
        path.write_bytes(b"theirs")
    elif kind == "folder":
        path.mkdir()
    else:
        elsewhere.write_bytes(b"theirs")
        path.symlink_to(elsewhere)


@pytest.mark.parametrize("has_links", [True, False], ids=["links", "no links"])
@pytest.mark.parametrize("kind", ["file", "folder", "link"])
@pytest.mark.parametrize("moment", ["before", "while it is written"])
def test_what_appears_in_a_claimed_place_stays(
    kind, moment, has_links, claiming, tmp_path, monkeypatch
):
    def no_links(source, target):
        raise PermissionError(1, "Operation not permitted")

    if not has_links:
        monkeypatch.setattr(_files.os, "link", no_links)
    (tmp_path / "here").mkdir()
    path, elsewhere = tmp_path / "here" / "model.fboost", tmp_path / "elsewhere"
    claiming(path)
    (path.parent / "model-1.fboost").write_bytes(b"theirs, too")
    if moment == "before":
        appear_as(kind, path, elsewhere)

    def write_slowly():
        with whole_file(path) as file:
            file.write(b"ours")
            if moment != "before":
                appear_as(kind, path, elsewhere)

    with pytest.raises(NameTakenError, match=r"model.fboost was created .* saved as .*model-2.fbo"):
        write_slowly()
    assert path.is_dir() or path.read_bytes() == b"theirs"
    assert (path.parent / "model-2.fboost").read_bytes() == b"ours"
    assert (path.parent / "model-1.fboost").read_bytes() == b"theirs, too"
    assert len(list(path.parent.iterdir())) == 3


def test_a_claimed_file_is_replaced_by_whom_it_is_of(claiming, tmp_path):
    path = tmp_path / "run.npz"
    claiming(path)
    for content in (b"first", b"second"):
        write(path, content)
        assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_released_claim_does_not_count(claiming, tmp_path):
    path = tmp_path / "file"
    claiming(path)
    release_claims()
    path.write_bytes(b"old")
    write(path)
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize(
    ("name", "kept"),
    [("a.csv.gz", "a-1.csv.gz"), ("a", "a-1"), ("x" * 255, "x" * 60 + "-1")],
    ids=["two endings", "none", "long"],
)
def test_names_beside_one_that_is_taken(name, kept, claiming, tmp_path):
    claiming(tmp_path / name)
    (tmp_path / name).write_bytes(b"theirs")
    with pytest.raises(NameTakenError):
        write(tmp_path / name)
    assert (tmp_path / kept).read_bytes() == b"new"
