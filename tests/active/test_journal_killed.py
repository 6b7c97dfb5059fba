"""What a journal has returned from is on the disk, whenever its process is killed."""

from __future__ import annotations

import os
import signal
import time

import pytest

import forked
from frugalboost.active import Journal, replay

pytestmark = pytest.mark.thorough


def write_until_killed(path, said, first):
    """Add answers and corrections, and tell of each when it is kept."""
    with open(said, "wb", buffering=0) as pipe, Journal(path) as journal:
        for row in range(first, first + 100_000):
            with journal.together():
                number = journal.answered(row, "a")
                journal.corrected(number, f"label {row}")
            pipe.write(f"{row}\n".encode())


@pytest.mark.parametrize("is_made_first", [True, False])
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_no_entry_is_lost_at_any_moment(tmp_path, is_made_first, step):
    processes = forked.server()
    if not hasattr(os, "mkfifo") or processes is None:
        pytest.skip("needs a system with pipes that have names")
    path, pipe = tmp_path / "session", tmp_path / "said"
    os.mkfifo(pipe)
    if is_made_first:
        Journal(path).close()
    n_kept = 0
    for moment in range(0, 20, step):
        process = processes.Process(target=write_until_killed, args=(path, pipe, n_kept))
        process.start()
        with open(pipe, "rb") as said:
            # Half of the moments fall while the file is opened or made, the others among answers.
            told = [] if moment < 10 else [int(said.readline())]
            time.sleep(0.003 * (moment % 10))
            os.kill(process.pid, signal.SIGKILL)
            process.join()
            told += [int(line) for line in said.read().splitlines()]
        with Journal(path) as journal:
            answers = replay(journal).answers
        n_told = max(told, default=n_kept - 1) + 1
        assert len(answers) in (n_told, n_told + 1)
        n_kept = len(answers)
        expected = [(row, f"label {row}") for row in range(n_kept)]
        assert [(answer.row, answer.label) for answer in answers] == expected
    assert n_kept > 0
