"""Checkpoints and models with a single wrong entry: one ValueError names file and entry."""

from __future__ import annotations

import numpy as np
import pytest
from filterboost_helpers import change

import frugalboost as fb
from frugalboost.saving.container import pack, unpack

X = np.random.default_rng(0).normal(size=(300, 3))
Y = np.where(X[:, 0] > 0, "yes", "no")


def small_model(**params):
    return fb.FilterBoostClassifier(max_rounds=3, sample_constant=20, random_state=0, **params)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "run"
    small_model(checkpoint=path).fit(X, Y)
    return path


ENTRIES = [
    (("ledger", 1, "seconds"), [], r"ledger\[1\]\.seconds must be of type float; got \[\]"),
    (("ledger", 0, "assessments"), 0.5, r"ledger\[0\]\.assessments must be of type int"),
    (("ledger", 0, "search"), 1, r"ledger\[0\]\.search must be of type str"),
    (("ledger", 0, "more"), 1, r"ledger\[0\] must be a round of known fields"),
    (("ledger", 0), 5, r"ledger\[0\] must be a round"),
    (("ledger",), {}, "ledger must be a list"),
    (("ledger",), [], "ledger must have a round for each of the 3 trees; got 0"),
    (("tap",), 5, "tap must be names and values; got 5"),
    (("tap", "n_used"), "x", "tap.n_used must be a number of examples"),
    (("tap", "n_used"), -1, "tap.n_used"),
    (("tap", "at"), 10**9, "tap.at must be at most"),
    (("tap", "itemsize"), [], "tap.itemsize"),
    (("tap", "coins"), {}, "tap.coins must be the state of a generator"),
    (("tap", "coins", "state"), "x", "tap.coins"),
    (("finished",), 5, "finished must be None or one of"),
    (("finished",), [], "finished"),
    (("params",), [], "params must be names and values"),
    (("params", "max_bins"), "x", "max_bins must be"),
    (("params", "rule"), 5, "rule must be"),
    (("params", "unknown"), 5, "unknown"),
    (("params", "random_state"), "x", r"params\.random_state must be None or a number from 0 to"),
    (("params", "random_state"), 1 << 32, r"params\.random_state must be"),
    (("classes", "values"), ["a", "b", "c"], "classes must fit trees of 1 outputs"),
    (("reader", "classes", "values"), [0, 1, 2], "classes of the reader"),
]


@pytest.mark.parametrize(("place", "value", "said"), ENTRIES)
def test_a_wrong_entry_of_a_checkpoint(path, place, value, said):
    def put(meta):
        for name in place[:-1]:
            meta = meta[name]
        meta[place[-1]] = value

    change(path, put)
    with pytest.raises(ValueError, match=said) as caught:
        fb.FilterBoostClassifier.from_checkpoint(path)
    assert str(path) in str(caught.value)
    with pytest.raises(ValueError, match="run must be a file written by save"):
        fb.load(path)
    if place[0] != "params":
        with pytest.raises(ValueError, match="FilterBoostClassifier: "):
            small_model(checkpoint=path).fit(X, Y, resume=True)


@pytest.mark.parametrize("state", [5, {}, [], "x"])
def test_a_wrong_state_of_the_oracle(path, state):
    change(path, lambda meta: meta["tap"].update(oracle=state))
    with pytest.raises(ValueError, match=r"same kind of oracle, on the same source; got .*run: "):
        small_model(checkpoint=path, max_examples=10**6).fit(X, Y, resume=True)


def test_without_a_wrong_entry_the_run_goes_on(path):
    change(path, lambda meta: None)
    again = small_model(checkpoint=path).fit(X, Y, resume=True)
    assert fb.digest(again) == fb.digest(fb.load(path))


MODELS = [
    (fb.BoostedTreesClassifier(n_estimators=2), "n_jobs", "x"),
    (fb.BoostedTreesClassifier(n_estimators=2), "verbose", -1),
    (fb.BoostedTreesClassifier(n_estimators=2), "max_bins", 1),
    (fb.FilterBoostClassifier(max_rounds=2, sample_constant=20, random_state=0), "max_bins", "x"),
    (fb.BaggedTreesClassifier(n_estimators=2), "n_jobs", 0),
    (fb.GambleClassifier(n_estimators=2), "learning_rate", "x"),
    (fb.FilterBoostClassifier(max_rounds=2, sample_constant=20, random_state=0), "n_jobs", "x"),
    (fb.BoostedTreesClassifier(n_estimators=2), "rule", "x"),
    (fb.PrunedEnsembleClassifier(random_state=0), "pruning_fraction", 7),
]


@pytest.mark.parametrize(("model", "name", "value"), MODELS)
def test_parameters_of_a_model_file_are_checked(tmp_path, model, name, value):
    path = tmp_path / "model.fboost"
    fb.save(model.fit(X, Y), path)
    header, arrays = unpack(path.read_bytes())
    header["model"]["params"][name] = value
    refuses(path, header, arrays, name, type(model))


TREES = fb.BoostedTreesClassifier(n_estimators=2)
FILTER = fb.FilterBoostClassifier(max_rounds=2, sample_constant=20, random_state=0)
NESTED = [
    (fb.OneAgainstAllClassifier(TREES), "n_jobs", "x"),
    (fb.OneAgainstAllClassifier(fb.GambleClassifier(n_estimators=2)), "learning_rate", "x"),
    (fb.PrunedEnsembleClassifier(TREES, random_state=0), "n_jobs", "x"),
    (fb.PrunedEnsembleClassifier(TREES, random_state=0), "rule", "x"),
    (fb.PrunedEnsembleClassifier(FILTER, random_state=0), "n_jobs", 0),
]


@pytest.mark.parametrize(("model", "name", "value"), NESTED)
def test_so_are_those_of_estimators_inside(tmp_path, model, name, value):
    path = tmp_path / "model.fboost"
    fb.save(model.fit(X, Y), path)
    header, arrays = unpack(path.read_bytes())
    inside = header["model"]["params"]["estimator"]["params"]
    assert name in inside
    inside[name] = value
    refuses(path, header, arrays, name, type(model.estimator))


def refuses(path, header, arrays, name, kind):
    path.write_bytes(pack(header, arrays))
    with pytest.raises(ValueError, match=rf"model\.fboost must .*{name} must be") as caught:
        fb.load(path)
    assert kind.__name__ in str(caught.value)
