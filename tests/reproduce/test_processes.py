from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from squares import recipe, squares

from frugalboost.reproduce import FailedError, Recipe, Run, Settings, Step, reproduce_all
from small_data import write_glass

pytestmark = pytest.mark.thorough


def is_time(name):
    return name.endswith("seconds") or name == "times"


def without_times(result):
    if isinstance(result, dict):
        return {name: without_times(item) for name, item in result.items() if not is_time(name)}
    return result


def square_of(run):
    return {key: result["square"] for key, result in run.results.items()}


def run_of(data, folder):
    return Run.of(Recipe("gamble", data, Settings(quick=True, n_jobs=1, rounds=2)), folder)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    write_glass(folder)
    return folder


@pytest.fixture(scope="module")
def alone(data, tmp_path_factory):
    run = run_of(data, tmp_path_factory.mktemp("alone"))
    reproduce_all([run])
    return run


def test_results_of_several_processes_are_those_of_one(data, alone, tmp_path):
    steps: list[Step] = []
    run = run_of(data, tmp_path)
    reproduce_all([run], 2, steps.append)
    assert set(run.results) == {job.key for job in run.jobs}
    assert without_times(run.results) == without_times(alone.results)
    assert (steps[-1].done, steps[-1].total) == (len(run.jobs), len(run.jobs))
    for job in run.jobs:
        kept = json.loads((tmp_path / "results" / f"{job.key}.json").read_text())
        assert kept["result"] == run.results[job.key]


def test_what_is_done_is_not_run_again(data, alone):
    steps: list[Step] = []
    again = run_of(data, alone.folder)
    reproduce_all([again], 2, steps.append)
    assert steps == []
    assert again.results == alone.results


def test_a_paper_that_no_other_process_can_make_is_run_in_this_one(tmp_path):
    run = Run(squares({2: "", 3: ""}), tmp_path)
    reproduce_all([run], 2)
    assert square_of(run) == {"square-2": 4, "square-3": 9}
    assert {result["process"] for result in run.results.values()} == {os.getpid()}


def test_jobs_that_are_timed_run_in_this_process_after_the_others(tmp_path):
    steps: list[Step] = []
    plan = {2: "alone", 3: "", 4: "", 5: "alone"}
    run = Run.of(recipe(plan), tmp_path)
    reproduce_all([run], 2, steps.append)
    own = [key for key, result in run.results.items() if result["process"] == os.getpid()]
    assert own == ["square-2", "square-5"]
    begun_or_done = list(dict.fromkeys(step.title for step in steps if step.title))
    assert set(begun_or_done[:2]) == {"square-3", "square-4"}
    assert begun_or_done[2:] == own
    # The order of a report does not tell of processes.
    assert list(json.loads((tmp_path / "report.json").read_text())["results"]) == list(run.results)
    assert list(run.results) == [f"square-{n}" for n in plan]


def test_two_folders_may_have_the_same_paper(tmp_path):
    plan = {2: "", 3: ""}
    runs = [Run.of(recipe(plan), tmp_path / name) for name in ("a", "b")]
    reproduce_all(runs, 2)
    assert [square_of(run) for run in runs] == [{"square-2": 4, "square-3": 9}] * 2


def test_a_job_that_fails_in_another_process_does_not_stop_the_others(tmp_path):
    run = Run.of(recipe({2: "fail", 3: "", 4: ""}), tmp_path)
    with pytest.raises(FailedError, match="square-2 of squares: ZeroDivisionError: no root"):
        reproduce_all([run], 2)
    assert square_of(run) == {"square-3": 9, "square-4": 16}
    assert "- square-2: ZeroDivisionError: no root" in (tmp_path / "report.md").read_text()


def test_a_process_that_is_killed_leaves_a_report_and_advice(tmp_path):
    with pytest.raises(FailedError, match=r"a process was killed, .* with fewer processes"):
        reproduce_all([Run.of(recipe({1: "", 2: "killed", 3: "sleep"}), tmp_path)], 2)
    run = Run.of(recipe({1: "", 2: "", 3: ""}), tmp_path)
    reproduce_all([run], 2)
    assert square_of(run) == {"square-1": 1, "square-2": 4, "square-3": 9}


KILLED = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from squares import recipe
from frugalboost.reproduce import Run, reproduce_all
reproduce_all([Run.of(recipe({1: "", 2: "sleep", 3: "sleep"}), Path(sys.argv[2]))], 2)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_the_others_end_when_the_first_process_is_killed(tmp_path):
    here = str(Path(__file__).parent)
    program = subprocess.Popen([sys.executable, "-c", KILLED, here, str(tmp_path)])
    result = tmp_path / "results" / "square-1.json"
    while not result.exists():
        assert program.poll() is None
        time.sleep(0.05)
    others = children_of(program.pid)
    assert len(others) >= 2
    program.send_signal(signal.SIGKILL)
    program.wait()
    end = time.monotonic() + 60
    while any(is_running(pid) for pid in others):
        assert time.monotonic() < end
        time.sleep(0.05)


def children_of(pid):
    return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_running(pid):
    """Not a zombie that nobody waits for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
