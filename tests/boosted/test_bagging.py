"""Bagged trees: bootstrap samples of one distribution, one vote each."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from estimator_helpers import CATEGORICAL, mixed_table, noisy_labels
from frugalboost import BaggedTreesClassifier, BoostedTreesClassifier, digest


@pytest.fixture(scope="module", name="X")
def table():
    return mixed_table(150)


def bagged(**options):
    defaults = {"n_estimators": 9, "random_state": 0, "categorical_features": CATEGORICAL}
    return BaggedTreesClassifier(**{**defaults, **options})


@pytest.mark.parametrize("n_classes", [2, 4])
def test_probabilities_are_shares_of_the_votes(n_classes, X):
    y = noisy_labels(X, n_classes)
    model = bagged().fit(X, y)
    encoded = model._schema.encode(X)
    votes = np.zeros((len(X), n_classes))
    for n, (tree, staged, labels) in enumerate(
        zip(
            model.estimators_,
            model.staged_predict_proba(X),
            model.staged_predict(X),
            strict=True,
        ),
        start=1,
    ):
        said = tree.predict(encoded)
        named = (said[:, 0] > 0).astype(int) if n_classes == 2 else said.argmax(axis=1)
        votes[np.arange(len(X)), named] += 1
        assert staged == pytest.approx(votes / n, abs=1e-12)
        assert (labels == votes.argmax(axis=1)).all()  # ties to the lowest
    assert model.predict_proba(X) == pytest.approx(votes / 9, abs=1e-12)
    assert (model.predict(X) == votes.argmax(axis=1)).all()
    assert (model.estimator_weights_ == 1).all()


def test_the_first_tree_is_that_of_boosting_on_copies(X):
    """The same sample of equal weights, the same options, the same seed: the same tree."""
    y = noisy_labels(X, 3)
    options = {"random_state": 4, "n_estimators": 1, "categorical_features": CATEGORICAL}
    boosted = BoostedTreesClassifier(
        "adaboost_m1", resample=True, criterion="gain_ratio", pruning="pessimistic", **options
    ).fit(X, y)
    (one,), (other,) = boosted.estimators_, bagged(**options).fit(X, y).estimators_
    for name in ("feature", "left", "right", "missing_left", "category_words", "n_samples"):
        assert (getattr(one, name) == getattr(other, name)).all()
    assert np.array_equal(one.threshold, other.threshold, equal_nan=True)
    assert (one.value[one.is_leaf].argmax(1) == other.value[other.is_leaf].argmax(1)).all()


def test_every_tree_grows_on_a_bootstrap_sample(X):
    y = noisy_labels(X, 2)
    model = bagged(n_estimators=200, max_depth=1).fit(X, y)
    shares = np.array([tree.n_samples[0] for tree in model.estimators_]) / len(y)
    assert shares.mean() == pytest.approx(1 - np.exp(-1), abs=0.01)  # distinct rows
    assert len({shares[i] for i in range(200)}) > 5


def test_errors_are_those_of_the_trees_on_all_rows(X):
    y = noisy_labels(X, 2)
    model = bagged().fit(X, y)
    encoded = model._schema.encode(X)
    for tree, error in zip(model.estimators_, model.estimator_errors_, strict=True):
        assert error == pytest.approx(((tree.predict(encoded)[:, 0] > 0) != y).mean())


def test_weights_are_what_is_drawn_by(X):
    y = noisy_labels(X, 2)
    weights = np.where(np.arange(len(y)) < 40, 1.0, 1e-12)
    assert all(t.n_samples[0] <= 40 for t in bagged().fit(X, y, weights).estimators_)


def test_seeds_threads_and_going_on(X):
    y = noisy_labels(X, 3)
    whole = digest(bagged().fit(X, y))
    assert digest(bagged(n_jobs=3).fit(X, y)) == whole
    assert digest(bagged(random_state=1).fit(X, y)) != whole
    broken = bagged(n_estimators=4, warm_start=True).fit(X, y)
    assert digest(broken.set_params(n_estimators=9).fit(X, y)) == whole
    assert digest(pickle.loads(pickle.dumps(broken))) == whole


def test_the_vote_is_better_than_its_trees(X):
    test_X, y = mixed_table(2000, seed=1), noisy_labels(X, 3)
    test_y = noisy_labels(test_X, 3, seed=1)
    model = bagged(n_estimators=40, pruning=None).fit(X, y)
    encoded = model._schema.encode(test_X)
    alone = [(t.predict(encoded).argmax(1) == test_y).mean() for t in model.estimators_]
    assert model.score(test_X, test_y) > np.mean(alone) + 0.02


def test_trees_that_cannot_split_vote_too():
    model = bagged(categorical_features=None).fit(np.zeros((6, 1)), [0, 0, 0, 0, 0, 1])
    assert len(model.estimators_) == 9
    assert (model.predict([[0.0]]) == 0).all()


def test_bad_parameters(X):
    y = noisy_labels(X, 2)
    with pytest.raises(
        ValueError, match=r"^BaggedTreesClassifier: n_estimators must be an integer"
    ):
        bagged(n_estimators=0).fit(X, y)
    with pytest.raises(ValueError, match=r"^BaggedTreesClassifier: criterion must be one of"):
        bagged(criterion="chance").fit(X, y)
