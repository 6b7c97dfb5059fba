"""Rows that no committee can learn from, for trees and for regressors: one error, nothing lost."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression

from frugalboost import GambleClassifier, OneAgainstAllClassifier

MODELS = [
    GambleClassifier(n_estimators=2, max_leaf_nodes=3),
    GambleClassifier(LinearRegression(), n_estimators=2),
    OneAgainstAllClassifier(GambleClassifier(n_estimators=2)),
]

every_model = pytest.mark.parametrize("model", MODELS, ids=str)


def labelled(change):
    """Iris, spoilt."""
    X, y = load_iris(return_X_y=True)
    return change(X, y)


SPOILT = {
    "one class": (lambda X, y: (X, np.zeros(len(y)), None), "at least two classes"),
    "one class that counts": (lambda X, y: (X, y, y == 1), "at least two classes"),
    "no label": (lambda X, y: (X, None, None), "y must hold a label for each row"),
    "a missing label": (lambda X, y: (X, np.where(y == 1, np.nan, y), None), "missing labels"),
    "too few labels": (lambda X, y: (X, y[:-1], None), "inconsistent numbers of samples"),
    "no row": (lambda X, y: (X[:0], y[:0], None), "0 sample"),
    "one dimension": (lambda X, y: (X[:, 0], y, None), "2D array"),
    "a weight below zero": (lambda X, y: (X, y, -np.ones(len(y))), "sample_weight must be"),
    "no weight": (lambda X, y: (X, y, np.zeros(len(y))), "got only zeros"),
    "too few weights": (lambda X, y: (X, y, np.ones(3)), "got 3 weights for 150 rows"),
}


@every_model
@pytest.mark.parametrize("kind", SPOILT)
def test_rows_to_learn_from_are_refused_and_the_model_stays(model, kind):
    X, y = load_iris(return_X_y=True)
    model.fit(X, y)
    before = model.decision_function(X)
    change, problem = SPOILT[kind]
    with pytest.raises(ValueError, match=problem):
        model.fit(*labelled(change))
    assert (model.decision_function(X) == before).all()


@every_model
def test_rows_to_predict_for_must_have_the_columns_of_the_fit(model):
    X, y = load_iris(return_X_y=True)
    model.fit(X, y)
    with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 4 features"):
        model.predict(X[:, :3])


def test_a_regressor_says_itself_what_it_cannot_read():
    X, y = load_iris(return_X_y=True)
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN"):
        GambleClassifier(LinearRegression()).fit(X, y)
    assert GambleClassifier(n_estimators=2).fit(X, y).score(X, y) > 0.9


def test_a_class_that_the_stratified_part_cannot_hold_does_no_harm():
    X, y = load_iris(return_X_y=True)
    y[0] = 7  # a class of one row: the held-out part is drawn without regard to classes
    for estimator in (None, LinearRegression()):
        model = GambleClassifier(estimator, early_stopping=True, n_estimators=5, random_state=0)
        assert model.fit(X, y).classes_.tolist() == [0, 1, 2, 7]
