"""A process that has read a CSV file ends as it should, whatever pyarrow's threads still do."""

from __future__ import annotations

import subprocess
import sys
import time

import pyarrow as pa
import pytest

from frugalboost.tables import arrow_threads
from frugalboost.tables.arrow_threads import SharedObject, wait_for_threads

STILL_READING = """
import time
import pyarrow as pa
from frugalboost.tables.csv_quotes import QuoteWatch
from frugalboost.tables.csv_reader import CsvReader

add = QuoteWatch.add

def slowly(self, chunk):
    taken = add(self, chunk)
    time.sleep(0.2)
    return taken

QuoteWatch.add = slowly
blocks = CsvReader(",", [""]).blocks(path := {path!r}, path, {{"a": pa.int64()}}, print)
print(next(blocks).num_rows > 0)
"""


@pytest.mark.thorough
def test_python_ends_while_a_file_is_read_ahead(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("a,b\n" + "1234567,1234567\n" * 200_000)
    script = STILL_READING.format(path=str(path))
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "True\n", "")


@pytest.fixture
def shared(monkeypatch):
    monkeypatch.setattr(arrow_threads, "_shared", [])
    return SharedObject()


def seconds_to_wait():
    start = time.monotonic()
    wait_for_threads()
    return time.monotonic() - start


def test_an_object_that_is_gone_is_not_waited_for(shared):
    stream = pa.BufferReader(b"")
    shared.pass_to(used := {1}, stream)
    assert shared.is_alive()
    assert not shared.is_busy()
    del used
    assert not shared.is_alive()


def test_a_call_and_an_object_without_its_stream_are_waited_for(shared, monkeypatch):
    monkeypatch.setattr(arrow_threads, "MOST_SECONDS", 0.1)
    used, stream = {1}, pa.BufferReader(b"")
    shared.pass_to(used, stream)
    with shared.called():
        assert shared.is_busy()
        assert seconds_to_wait() >= 0.1
    assert not shared.is_busy()
    del stream
    assert shared.is_busy()
    assert seconds_to_wait() >= 0.1
