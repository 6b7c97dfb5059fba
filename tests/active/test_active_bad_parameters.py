"""Every parameter refuses what it cannot use, before anything is asked or learnt."""

from __future__ import annotations

import re

import numpy as np
import pytest
from active_helpers import learner, make_pool

from frugalboost import ActiveLearner

X, Y = make_pool()
COUNTS = [0, -1, 1.5, "10", None, True, np.inf]
BAD = {
    "batch_size": COUNTS,
    "utility": ["Margin", "", None, 1, ["margin"]],
    "diversity": COUNTS,
    "retrain": ["hot", "", None, True, 1],
    "warm_rounds": COUNTS,
    "pool_size": [0, -1, 1.5, "10", True, 2**31],
    "block_size": COUNTS,
    "start_size": COUNTS,
    "classes": ["abc", 3, ["a"], [], ["a", "a"], [1, None], [0.0, np.nan]],
    "verbose": [-1, 0.5, "1", None],
}


@pytest.mark.parametrize("name", BAD)
def test_errors_name_owner_parameter_rule_and_value(name):
    for value in BAD[name]:
        check_errors(name, value)


def check_errors(name, value):
    called = []
    pattern = rf"ActiveLearner: {name} must .+; got {re.escape(repr(value))}\.$"
    for call in (
        lambda model: model.teach(X[:30], Y[:30]),
        lambda model: model.fit(X[:30], Y[:30]),
        lambda model: model.query(X),
        lambda model: model.run(X, called.append),
    ):
        model = learner(**{name: value})
        with pytest.raises((ValueError, TypeError)) as error:
            call(model)
        assert re.match(pattern, str(error.value)), str(error.value)
        assert model.n_labels_ == 0
        assert model.log_ == []
    assert called == []


def test_every_parameter_has_bad_values_above():
    assert set(BAD) | {"estimator", "random_state"} == set(ActiveLearner().get_params(deep=False))


@pytest.mark.parametrize("seed", ["seed", -1, 1.5])
def test_seeds(seed):
    with pytest.raises(ValueError, match=f"random_state must be .*; got {seed!r}"):
        learner(random_state=seed).query(X)


@pytest.mark.parametrize(
    "seed", [None, 3, np.int64(3), np.random.default_rng(3), np.random.RandomState(3), 2**40]
)
def test_seeds_that_work(seed):
    model = ActiveLearner(random_state=seed).teach(X[:30], Y[:30])
    rows, _ = model.query(X)
    assert rows.tolist() == model.query(X)[0].tolist()
    known = {tuple(row) for row in X[:30]}
    assert len(rows) > 0
    assert known.isdisjoint(tuple(row) for row in X[rows])


@pytest.mark.parametrize("classes", [[0, 1, 2], (2, 1, 0), np.arange(3), {0, 1, 2}, range(3)])
def test_classes_of_any_kind(classes):
    model = learner(classes=classes).run(X, lambda indices: Y[indices], budget=30)
    assert model.classes_.tolist() == [0, 1, 2]
