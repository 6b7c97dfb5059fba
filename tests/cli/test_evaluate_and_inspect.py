"""`frugalboost evaluate` counts as scikit-learn does; `inspect` says what a file holds."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest
from sklearn import metrics

pytest.importorskip("typer")

from table_helpers import FAST, features, labels, matrix, ok, refused, table, write

import frugalboost as fb
from frugalboost.cli.scores import NumberScores, weighted_auc
from frugalboost.cli.training import split

NEW = table(seed=5)
COMMON = ("--ignore", "price")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    data, new = write(folder / "data.csv", table()), write(folder / "new.csv", NEW)
    assert new.is_file()
    ok("fit", data, "--target", "sold", *COMMON, "-o", folder / "two.fboost", *FAST)
    ok("fit", data, "--target", "rooms", *COMMON, "-o", folder / "six.fboost", *FAST)
    ok("fit", data, "--target", "price", "--ignore", "sold", "-o", folder / "number.fboost", *FAST)
    return folder


def evaluate(folder, name, *options):
    arguments = ("evaluate", folder / name, folder / "new.csv", "--json", *options)
    return json.loads(ok(*arguments).stdout)


def test_two_classes(folder):
    found = evaluate(folder, "two.fboost")
    model, X, y = fb.load(folder / "two.fboost"), features(NEW), labels(NEW)
    shares, said = model.predict_proba(X), model.predict(X)
    is_yes = (y == "yes").astype(int)
    assert found["classes"] == ["no", "yes"]
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(y, said))
    assert found["error"] == pytest.approx(1 - metrics.accuracy_score(y, said))
    assert found["log_loss"] == pytest.approx(metrics.log_loss(is_yes, shares))
    assert found["auc"] == pytest.approx(metrics.roc_auc_score(is_yes, shares[:, 1]))
    assert found["confusion"] == metrics.confusion_matrix(y, said).tolist()


def test_weights(folder):
    found = evaluate(folder, "two.fboost", "--weight", "rooms")
    model, X, y = fb.load(folder / "two.fboost"), features(NEW), labels(NEW)
    w = NEW.column("rooms").to_numpy()
    is_yes, shares = (y == "yes").astype(int), model.predict_proba(X)
    expected = metrics.accuracy_score(y, model.predict(X), sample_weight=w)
    assert found["accuracy"] == pytest.approx(expected)
    expected = metrics.roc_auc_score(is_yes, shares[:, 1], sample_weight=w)
    assert found["auc"] == pytest.approx(expected)


def test_many_classes(folder):
    found = evaluate(folder, "six.fboost")
    model = fb.load(folder / "six.fboost")
    X, y = features(NEW, ("size", "new", "city", "sold")), NEW.column("rooms").to_numpy()
    sold = X.column("sold").combine_chunks().dictionary_encode()
    said = model.predict(X.set_column(3, "sold", sold))
    assert found["auc"] is None
    assert found["error"] == pytest.approx(float((said != y).mean()))
    assert np.sum(found["confusion"]) == 150


def test_numbers(folder):
    found = evaluate(folder, "number.fboost")
    y, said = (
        NEW.column("price").to_numpy(),
        fb.load(folder / "number.fboost").predict(features(NEW)),
    )
    assert found["rmse"] == pytest.approx(metrics.root_mean_squared_error(y, said))
    assert found["mae"] == pytest.approx(metrics.mean_absolute_error(y, said))
    assert found["r2"] == pytest.approx(metrics.r2_score(y, said))


def test_scores_of_blocks_are_those_of_the_whole():
    rng = np.random.default_rng(0)
    y, said, w = np.add(rng.normal(size=(3, 90)), 5)
    scores = NumberScores()
    for block in np.array_split(np.arange(90), 7):
        scores.add(y[block], said[block], w[block])
    assert scores.result()["r2"] == pytest.approx(metrics.r2_score(y, said, sample_weight=w))


@pytest.mark.parametrize("seed", range(5))
def test_the_area_with_ties(seed):
    rng = np.random.default_rng(seed)
    sure, codes = rng.integers(6, size=40) / 5, rng.integers(2, size=40)
    expected = metrics.roc_auc_score(codes, sure)
    assert weighted_auc(sure, codes, np.ones(40)) == pytest.approx(expected)


def test_rows_of_the_fit_are_told(folder):
    flattering = ok("evaluate", folder / "two.fboost", folder / "data.csv")
    assert "the scores are too optimistic" in flattering.stderr
    arguments = ("evaluate", folder / "two.fboost", folder / "data.csv", "--held-out", "--json")
    found = json.loads(ok(*arguments).stdout)
    held = split(labels(table()), "classes", 0.2, 0)[1]
    model = fb.load(folder / "two.fboost")
    wrong = model.predict(features(table()).take(held)) != labels(table())[held]
    assert found["error"] == pytest.approx(float(wrong.mean()))
    assert found["error"] == model.training_["scores"]["error"]
    said = refused(2, "evaluate", folder / "two.fboost", folder / "new.csv", "--held-out")
    assert "the file that the model was fitted to" in said


def test_a_model_of_all_rows_has_none_held_out(folder, tmp_path):
    data, path = folder / "data.csv", tmp_path / "all.fboost"
    ok("fit", data, "--target", "sold", *COMMON, "--test-share", "0", "-o", path, *FAST)
    said = " ".join(refused(2, "evaluate", path, data, "--held-out").split())
    assert "was fitted to all rows (--test-share 0)" in said


def test_the_table_shows_the_confusion(folder):
    said = ok("evaluate", folder / "two.fboost", folder / "new.csv").stdout
    assert "Confusion" in said
    assert "log loss" in said


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (lambda data: data.rename_columns([*data.column_names[:-1], "Sold"]), 2, "mean 'Sold'?"),
        (lambda data: data.set_column(5, "sold", pa.array(["perhaps"] * 150)), 1, "'perhaps'"),
        (
            lambda data: data.set_column(5, "sold", pa.array(["yes", None] * 75)),
            1,
            "first in row 2",
        ),
    ],
)
def test_targets_that_do_not_fit(folder, tmp_path, change, code, said):
    path = write(tmp_path / "new.csv", change(NEW))
    assert said in refused(code, "evaluate", folder / "two.fboost", path)


def test_inspect_has_everything(folder):
    path = folder / "two.fboost"
    found = json.loads(ok("inspect", path, "--json").stdout)
    model = fb.load(path)
    assert found["digest"] == fb.digest(model)
    assert (found["kind"], found["rule"], found["trees"]) == ("BoostedTreesClassifier", "logit", 8)
    assert found["depth"] == max(tree.depth for tree in model.estimators_)
    assert found["classes"] == ["no", "yes"]
    assert found["bytes"] == path.stat().st_size
    assert found["training"]["target"] == "sold"
    by_name = {feature["name"]: feature for feature in found["features"]}
    assert by_name["city"]["categories"] == ["Bonn", "Köln", "Ulm"]
    assert by_name["new"]["kind"] == "boolean"
    given = [by_name[name]["importance"] for name in model.feature_names_in_]
    assert given == model.feature_importances_.tolist()
    order = [feature["importance"] for feature in found["features"]]
    assert order == sorted(order, reverse=True)


def test_inspect_in_words(folder):
    said = ok("inspect", folder / "two.fboost", "--features", "2").stdout
    assert "2: no, yes" in said
    assert "(2 more)" in said
    assert "made by" in said


def kinds():
    X, y = matrix()
    trees = fb.BoostedTreesClassifier("real", n_estimators=6, max_depth=2)
    return [
        fb.BoostedTreesRegressor(n_estimators=3).fit(X, y),
        fb.OneAgainstAllClassifier(trees).fit(X, np.arange(150) % 3),
        fb.PrunedEnsembleClassifier(trees, n_estimators=2, random_state=0).fit(X, y),
        fb.GambleClassifier(n_estimators=3).fit(X, y),
        fb.BaggedTreesClassifier(3, random_state=0).fit(X, y),
        fb.FilterBoostClassifier(max_rounds=3, random_state=0).fit(X, y),
    ]


@pytest.mark.parametrize("model", kinds(), ids=lambda model: type(model).__name__)
def test_every_kind_can_be_inspected_and_asked(model, tmp_path):
    X, y = matrix()
    fb.save(model, tmp_path / "m.fboost")
    np.savez(tmp_path / "data.npz", X=X, y=y)
    found = json.loads(ok("inspect", tmp_path / "m.fboost", "--json").stdout)
    assert (found["kind"], found["digest"]) == (type(model).__name__, fb.digest(model))
    said = ok("predict", tmp_path / "m.fboost", tmp_path / "data.npz").stdout.splitlines()
    assert [float(line) for line in said[1:]] == model.predict(X).tolist()


def test_what_stream_leaves_is_a_model(tmp_path):
    data = table().select(["size", "rooms", "city", "sold"])
    path = write(tmp_path / "data.csv", data)
    options = ("--rounds", "3", "--sample-constant", "30", "--json")
    ok("stream", path, "--target", "sold", "-o", tmp_path / "run.fboost", *options)
    found = json.loads(ok("inspect", tmp_path / "run.fboost", "--json").stdout)
    assert (found["kind"], found["trees"]) == ("FilterBoostClassifier", 3)
    said = ok("predict", tmp_path / "run.fboost", path).stdout.replace('"', "").splitlines()
    expected = fb.load(tmp_path / "run.fboost").predict(features(data, ("size", "rooms", "city")))
    assert said[1:] == expected.tolist()
    arguments = ("evaluate", tmp_path / "run.fboost", path, "--target", "sold", "--json")
    assert json.loads(ok(*arguments).stdout)["rows"] == 150


def test_a_record_that_is_nonsense_is_not_relied_on(tmp_path):
    X, y = matrix()
    model = fb.BoostedTreesClassifier(n_estimators=2).fit(X, y)
    model.training_ = {"digest": fb.digest(model), "target": 5, "booleans": "all"}
    fb.save(model, tmp_path / "m.fboost")
    assert json.loads(ok("inspect", tmp_path / "m.fboost", "--json").stdout)["training"] is None


def test_a_terminal_is_not_commanded_by_a_file(tmp_path):
    X, y = matrix()
    names = ["\x1b[2J", "[bold]", "c", "d"]
    frame = pa.table({name: X[:, at] for at, name in enumerate(names)})
    fb.save(fb.BoostedTreesClassifier(n_estimators=2).fit(frame, y), tmp_path / "m.fboost")
    said = ok("inspect", tmp_path / "m.fboost").stdout
    assert "\x1b" not in said
    assert "\\x1b[2J" in said
    assert "[bold]" in said
