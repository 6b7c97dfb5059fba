from __future__ import annotations

import json

import pytest

from frugalboost.reproduce import Recipe, Run, Settings, Step, reproduce_all
from small_data import write_glass

pytestmark = pytest.mark.thorough

TIMES = {"seconds", "fit_seconds", "times"}


def without_times(result):
    if isinstance(result, dict):
        return {name: without_times(item) for name, item in result.items() if name not in TIMES}
    return result


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
