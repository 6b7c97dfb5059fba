"""Both papers from end to end, on small tables in the layout of the real ones."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

import frugalboost as fb
from frugalboost.reproduce import Settings, make_paper, reproduce
from frugalboost.reproduce.published_ap_boost import ERRORS
from frugalboost.reproduce.writing import draw
from small_data import write_a6a, write_libsvm, write_mnist, write_satimage

pytestmark = pytest.mark.thorough

QUICK = Settings(quick=True, n_jobs=1)


@pytest.fixture(scope="module")
def ap_boost(tmp_path_factory):
    data, folder = (tmp_path_factory.mktemp(name) for name in ("data", "report"))
    write_a6a(data, n_train=150, n_test=60)
    write_satimage(data, n_train=100, n_test=60)
    write_libsvm(data)
    paper = make_paper("adaptive-pruning", data, QUICK)
    reproduce(paper, folder)
    return paper, folder


@pytest.fixture(scope="module")
def quick_boost(tmp_path_factory):
    data, folder = (tmp_path_factory.mktemp(name) for name in ("data", "report"))
    write_mnist(data)
    paper = make_paper("quick-boost", data, Settings(quick=True, n_jobs=1, rounds=5))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "matplotlib", None)  # pictures have a test of their own
        reproduce(paper, folder)
    return paper, folder


def table(folder, title):
    """Rows of a table of the report, as dicts by heading and position."""
    report = json.loads((folder / "report.json").read_text())
    tables = [each for section in report["sections"] for each in section["tables"]]
    return next(each for each in tables if each["title"].startswith(title))


def results(folder):
    return json.loads((folder / "report.json").read_text())["results"]


def test_absent_data_are_in_the_report(ap_boost):
    paper, folder = ap_boost
    assert list(paper.absent) == ["mnist", "rcv1"]
    text = (folder / "report.md").read_text()
    assert "- mnist: needs mnist.npz" in text
    assert ["w4a", "7,366, 42,383, 300, 2", "160, 20, 4, 2"] in table(folder, "Table 1")["rows"]


def test_every_published_figure_of_a_present_data_set_has_a_row(ap_boost):
    _, folder = ap_boost
    plain, others = table(folder, "Table 4")["rows"], table(folder, "Tables 5 to 9")["rows"]
    expected = [cell for cell in ERRORS if cell.data in ("a6a", "satimage", "w4a")]
    assert len(plain) + len(others) == len(expected)
    assert len(table(folder, "Table 10")["rows"]) == 20


def test_figures_of_a_row_are_those_of_a_fit(ap_boost):
    paper, folder = ap_boost
    source = paper.sources["a6a"]
    model = fb.BoostedTreesClassifier(
        "adaboost", criterion="error", max_depth=3, n_estimators=100, search="quick"
    ).fit(source.X_train, source.y_train)
    row = next(
        r for r in table(folder, "Table 4")["rows"] if r[:4] == ["a6a", "none", "Quick Boost", 100]
    )
    assert row[4] == str(len(model.ledger_))
    assert row[6] == f"{model.ledger_.total('assessments'):.2e}"
    assert row[9] == f"{1 - model.score(source.X_train, source.y_train):.4f}"
    assert row[12] == f"{1 - model.score(source.X_test, source.y_test):.4f}"


def test_both_searches_find_one_model(ap_boost):
    _, folder = ap_boost
    rows = table(folder, "Table 2")["rows"] + table(folder, "Table 3")["rows"]
    assert len(rows) == 3 * 5
    assert all(row[-1] == "yes" for row in rows)


def test_no_search_is_below_the_bounds(ap_boost):
    _, folder = ap_boost
    for data in ("a6a", "satimage", "w4a"):
        bound = results(folder)[f"{data}-weight-order-bound"]
        for search in ("adaptive", "quick"):
            fit = results(folder)[f"{data}-depth3-none-{search}-seed0"]
            seen = np.array(fit["by_round"]["assessments"])[np.array(bound["rounds"]) - 1]
            assert (seen >= bound["weight_order"]).all()
    exact = results(folder)["a6a-exact-bound"]
    assert (np.array(exact["exact"]) <= exact["upper"]).all()
    assert (np.array(exact["upper"]) <= exact["weight_order"]).all()


def test_pictures_in_both_formats(ap_boost):
    pytest.importorskip("matplotlib")
    _, folder = ap_boost
    report = json.loads((folder / "report.json").read_text())
    names = {figure["name"] for section in report["sections"] for figure in section["figures"]}
    drawn = {path.name for path in (folder / "figures").iterdir()}
    assert drawn == {f"{name}.{kind}" for name in names for kind in ("png", "svg")}
    assert len(names) >= 5


def test_pictures_of_quick_boost_can_be_drawn(quick_boost, tmp_path):
    pytest.importorskip("matplotlib")
    paper, folder = quick_boost
    sections = paper.sections(results(folder))
    names = [figure.name for section in sections for figure in section.figures]
    for section in sections:
        for figure in section.figures:
            draw(figure, tmp_path, ("svg",))
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.svg" for name in names}
    assert len(names) == 9


def test_quick_boost_has_all_figures(quick_boost):
    _, folder = quick_boost
    report = json.loads((folder / "report.json").read_text())
    names = [figure["name"] for section in report["sections"] for figure in section["figures"]]
    curves = [f"quick-boost-5-{data}" for data in ("faces", "pedestrians", "mnist")]
    assert names == [f"quick-boost-{n}" for n in range(1, 5)] + curves + [
        "quick-boost-6",
        "quick-boost-7",
    ]


def test_quick_versions_cost_less_and_are_the_same_models(quick_boost):
    _, folder = quick_boost
    rows = table(folder, "Every heuristic")["rows"]
    assert len(rows) == 3 * 6
    assert all(row[-1] == "yes" for row in rows)
    for key, curve in results(folder).items():
        if key.startswith("curve-"):
            assert all(q <= s for q, s in zip(curve["quick"], curve["slow"], strict=True))


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


def test_nothing_there_gives_an_empty_report(tmp_path):
    for name in ("adaptive-pruning", "quick-boost"):
        paper = make_paper(name, tmp_path, QUICK)
        assert paper.present == []
        sections = reproduce(paper, tmp_path / name)
        assert "Not run, because absent" in sections[0].text


@pytest.mark.parametrize("name", ["adaptive-pruning", "quick-boost"])
def test_a_report_can_be_written_after_any_number_of_jobs(name, ap_boost, quick_boost):
    paper, folder = {"adaptive-pruning": ap_boost, "quick-boost": quick_boost}[name]
    keys, found = [job.key for job in paper.jobs()], results(folder)
    for n in range(0, len(keys), 3):
        sections = paper.sections({key: found[key] for key in keys[:n]})
        assert sections[0].title == "Data"
