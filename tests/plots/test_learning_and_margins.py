"""Learning curves and margins: what is drawn is what the stages of a model say."""

from __future__ import annotations

import numpy as np
import pytest
from plots_helpers import new_axes, points
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss, root_mean_squared_error

from frugalboost import BaggedTreesClassifier, BoostedTreesClassifier, BoostedTreesRegressor
from frugalboost.plots import LearningCurveDisplay, MarginsDisplay


@pytest.fixture(scope="module", name="cancer")
def rows_of_cancer():
    X, y = load_breast_cancer(return_X_y=True)
    labels = np.array(["bad", "good"])[y]
    return {"training": (X[::2], labels[::2]), "test": (X[1::2], labels[1::2])}


@pytest.fixture(scope="module", name="model")
def adaboost(cancer):
    return BoostedTreesClassifier("adaboost", max_depth=2, n_estimators=12).fit(*cancer["training"])


@pytest.mark.parametrize("measure", ["auto", "error"])
def test_curves_of_a_classifier_are_those_of_its_stages(model, cancer, measure):
    display = LearningCurveDisplay.from_estimator(model, cancer, measure)
    lines = display.plot(ax=new_axes()).lines_
    for name, (X, y) in cancer.items():
        rounds, values = points(lines[name])
        assert rounds == list(range(1, 13))
        assert values == display.curves[name].tolist()
        if measure == "error":
            assert values == [np.mean(said != y) for said in model.staged_predict(X)]
        else:
            expected = [log_loss(y, shares) for shares in model.staged_predict_proba(X)]
            assert values == pytest.approx(expected, rel=1e-12)
    assert display.ax_.get_ylabel() == {"auto": "log loss", "error": "error"}[measure]


def test_curves_of_a_regressor_are_root_mean_squares():
    X, y = load_diabetes(return_X_y=True)
    model = BoostedTreesRegressor(n_estimators=5).fit(X, y)
    display = LearningCurveDisplay.from_estimator(model, {"training": (X, y)})
    expected = [root_mean_squared_error(y, said) for said in model.staged_predict(X)]
    assert display.curves["training"].tolist() == pytest.approx(expected, rel=1e-12)
    assert display.measure == "RMSE"


def test_the_best_round_is_marked_and_named():
    display = LearningCurveDisplay({"a": [3.0, 1.0, 1.0], "b": [2.0, 3.0]}).plot(ax=new_axes())
    assert display.best_rounds == {"a": 2, "b": 1}
    assert [line.get_markevery() for line in display.lines_.values()] == [[1], [0]]
    assert len({line.get_marker() for line in display.lines_.values()}) == 2
    texts = [text.get_text() for text in display.legend_.get_texts()]
    assert texts == ["a (best in round 2)", "b (best in round 1)"]


def test_losses_of_early_stopping(cancer, model):
    stopped = BoostedTreesClassifier(early_stopping=True, n_estimators=30, random_state=0)
    stopped.fit(*cancer["training"])
    display = LearningCurveDisplay.from_early_stopping(stopped)
    assert display.curves["held out"].tolist() == stopped.validation_losses_[1:]
    with pytest.raises(ValueError, match="must have been fitted with early_stopping=True"):
        LearningCurveDisplay.from_early_stopping(model)


@pytest.mark.parametrize(
    ("rows", "measure", "message"),
    [
        ({}, "auto", "rows must be a dict with at least one"),
        ({"a": 3}, "auto", r"rows\['a'\] must be a pair of X and y; got 3"),
        ({"a": ([[0.0] * 30], ["odd"])}, "auto", "y must hold classes of model only; got 'odd'"),
        ({"a": ([[0.0] * 30], ["bad"])}, "RMSE", "measure must be one of 'error', 'log loss'"),
    ],
)
def test_bad_input_of_learning_curves_is_named(model, rows, measure, message):
    with pytest.raises(ValueError, match=f"^LearningCurveDisplay: {message}"):
        LearningCurveDisplay.from_estimator(model, rows, measure)


def test_models_must_be_fitted(cancer):
    with pytest.raises(NotFittedError):
        LearningCurveDisplay.from_estimator(BoostedTreesClassifier(), cancer)
    with pytest.raises(NotFittedError):
        MarginsDisplay.from_estimator(BoostedTreesClassifier(), *cancer["test"])


def test_margins_of_adaboost_are_shares_of_votes(model, cancer):
    X, y = cancer["test"]
    display = MarginsDisplay.from_estimator(model, X, y, rounds=[1, 5, 12])
    assert list(display.margins) == ["round 1", "round 5", "round 12"]
    said = [tree.predict(X)[:, 0] for tree in model.estimators_]
    votes = np.column_stack([np.where(each > 0, 1, -1) for each in said])
    own = np.where(y == "good", 1, -1)
    weights = model.estimator_weights_
    for n in (1, 5, 12):
        expected = own * (votes[:, :n] @ weights[:n]) / weights[:n].sum()
        assert np.allclose(display.margins[f"round {n}"], expected, rtol=0, atol=1e-12)
    right = model.predict(X) == y
    assert ((display.margins["round 12"] > 0) == right).all()


@pytest.mark.parametrize("make", [BoostedTreesClassifier, BaggedTreesClassifier])
def test_margins_of_several_classes_are_positive_where_the_model_is_right(make):
    X, y = load_iris(return_X_y=True)
    model = make(n_estimators=6, random_state=0).fit(X[::2], y[::2])
    margins = MarginsDisplay.from_estimator(model, X, y, rounds=[6]).margins["round 6"]
    decided = margins != 0
    assert ((margins > 0) == (model.predict(X) == y))[decided].all()
    assert margins.min() >= -1
    if make is BaggedTreesClassifier:
        shares = np.sort(model.decision_function(X), axis=1)
        assert np.allclose(np.abs(margins).max(), (shares[:, -1] - shares[:, -2]).max())


def test_distributions_are_drawn_as_they_are(model, cancer):
    display = MarginsDisplay.from_estimator(model, *cancer["test"]).plot(ax=new_axes())
    assert list(display.lines_) == ["round 1", "round 12"]
    for name, line in display.lines_.items():
        ordered, shares = points(line)
        assert ordered == sorted(display.margins[name].tolist())
        assert shares == [(i + 1) / len(ordered) for i in range(len(ordered))]
    assert len({line.get_linestyle() for line in display.lines_.values()}) == 2


def test_bad_rounds_are_named(model, cancer):
    with pytest.raises(
        ValueError, match="MarginsDisplay: rounds must be at most 12, the number of rounds of"
    ):
        MarginsDisplay.from_estimator(model, *cancer["test"], rounds=[1, 13])
    with pytest.raises(ValueError, match="MarginsDisplay: rounds must be ascending integers"):
        MarginsDisplay.from_estimator(model, *cancer["test"], rounds=[0])
