"""The AP-Boost paper from end to end, on small tables in the layout of the real ones."""

from __future__ import annotations

import numpy as np
import pytest

import frugalboost as fb
from frugalboost.reproduce import Settings, make_paper, reproduce
from frugalboost.reproduce.adaptive_pruning.published import ERRORS
from reproduced import figure_names, read_report, table
from small_data import write_a6a, write_libsvm, write_satimage

pytestmark = pytest.mark.thorough

SETTINGS = Settings(quick=True, n_jobs=1)


@pytest.fixture(scope="module")
def ap_boost(tmp_path_factory):
    data, folder = (tmp_path_factory.mktemp(name) for name in ("data", "report"))
    write_a6a(data, n_train=150, n_test=60)
    write_satimage(data, n_train=100, n_test=60)
    write_libsvm(data)
    paper = make_paper("adaptive-pruning", data, SETTINGS)
    reproduce(paper, folder)
    return paper, folder


@pytest.fixture(scope="module")
def report(ap_boost):
    return read_report(ap_boost[1])


def test_absent_data_are_in_the_report(ap_boost, report):
    paper, folder = ap_boost
    assert list(paper.absent) == ["mnist", "rcv1"]
    text = (folder / "report.md").read_text()
    assert "- mnist: needs mnist.npz" in text
    assert ["w4a", "7,366, 42,383, 300, 2", "160, 20, 4, 2"] in table(report, "Table 1")["rows"]


def test_every_published_figure_of_a_present_data_set_has_a_row(report):
    plain, others = (table(report, "Table 4")["rows"], table(report, "Tables 5 to 9")["rows"])
    expected = [cell for cell in ERRORS if cell.data in ("a6a", "satimage", "w4a")]
    assert len(plain) + len(others) == len(expected)
    assert len(table(report, "Table 10")["rows"]) == 20


def test_figures_of_a_row_are_those_of_a_fit(ap_boost, report):
    paper, _ = ap_boost
    source = paper.sources["a6a"]
    model = fb.BoostedTreesClassifier(
        "adaboost", criterion="error", max_depth=3, n_estimators=100, search="quick"
    ).fit(source.X_train, source.y_train)
    row = next(
        r for r in table(report, "Table 4")["rows"] if r[:4] == ["a6a", "none", "Quick Boost", 100]
    )
    assert row[4] == str(len(model.ledger_))
    assert row[6] == f"{model.ledger_.total('assessments'):.2e}"
    assert row[11] == f"{1 - model.score(source.X_train, source.y_train):.4f}"
    assert row[14] == f"{1 - model.score(source.X_test, source.y_test):.4f}"


def test_all_searches_find_one_model(report):
    rows = table(report, "Table 2")["rows"] + table(report, "Table 3")["rows"]
    assert len(rows) == 3 * 5
    assert all(row[-1] == "yes" for row in rows)


def test_the_better_search_stands_beside_the_printed_one(report):
    for row in table(report, "Table 10")["rows"]:
        data, name, depth, _, here, _, better, _ = row
        search = {"AP-Boost": "ap_boost", "Quick Boost": "quick"}[name]
        fits = [
            report["results"][f"{data}-depth{depth}-none-{each}-seed0"]["assessments"][-1]
            for each in (search, "adaptive")
        ]
        assert here == f"{fits[0]:.2e}"
        assert better == (f"{fits[1]:.2e}" if search == "ap_boost" else "")


def test_rounds_of_weight_trimming_are_compared_one_by_one(report):
    rows = table(report, "Weight trimming")["rows"]
    assert len(rows) == 3 * 2 * 3
    fit = report["results"]["a6a-depth3-trim-0.9-quick-seed0"]["by_round"]["assessments"]
    row = next(row for row in rows if row[:3] == ["a6a", "trim 0.9", "Quick Boost"])
    assert row[3] == str(len(fit))
    assert row[4] == f"{1.24e9 / 500:.2e}"
    assert row[5] == f"{np.mean(fit):.2e}"
    assert row[7] == f"{fit[-1]:.2e}"


def test_every_claim_is_judged_and_every_failure_explained(ap_boost, report):
    rows = table(report, "The paper's statements")["rows"]
    paper, _ = ap_boost
    assert len(rows) == len(paper.judgements(report["results"])) >= 18
    assert {row[3] for row in rows} == {"yes", "**no**"}
    explained = [row for row in rows if row[4]]
    assert explained
    assert all(row[3] == "**no**" and row[5] for row in explained)


def test_seconds_are_those_of_fits_that_run_alone(ap_boost, report):
    paper, _ = ap_boost
    alone = {job.key for job in paper.jobs() if job.alone}
    assert alone == {key for key in report["results"] if key.endswith("-seconds")}
    assert len(table(report, "Tables 2 and 3")["rows"]) == 3 * 5
    assert len(table(report, "Seconds when reads")["rows"]) == 2
    taken = report["results"]["a6a-10-copies-seconds"]
    assert set(taken["seconds"]) == {"ap_boost", "adaptive", "quick"}


def test_no_search_is_below_the_bounds(report):
    for data in ("a6a", "satimage", "w4a"):
        bound = report["results"][f"{data}-weight-order-bound"]
        for search in ("ap_boost", "adaptive", "quick"):
            fit = report["results"][f"{data}-depth3-none-{search}-seed0"]
            seen = np.array(fit["by_round"]["assessments"])[np.array(bound["rounds"]) - 1]
            assert (seen >= bound["weight_order"]).all()
    exact = report["results"]["a6a-exact-bound"]
    assert (np.array(exact["exact"]) <= exact["upper"]).all()
    assert (np.array(exact["upper"]) <= exact["weight_order"]).all()


def test_pictures_in_both_formats(ap_boost, report):
    pytest.importorskip("matplotlib")
    _, folder = ap_boost
    names = set(figure_names(report))
    drawn = {path.name for path in (folder / "figures").iterdir()}
    assert drawn == {f"{name}.{kind}" for name in names for kind in ("png", "svg")}
    assert len(names) >= 5


def test_a_second_run_does_nothing_and_says_the_same(ap_boost):
    paper, folder = ap_boost
    before = {path.name: path.stat().st_mtime_ns for path in (folder / "results").iterdir()}
    text = (folder / "report.md").read_text()
    pictures = {path.name: path.read_bytes() for path in (folder / "figures").glob("*.svg")}
    reproduce(paper, folder)
    again = {path.name: path.read_bytes() for path in (folder / "figures").glob("*.svg")}
    assert again == pictures
    assert {path.name: path.stat().st_mtime_ns for path in (folder / "results").iterdir()} == before
    assert (folder / "report.md").read_text() == text


def test_without_data_the_report_is_empty(tmp_path):
    paper = make_paper("adaptive-pruning", tmp_path, SETTINGS)
    assert paper.present == []
    sections = reproduce(paper, tmp_path / "report")
    data = next(section for section in sections if section.title == "Data")
    assert "Not run, because absent" in data.text


def test_a_report_can_be_written_after_any_number_of_jobs(ap_boost, report):
    paper, _ = ap_boost
    keys, done = [job.key for job in paper.jobs()], report["results"]
    for n in range(0, len(keys), 3):
        sections = paper.sections({key: done[key] for key in keys[:n]})
        assert sections[0].title == "Data"
