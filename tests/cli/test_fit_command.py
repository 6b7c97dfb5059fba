"""`frugalboost fit` gives the model that Python gives, and says what it cannot do."""

from __future__ import annotations

import json
import os
import sys

import numpy as np
import pytest

pytest.importorskip("typer")
pytest.importorskip("pyarrow")

import pyarrow as pa
from scipy import sparse
from table_helpers import (
    FAST,
    PARAMS,
    features,
    labels,
    matrix,
    ok,
    refused,
    table,
    write,
    write_libsvm,
)

import frugalboost as fb
from frugalboost.cli.training import split

WHOLE = (*FAST, "--test-share", "0")


@pytest.fixture
def data(tmp_path):
    return write(tmp_path / "data.csv", table())


def fit(data, *options):
    output = data.parent / "model.fboost"
    report = json.loads(ok("fit", data, "-o", output, "--json", *options).stdout)
    return fb.load(output), report


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".parquet", ".feather"])
def test_the_model_is_that_of_python(tmp_path, ending):
    path = write(tmp_path / f"data{ending}", table())
    model, report = fit(path, "--target", "sold", "--ignore", "price", *WHOLE)
    expected = fb.BoostedTreesClassifier(**PARAMS).fit(features(table()), labels(table()))
    assert report["digest"] == fb.digest(model) == fb.digest(expected)
    assert model.feature_names_in_.tolist() == ["size", "rooms", "new", "city"]
    assert report["scores"] is None


def test_rows_held_out_are_not_learnt_from(data):
    _, report = fit(data, "--target", "sold", "--ignore", "price", *FAST)
    y = labels(table())
    kept, held = split(y, "classes", 0.2, 0)
    assert len(held) == 30
    assert set(kept) | set(held) == set(range(150))
    X = features(table())
    expected = fb.BoostedTreesClassifier(**PARAMS).fit(X.take(kept), y[kept])
    assert report["digest"] == fb.digest(expected)
    assert report["scores"]["rows"] == 30
    wrong = float((expected.predict(X.take(held)) != y[held]).mean())
    assert report["scores"]["error"] == pytest.approx(wrong, abs=1e-12)


def test_another_seed_holds_out_other_rows():
    y = labels(table())
    assert set(split(y, "classes", 0.2, 0)[1]) != set(split(y, "classes", 0.2, 1)[1])


def test_a_file_to_test_on(data, tmp_path):
    other = write(tmp_path / "test.parquet", table(seed=1))
    model, report = fit(data, "--target", "sold", "--ignore", "price", "--test", other, *FAST)
    X, y = features(table(1)), labels(table(1))
    assert report["rows"] == 150
    assert report["scores"]["rows"] == 150
    assert report["scores"]["error"] == pytest.approx(1 - model.score(X, y), abs=1e-12)


def test_numbers_are_predicted_by_a_regressor(data):
    _, report = fit(data, "--target", "price", "--ignore", "sold", *WHOLE)
    y = table().column("price").to_numpy()
    expected = fb.BoostedTreesRegressor(**PARAMS).fit(features(table()), y)
    assert (report["task"], report["digest"]) == ("regression", fb.digest(expected))


@pytest.mark.parametrize(
    ("target", "task", "kind"),
    [("rooms", "classes", "int64"), ("new", "classes", "bool"), ("sold", "classes", "object")],
)
def test_what_is_taken_for_classes(data, target, task, kind):
    model, report = fit(data, "--target", target, *WHOLE)
    assert report["task"] == task
    assert model.classes_.dtype == kind


def test_the_task_can_be_chosen(data):
    model, _ = fit(data, "--target", "rooms", "--task", "regression", *WHOLE)
    assert type(model) is fb.BoostedTreesRegressor


def test_weights(data):
    _, report = fit(data, "--target", "sold", "--ignore", "price", "--weight", "rooms", *WHOLE)
    X, y = features(table(), ("size", "new", "city")), labels(table())
    weights = table().column("rooms").to_numpy()
    expected = fb.BoostedTreesClassifier(**PARAMS).fit(X, y, sample_weight=weights)
    assert report["digest"] == fb.digest(expected)


def test_any_parameter_can_be_given(data):
    options = ("--rule", "real", "--param", "max_bins=8", "--param", "search=adaptive")
    model, _ = fit(data, "--target", "sold", *options, *WHOLE)
    assert (model.rule, model.max_bins, model.search) == ("real", 8, "adaptive")


def test_npz(tmp_path):
    X, y = matrix()
    np.savez(tmp_path / "data.npz", X=X, y=y)
    model, report = fit(tmp_path / "data.npz", *WHOLE)
    expected = fb.BoostedTreesClassifier(**PARAMS).fit(X, y)
    assert report["digest"] == fb.digest(expected)
    assert not hasattr(model, "feature_names_in_")


def test_npz_with_names(tmp_path):
    X, y = matrix()
    np.savez(tmp_path / "data.npz", X=X, y=y, names=["a", "b", "c", "d"], w=np.arange(1, 151))
    model, _ = fit(tmp_path / "data.npz", "--weight", "w", "--ignore", "b", *WHOLE)
    assert model.feature_names_in_.tolist() == ["a", "c", "d"]


def test_libsvm(tmp_path):
    X, y = matrix()
    _, report = fit(write_libsvm(tmp_path / "data.svm", X, y), *WHOLE)
    expected = fb.BoostedTreesClassifier(**PARAMS).fit(sparse.csr_matrix(X), y)
    assert report["digest"] == fb.digest(expected)
    assert report["target"] == "label"


def test_columns_that_cannot_be_learnt_from_are_left_out(tmp_path):
    path = tmp_path / "data.csv"
    lines = [f"{i},2024-01-{i % 28 + 1:02},name {i},{i % 2}" for i in range(60)]
    path.write_text("\n".join(["a,day,name,y", *lines]) + "\n")
    model, report = fit(path, "--target", "y", *WHOLE)
    assert sorted(report["left_out"]) == ["day", "name"]
    assert model.feature_names_in_.tolist() == ["a"]


def test_the_file_remembers_its_training(data, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/somewhere/frugalboost", "fit", "my data.csv"])
    model, report = fit(data, "--target", "sold", "--ignore", "price", *FAST)
    told = model.training_
    assert (told["target"], told["ignored"], told["booleans"]) == ("sold", ["price"], ["new"])
    assert (told["data"], told["rows"], told["version"]) == ("data.csv", 120, fb.__version__)
    assert told["scores"]["error"] == report["scores"]["error"]
    assert told["digest"] == report["digest"]
    assert told["command"] == "frugalboost fit 'my data.csv'"


def test_a_model_that_is_fitted_again_forgets_it(data, tmp_path):
    model, _ = fit(data, "--target", "sold", *FAST)
    X, y = matrix()
    fb.save(model.fit(X, y), tmp_path / "again.fboost")
    assert not hasattr(fb.load(tmp_path / "again.fboost"), "training_")


def test_the_table_says_what_was_chosen(data):
    said = ok("fit", data, "--target", "sold", "-o", data.parent / "m.fboost", *FAST).stdout
    assert "classes; change with --task" in said
    assert "held out" in said


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--target", "Solt"], 2, "Did you mean 'sold'?"),
        (["--target", "xyzzy"], 2, "The columns are 'size', 'rooms'"),
        ([], 2, "--target must name the column to predict"),
        (["--target", "sold", "--ignore", "citi"], 2, "Did you mean 'city'?"),
        (["--target", "sold", "--ignore", "sold"], 2, "--ignore must not name the target"),
        (["--target", "sold", "--weight", "city"], 2, "--weight must be a column of numbers"),
        (["--target", "sold", "--weight", "sold"], 2, "a column other than --target"),
        (["--target", "sold", "--weight", "price"], 1, "numbers >= 0; 'price' contains"),
        (["--target", "city"], 1, "missing in"),
        (["--target", "sold", "--task", "regression"], 2, "needs a numeric target"),
        (["--target", "sold", "--task", "both"], 2, "'both'"),
        (["--target", "sold", "--test-share", "1"], 2, "--test-share must be in [0, 1)"),
        (["--target", "sold", "--param", "max_bin=3"], 2, "Did you mean 'max_bins'?"),
        (["--target", "sold", "--param", "max_bins"], 2, "must be name=value"),
        (["--target", "sold", "--param", "max_bins=1"], 2,
         "--param max_bins must be an integer from 2"),
        (["--target", "sold", "--rule", "best"], 2, "--rule must be one of"),
        (["--target", "price", "--rule", "real"], 2, "--rule must be omitted for a regression"),
        (["--target", "price", "--task", "regression", "--rule", "quantile"], 2,
         "--rule must be omitted for a regression, which always boosts the squared error."),
        (["--target", "price", "--rule", "quantile"], 2,
         "'real_log', and must be omitted for a regression; got 'quantile'"),
        (["--target", "sold", "--trees", "0"], 2,
         "frugalboost: --trees must be an integer >= 1; got 0."),
        (["--target", "price", "--depth", "-1"], 2,
         "frugalboost: --depth must be an integer from 1"),
        (["--target", "price", "--task", "regression", "--param", "tol=x"], 2,
         "--param tol must be"),
        (["--target", "sold", "--jobs", "0"], 2, "frugalboost: --jobs must be"),
        (["--target", "sold", "--learning-rate", "-1"], 2, "frugalboost: --learning-rate must be"),
        (["--target", "sold", "--leaves", "1"], 2, "frugalboost: --leaves must be"),
        (["--target", "sold", "--param", "n_estimators=0"], 2, "--param n_estimators must be"),
        (["--target", "sold", "--param", "rule=best"], 2, "--param rule must be one of"),
        (["--target", "sold", "--param", "categorical_features=[9]"], 2,
         "frugalboost: --param categorical_features must hold"),
        (["--target", "sold", "--trees", "ten"], 2, "'ten'"),
        (["--target", "sold", "--seed", str(2**32)], 2, "--seed"),
        (["--target", "sold", "-o", "-"], 2, "--output must be a file; got '-'"),
        (["--target", "sold", "--test", "nowhere.csv"], 2, "--test must be a file"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_clear_line(data, options, code, said):
    assert said in refused(code, "fit", data, "-o", data.parent / "m.fboost", *options)
    assert [path.name for path in data.parent.iterdir()] == ["data.csv"]


def test_options_are_checked_before_the_file_is_read(data):
    data.write_bytes(b"\xff" * 100)
    output = data.parent / "m.fboost"
    said = refused(2, "fit", data, "--target", "sold", "-o", output, "--rule", "best")
    assert "rule must be one of" in said


def test_a_file_is_replaced_only_if_asked(data):
    output = data.parent / "m.fboost"
    output.write_text("mine")
    said = refused(2, "fit", data, "--target", "sold", "-o", output)
    assert "already exists; use --force to overwrite it" in said
    assert output.read_text() == "mine"
    ok("fit", data, "--target", "sold", "-o", output, "--force", *FAST)
    assert len(fb.load(output).estimators_) == 8


def test_the_data_are_never_replaced(data):
    before = data.read_bytes()
    said = refused(2, "fit", data, "--target", "sold", "-o", data, "--force")
    assert "must be a different file from DATA" in said
    assert data.read_bytes() == before


def test_places_where_nothing_can_be_written(data, tmp_path):
    common = ("fit", data, "--target", "sold", "-o")
    assert "does not exist" in refused(2, *common, tmp_path / "no" / "m.fboost")
    assert "is a folder" in refused(2, *common, tmp_path)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    if not os.access(closed, os.W_OK):  # root may write anywhere
        assert "is not writable" in refused(2, *common, closed / "m.fboost")


def test_messages_about_options_name_the_option(data):
    said = refused(2, "fit", data, "--target", "price", "--rule", "real", "-o", data.parent / "m")
    assert "--param" not in said
    assert "Classifier" not in said


def test_too_few_rows_to_hold_some_out_is_said_in_the_words_of_fit(tmp_path):
    path = write(tmp_path / "two.csv", pa.table({"x": [1.0, 2.0], "y": ["a", "b"]}))
    said = refused(1, "fit", path, "--target", "y", "-o", tmp_path / "m.fboost")
    assert "--test-share must leave a row to test on in addition to one of each class" in said
    assert "prune" not in said


@pytest.mark.parametrize("share", ["0", "0.2"])
def test_a_target_of_one_class_is_named(tmp_path, share):
    path = write(tmp_path / "one.csv", pa.table({"x": [1.0, 2.0], "sold": ["a", "a"]}))
    options = ("--target", "sold", "--test-share", share)
    said = refused(1, "fit", path, *options, "-o", tmp_path / "m.fboost")
    expected = f"{path}: the target 'sold' must hold at least two classes; got 1 class, 'a'."
    assert said == f"frugalboost: {expected}\n"


def decimal_commas(tmp_path, n_rows=300):
    texts = [f"{n},5" for n in range(n_rows)]
    data = pa.table({"x": np.arange(float(n_rows)), "y": texts})
    return write(tmp_path / "commas.parquet", data)


def test_numbers_with_decimal_commas_are_not_taken_for_classes(tmp_path):
    path, output = decimal_commas(tmp_path), tmp_path / "m.fboost"
    said = refused(2, "fit", path, "--target", "y", "-o", output)
    assert "300 classes in 300 rows" in said
    assert "they look like numbers with decimal commas" in said
    assert "--many-classes" in said
    assert not output.exists()


def test_many_classes_can_be_asked_for(tmp_path):
    path, output = decimal_commas(tmp_path, 120), tmp_path / "m.fboost"
    common = ("--test-share", "0", "--trees", "1", "--depth", "1", "--many-classes")
    ok("fit", path, "--target", "y", "-o", output, *common)
    assert len(fb.load(output).classes_) == 120
