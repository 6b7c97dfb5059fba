"""Files that are there whole or not at all."""

from __future__ import annotations

import threading

import pytest

from frugalboost._files import whole_file


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
