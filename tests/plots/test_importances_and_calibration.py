"""Importances and calibration: bars and points are the numbers that they stand for."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from plots_helpers import new_axes, points
from sklearn.calibration import calibration_curve
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.inspection import permutation_importance

from frugalboost import BoostedTreesClassifier
from frugalboost.plots import CalibrationDisplay, ImportancesDisplay


@pytest.fixture(scope="module", name="iris")
def table_of_iris():
    return load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module", name="model")
def small_model(iris):
    return BoostedTreesClassifier(n_estimators=5).fit(*iris)


def expected_importances(kind, model, X, y):
    if kind == "gain":
        return model.feature_importances_
    if kind == "shap":
        return np.abs(model.shap_values(X)).mean(axis=(0, 2))
    if kind == "permutation":
        return permutation_importance(model, X, y, n_repeats=2, random_state=0).importances_mean
    rows = np.zeros(X.shape[1])
    for tree in model.estimators_:
        for node in range(tree.n_nodes):
            if tree.feature[node] >= 0:
                rows[tree.feature[node]] += tree.n_samples[node]
    return rows / rows.sum()


@pytest.mark.parametrize("kind", ["gain", "cover", "permutation", "shap"])
def test_bars_are_the_importances_from_the_largest_on(model, iris, kind):
    options = {"n_repeats": 2, "random_state": 0, "kind": kind}
    display = ImportancesDisplay.from_estimator(model, *iris, **options).plot(ax=new_axes())
    expected = expected_importances(kind, model, *iris)
    order = np.argsort(-expected, kind="stable")
    assert [bar.get_width() for bar in display.bars_] == expected[order].tolist()
    labels = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert labels == iris[0].columns[order].tolist()
    assert display.ax_.yaxis_inverted()
    assert (display.spreads is not None) == (kind == "permutation")
    assert (display.bars_.errorbar is not None) == (kind == "permutation")


def test_only_the_first_features_are_drawn():
    display = ImportancesDisplay([1, 3, 2], ["a", "b", "c"], max_features=2)
    assert display.shown == [("b", 3.0, None), ("c", 2.0, None)]
    assert len(display.plot(ax=new_axes()).bars_) == 2


def test_names_are_no_formulas():
    names = ["$", r"$\frac$", "_" * 100, "<script>", "a\nb"]
    ax = ImportancesDisplay(range(5), names).plot(ax=new_axes()).ax_
    ax.figure.canvas.draw()
    shown = [label.get_text() for label in ax.get_yticklabels()]
    assert shown == ["a b", "<script>", "_" * 31 + "…", r"\$\frac\$", r"\$"]


def test_features_without_names_are_numbered():
    X, y = load_iris(return_X_y=True)
    model = BoostedTreesClassifier(n_estimators=2).fit(X, y)
    names = ImportancesDisplay.from_estimator(model).names
    assert names == ["feature 0", "feature 1", "feature 2", "feature 3"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda model: ImportancesDisplay([], []), "importances must be a list of finite"),
        (lambda model: ImportancesDisplay([1], []), "names must be 1, as many as importances"),
        (lambda model: ImportancesDisplay([1], "a", [1, 2]), "spreads must be 1 numbers"),
        (lambda model: ImportancesDisplay([1], "a", max_features=0), "max_features must be"),
        (
            lambda model: ImportancesDisplay.from_estimator(model, kind="weight"),
            "kind must be one of 'cover', 'gain', 'permutation', 'shap'; got 'weight'",
        ),
        (
            lambda model: ImportancesDisplay.from_estimator(model, kind="permutation"),
            "X and y must be given for kind 'permutation'",
        ),
    ],
)
def test_bad_input_of_importances_is_named(model, make, message):
    with pytest.raises(ValueError, match=f"^ImportancesDisplay: {message}"):
        make(model)


def weighted(weights):
    return CalibrationDisplay([0.5], [True], sample_weight=weights)


@pytest.fixture(scope="module", name="cancer")
def two_classes():
    X, y = load_breast_cancer(return_X_y=True)
    model = BoostedTreesClassifier("log", max_depth=1, n_estimators=5).fit(X[::2], y[::2])
    return model, X[1::2], y[1::2]


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_points_are_those_of_scikit_learn(cancer, strategy):
    model, X, y = cancer
    display = CalibrationDisplay.from_estimator(model, X, y, n_bins=5, strategy=strategy)
    said, happened = points(display.plot(ax=new_axes()).line_)
    theirs = calibration_curve(y, model.predict_proba(X)[:, 1], n_bins=5, strategy=strategy)
    assert happened == pytest.approx(theirs[0].tolist(), rel=1e-12)
    assert said == pytest.approx(theirs[1].tolist(), rel=1e-12)
    assert [bar.get_height() for bar in display.bars_] == display.counts.tolist()
    assert display.counts.sum() == len(y)
    assert display.ax_.get_xlabel() == "probability of 1"


def test_the_first_class_mirrors_the_second(cancer):
    second = CalibrationDisplay.from_estimator(*cancer)
    first = CalibrationDisplay.from_estimator(*cancer, pos_label=0)
    assert first.happened.tolist() == [not each for each in second.happened]
    assert np.allclose(first.probabilities, 1 - second.probabilities)


def test_of_several_classes_the_predicted_one_counts(model, iris):
    display = CalibrationDisplay.from_estimator(model, *iris)
    assert display.happened.mean() == model.score(*iris)
    assert display.probabilities.tolist() == model.predict_proba(iris[0]).max(axis=1).tolist()


def test_the_expected_error_is_the_mean_distance():
    display = CalibrationDisplay([0.25, 0.25, 0.75, 1.0], [1, 0, 1, 1], n_bins=2)
    assert display.mean_said.tolist() == [0.25, 0.875]
    assert display.share_happened.tolist() == [0.5, 1.0]
    assert display.expected_error == (2 * 0.25 + 2 * 0.125) / 4


def test_a_row_of_weight_3_counts_like_three_rows(cancer):
    model, X, y = cancer
    weights = np.arange(len(y)) % 4
    said = model.predict_proba(X)[:, 1]
    display = CalibrationDisplay.from_estimator(model, X, y, n_bins=5, sample_weight=weights)
    copies = CalibrationDisplay(said.repeat(weights), y.repeat(weights), n_bins=5)
    assert display.mean_said == pytest.approx(copies.mean_said, rel=1e-12)
    assert display.share_happened == pytest.approx(copies.share_happened, rel=1e-12)
    assert display.expected_error == pytest.approx(copies.expected_error, rel=1e-12)
    assert display.counts.sum() == len(y)


def test_bins_without_weight_are_left_out():
    display = CalibrationDisplay([0.25, 0.75], [1, 1], n_bins=2, sample_weight=[0, 2])
    assert display.mean_said.tolist() == [0.75]
    assert display.counts.tolist() == [1]
    assert display.expected_error == 0.25


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: weighted([1, 2]), "sample_weight must be 1 numbers, as many as probabilities"),
        (lambda: weighted([-1]), "sample_weight must be finite, at least 0, .*; got -1.0"),
        (lambda: weighted([np.nan]), "sample_weight must be finite, .*; got nan"),
        (lambda: weighted([0]), "sample_weight must be finite, .* not all 0; got 0.0"),
        (lambda: CalibrationDisplay([1.5], [True]), "probabilities must be from 0 to 1"),
        (lambda: CalibrationDisplay([0.5], [True, False]), "happened must be 1 bools"),
        (lambda: CalibrationDisplay([0.5], [True], n_bins=0), "n_bins must be"),
        (lambda: CalibrationDisplay([0.5], [True], strategy="even"), "strategy must be one of"),
    ],
)
def test_bad_input_of_calibration_is_named(make, message):
    with pytest.raises(ValueError, match=f"^CalibrationDisplay: {message}"):
        make()


def test_a_label_that_is_not_there_is_named(cancer):
    with pytest.raises(ValueError, match=r"pos_label must be one of \[0, 1\]; got 2"):
        CalibrationDisplay.from_estimator(*cancer, pos_label=2)


def test_data_frames_keep_their_names():
    X = pd.DataFrame({"ä": [0.0, 1.0] * 20, "b": [0.0] * 40})
    model = BoostedTreesClassifier(n_estimators=1).fit(X, [0, 1] * 20)
    assert ImportancesDisplay.from_estimator(model).shown == [("ä", 1.0, None), ("b", 0.0, None)]
