"""Going on from a fitted model is the same as one fit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from estimator_helpers import (
    CATEGORICAL,
    SEARCHES,
    classifier,
    mixed_table,
    noisy_labels,
    noisy_targets,
    regressor,
    stored_in_every_way,
)
from frugalboost import BinnedDataset, BoostedTreesClassifier, digest
from frugalboost.rules import RULES


@pytest.fixture(scope="module", name="X")
def table():
    return mixed_table()


def in_parts(model, X, y, parts=(5, 10), weights=None):
    """Fit with more and more trees."""
    model.set_params(warm_start=True)
    for n_estimators in parts:
        model.set_params(n_estimators=n_estimators).fit(X, y, weights)
    return model


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_five_and_five_are_ten(rule, n_classes, X):
    y = noisy_labels(X, n_classes)
    whole = classifier(rule, n_estimators=10).fit(X, y)
    model = in_parts(classifier(rule), X, y)
    assert digest(model) == digest(whole)
    assert len(model.estimators_) == model.n_estimators_ == len(model.ledger_)
    assert (model.estimator_errors_ == whole.estimator_errors_).all()
    assert model.ledger_.total("assessments") > 0


@pytest.mark.parametrize("rule", RULES)
def test_one_at_a_time_with_weights_that_outgrow_their_scale(rule, X):
    y, weights = noisy_labels(X, 3), np.logspace(-30, 30, len(X))
    whole = classifier(rule, n_estimators=25, learning_rate=1.0).fit(X, y, weights)
    model = classifier(rule, learning_rate=1.0)
    assert digest(in_parts(model, X, y, range(1, 26), weights)) == digest(whole)


@pytest.mark.parametrize("search", SEARCHES)
def test_least_squares_with_every_search(search, X):
    y = noisy_targets(X)
    whole = regressor(n_estimators=12, search=search).fit(X, y)
    assert digest(in_parts(regressor(search=search), X, y, (1, 7, 12))) == digest(whole)


HOLDERS = {
    "sparse": stored_in_every_way,
    "frame": pd.DataFrame,
    "binned": lambda X: BinnedDataset.from_data(X, categorical_features=CATEGORICAL),
}


@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS)
@pytest.mark.parametrize("rule", ["adaboost", "real"])
def test_tables_of_every_kind(hold, rule, X):
    y = noisy_labels(X, 3)
    held = hold(X)
    whole = classifier(rule, n_estimators=10).fit(held, y)
    assert digest(in_parts(classifier(rule), held, y)) == digest(whole)


def test_the_same_number_of_trees_changes_nothing(X):
    y = noisy_labels(X, 2)
    model = in_parts(classifier(), X, y, (6,))
    before = digest(model)
    assert digest(model.fit(X, y)) == before
    assert len(model.ledger_) == 6


def test_without_warm_start_a_second_fit_starts_anew(X):
    y = noisy_labels(X, 2)
    model = classifier().fit(X, 1 - y)
    assert digest(model.fit(X, y)) == digest(classifier().fit(X, y))


def test_rows_may_change_between_fits(X):
    y = noisy_labels(X, 2)
    model = in_parts(classifier(categorical_features=None), X[:60], y[:60], (5,))
    first = list(model.estimators_)
    model.set_params(n_estimators=9).fit(X[30:], y[30:])
    assert model.estimators_[:5] == first
    assert len(model.estimators_) == 9


def test_fewer_trees_than_there_are(X):
    y = noisy_labels(X, 2)
    model = in_parts(classifier(), X, y, (8,))
    message = (
        "BoostedTreesClassifier: n_estimators must be at least 8, the number of trees fitted "
        "so far, when warm_start=True; got 3."
    )
    with pytest.raises(ValueError, match=message):
        model.set_params(n_estimators=3).fit(X, y)


def test_other_classes(X):
    y = noisy_labels(X, 3)
    model = in_parts(classifier(), X, y, (3,))
    with pytest.raises(ValueError, match="y must hold the classes of the first fit"):
        model.set_params(n_estimators=5).fit(X, y + 1)
    with pytest.raises(ValueError, match=r"y must hold the classes.*got \[0, 1\]"):
        model.fit(X, noisy_labels(X, 2))


def test_another_number_of_features(X):
    y = noisy_targets(X)
    model = in_parts(regressor(), X, y, (3,))
    with pytest.raises(ValueError, match=r"must have the 7 features of the first fit.*got 5"):
        model.set_params(n_estimators=5).fit(X[:, :5], y)
    assert len(model.predict(X)) == len(X)


def test_other_categories(X):
    """Else the codes in the first trees would stand for other categories in the next."""
    y = noisy_labels(X, 2)
    model = in_parts(classifier(), X, y, (3,))
    other = X.copy()
    other[:, 3] += 1
    with pytest.raises(ValueError, match="column 3 of X must have the categories of the first fit"):
        model.set_params(n_estimators=5).fit(other, y)


def test_other_bins(X):
    y = noisy_labels(X, 2)
    numbers = np.nan_to_num(X[:, [1, 6]])
    model = BoostedTreesClassifier(n_estimators=3, warm_start=True)
    model.fit(BinnedDataset.from_data(numbers), y).set_params(n_estimators=5)
    with pytest.raises(ValueError, match="must have the bins of the first fit"):
        model.fit(BinnedDataset.from_data(numbers + 0.123), y)


def test_another_rule(X):
    y = noisy_labels(X, 2)
    model = in_parts(classifier(), X, y, (3,))
    other = "mada" if model.rule != "mada" else "log"
    with pytest.raises(ValueError, match=f"rule must be '{model.rule}'.*got '{other}'"):
        model.set_params(rule=other, n_estimators=5).fit(X, y)
