"""The FilterBoost paper from end to end, with three trees a fit."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest

import frugalboost as fb
from frugalboost.reproduce import Settings, make_paper, reproduce
from frugalboost.reproduce.filterboost.boosters import BOOSTERS, VARIANTS
from frugalboost.reproduce.filterboost.experiment import QUICK
from frugalboost.reproduce.writing import draw
from reproduced import read_report, table
from small_data import write_adult, write_covtype

pytestmark = pytest.mark.thorough

ROUNDS = 3
ASIDES = replace(QUICK.asides, stream_examples=8_000, targets=(0.4, 0.3), sampling_rounds=1)
SETTINGS = Settings(quick=True, n_jobs=1, rounds=ROUNDS)
TASKS = ("majority", "majority-large", "twonorm", "adult", "covtype")


@pytest.fixture(scope="module", autouse=True)
def _fewer_rows():
    """As many tasks and times as there are, of fewer rows."""
    tasks = [replace(each, n_train=1_000, n_test=1_000) for each in QUICK.tasks[:3]]
    tasks[1] = replace(tasks[1], n_train=QUICK.many + 1_000)
    times = (500, 2_000, 8_000)
    plan = replace(QUICK, tasks=(*tasks, *QUICK.tasks[3:]), times=times, asides=ASIDES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("frugalboost.reproduce.filterboost.experiment.QUICK", plan)
        yield


@pytest.fixture(scope="module")
def paper_and_folder(tmp_path_factory):
    data, folder = (tmp_path_factory.mktemp(name) for name in ("data", "report"))
    write_adult(data)
    write_covtype(data)
    paper = make_paper("filterboost", data, SETTINGS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "matplotlib", None)  # its ten figures take longer than the rest
        reproduce(paper, folder)
    return paper, folder


@pytest.fixture(scope="module")
def report(paper_and_folder):
    return read_report(paper_and_folder[1])


def test_every_booster_is_run_on_every_task(report):
    names = list(report["results"])
    for task in TASKS:
        for learner in ("stumps", "trees"):
            runs = [name for name in names if name.startswith(f"{task}-{learner}-")]
            more = 2 if (task, learner) == ("covtype", "trees") else 0
            more += len(VARIANTS) if task in ("majority", "twonorm") else 0
            assert len(runs) == 2 * (len(BOOSTERS) + more)
        assert f"logistic-{task}-run1" in names
    assert len([name for name in names if name.startswith("time-")]) == 9
    assert len([name for name in names if name.startswith("proof-")]) == 3 * len(ASIDES.targets)
    kinds = ("plain", "tandem")
    assert {f"tandem-majority-{kind}-rounds{ROUNDS}" for kind in kinds} <= set(names)


def test_all_figures_can_be_drawn(paper_and_folder, report, tmp_path):
    pytest.importorskip("matplotlib")
    sections = paper_and_folder[0].sections(report["results"])
    figures = {figure.name: figure for section in sections for figure in section.figures}
    assert list(figures) == [
        *(f"filterboost-{name}" for name in ("2", "3", "4", "5", "5-seconds", "tandems")),
        *(f"filterboost-{task}" for task in TASKS),
    ]
    for task in TASKS[1:-1]:  # one function draws all tasks; the last has more boosters
        del figures[f"filterboost-{task}"]
    for figure in figures.values():
        draw(figure, tmp_path, ("svg",))
    assert {path.stem for path in tmp_path.iterdir()} == set(figures)


def test_without_matplotlib_the_report_says_what_to_install(paper_and_folder):
    _, folder = paper_and_folder
    assert not (folder / "figures").exists()
    assert 'Not drawn: pip install "frugalboost[plots]"' in (folder / "report.md").read_text()


def test_every_statement_is_judged(report):
    rows = table(report, "The paper's statements")["rows"]
    assert len(rows) == 30
    assert {row[3] for row in rows} <= {"yes", "**no**"}
    assert all(row[2] != "not run" for row in rows)


def test_figures_of_a_row_are_means_of_fits(paper_and_folder, report):
    paper, _ = paper_and_folder
    task = paper.tasks[0]
    ends = []
    for run in range(2):
        rows = paper.samples.get(task, run)
        model = fb.BoostedTreesClassifier(
            "log", criterion="error", max_depth=1, n_estimators=ROUNDS
        ).fit(rows.X_train, rows.y_train)
        ends.append(model.score(rows.X_test, rows.y_test))
    shown = table(report, f"{task.title}, stumps")
    row = next(row for row in shown["rows"] if row[0] == "AdaBoost-LOG")
    assert row[shown["headings"].index("seconds") - 1] == f"{np.mean(ends):.4f}"


def test_filtering_and_resampling_train_on_few_rows(paper_and_folder, report):
    results = report["results"]
    assert all(each["n_trees"] <= ROUNDS for each in results.values() if "n_trees" in each)
    same = {
        key: results[f"twonorm-trees-{key}-{ROUNDS}-run0"]["digest"]
        for key in ("log", "log-resamp", "filterboost", "filterboost-cr", "madaboost")
    }
    assert len(set(same.values())) == len(same)


def test_a_report_can_be_written_after_any_number_of_jobs(paper_and_folder, report):
    keys = [job.key for job in paper_and_folder[0].jobs()]
    assert list(report["results"]) == keys
    for n in range(0, len(keys), 10):
        sections = paper_and_folder[0].sections({key: report["results"][key] for key in keys[:n]})
        assert sections[0].title == "Data"


def test_without_files_the_synthetic_data_are_left(tmp_path):
    paper = make_paper("filterboost", tmp_path, SETTINGS)
    assert paper.present == ["majority", "twonorm"]
    files = {"adult": "adult.csv.gz", "covtype": "covtype.npz", "flights3m": "flights3m.npz"}
    assert paper.absent == files
    assert "- adult: needs adult.csv.gz" in paper.sections({})[0].text
    assert not [job.key for job in paper.jobs() if job.key.startswith(("adult", "covtype"))]


def test_slow_trees_have_fewer_rounds():
    paper = make_paper("filterboost", None, Settings())
    large = paper.plan.tasks[1]
    counts = [paper.rounds(large, "trees", BOOSTERS[key]) for key in ("log", "log-resamp")]
    assert counts == [50, 500]
    assert paper.rounds(large, "stumps", BOOSTERS["log"]) == 500
    assert paper.rounds(paper.plan.tasks[0], "trees", BOOSTERS["log"]) == 500
