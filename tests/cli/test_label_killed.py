"""Killed while labelling: no answer that was given is lost."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("typer")
pytest.importorskip("rich")
pytest.importorskip("pyarrow")

from label_helpers import CLASSES, FAST, asked_row, make_rows, read_labels, write_csv
from typer.testing import CliRunner

from forked import server
from frugalboost.active import Journal, replay
from frugalboost.cli.app import app

pytestmark = pytest.mark.thorough

KEPT = re.compile(r"kept row (\d+) = (\w+)")


def label_by_pipes(arguments, answers, said):
    """The command, in a process that has imported everything already."""
    sys.stdin, sys.stdout = open(answers), open(said, "w")  # noqa: SIM115
    from frugalboost.cli.app import app

    app(["label", *map(str, arguments)])


@pytest.fixture(scope="module")
def processes():
    """Processes that start at once: a server has imported what they need, and forks them."""
    context = server()
    if not hasattr(os, "mkfifo") or context is None:
        pytest.skip("needs a system with pipes that have names")
    return context


class Sitting:
    """A process that asks questions, until it is killed."""

    def __init__(self, processes, folder, arguments):
        self.paths = [folder / "answers", folder / "said"]
        for path in self.paths:
            path.unlink(missing_ok=True)
            os.mkfifo(path)
        self.process = processes.Process(target=label_by_pipes, args=(arguments, *self.paths))
        self.process.start()
        self.answers = open(self.paths[0], "w", buffering=1)  # noqa: SIM115
        self.said = open(self.paths[1])  # noqa: SIM115

    def question(self):
        """The row that is asked next."""
        while (row := asked_row(line := self.said.readline())) is None:
            assert line, "the command ended"
        return row

    def answer(self, label):
        print(label, file=self.answers)

    def acknowledgement(self):
        """The row that is said to be kept next, and its label."""
        while (kept := KEPT.search(line := self.said.readline())) is None:
            assert line, "the command ended"
        return int(kept[1]), kept[2]

    def kill(self):
        """As the system does when memory is short; return what had been printed by then."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.join()
        assert self.process.exitcode == -signal.SIGKILL
        rest = self.said.read()
        self.said.close()
        self.answers.close()
        return rest


def current(path):
    """The answers of a session, and the row that is in question."""
    with Journal(path) as journal:
        found = replay(journal)
    return [(answer.row, answer.label) for answer in found.answers], [e.row for e in found.open]


MOMENTS = [pytest.param(4, id="five"), pytest.param(1, id="many", marks=pytest.mark.slow)]


@pytest.mark.parametrize("step", MOMENTS)
def test_no_answer_is_lost_at_any_moment(processes, tmp_path, step):
    data, session = tmp_path / "data.csv", tmp_path / "data.csv.session"
    truth = write_csv(data)
    arguments = (data, "--classes", ",".join(CLASSES), "--id-column", "name", *FAST)
    answered = []
    for moment in range(0, 20, step):
        sitting = Sitting(processes, tmp_path, arguments)
        row = sitting.question()
        assert row not in dict(answered)
        sitting.answer(truth[row])
        time.sleep(0.004 * moment)  # from before it is read until the next row is asked for
        rest = sitting.kill()
        acknowledged = [(int(found), label) for found, label in KEPT.findall(rest)]
        assert acknowledged in ([], [(row, truth[row])])
        now, asked = current(session)
        # What was acknowledged is there; what was not may be there, if the kill came in between.
        assert now in (answered + acknowledged, [*answered, (row, truth[row])])
        if now == answered:
            assert asked == [row]
        answered = now
    sitting = Sitting(processes, tmp_path, arguments)
    row = sitting.question()
    sitting.answer(truth[row])
    # However slow the machine was before, this one is acknowledged.
    assert sitting.acknowledgement() == (row, truth[row])
    sitting.kill()
    assert current(session)[0] == [*answered, (row, truth[row])]


def test_killed_with_answers_waiting_in_the_pipe(processes, tmp_path):
    """Some are read and kept before the kill, the others were never seen by the command."""
    data, session = tmp_path / "data.csv", tmp_path / "data.csv.session"
    write_csv(data)
    arguments = (data, "--classes", ",".join(CLASSES), *FAST, "--batch", 5)
    given = [CLASSES[at % 3] for at in range(100)]
    sitting = Sitting(processes, tmp_path, arguments)
    sitting.question()
    sitting.answer("\n".join(given))
    for _ in range(12):
        sitting.question()
    rest = sitting.kill()
    n_known = 12 + len(KEPT.findall(rest))
    labels = [label for _, label in current(session)[0]]
    assert labels[:n_known] == given[:n_known]
    assert len(labels) in (n_known, n_known + 1)
    assert labels == given[: len(labels)]


def test_the_same_command_goes_on_after_a_kill(tmp_path):
    data = tmp_path / "data.csv"
    truth = write_csv(data)
    words = [*map(str, ("label", data, "--classes", ",".join(CLASSES), *FAST))]
    command = [sys.executable, "-m", "frugalboost", *words]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    rows = []
    with subprocess.Popen(command, **pipes) as process:
        for _ in range(5):
            while (row := asked_row(process.stdout.readline())) is None:
                pass
            rows.append(row)
            if len(rows) < 5:
                print(truth[row], file=process.stdin)
        process.kill()
    done = CliRunner().invoke(app, words, input=f"{truth[rows[4]]}\nstop\n")
    assert done.exit_code == 0, done.output
    assert asked_row(done.stdout.splitlines()[0]) == rows[4]  # the same question again
    written = {int(line["row"]): line["label"] for line in read_labels(f"{data}.labels.csv")}
    assert written == {row: make_rows()[3][row] for row in rows}
