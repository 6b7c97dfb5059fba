"""Everything that a model says follows from its decision."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from filterboost_helpers import KINDS, small_model, sums_of_digits
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.model_selection import train_test_split

from frugalboost import FilterBoostClassifier, digest


@pytest.fixture(params=[2, 4], ids=["two classes", "four classes"])
def problem(request):
    return (*sums_of_digits(300, request.param), request.param)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_labels_and_probabilities_follow_from_the_decision(kind, problem):
    X, y, n_classes = problem
    names = np.array(["d", "c", "b", "a"])[y]
    model = small_model(**kind).fit(X, names)
    decision, probabilities = model.decision_function(X), model.predict_proba(X)
    if n_classes == 2:
        np.testing.assert_allclose(probabilities[:, 1], 1 / (1 + np.exp(-decision)), rtol=1e-14)
        chosen = (decision > 0).astype(int)
    else:
        shares = np.exp(decision)
        np.testing.assert_allclose(
            probabilities, shares / shares.sum(axis=1, keepdims=True), rtol=1e-13
        )
        chosen = decision.argmax(axis=1)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-14)
    assert (model.predict(X) == model.classes_[chosen]).all()
    assert (model.predict_log_proba(X) == np.log(probabilities)).all()
    assert model.score(X, names) == np.mean(model.predict(X) == names)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_stages_are_sums_of_the_first_trees(kind, problem):
    X, y, n_classes = problem
    model = small_model(**kind).fit(X, y)
    total = np.zeros((len(X), 1 if n_classes == 2 else n_classes))
    stages = list(model.staged_decision_function(X))
    assert len(stages) == len(model.estimators_) == len(model.estimator_weights_) > 3
    for tree, step, stage in zip(model.estimators_, model.estimator_weights_, stages, strict=True):
        total += step * tree.predict(X)
        assert (stage == (total[:, 0] if n_classes == 2 else total)).all()
    assert (stages[-1] == model.decision_function(X)).all()
    *_, labels = model.staged_predict(X)
    *_, probabilities = model.staged_predict_proba(X)
    assert (labels == model.predict(X)).all()
    assert (probabilities == model.predict_proba(X)).all()


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_the_ledger_tells_each_round(kind, problem):
    X, y, _ = problem
    model = small_model(**kind).fit(X, y)
    ledger, t = model.ledger_, np.arange(1, len(model.estimators_) + 1)
    sizes = np.ceil(50 * np.log(t + 1)).astype(int)
    assert (ledger.column("accepted") == sizes).all()
    # Training examples are filtered, edge examples are not.
    assert (ledger.column("examples") >= 2 * sizes).all()
    assert ledger.column("examples").sum() <= model.n_examples_
    factor = 1 if model.rule == "mada" else 2
    bound = np.minimum(factor * ledger.column("acceptance"), 1)
    assert (ledger.column("error_bound") == bound).all()
    assert ledger.column("acceptance")[0] == 0.5 or model.rule == "mada" or len(set(y)) > 2
    assert (model.estimator_errors_ == 0.5 - ledger.column("edge")).all()
    assert (ledger.column("n_leaves") == [tree.n_leaves for tree in model.estimators_]).all()
    assert (model.estimator_weights_ >= 0).all()
    assert model.feature_importances_.shape == (6,)


def test_jobs_seeds_and_copies():
    X, y = sums_of_digits()
    model = small_model(max_depth=3).fit(X, y)
    same = [
        clone(model).set_params(n_jobs=2),
        clone(model).set_params(n_jobs=-1),
        clone(model).set_params(random_state=np.int64(0)),
        clone(model).set_params(random_state=np.random.RandomState(0)),
    ]
    assert {digest(other.fit(X, y)) for other in same} == {digest(model)}
    assert digest(pickle.loads(pickle.dumps(model))) == digest(model)
    others = [clone(model).set_params(random_state=seed) for seed in (1, None, None)]
    assert len({digest(other.fit(X, y)) for other in others} | {digest(model)}) == 4
    state = np.random.RandomState(0)  # which moves on
    first, second = (clone(model).set_params(random_state=state).fit(X, y) for _ in range(2))
    assert digest(first) == digest(model) != digest(second)


@pytest.mark.parametrize(
    ("load", "kind", "least"),
    [
        (load_iris, {}, 0.85),
        (load_iris, {"confidence_rated": True, "max_depth": 2}, 0.85),
        (load_digits, {"max_depth": 6}, 0.8),
        (load_digits, {"confidence_rated": True, "max_depth": 4}, 0.8),
    ],
    ids=["iris", "iris, sure", "digits", "digits, sure"],
)
def test_many_classes_of_real_data(load, kind, least):
    parts = train_test_split(*load(return_X_y=True), test_size=0.4, random_state=0)
    model = FilterBoostClassifier(max_rounds=40, target_error=0.05, random_state=0, **kind)
    assert model.fit(parts[0], parts[2]).score(parts[1], parts[3]) > least
