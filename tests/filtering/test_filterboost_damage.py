"""Checkpoints and models with a single wrong entry: one ValueError names file and entry."""

from __future__ import annotations

import os

import numpy as np
import pytest
from filterboost_helpers import Rows, change, same

import frugalboost as fb
from frugalboost.data import Schema
from frugalboost.filtering.reading import LOOK_AHEAD, BatchReader
from frugalboost.filtering.scored_stream import CHUNK_BYTES, IncrementalForest, ScoredStream
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


CODES = {"dtype": "<i8", "values": [0, 1]}
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
    (("tap", "asked"), 1 << 40, "tap.asked must be at most 65536 examples; got 1099511627776"),
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
    (("reader", "classes", "values"), [0, 1, 2], r"reader\.classes must be \['no', 'yes'\] or t"),
    (("reader", "classes", "values"), [0, 0], r"reader\.classes must be .* got \[0, 0\]"),
    (("reader", "classes", "values"), [0, 5], r"reader\.classes must be .* got \[0, 5\]"),
    (("reader", "classes", "values"), [0, True], r"reader\.classes\.values must be a list of lab"),
    (("reader", "classes"), 5, r"reader\.classes must be labels with their type; got 5"),
    (("reader", "is_categorical", 0), True, r"reader\.categories\[0\] must be labels, as reader"),
    (("reader", "is_categorical", 0), 1, r"reader\.is_categorical\[0\] must be true or false"),
    (("reader", "is_categorical"), [False], r"reader\.is_categorical must be a list for 3 feat"),
    (("reader", "categories", 0), CODES, r"reader\.categories\[0\] must be None, as reader\.is_c"),
    (("reader", "categories", 0), 5, r"reader\.categories\[0\]"),
    (("reader", "is_encoded"), 1, r"reader\.is_encoded must be true or false; got 1"),
    (("reader", "n_features"), 4, r"reader\.n_features must be 3, as in the trees; got 4"),
    (("reader", "feature_names"), CODES, r"reader\.feature_names\.values must be 3 distinct names"),
    (("classes", "values"), {"no": 1, "yes": 2}, r"classes\.values must be a list of numbers or"),
    (
        ("classes", "values"),
        "no",
        r"classes\.values must be a list of numbers or strings; got 'no'",
    ),
    (("classes", "values"), ["no", "no"], r"classes\.values must be two or more labels, distinct"),
    (("classes", "values"), ["yes", "no"], r"classes\.values must be two or more labels, distinct"),
    (("classes", "values"), ["no", []], r"classes\.values must be a list of numbers or strings"),
    (("classes", "values"), ["no", 5], r"classes\.values must be a list of labels of type <U3"),
    (("classes", "values"), ["no", "yes, no"], r"classes\.values must be a list of labels of type"),
    (("classes", "dtype"), None, r"classes\.dtype must be the type of such labels; got None"),
    (("classes", "dtype"), "<U99999999", r"classes\.dtype must be the type of such labels"),
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
        with pytest.raises(ValueError, match="FilterBoostClassifier: ") as caught:
            small_model(checkpoint=path).fit(X, Y, resume=True)
        is_other = "classes must be those of the trees so far" in str(caught.value)
        assert is_other or str(path) in str(caught.value)


@pytest.mark.parametrize("state", [5, {}, [], "x"])
def test_a_wrong_state_of_the_oracle(path, state):
    change(path, lambda meta: meta["tap"].update(oracle=state))
    with pytest.raises(ValueError, match=r"same kind of oracle, on the same source; got .*run: "):
        small_model(checkpoint=path, max_examples=10**6).fit(X, Y, resume=True)


@pytest.mark.parametrize("asked", [0, 300])
def test_other_classes_of_the_reader_than_those_of_the_table(path, asked):
    def put(meta):
        meta["reader"]["classes"] = meta["classes"]  # as in a checkpoint of a stream
        meta["tap"].update(asked=asked, at=min(asked, 1))

    change(path, put)
    said = r"labels must be among the classes .* goes on from the checkpoint .*run\.\)"
    with pytest.raises(ValueError, match=said) as caught:
        small_model(checkpoint=path).set_params(max_rounds=5).fit(X, Y, resume=True)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("at", [0, 1])
def test_a_chunk_that_the_oracle_cannot_return_again(path, at):
    def put(meta):
        meta["tap"].update(asked=300, at=at)
        meta["tap"]["oracle"] = 1 << 40

    change(path, put)
    said = rf"oracle must return again the 1 examples of .* checkpoint .*{path.name} goes .* got 0"
    with pytest.raises(ValueError, match=said) as caught:
        small_model(checkpoint=path).fit_stream(Numbered(X, Y), resume=True)
    assert str(path) in str(caught.value)


class Numbered(Rows):
    """An oracle that takes in any position and ends after the last row."""

    def __init__(self, X, y):
        super().__init__(X, y, recycle=False)

    def state(self):
        return self.at

    def restore(self, state):
        self.at = state


WIDE = np.tile(X, 50)
"""A run's chunks of it have fewer rows than one may ask for at first."""


def test_a_chunk_that_is_larger_than_those_of_a_run_is_drawn_in_pieces(tmp_path):
    """A few bytes in a file do not make a run read, and hold, 65,536 rows at once."""
    path = tmp_path / "run"
    small_model(checkpoint=path).fit_stream(Rows(WIDE, Y))
    change(path, lambda meta: meta["tap"].update(asked=1 << 16))
    oracle = Counted(WIDE, Y)
    again = small_model(checkpoint=path).set_params(max_rounds=5).fit_stream(oracle, resume=True)
    assert oracle.most <= LOOK_AHEAD
    whole = small_model().set_params(max_rounds=5).fit_stream(Counted(WIDE, Y))
    assert fb.digest(again) == fb.digest(whole)


class Counted(Rows):
    """Notes how many examples it was asked for at a time."""

    most = 0

    def draw(self, n):
        self.most = max(self.most, n)
        return super().draw(n)


def test_a_chunk_of_narrow_values_is_drawn_again_in_one_piece():
    """As it was drawn: an oracle's examples may depend on how many are asked for at a time."""
    narrow = np.tile(X, 7).astype(np.float32)[:, :20]
    n = 2 * CHUNK_BYTES // (8 * 20) - 1  # more than fit if values take eight bytes
    reader = BatchReader(Schema.from_data(narrow, None), READER.classes, is_encoded=False)
    stream = ScoredStream(Rows(narrow, Y), reader, IncrementalForest(), 1, seed=0)
    stream.take(1)  # only from now on the size of the values is known
    stream.take(n)
    state, oracle = stream.state(), Counted(narrow, Y)
    assert state["asked"] > max(LOOK_AHEAD, n // 2 + 1)
    ScoredStream(oracle, reader, IncrementalForest(), 1, seed=0).restore(state)
    assert oracle.most == state["asked"]


def test_what_was_used_may_be_more_than_a_piece(tmp_path):
    """A run with more memory may have had larger chunks; this one has the same model."""
    path, options = tmp_path / "run", {"sample_constant": 800, "max_depth": 1}
    small_model(checkpoint=path).set_params(max_rounds=6, **options).fit_stream(Rows(WIDE, Y))

    def put(meta):
        n, coins = meta["tap"]["n_used"], np.random.PCG64(0)
        assert 2 * LOOK_AHEAD < n < 1 << 16
        coins.state = meta["tap"]["coins"]
        coins.advance(meta["tap"]["at"] - n)
        meta["tap"].update(oracle={"at": 0}, coins=coins.state, asked=1 << 16, at=n)

    change(path, put)
    more, oracle = {"max_rounds": 8, **options}, Counted(WIDE, Y)
    again = small_model(checkpoint=path).set_params(**more).fit_stream(oracle, resume=True)
    assert oracle.most <= LOOK_AHEAD
    assert same(again, small_model().set_params(**more).fit_stream(Rows(WIDE, Y)))


def test_other_data_are_noticed_also_where_a_chunk_was_used_up(path):
    stream = ScoredStream(Rows(X, Y), READER, IncrementalForest(), 1, seed=0)
    stream.take(256)
    state = stream.state()
    assert state["at"] == state["asked"] == 256
    for data, known in ((X, True), (X[::-1], False)):
        other = ScoredStream(Rows(data, Y), READER, IncrementalForest(), 1, seed=0)
        if known:
            other.restore(state)
            assert (other.take(50).coins == stream.take(50).coins).all()
            continue
        with pytest.raises(ValueError, match="got others before example 256"):
            other.restore(state)


READER = BatchReader(Schema.from_data(X, None), np.array(["no", "yes"]), is_encoded=False)


CATEGORIES = [
    (["b", "b", "r"], "must be categories, distinct and in order"),
    (["r", "g", "b"], "must be categories, distinct and in order"),
    (["b"], "must be at least 3 categories, as in the trees; got 1"),
    ([], "must be at least 3 categories, as in the trees; got 0"),
]


@pytest.mark.parametrize(("values", "said"), CATEGORIES)
def test_wrong_categories(tmp_path, values, said):
    path = tmp_path / "run"
    colours = np.array(["b", "g", "r"])[np.digitize(X[:, 1], [-0.4, 0.4])]
    table = np.column_stack([X[:, 0].astype(object), colours.astype(object)])
    model = small_model(checkpoint=path, categorical_features=[1])
    model.set_params(max_depth=3).fit(table, (colours == "g") ^ (X[:, 0] > 0))
    change(path, lambda meta: meta["reader"]["categories"][1].update(values=values))
    with pytest.raises(ValueError, match=rf"reader\.categories\[1\]\.values {said}") as caught:
        fb.FilterBoostClassifier.from_checkpoint(path)
    assert str(path) in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_before_the_run_and_not_waited_for(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for resume in (False, True):
        with pytest.raises(ValueError, match=r"checkpoint must be a file; .*pipe' is a named pipe"):
            small_model(checkpoint=pipe).fit(X, Y, resume=resume)
    with pytest.raises(OSError, match="it must be a regular file, not a named pipe"):
        fb.FilterBoostClassifier.from_checkpoint(pipe)


def test_a_long_value_is_cut_in_the_error(path):
    change(path, lambda meta: meta["params"].update(target_error="x" * 10**5))
    with pytest.raises(ValueError, match="target_error must be 'xxx") as caught:
        small_model(checkpoint=path).fit(X, Y, resume=True)
    assert len(str(caught.value)) < 1_000


def test_a_position_beyond_the_data(path):
    change(path, lambda meta: meta["tap"]["oracle"].update(position=1 << 40))
    said = r"run: ArrayOracle: state\['position'\] must be at most 300, the examples of an epoch"
    with pytest.raises(ValueError, match=said):
        small_model(checkpoint=path).fit(X, Y, resume=True)


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
