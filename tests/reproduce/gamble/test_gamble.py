"""The GAMBLE paper from end to end, with a few trees a fit."""

from __future__ import annotations

import numpy as np
import pytest

import frugalboost as fb
from frugalboost.reproduce import Settings, make_paper, reproduce
from frugalboost.reproduce.gamble.claims import CLAIMS
from frugalboost.reproduce.gamble.fits import split, start_rows
from reproduced import figure_names, read_report, table
from small_data import write_glass, write_pendigits, write_splice

pytestmark = pytest.mark.thorough

ROUNDS = 12
SETTINGS = Settings(quick=True, n_jobs=1, rounds=ROUNDS)


@pytest.fixture(scope="module")
def paper_and_folder(tmp_path_factory):
    data, folder = (tmp_path_factory.mktemp(name) for name in ("data", "report"))
    write_pendigits(data)
    write_glass(data)
    write_splice(data)
    paper = make_paper("gamble", data, SETTINGS)
    reproduce(paper, folder)
    return paper, folder


@pytest.fixture(scope="module")
def report(paper_and_folder):
    return read_report(paper_and_folder[1])


def row(report, title, *first):
    rows = table(report, title)["rows"]
    return next(each for each in rows if tuple(each[: len(first)]) == first)


def gamble(rounds=ROUNDS, **options):
    return fb.GambleClassifier(n_estimators=rounds, **options)


def test_absent_data_are_named(paper_and_folder):
    paper, folder = paper_and_folder
    assert paper.tables == ["glass", "pendigits", "splice"]
    assert {"segment", "vehicle", "vowel", "satimage", "soybean"} <= set(paper.absent)
    assert "- vowel: needs vowel.npz" in (folder / "report.md").read_text()


def test_sizes_stand_beside_the_papers(report):
    rows = table(report, "Table 1")["rows"]
    assert ["glass", "113, 101, 9, 6", "113, 101, 9, 6"] in rows
    assert ["pendigits", "7,494, 3,498, 16, 10", "160, 60, 16, 10"] in rows
    assert ["vehicle", "422, 422, 18, 4", "absent"] in rows


def test_all_figures_are_drawn(paper_and_folder, report):
    pytest.importorskip("matplotlib")
    names = figure_names(report)
    assert names == [f"gamble-{name}" for name in ("1", "2", "3", "4", "5", "labels", "6")]
    drawn = {path.name for path in (paper_and_folder[1] / "figures").iterdir()}
    assert drawn == {f"{name}.{kind}" for name in names for kind in ("png", "svg")}


def test_errors_of_a_row_are_those_of_fits(paper_and_folder, report):
    paper, _ = paper_and_folder
    rows = [split(paper.sources["glass"], 113, run) for run in range(2)]
    shared = {
        "n_estimators": ROUNDS,
        "max_leaf_nodes": 15,
        "max_depth": None,
        "min_samples_leaf": 1,
    }
    boosters = {
        "GAMBLE": gamble(),
        "SAMME": fb.BoostedTreesClassifier("adaboost", criterion="error", **shared),
        "GAMBLE, learning_rate=0.1": gamble(learning_rate=0.1),
        "AdaBoost.MH": fb.BoostedTreesClassifier("real", learning_rate=1.0, **shared),
    }
    cells = row(report, "Figure 3", "glass", 2, ROUNDS)
    headings = table(report, "Figure 3")["headings"]
    for name, model in boosters.items():
        errors = [
            np.mean(model.fit(each.X_train, each.y_train).predict(each.X_test) != each.y_test)
            for each in rows
        ]
        assert cells[headings.index(name)] == f"{np.mean(errors):.4f}", name


def test_tree_sizes_are_leaves(paper_and_folder, report):
    source = paper_and_folder[0].sources["pendigits"]
    for leaves in (2, 6, 14):
        model = gamble(max_leaf_nodes=leaves).fit(source.X_train, source.y_train)
        error = np.mean(model.predict(source.X_test) != source.y_test)
        cells = row(report, "Figure 2", leaves)
        assert cells[table(report, "Figure 2")["headings"].index(f"after {ROUNDS}")] == (
            f"{error:.4f}"
        )


def test_spheres_are_those_of_the_generator(report):
    X, y = fb.datasets.make_concentric_spheres(7_000, n_classes=5, random_state=0)
    model = gamble().fit(X[:5_000], y[:5_000])
    train, test = (np.mean(model.predict(X[part]) != y[part]) for part in SPHERES)
    cells = [row(report, "Figure 6", 5, "GAMBLE", 1, part)[-1] for part in ("train", "test")]
    assert cells == [f"{train:.4f}", f"{test:.4f}"]


SPHERES = (slice(5_000), slice(5_000, None))


def test_label_curves_are_those_of_a_learner(paper_and_folder, report):
    paper, _ = paper_and_folder
    source = paper.sources["pendigits"]
    X, y = source.X_train, source.y_train
    curve = report["results"][f"labels-pendigits-active-{ROUNDS}-run1"]
    assert curve["labels"] == [*range(20, 100, 5), 100]
    learner = fb.ActiveLearner(gamble(), random_state=1)
    for n, error, least in zip(curve["labels"], curve["error"], curve["least"], strict=True):
        rows = start_rows(160, 20, run=1) if n == 20 else learner.query(X, 5)[0]
        learner.teach(X[rows], y[rows])
        said = learner.model_.staged_predict(source.X_test)
        errors = [np.mean(each != source.y_test) for each in said]
        assert (learner.n_labels_, error, least) == (n, errors[-1], min(errors))
    assert curve["seconds"] == sorted(curve["seconds"])
    random = report["results"][f"labels-pendigits-random-{ROUNDS}-run1"]
    assert random["labels"][-1] == 160
    assert random["error"][0] == curve["error"][0]  # the same rows
    # With all rows, Random has learnt what Batch has: the order of rows decides ties alone.
    batch = report["results"][f"pendigits-gamble-{ROUNDS}-run0"]["test_error"]
    assert abs(random["error"][-1] - batch[-1]) < 0.1


def test_other_committees_ask_as_they_say(paper_and_folder, report):
    source = paper_and_folder[0].sources["pendigits"]
    X, y = source.X_train, source.y_train
    curve = report["results"][f"committee-pendigits-large-batches-{ROUNDS}-run0"]
    assert curve["labels"] == [20, 45, 60]
    learner = fb.ActiveLearner(gamble(), random_state=0)
    for n, rows in ((20, start_rows(160, 20, run=0)), (45, None)):
        rows = learner.query(X, 25)[0] if rows is None else rows
        learner.teach(X[rows], y[rows])
        error = learner.model_.predict(source.X_test) != source.y_test
        assert error.mean() == curve["error"][n == 45]


def test_facts_of_trees_are_those_of_a_fit(paper_and_folder, report):
    source = split(paper_and_folder[0].sources["glass"], 113, 0)
    facts = report["results"][f"trees-glass-{ROUNDS}"]
    model = gamble().fit(source.X_train, source.y_train)
    leaves = model.apply(source.X_train)
    kinds = [
        len(set(source.y_train[column == leaf].tolist()))
        for column in leaves.T
        for leaf in np.unique(column)
    ]
    assert facts["with_absent_class"] == np.mean(np.array(kinds) < facts["n_classes"])
    assert facts["largest"] == max(abs(tree.value).max() for tree in model.estimators_)
    assert facts["n_pairs"] == 2  # rounds 1 and 10
    assert facts["gap"] < 1e-9
    assert facts["n_same"] == 2


def test_two_classes_are_gentle_adaboost(report):
    assert report["results"][f"binary-{ROUNDS}"] == {"is_same": True, "n_trees": ROUNDS}


def test_weights_of_the_heaviest_rows(report):
    for key in ("gamble", "samme"):
        result = report["results"][f"weights-{key}-{ROUNDS}"]
        assert result["rounds"] == [10, ROUNDS]
        shares = np.array(result["shares"])
        # More than their part of the rows, and a tenth has more than a hundredth.
        assert (shares[:, 0] > 0.01).all()
        assert (shares[:, 0] < shares[:, 1]).all()


def test_races_are_timed_alone(paper_and_folder, report):
    alone = {job.key for job in paper_and_folder[0].jobs() if job.alone}
    assert alone == {key for key in report["results"] if key.startswith("race-")}
    result = report["results"][f"race-glass-plain-{ROUNDS}"]
    assert result["is_reached"] == (result["labels"] < 100) or result["labels"] == 100


def test_every_statement_has_a_row(report):
    rows = table(report, "The paper's statements")["rows"]
    assert [each[1] for each in rows] == [claim.quote for claim in CLAIMS]
    assert {each[3] for each in rows} <= {"", "yes", "**no**"}


def test_a_report_can_be_written_after_any_number_of_jobs(paper_and_folder, report):
    keys = [job.key for job in paper_and_folder[0].jobs()]
    assert list(report["results"]) == keys
    assert len(set(keys)) == len(keys)
    for n in range(0, len(keys), 7):
        sections = paper_and_folder[0].sections({key: report["results"][key] for key in keys[:n]})
        assert sections[0].title == "Data"


def test_without_files_the_spheres_are_left(tmp_path):
    paper = make_paper("gamble", tmp_path, SETTINGS)
    assert paper.present == ["spheres"]
    assert {job.key[:7] for job in paper.jobs()} == {"spheres", "weights", "binary-"}
