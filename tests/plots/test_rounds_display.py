from __future__ import annotations

import numpy as np
import pytest
from plots_helpers import new_axes, points
from sklearn.base import BaseEstimator
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.metrics import accuracy_score, log_loss

from frugalboost import BoostedTreesClassifier
from frugalboost.plots import RoundsDisplay


def fitted(X, y, rule="log"):
    return BoostedTreesClassifier(rule, max_depth=1, n_estimators=6).fit(X, y)


@pytest.mark.parametrize("load", [load_breast_cancer, load_iris])
@pytest.mark.parametrize("measure", ["log loss", "accuracy"])
def test_values_are_those_of_scikit_learn(load, measure):
    X, y = load(return_X_y=True)
    models = {rule: fitted(X[::2], y[::2], rule) for rule in ("log", "real")}
    display = RoundsDisplay.from_estimators(models, X[1::2], y[1::2], measure)
    for name, model in models.items():
        rounds, values = points(display.plot(ax=new_axes()).lines_[name])
        assert rounds == list(range(1, len(model.estimators_) + 1))
        if measure == "log loss":
            stages = model.staged_predict_proba(X[1::2])
            expected = [log_loss(y[1::2], shares) for shares in stages]
        else:
            stages = model.staged_predict(X[1::2])
            expected = [accuracy_score(y[1::2], said) for said in stages]
        assert values == pytest.approx(expected, rel=1e-12)
    assert display.ax_.get_ylabel() == measure


def test_rmse_of_two_classes_is_that_of_the_second():
    X, y = load_breast_cancer(return_X_y=True)
    model = fitted(X, y)
    shares = list(model.staged_predict_proba(X))
    display = RoundsDisplay.from_estimators({"a": model}, X, y, "RMSE")
    expected = [np.sqrt(np.mean((share[:, 1] - y) ** 2)) for share in shares]
    assert display.curves["a"][1].tolist() == pytest.approx(expected, rel=1e-12)


def test_a_probability_of_zero_has_a_finite_loss():
    class Sure(BaseEstimator):
        classes_ = np.array(["no", "yes"])

        def __sklearn_is_fitted__(self):
            return True

        def fit(self, X, y):
            return self

        def staged_predict_proba(self, X):
            yield np.array([[1.0, 0.0]] * len(X))

    display = RoundsDisplay.from_estimators({"sure": Sure()}, [[0]], ["yes"])
    assert display.curves["sure"][1].tolist() == pytest.approx([-np.log(np.finfo(float).tiny)])


def test_baselines_go_across():
    display = RoundsDisplay({"a": ([1, 3], [0.5, 0.25])}, baselines={"b": 0.4, "c": 0.3})
    lines = display.plot(ax=new_axes()).lines_
    assert [list(lines[name].get_ydata()) for name in ("b", "c")] == [[0.4, 0.4], [0.3, 0.3]]
    assert [text.get_text() for text in display.legend_.get_texts()] == ["a", "b", "c"]


X, Y = [[0.0], [1.0]], ["no", "yes"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RoundsDisplay({}), "curves must be a dict with at least one"),
        (lambda: RoundsDisplay({"a": [1]}), r"curves\['a'\] must be a pair"),
        (lambda: RoundsDisplay({"a": ([0], [1])}), r"rounds of curves\['a'\] must be ascending"),
        (lambda: RoundsDisplay({"a": ([1], [1, 2])}), r"values of curves\['a'\] must be 1 numb"),
        (
            lambda: RoundsDisplay({"a": ([1], [1])}, baselines={"a": 1}),
            "baselines must have other names than curves; got 'a'",
        ),
        (
            lambda: RoundsDisplay.from_estimators({"a": fitted(X, Y)}, X, Y, "loss"),
            "measure must be one of 'RMSE', 'accuracy', 'log loss'; got 'loss'",
        ),
        (
            lambda: RoundsDisplay.from_estimators({"a": fitted(X, Y)}, X, ["yes", "maybe"]),
            r"y must hold classes of models\['a'\] only; got 'maybe'",
        ),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises(ValueError, match=f"^RoundsDisplay: {message}"):
        make()


def test_models_must_be_fitted():
    with pytest.raises(NotFittedError):
        RoundsDisplay.from_estimators({"a": BoostedTreesClassifier()}, X, Y)
