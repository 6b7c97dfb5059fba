"""The ensemble pruning paper from end to end, with a few trees an ensemble."""

from __future__ import annotations

import numpy as np
import pytest

import frugalboost as fb
from frugalboost.reproduce import Settings, make_paper, reproduce
from frugalboost.reproduce.ensemble_pruning.claims import CLAIMS
from frugalboost.reproduce.ensemble_pruning.domains import Domains, Place, split_off
from reproduced import figure_names, read_report, table
from small_data import write_glass

pytestmark = pytest.mark.thorough

ROUNDS = 10
SETTINGS = Settings(quick=True, n_jobs=1, rounds=ROUNDS)
TREES = {"criterion": "gain_ratio", "pruning": "pessimistic", "max_bins": 1024}
HERE = ["expf", "glass", "xd6"]


@pytest.fixture(scope="module")
def paper_and_folder(tmp_path_factory):
    data, folder = (tmp_path_factory.mktemp(name) for name in ("data", "report"))
    write_glass(data)
    paper = make_paper("ensemble-pruning", data, SETTINGS)
    reproduce(paper, folder)
    return paper, folder


@pytest.fixture(scope="module")
def report(paper_and_folder):
    return read_report(paper_and_folder[1])


def result(report, name, split):
    return report["results"][f"{name}-c45-{ROUNDS}-repeat0-split{split}"]


def boosted(X, y, seed):
    return fb.BoostedTreesClassifier(
        "adaboost_m1", n_estimators=ROUNDS, resample=True, random_state=seed, **TREES
    ).fit(X, y)


def error(model, source):
    return float(np.mean(model.predict(source.X_test) != source.y_test))


def test_absent_domains_are_named(paper_and_folder, report):
    paper, folder = paper_and_folder
    assert paper.names == HERE
    text = (folder / "report.md").read_text()
    for data in ("autos", "breast-w", "kr-vs-kp", "iris", "letter", "lymph", "waveform"):
        assert f"- {data}: needs {data}." in text
    rows = table(report, "Table 2")["rows"]
    cells = [row[:-1] for row in rows]
    assert ["auto", "184, 21, 7", "absent", "folds", 0] in cells
    assert ["glass", "192, 22, 7", "192, 22, 6", "folds", 10] in cells
    assert ["expf", "1,000, 1,000, 12", "1,000, 1,000, 12", "random splits", 10] in cells
    (chess,) = [row for row in rows if row[0] == "chess"]
    assert chess[-1].startswith("a stand-in")


def test_all_figures_are_drawn(paper_and_folder, report):
    pytest.importorskip("matplotlib")
    names = figure_names(report)
    assert names == [f"ensemble-pruning-{n}" for n in (1, 3, 4, 5, 6)]
    drawn = {path.name for path in (paper_and_folder[1] / "figures").iterdir()}
    assert drawn == {f"{name}.{kind}" for name in names for kind in ("png", "svg")}


@pytest.mark.parametrize("name", HERE)
def test_errors_are_those_of_fitted_and_pruned_models(paper_and_folder, report, name):
    """Votes are counted without models; `prune_ensemble` makes models."""
    source = Domains(paper_and_folder[0].sources).split(name, Place(0, 4))
    X, y = source.X_train, source.y_train
    measured = result(report, name, 4)
    single = fb.BoostedTreesClassifier("adaboost_m1", n_estimators=1, **TREES).fit(X, y)
    assert measured["single"] == error(single, source)
    bagged = fb.BaggedTreesClassifier(ROUNDS, max_bins=1024, random_state=4).fit(X, y)
    assert measured["bagged"] == error(bagged, source)
    whole = boosted(X, y, 4)
    assert measured["whole"] == error(whole, source)
    for method in ("early_stopping", "kl", "kappa", "kappa_backfitting"):
        errors = [
            error(fb.prune_ensemble(whole, X, y, method=method, n_estimators=n), source)
            for n in (2, 4, 6, 8, 10)
        ]
        assert measured["errors"][method] == errors, method
    hull = fb.prune_ensemble(whole, X, y, method="hull", n_estimators=ROUNDS)
    assert (measured["errors"]["hull"], measured["hull_size"]) == (
        [error(hull, source)],
        len(hull.estimators_),
    )


@pytest.mark.parametrize("name", HERE)
def test_reduce_error_has_rows_of_its_own(paper_and_folder, report, name):
    source = Domains(paper_and_folder[0].sources).split(name, Place(0, 0))
    X, y = source.X_train, source.y_train
    fit, held = split_off(y, 0.15, 0)
    assert len(held) == -(-15 * len(y) // 100)
    assert sorted([*fit, *held]) == list(range(len(y)))
    whole = boosted(X[fit], y[fit], 0)
    measured = result(report, name, 0)["errors"]
    for place, n in enumerate((2, 4, 6, 8, 10)):
        pruned = fb.prune_ensemble(whole, X[held], y[held], method="reduce_error", n_estimators=n)
        assert measured["reduce_error"][place] == error(pruned, source)
        first = fb.prune_ensemble(whole, X, y, method="early_stopping", n_estimators=n)
        assert measured["held_early_stopping"][place] == error(first, source)
    single = fb.BoostedTreesClassifier("adaboost_m1", n_estimators=1, **TREES)
    assert result(report, name, 0)["held_single"] == error(single.fit(X[fit], y[fit]), source)


def test_figure_1_is_that_of_the_models(paper_and_folder, report):
    source = Domains(paper_and_folder[0].sources).split("expf", Place(0, 0))
    diagram = fb.analysis.kappa_error(
        boosted(source.X_train, source.y_train, 0), source.X_train, source.y_train
    )
    measured = report["results"][f"diagram-expf-{ROUNDS}"]["adaboost"]
    assert measured["kappa"] == diagram.kappa.tolist()
    assert measured["error"] == diagram.error.tolist()
    assert measured["hull"] == diagram.hull.tolist()


def test_means_are_over_the_domains_with_a_gain(report):
    lines = []
    for name in HERE:
        splits = [result(report, name, split) for split in range(10)]
        n = np.array([each["n_test"] for each in splits])
        single, whole = ((n * [each[key] for each in splits]).sum() for key in ("single", "whole"))
        errors = n @ np.array([each["errors"]["kappa"] for each in splits])
        if single - whole > 1e-9:
            lines.append((single - errors) / (single - whole))
    assert lines
    mean = table(report, "Figure 3, every domain")
    (row,) = [cells for cells in mean["rows"] if cells[0] == "Kappa"]
    assert row[1:] == [f"{value:.3f}" for value in np.mean(lines, axis=0)]


def test_every_statement_has_a_row(report):
    rows = table(report, "The paper's statements")["rows"]
    assert [each[1] for each in rows] == [claim.quote for claim in CLAIMS]
    assert {each[3] for each in rows} <= {"", "yes", "**no**"}


def test_a_report_can_be_written_after_any_number_of_jobs(paper_and_folder, report):
    keys = [job.key for job in paper_and_folder[0].jobs()]
    assert list(report["results"]) == keys
    assert len(set(keys)) == len(keys) == 31
    for n in range(0, len(keys), 5):
        sections = paper_and_folder[0].sections({key: report["results"][key] for key in keys[:n]})
        assert sections[0].title == "Data"


def test_without_files_the_generators_are_left(tmp_path):
    paper = make_paper("ensemble-pruning", tmp_path, SETTINGS)
    assert paper.names == ["expf", "xd6"]
    assert {job.key.split("-")[0] for job in paper.jobs()} == {"diagram", "expf", "xd6"}
