"""What is loaded is what was saved: every kind of model, label, table and parameter."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from saving_helpers import CODES, IS_YES, MODELS, SMALL, WORDS, X

import frugalboost as fb
from frugalboost.saving.kinds import KINDS

KINDS_OF_LABELS = {
    "int64": CODES,
    "int8": CODES.astype(np.int8) - 1,
    "uint16": CODES.astype(np.uint16) + 65_000,
    "big-endian": CODES.astype(">i4"),
    "float32": CODES.astype(np.float32) - 0.0,
    "bool": IS_YES,
    "text": WORDS,
    "text of a wide type": WORDS.astype("U40"),
    "text as objects": WORDS.astype(object),
    "empty text": np.array(["", " ", "\n"])[CODES],
    "half a pair": np.array(["a", "\ud800", "\U0001f333"], dtype=object)[CODES],
    "bools as objects": IS_YES.astype(object),
    "large integers": np.array([0, 2**70, -(2**70)], dtype=object)[CODES],
    "of several kinds": np.array(["one", 2, 3.5], dtype=object)[CODES],
}


def there_and_back(model, tmp_path):
    fb.save(model, tmp_path / "model.fboost")
    return fb.load(tmp_path / "model.fboost")


def assert_same(model, again):
    assert type(again) is type(model)
    assert fb.digest(again) == fb.digest(model)
    assert_array_equal(again.predict(X), model.predict(X))
    for name in ("predict_proba", "decision_function"):
        if hasattr(model, name):
            assert_array_equal(getattr(again, name)(X), getattr(model, name)(X))
    assert_array_equal(again.feature_importances_, model.feature_importances_)


def assert_same_attributes(model, again):
    """All that a fit has left, but the trees, which the digest compares."""
    kept = set(vars(model)) - {"_committee"}  # None, as that of the class
    assert set(vars(again)) == kept
    for name in ("classes_", "validation_losses_", "n_features_in_", "n_estimators_", "_seed"):
        if hasattr(model, name):
            assert_array_equal(getattr(again, name), getattr(model, name))
    if hasattr(model, "classes_"):
        assert again.classes_.dtype == model.classes_.dtype
    if hasattr(model, "ledger_"):
        assert again.ledger_ == model.ledger_
        assert type(again.ledger_[0].reads) is int
        assert again._rule == model._rule
        restarts = [each._digest_parts()[0].restarts for each in (again, model)]
        assert restarts[0] == restarts[1]


@pytest.mark.parametrize("name", MODELS)
def test_every_kind(name, tmp_path):
    model = MODELS[name]
    again = there_and_back(model, tmp_path)
    assert_same(model, again)
    assert_same_attributes(model, again)
    assert repr(again) == repr(model)
    for member, other in zip(model.estimators_, again.estimators_, strict=True):
        if hasattr(member, "ledger_"):
            assert_same(member, other)
            assert_same_attributes(member, other)


def test_every_kind_is_tried():
    assert {type(model).__name__ for model in MODELS.values()} == set(KINDS)


@pytest.mark.parametrize("labels", KINDS_OF_LABELS.values(), ids=KINDS_OF_LABELS)
def test_labels_keep_their_type(labels, tmp_path):
    model = fb.BoostedTreesClassifier(n_estimators=2).fit(X, labels)
    again = there_and_back(model, tmp_path)
    assert_same(model, again)
    assert again.classes_.dtype == model.classes_.dtype
    kinds = [type(label) for label in model.classes_.tolist()]
    assert [type(label) for label in again.classes_.tolist()] == kinds


def frame():
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "größe": X[:, 0],
            "colour": pd.Categorical(rng.choice(["red", "green", None], len(X))),
            "mixed": pd.Categorical(rng.choice(np.array(["a", 1, 2.5], dtype=object), len(X))),
            "number": pd.Categorical(rng.choice([3, 5], len(X))),
            "": X[:, 2],
        }
    )


@pytest.mark.parametrize(
    "model",
    [
        fb.BoostedTreesClassifier(n_estimators=5, min_samples_leaf=1),
        fb.FilterBoostClassifier(max_rounds=5, sample_constant=20, random_state=0),
        fb.OneAgainstAllClassifier(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_names_and_categories(model, tmp_path):
    table = frame()
    model.fit(table, WORDS)
    again = there_and_back(model, tmp_path)
    assert fb.digest(again) == fb.digest(model)
    assert_array_equal(again.predict_proba(table), model.predict_proba(table))
    assert again.feature_names_in_.tolist() == table.columns.tolist()
    with pytest.raises(ValueError, match="feature names"):
        again.predict(table.rename(columns={"colour": "color"}))
    unseen = table.assign(colour=pd.Categorical(["blue"] * len(table)))
    assert_array_equal(again.predict(unseen), model.predict(unseen))


def test_a_model_of_binned_columns(tmp_path):
    binned = fb.BinnedDataset.from_data(X, categorical_features=[1])
    model = fb.BoostedTreesClassifier(n_estimators=3).fit(binned, WORDS)
    assert_same(model, there_and_back(model, tmp_path))


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("random_state", np.int64(3), 3),
        ("n_jobs", 1, 1),
        ("learning_rate", np.float32(0.5), 0.5),
        ("tol", 1e-300, 1e-300),
        ("categorical_features", np.array([1]), [1]),
        ("categorical_features", (1, 3), [1, 3]),
        ("categorical_features", np.arange(5) == 1, [False, True, False, False, False]),
        ("categorical_features", [], []),
        ("categorical_features", None, None),
    ],
)
def test_parameters(name, value, expected, tmp_path):
    model = fb.BoostedTreesClassifier(n_estimators=2).set_params(**{name: value}).fit(X, WORDS)
    again = there_and_back(model, tmp_path)
    assert again.get_params() == {**model.get_params(), name: expected}
    assert type(getattr(again, name)) is type(expected)


def test_a_generator_goes_on_where_it_was(tmp_path):
    random = np.random.RandomState(5)
    model = fb.BoostedTreesClassifier(sample_fraction=0.5, random_state=random, **SMALL)
    model.fit(X, CODES)
    random.normal()  # leaves a second number behind
    again = there_and_back(model, tmp_path)
    assert again.random_state.normal() == random.normal()
    assert again.random_state.randint(2**31) == random.randint(2**31)


@pytest.mark.parametrize("name", ["real", "m1", "regressor", "gamble"])
def test_warm_start_goes_on(name, tmp_path):
    y = CODES * 1.5 if name == "regressor" else CODES if name == "m1" else WORDS
    again = there_and_back(MODELS[name], tmp_path).set_params(warm_start=True, n_estimators=10)
    whole = pickle.loads(pickle.dumps(MODELS[name])).set_params(warm_start=True, n_estimators=10)
    assert fb.digest(again.fit(X, y)) == fb.digest(whole.fit(X, y))
    assert len(again.estimators_) == 10
    assert len(again.ledger_) == 10


def test_partial_fit_goes_on_with_the_examples_that_wait(tmp_path):
    model = fb.FilterBoostClassifier(sample_constant=20, random_state=0).partial_fit(X, WORDS)
    again = there_and_back(model, tmp_path)
    assert len(again._waiting[0]) > 0
    for _ in range(3):
        again.partial_fit(X, WORDS)
        model.partial_fit(X, WORDS)
    assert fb.digest(again) == fb.digest(model)
    assert again.certificate_ == model.certificate_


def test_equal_models_make_equal_files(tmp_path):
    fb.save(MODELS["real"], tmp_path / "a")
    fb.save(fb.load(tmp_path / "a"), tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("name", MODELS)
def test_pickle_and_joblib(name, tmp_path):
    again = pickle.loads(pickle.dumps(MODELS[name]))
    assert_same(MODELS[name], again)
    joblib.dump(MODELS[name], tmp_path / "model.joblib")
    assert_same(MODELS[name], joblib.load(tmp_path / "model.joblib"))


def test_a_loaded_model_can_be_pickled(tmp_path):
    again = pickle.loads(pickle.dumps(there_and_back(MODELS["real"], tmp_path)))
    assert_same(MODELS["real"], again)
    assert not again.estimators_[0].value.flags.writeable


def test_the_model_that_a_run_has_left(tmp_path):
    path = tmp_path / "run"
    model = fb.FilterBoostClassifier(max_rounds=4, checkpoint=path, random_state=0).fit(X, WORDS)
    assert_same(model, fb.load(path))


@pytest.mark.thorough
def test_many_small_members(tmp_path):
    """A hundred classes: the header is most of the file, and still not too much for the loader."""
    labels = np.arange(400) % 100
    table = np.column_stack([labels, labels % 7]).astype(float)
    stump = fb.BoostedTreesClassifier("gentle", n_estimators=1, max_depth=1)
    model = fb.OneAgainstAllClassifier(stump).fit(table, labels)
    again = there_and_back(model, tmp_path)
    assert fb.digest(again) == fb.digest(model)
