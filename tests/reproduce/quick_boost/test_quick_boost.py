"""The Quick Boost paper from end to end, on small images in the layout of MNIST."""

from __future__ import annotations

import sys

import pytest

from frugalboost.reproduce import Settings, make_paper, reproduce
from frugalboost.reproduce.writing import draw
from reproduced import figure_names, read_report, table
from small_data import write_mnist

pytestmark = pytest.mark.thorough

SETTINGS = Settings(quick=True, n_jobs=1, rounds=5)


@pytest.fixture(scope="module")
def quick_boost(tmp_path_factory):
    data, folder = (tmp_path_factory.mktemp(name) for name in ("data", "report"))
    write_mnist(data)
    paper = make_paper("quick-boost", data, SETTINGS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "matplotlib", None)  # pictures have a test of their own
        reproduce(paper, folder)
    return paper, folder


@pytest.fixture(scope="module")
def report(quick_boost):
    return read_report(quick_boost[1])


def test_pictures_of_quick_boost_can_be_drawn(quick_boost, report, tmp_path):
    pytest.importorskip("matplotlib")
    paper, _ = quick_boost
    sections = paper.sections(report["results"])
    names = [figure.name for section in sections for figure in section.figures]
    for section in sections:
        for figure in section.figures:
            draw(figure, tmp_path, ("svg",))
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.svg" for name in names}
    assert len(names) == 9


def test_quick_boost_has_all_figures(report):
    names = figure_names(report)
    curves = [f"quick-boost-5-{data}" for data in ("faces", "pedestrians", "mnist")]
    assert names == [f"quick-boost-{n}" for n in range(1, 5)] + curves + [
        "quick-boost-6",
        "quick-boost-7",
    ]


def test_quick_versions_cost_less_and_are_the_same_models(report):
    rows = table(report, "Every heuristic")["rows"]
    assert len(rows) == 3 * 6
    assert all(row[-1] == "yes" for row in rows)
    for key, curve in report["results"].items():
        if key.startswith("curve-"):
            assert all(q <= s for q, s in zip(curve["quick"], curve["slow"], strict=True))


def test_without_data_the_report_is_empty(tmp_path):
    paper = make_paper("quick-boost", tmp_path, SETTINGS)
    assert paper.present == []
    sections = reproduce(paper, tmp_path / "report")
    data = next(section for section in sections if section.title == "Data")
    assert "Not run, because absent" in data.text


def test_a_report_can_be_written_after_any_number_of_jobs(quick_boost, report):
    paper, _ = quick_boost
    keys, done = [job.key for job in paper.jobs()], report["results"]
    for n in range(0, len(keys), 3):
        sections = paper.sections({key: done[key] for key in keys[:n]})
        assert sections[0].title == "Data"
