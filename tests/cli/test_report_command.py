"""`frugalboost report`: the numbers are those of the library, and the page is a whole one."""

from __future__ import annotations

import json
import re
import sys

import numpy as np
import pytest

pytest.importorskip("typer")
pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

import pyarrow as pa
import pyarrow.csv
from report_helpers import HOSTILE, Page, write_hostile
from table_helpers import FAST, features, labels, matrix, ok, refused, table, write, write_libsvm

import frugalboost as fb
from frugalboost._texts import shortened
from frugalboost.plots import CalibrationDisplay, LearningCurveDisplay, PredictionsDisplay
from frugalboost.plots.importances import mean_shap

pytestmark = pytest.mark.thorough

COMMON = ("--target", "sold", "--ignore", "price", *FAST)
SECTIONS = [
    "scores",
    "confusion",
    "calibration",
    "features",
    "learning",
    "work",
    "size",
    "pruning",
    "origin",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    write(folder / "data.csv", table())
    write(folder / "test.parquet", table(seed=7))
    ok("fit", folder / "data.csv", *COMMON, "-o", folder / "m.fboost")
    return folder


@pytest.fixture(scope="module")
def report(folder):
    arguments = (folder / "m.fboost", folder / "test.parquet", "-o", folder / "report.html")
    found = json.loads(ok("report", *arguments, "--json").stdout)
    return found, (folder / "report.html").read_text("utf-8")


@pytest.fixture(scope="module")
def model(folder):
    return fb.load(folder / "m.fboost")


def test_scores_are_those_of_evaluate(folder, report):
    told = json.loads(ok("evaluate", folder / "m.fboost", folder / "test.parquet", "--json").stdout)
    assert report[0]["scores"] == {name: told[name] for name in report[0]["scores"]}
    cells = {row[0]: row[1] for row in Page(report[1]).tables["Scores"]}
    assert cells["error"] == f"{told['error']:.4g}"
    assert cells["AUC"] == f"{told['auc']:.4g}"
    assert cells["rows"] == "150"


def test_confusion_counts_rows(report, model):
    X, y = features(table(seed=7)), labels(table(seed=7))
    said = model.predict(X)
    expected = [[sum((y == a) & (said == b)) for b in ("no", "yes")] for a in ("no", "yes")]
    assert report[0]["confusion"]["confusion"] == expected
    rows = Page(report[1]).tables["Rows by true class (down) and prediction (across)"]
    assert rows[1:] == [
        [label, *map(str, row)] for label, row in zip(("no", "yes"), expected, strict=True)
    ]


def test_curves_are_those_of_the_displays(report, model):
    rows = features(table(seed=7)), labels(table(seed=7))
    calibration = CalibrationDisplay.from_estimator(model, *rows)
    assert report[0]["calibration"]["counts"] == calibration.counts.tolist()
    assert report[0]["calibration"]["mean_said"] == calibration.mean_said.tolist()
    assert report[0]["calibration"]["expected_error"] == calibration.expected_error
    for measure in ("error", "log loss"):
        curve = LearningCurveDisplay.from_estimator(model, {"test rows": rows}, measure).curves
        assert report[0]["learning"][measure] == {"test rows": curve["test rows"].tolist()}


def test_features_have_their_importances(report, model):
    found = report[0]["features"]
    assert found["names"] == ["size", "rooms", "new", "city"]
    assert found["gain"] == model.feature_importances_.tolist()
    assert found["shap"] == mean_shap(model, features(table(seed=7))).tolist()
    rows = Page(report[1]).tables["Features"][1:]
    order = np.argsort(-np.array(found["shap"]), kind="stable")
    assert [row[0] for row in rows] == [found["names"][at] for at in order]
    unused = [at for at in range(4) if found["gain"][at] == 0]
    assert [found["permutation"][at] for at in unused] == [0.0] * len(unused)


def test_work_size_and_origin_are_those_of_the_model(folder, report, model):
    assert report[0]["work"]["share"] == model.ledger_.share
    assert report[0]["work"]["reads"] == model.ledger_.total("reads")
    assert report[0]["size"]["bytes"] == (folder / "m.fboost").stat().st_size
    assert report[0]["size"]["trees"] == 8
    assert report[0]["size"]["leaves"] == sum(tree.n_leaves for tree in model.estimators_)
    assert report[0]["origin"] == {
        "command": model.training_["command"],
        "version": fb.__version__,
        "digest": fb.digest(model),
    }
    cells = dict(Page(report[1]).tables["How the model was made"])
    assert cells["command"] == model.training_["command"]
    assert cells["library"] == f"frugalboost {fb.__version__}"
    assert cells["digest"] == fb.digest(model)


def test_the_pruning_curve_ends_with_the_lowest_error(report):
    found = report[0]["pruning"]
    assert found["method"] == "reduce_error"
    assert found["best"] == found["n_estimators"][int(np.argmin(found["errors"]))]
    assert f"{found['best']} of 8 trees" in report[1]


def test_the_page_is_whole_and_stands_alone(report):
    page = Page(report[1])
    assert report[1].startswith("<!doctype html>")
    assert page.all("html") == [{"lang": "en"}]
    assert page.texts["title"][0] == "m.fboost on test.parquet"
    assert len(page.all("h1")) == 1
    assert [section["id"] for section in page.all("section")] == SECTIONS
    assert [link["href"] for link in page.all("a")] == [f"#{name}" for name in SECTIONS]
    ids = page.values("id")
    assert len(set(ids)) == len(ids)
    links = [*page.values("href"), *page.values("xlink:href"), *page.values("src")]
    assert all(link.startswith("#") and link[1:] in ids for link in links)
    named = re.findall(r"url\(#([^)]+)\)", report[1])
    assert set(named) <= set(ids)
    assert page.all("script") == page.all("img") == page.all("link") == []


def test_what_is_shown_is_also_said(report):
    page = Page(report[1])
    drawings = page.all("svg")
    assert len(drawings) == len(page.all("figure")) == len(page.all("figcaption")) == 7
    assert all(each["role"] == "img" and len(each["aria-label"]) > 20 for each in drawings)
    assert len(page.all("caption")) == len(page.all("table"))
    assert {each.get("scope") for each in page.all("th")} == {"row", "col"}


def test_names_cannot_become_code(tmp_path):
    train, test = write_hostile(tmp_path)
    ok("fit", train, "--target", "<target>", *FAST, "-o", tmp_path / "m.fboost")
    ok("report", tmp_path / "m.fboost", test, "-o", tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text("utf-8")
    page = Page(text)
    assert {tag for tag, _ in page.tags} & {"script", "img", "b", "i", "iframe"} == set()
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)
    assert len(page.all("title")) == 1
    rows = [row[0] for row in page.tables["Features"][1:]]
    assert sorted(rows) == sorted(map(shortened, HOSTILE))
    assert "default-src 'none'" in text


def test_the_file_of_the_fit_is_judged_by_the_rows_held_out(folder, tmp_path):
    result = ok(
        "report", folder / "m.fboost", folder / "data.csv", "-o", tmp_path / "r.html", "--json"
    )
    found = json.loads(result.stdout)
    arguments = (folder / "m.fboost", folder / "data.csv", "--held-out", "--json")
    told = json.loads(ok("evaluate", *arguments).stdout)
    assert found["scores"]["error"] == told["error"]
    assert found["scores"]["rows"] == 30
    assert list(found["learning"]["error"]) == ["test rows", "training rows"]
    assert "evaluated on the rows that were held out" in (tmp_path / "r.html").read_text("utf-8")


def reported(model, data, tmp_path, *options):
    fb.save(model, tmp_path / "m.fboost")
    arguments = (tmp_path / "m.fboost", data, "-o", tmp_path / "r.html", "--json", *options)
    return json.loads(ok("report", *arguments).stdout), (tmp_path / "r.html").read_text("utf-8")


def test_a_regressor(tmp_path):
    X, _ = matrix()
    y = X[:, 0] - X[:, 1]
    np.savez(tmp_path / "data.npz", X=X, y=y)
    model = fb.BoostedTreesRegressor(n_estimators=5).fit(X, y)
    found, text = reported(model, tmp_path / "data.npz", tmp_path)
    assert found["scores"]["r2"] == pytest.approx(model.score(X, y))
    assert "confusion" not in found
    assert list(found["learning"]) == ["RMSE"]
    assert "only classifiers can be pruned, and this model is a regressor." in text
    assert "MODEL must be" not in text
    assert "its file names no command" in text
    page = Page(text)
    cells = {row[0]: row for row in page.tables["Scores"]}
    assert float(cells["RMSE"][2]) == pytest.approx(y.std(), rel=1e-3)
    display = PredictionsDisplay.from_estimator(model, X, y)
    assert found["predictions"]["mean_true"] == display.mean_true.tolist()
    assert found["predictions"]["counts"] == display.counts.tolist()
    rows = page.tables["Rows with similar predictions"]
    assert [row[0] for row in rows[1:]] == [f"{said:.4g}" for said in display.mean_said]
    assert any("True values against predictions" in each["aria-label"] for each in page.all("svg"))
    assert "calibration" not in found


def test_of_many_rows_some_are_drawn(tmp_path):
    X = np.arange(1200.0)[:, None]
    np.savez(tmp_path / "data.npz", X=X, y=X[:, 0])
    model = fb.BoostedTreesRegressor(n_estimators=2).fit(X, X[:, 0])
    found, text = reported(model, tmp_path / "data.npz", tmp_path)
    assert sum(found["predictions"]["counts"]) == 1200
    assert "500 of 1,200 rows are drawn as points" in text


def test_weights_count_where_the_page_says_so(tmp_path):
    X, y = matrix()
    weights = np.arange(len(y)) % 3
    model = fb.BoostedTreesClassifier(n_estimators=5).fit(X, y)
    np.savez(tmp_path / "weighted.npz", X=X, y=y, w=weights)
    found, text = reported(model, tmp_path / "weighted.npz", tmp_path, "--weight", "w")
    said = "column 'w', in the scores, the confusion matrix and the calibration."
    assert any(said in note for note in Page(text).texts["p"])
    copied = X.repeat(weights, axis=0), y.repeat(weights)
    expected = CalibrationDisplay.from_estimator(model, *copied)
    told = found["calibration"]
    assert told["share_happened"] == pytest.approx(expected.share_happened.tolist())
    assert told["expected_error"] == pytest.approx(expected.expected_error)
    assert sum(told["counts"]) <= len(y)
    assert found["scores"]["error"] == pytest.approx(1 - model.score(*copied))


def test_weights_of_a_regressors_rows(tmp_path):
    X, _ = matrix()
    y, weights = X[:, 0] - X[:, 1], np.arange(len(X)) % 3
    model = fb.BoostedTreesRegressor(n_estimators=5).fit(X, y)
    np.savez(tmp_path / "weighted.npz", X=X, y=y, w=weights)
    found, text = reported(model, tmp_path / "weighted.npz", tmp_path, "--weight", "w")
    assert "in the scores and the mean predictions." in text
    means, counts = found["predictions"]["mean_true"], found["predictions"]["counts"]
    display = PredictionsDisplay.from_estimator(model, X, y, sample_weight=weights)
    assert (
        means
        == display.mean_true.tolist()
        != PredictionsDisplay.from_estimator(model, X, y).mean_true.tolist()
    )
    assert sum(counts) == len(y)


def test_without_weights_none_are_spoken_of(report):
    assert "Rows count by their weights" not in report[1]


WRONG_WEIGHTS = {
    -1.0: "--weight must be a column of numbers >= 0; 'w' contains -1.0",
    np.nan: "--weight must be a column of numbers >= 0; 'w' contains nan",
    0.0: "on rows whose weights are not all 0",
}


@pytest.mark.parametrize("odd", WRONG_WEIGHTS)
@pytest.mark.parametrize("command", ["report", "evaluate"])
def test_weights_that_make_no_means_are_refused(tmp_path, command, odd):
    X, y = matrix()
    np.savez(tmp_path / "data.npz", X=X, y=y, w=np.full(len(y), odd))
    fb.save(fb.BoostedTreesClassifier(n_estimators=2).fit(X, y), tmp_path / "m.fboost")
    output = ("-o", tmp_path / "r.html") if command == "report" else ()
    paths = (tmp_path / "m.fboost", tmp_path / "data.npz")
    assert WRONG_WEIGHTS[odd] in refused(1, command, *paths, *output, "--weight", "w")
    assert not (tmp_path / "r.html").exists()


@pytest.mark.parametrize("kind", ["c45", "tandem"])
def test_models_without_shapley_values(tmp_path, kind):
    X, y = matrix()
    np.savez(tmp_path / "data.npz", X=X, y=y)
    member = fb.FilterBoostClassifier(target_error=0.25, max_rounds=3)
    model = (
        fb.C45Classifier()
        if kind == "c45"
        else fb.TandemBoostClassifier(member, target_error=0.3, random_state=0)
    )
    model.fit(X, y)
    found, text = reported(model, tmp_path / "data.npz", tmp_path)
    n_wrong = np.count_nonzero(model.predict(X) != y)
    assert round(found["scores"]["error"] * len(y)) == n_wrong
    assert "permutation" in found["features"]
    assert "shap" not in found["features"]
    assert ("The first tree is not drawn" in text) == (kind == "c45")


def test_a_committee_for_each_class_of_many(tmp_path):
    X, _ = matrix()
    y = np.arange(len(X)) % 14
    write_libsvm(tmp_path / "data.libsvm", X, y)
    small = fb.BoostedTreesClassifier("gentle", n_estimators=2, max_depth=2)
    model = fb.OneAgainstAllClassifier(small).fit(X, y)
    found, text = reported(model, tmp_path / "data.libsvm", tmp_path)
    assert "this model has several" in text
    assert "permutation" not in found["features"]  # a sparse table
    mistakes = Page(text).tables["The most frequent mistakes"][1:]
    said = model.predict(X)
    own, other, count = mistakes[0]
    assert int(count) == sum((y == int(own)) & (said == int(other)))
    assert len(mistakes) == 10


def test_what_pruning_has_left(tmp_path):
    X, y = matrix()
    np.savez(tmp_path / "data.npz", X=X, y=y)
    whole = fb.BoostedTreesClassifier("real", n_estimators=6, max_depth=2)
    model = fb.PrunedEnsembleClassifier(whole, n_estimators=3, random_state=0).fit(X, y)
    found, _ = reported(model, tmp_path / "data.npz", tmp_path)
    assert found["size"]["trees"] == 3
    assert len(found["learning"]["error"]["test rows"]) == 3


def cut(folder, name, rows):
    pa.csv.write_csv(rows, folder / name)
    return folder / name


def test_rows_that_say_nothing_are_refused(folder, tmp_path):
    data = table(seed=7)
    one = cut(tmp_path, "one.csv", data.slice(0, 1))
    same = cut(tmp_path, "same.csv", data.filter(pa.compute.equal(data.column("sold"), "no")))
    output = tmp_path / "r.html"
    said = refused(1, "report", folder / "m.fboost", one, "-o", output)
    assert "at least two rows" in said
    said = refused(1, "report", folder / "m.fboost", same, "-o", output)
    assert "at least two classes to evaluate a model; all are 'no'" in said
    bare = cut(tmp_path, "bare.csv", data.drop_columns(["sold"]))
    assert "'sold'" in refused(2, "report", folder / "m.fboost", bare, "-o", output)
    assert not output.exists()


def test_outputs_that_cannot_be(folder, tmp_path):
    there = tmp_path / "r.html"
    there.write_text("mine")
    arguments = ("report", folder / "m.fboost", folder / "test.parquet", "-o")
    assert "already exists; use --force" in refused(2, *arguments, there)
    assert there.read_text() == "mine"
    assert "is a folder" in refused(2, *arguments, make_folder(tmp_path / "d.html"))
    assert "does not exist" in refused(2, *arguments, tmp_path / "none" / "r.html")
    assert "must end in .html" in refused(2, *arguments, tmp_path / "r.pdf")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.html", "r.html"]


def make_folder(path):
    path.mkdir()
    return path


@pytest.mark.parametrize(("library", "extra"), [("matplotlib", "plots"), ("jinja2", "cli")])
def test_a_library_that_is_missing_is_named(folder, tmp_path, monkeypatch, library, extra):
    monkeypatch.setitem(sys.modules, library, None)
    arguments = (folder / "m.fboost", folder / "test.parquet", "-o", tmp_path / "r.html")
    said = refused(1, "report", *arguments)
    assert f'report needs {library}; install it with pip install "frugalboost[{extra}]"' in said
    assert list(tmp_path.iterdir()) == []


def report_of(folder, data):
    path, output = write(folder / "data.parquet", data), folder / "report.html"
    ok("fit", path, "--target", "y", *FAST, "-o", folder / "m.fboost")
    result = ok("report", folder / "m.fboost", path, "-o", output)
    return result.stderr, output.read_text("utf-8")


def named_table(column, label):
    x = np.random.default_rng(0).normal(size=(2, 60))
    y = np.where(x.sum(axis=0) > 0, label, "other").astype(object)
    return pa.table({column: x[0], "b": x[1], "y": y})


def test_odd_letters_reach_the_page(tmp_path):
    """Control characters are written out, and what matplotlib's font lacks is the browser's."""
    said, page = report_of(tmp_path, named_table("a\x07 日本", "v\x01\x1b[31m 日ب"))
    assert said == ""
    assert not {"\x07", "\x01", "\x1b"} & set(page)
    drawn = Page(page).texts["text"]
    assert r"a\x07 日本" in drawn
    assert r"probability of v\x01\x1b[31m 日ب" in drawn
