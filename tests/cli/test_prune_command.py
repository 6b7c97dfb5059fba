"""`frugalboost prune` keeps what `prune_ensemble` keeps, and measures what that means."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("typer")

from table_helpers import features, labels, matrix, ok, refused, table, write

import frugalboost as fb
from frugalboost.cli.prune import Method, best_time
from frugalboost.cli.training import split
from frugalboost.pruning import METHODS

MANY = ("--trees", "30", "--depth", "2")
COMMON = ("--target", "sold", "--ignore", "price")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    data = write(folder / "data.csv", table())
    write(folder / "held.csv", table(seed=7))
    write(folder / "test.parquet", table(seed=8))
    ok("fit", data, *COMMON, "-o", folder / "m.fboost", *MANY)
    return folder


def test_all_methods_can_be_named():
    assert [method.value for method in Method] == list(METHODS)


def test_the_members_are_those_of_python(folder, tmp_path):
    output = tmp_path / "small.fboost"
    options = ("--method", "reduce_error", "--keep", "10", "--no-reweight", "--json")
    tested = ("--test", folder / "test.parquet")
    result = ok("prune", folder / "m.fboost", folder / "held.csv", "-o", output, *options, *tested)
    report, small = json.loads(result.stdout), fb.load(output)
    whole = fb.load(folder / "m.fboost")
    held = table(seed=7)
    expected = fb.prune_ensemble(whole, features(held), labels(held), "reduce_error", 10)
    assert report["after"]["digest"] == fb.digest(small) == fb.digest(expected)
    assert small.members_.tolist() == expected.members_.tolist()
    test = table(seed=8)
    for side, model in (("before", whole), ("after", small)):
        error = 1 - model.score(features(test), labels(test))
        assert report[side]["test_error"] == pytest.approx(error)
        assert report[side]["members"] == len(model.estimators_)
        assert report[side]["microseconds_per_row"] > 0
    assert report["before"]["bytes"] == (folder / "m.fboost").stat().st_size
    assert report["after"]["bytes"] == output.stat().st_size < report["before"]["bytes"]


@pytest.mark.parametrize("method", METHODS)
def test_every_method(folder, tmp_path, method):
    output = tmp_path / "small.fboost"
    arguments = (folder / "m.fboost", folder / "data.csv", "--method", method, "--keep", "30%")
    ok("prune", *arguments, "-o", output)
    assert 1 <= len(fb.load(output).estimators_) <= (30 if method == "hull" else 9)


def test_the_file_of_the_fit_is_used_without_the_rows_of_the_fit(folder, tmp_path):
    output = tmp_path / "small.fboost"
    options = ("--keep", "5", "--test-share", "0", "--json")
    result = ok("prune", folder / "m.fboost", folder / "data.csv", "-o", output, *options)
    held = split(labels(table()), "classes", 0.2, 0)[1]
    X, y = features(table()).take(held), labels(table())[held]
    whole = fb.load(folder / "m.fboost")
    expected = fb.prune_ensemble(whole, X, y, "reduce_error", 5, reweight=True)
    report = json.loads(result.stdout)
    assert (report["rows"], report["test_rows"], report["after"]["test_error"]) == (30, 0, None)
    assert report["after"]["digest"] == fb.digest(expected)


def test_bagged_trees_keep_their_votes(tmp_path):
    data, model, output = tmp_path / "d.csv", tmp_path / "m.fboost", tmp_path / "small.fboost"
    write(data, table())
    X, y = features(table()), labels(table())
    fb.save(fb.BaggedTreesClassifier(5, max_depth=2, random_state=0).fit(X, y), model)
    arguments = ("prune", model, data, "--target", "sold", "--keep", "3", "-o", output)
    ok(*arguments)
    assert fb.load(output).estimator_weights_.tolist() == [1.0, 1.0, 1.0]
    said = refused(1, *arguments, "--force", "--reweight")
    assert "reweight must be False for a BaggedTreesClassifier, whose members have no" in said


@pytest.mark.parametrize(("data", "is_told"), [("data.csv", True), ("held.csv", False)])
def test_rows_that_chose_the_trees_are_told(folder, tmp_path, data, is_told):
    output = tmp_path / "small.fboost"
    ok("prune", folder / "m.fboost", folder / data, "--keep", "5", "-o", output)
    assert fb.load(output).training_["pruned"]["by_held_out"] == is_told
    said = ok("evaluate", output, folder / "data.csv", "--held-out").stderr
    assert ("21 of the rows held out chose the trees that stayed" in said) == is_told


def test_the_file_remembers_both_commands(folder, tmp_path):
    output = tmp_path / "small.fboost"
    ok("prune", folder / "m.fboost", folder / "held.csv", "-o", output)
    told = fb.load(output).training_
    assert told["target"] == "sold"
    assert told["pruned"]["members"] == 30
    assert told["digest"] == fb.digest(fb.load(output))
    ok("evaluate", output, folder / "test.parquet")


def test_a_pruned_ensemble_can_be_pruned_again(tmp_path):
    X, y = matrix()
    whole = fb.BoostedTreesClassifier("real", n_estimators=10, max_depth=2)
    model = fb.PrunedEnsembleClassifier(whole, n_estimators=6, random_state=0).fit(X, y)
    fb.save(model, tmp_path / "m.fboost")
    np.savez(tmp_path / "data.npz", X=X, y=y)
    ok("prune", tmp_path / "m.fboost", tmp_path / "data.npz", "--keep", "3", "-o", tmp_path / "s")
    assert len(fb.load(tmp_path / "s").estimators_) == 3


def test_what_has_no_members_to_choose_from(tmp_path):
    X, y = matrix()
    np.savez(tmp_path / "data.npz", X=X, y=y)
    models = {
        "must be a classifier": fb.BoostedTreesRegressor(n_estimators=2).fit(X, y),
        "whose members are ensembles": fb.OneAgainstAllClassifier().fit(X, np.arange(150) % 3),
    }
    for said, model in models.items():
        fb.save(model, tmp_path / "m.fboost")
        arguments = (tmp_path / "m.fboost", tmp_path / "data.npz", "-o", tmp_path / "s.fboost")
        assert said in refused(1, "prune", *arguments)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--keep", "31"], "not exceed the model's 30 trees"),
        (["--keep", "0"], "--keep must be auto"),
        (["--keep", "some"], "--keep must be auto"),
        (["--keep", "150%"], "--keep must be auto"),
        (["--method", "best"], "'best'"),
        (["--test-share", "1.5"], "--test-share"),
    ],
)
def test_what_cannot_be_done(folder, tmp_path, options, said):
    arguments = (folder / "m.fboost", folder / "held.csv", "-o", tmp_path / "s.fboost", *options)
    assert said in refused(2, "prune", *arguments)
    assert list(tmp_path.iterdir()) == []


def test_the_model_is_not_replaced_by_a_smaller_one(folder):
    path = folder / "m.fboost"
    said = refused(2, "prune", path, folder / "held.csv", "-o", path, "--force")
    assert "a different file from MODEL" in said
    assert len(fb.load(path).estimators_) == 30


class Clock:
    """A clock that only goes on during predictions, which take these seconds in turn."""

    def __init__(self, seconds):
        self.seconds, self.now = iter(seconds), 0.0

    def __call__(self):
        return self.now

    def predict(self, X):
        self.now += next(self.seconds)


def test_the_best_time_is_that_of_the_fastest_prediction(monkeypatch):
    clock = Clock([0.5, 0.25, 0.5, 100.0])
    monkeypatch.setattr("frugalboost.cli.prune.time", SimpleNamespace(perf_counter=clock))
    assert best_time(clock, None, 1.0) == 0.25
    assert clock.now == 1.25  # until the time is over
