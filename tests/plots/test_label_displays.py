"""Displays for learning with few labels: label curves, utilities, confusion of the committee."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from plots_helpers import new_axes, points
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix
from sklearn.naive_bayes import GaussianNB

import frugalboost as fb
from frugalboost.plots import CommitteeConfusionDisplay, LabelCurveDisplay, UtilityDisplay

RUNS = [[0.5, 0.25, 0.125], [0.75, 0.25, 0.25]]


def gentle():
    return fb.BoostedTreesClassifier("gentle", n_estimators=5, max_leaf_nodes=4)


def test_runs_are_drawn_as_their_mean_in_a_band():
    curves = {"random": ([10, 20, 30], RUNS), "active": ([10, 30], [0.5, 0.0])}
    display = LabelCurveDisplay(curves, {"batch": 0.125}).plot(ax=new_axes())
    assert points(display.lines_["random"]) == [[10, 20, 30], [0.625, 0.25, 0.1875]]
    assert points(display.lines_["active"]) == [[10, 30], [0.5, 0.0]]
    assert list(display.lines_["batch"].get_ydata()) == [0.125, 0.125]
    assert list(display.bands_) == ["random"]
    (outline,) = display.bands_["random"].get_paths()
    assert set(map(tuple, outline.vertices[outline.vertices[:, 0] == 30].tolist())) == {
        (30, 0.125),
        (30, 0.25),
    }


def test_labels_to_reach_an_error():
    display = LabelCurveDisplay({"random": ([10, 20, 30], RUNS)})
    assert display.labels_to_reach(0.5) == {"random": [10, 20]}
    assert display.labels_to_reach(0.125) == {"random": [30, None]}


def history(*pairs):
    return SimpleNamespace(
        history_=[SimpleNamespace(labels=labels, error=error) for labels, error in pairs]
    )


def test_histories_are_compared_where_all_runs_were():
    runs = [history((10, None), (20, 0.5), (30, 0.25)), history((20, 0.75), (30, 0.5), (40, 0.0))]
    display = LabelCurveDisplay.from_learners({"active": runs, "one": runs[1]})
    assert display.curves["active"][0].tolist() == [20, 30]
    assert display.curves["active"][1].tolist() == [[0.5, 0.25], [0.75, 0.5]]
    assert display.curves["one"][1].tolist() == [[0.75, 0.5, 0.0]]


def test_histories_of_real_learners():
    X, y = load_iris(return_X_y=True)
    learners = {
        utility: fb.ActiveLearner(
            gentle(), utility=utility, batch_size=5, start_size=10, random_state=0
        ).run(X[::2], lambda indices: y[::2][indices], budget=25, validation=(X[1::2], y[1::2]))
        for utility in ("margin", "random")
    }
    display = LabelCurveDisplay.from_learners(learners)
    for name, learner in learners.items():
        labels, (errors,) = display.curves[name]
        assert labels.tolist() == [entry.labels for entry in learner.history_]
        assert errors[-1] == np.mean(learner.predict(X[1::2]) != y[1::2])


def test_utilities_are_counted_as_by_a_histogram():
    values = np.random.default_rng(0).lognormal(0, 2, 500)
    display = UtilityDisplay({"pool": values, "asked": values[:50]}, bins=7)
    for name, part in (("pool", values), ("asked", values[:50])):
        assert display.counts[name].tolist() == np.histogram(part, display.edges)[0].tolist()
    assert (display.edges[0], display.edges[-1]) == pytest.approx((values.min(), values.max()))
    drawn = display.plot(ax=new_axes()).steps_["pool"].get_data()
    assert drawn.values.tolist() == display.counts["pool"].tolist()
    assert drawn.edges.tolist() == display.edges.tolist()


def test_infinite_utilities_are_in_the_last_bin_and_told():
    display = UtilityDisplay({"pool": [1.0, 4.0, np.inf, np.inf], "asked": [0.0, 2.0]}, bins=2)
    assert display.counts["pool"].tolist() == [1, 3]
    assert display.counts["asked"].tolist() == [1, 1]
    display.plot(ax=new_axes())
    assert [text.get_text() for text in display.legend_.get_texts()] == [
        "pool (2 infinite)",
        "asked",
    ]


@pytest.mark.parametrize("scale", ["log", "linear"])
@pytest.mark.parametrize("values", [[2.0, 2.0], [0.0], [np.inf]])
def test_utilities_that_are_all_equal_are_still_counted(values, scale):
    display = UtilityDisplay({"pool": values}, scale, bins=4)
    assert display.counts["pool"].sum() == len(values)
    assert (np.diff(display.edges) > 0).all()
    display.plot(ax=new_axes()).figure_.canvas.draw()


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_utilities_of_a_model(load):
    X, y = load(return_X_y=True)
    model = gentle().fit(X, y)
    decision = model.decision_function(X)
    if decision.ndim == 1:
        lead = abs(decision)
    else:
        ordered = np.sort(decision, axis=1)
        lead = ordered[:, -1] - ordered[:, -2]
    by_margin = UtilityDisplay.from_estimator(model, X, bins=5)
    assert sum(by_margin.counts["margin"]) == len(X)
    assert by_margin.infinite["margin"] == (lead == 0).sum()
    assert by_margin.edges[0] == pytest.approx(1 / lead.max())
    shares = model.predict_proba(X)
    by_entropy = UtilityDisplay.from_estimator(model, X, "entropy", bins=5)
    assert by_entropy.scale == "linear"
    assert by_entropy.edges[-1] == pytest.approx((-shares * np.log(shares)).sum(axis=1).max())
    assert UtilityDisplay.from_estimator(GaussianNB().fit(X, y), X).counts["margin"].sum() == len(X)


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_confusion_with_labels_is_that_of_scikit_learn(load):
    X, y = load(return_X_y=True)
    model = LogisticRegression(max_iter=5000).fit(X[::3], y[::3])
    display = CommitteeConfusionDisplay.from_estimator(model, X, y)
    assert display.counts.tolist() == confusion_matrix(y, model.predict(X)).tolist()


def test_confusion_without_labels_is_of_first_and_second_choices():
    X, y = load_iris(return_X_y=True)
    names = np.array(["a", "b", "c"])[y]
    model = gentle().fit(X, names)
    order = np.argsort(-model.decision_function(X), axis=1, kind="stable")
    display = CommitteeConfusionDisplay.from_estimator(model, X)
    assert display.classes == ["a", "b", "c"]
    assert display.counts.tolist() == confusion_matrix(order[:, 0], order[:, 1]).tolist()
    assert display.counts.trace() == 0
    drawn = display.plot(ax=new_axes(), colorbar=False, cmap="viridis")
    assert drawn.colorbar_ is None
    assert drawn.image_.cmap.name == "viridis"
    assert drawn.image_.get_array().tolist() == display.counts.tolist()
    assert (drawn.ax_.get_ylabel(), drawn.ax_.get_xlabel()) == ("first choice", "second choice")
    assert [label.get_text() for label in drawn.ax_.get_xticklabels()] == ["a", "b", "c"]


def test_confusion_of_the_rows_that_are_least_sure():
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=5000).fit(X, y)
    ordered = np.sort(model.decision_function(X), axis=1)
    asked = np.argsort(ordered[:, -1] - ordered[:, -2], kind="stable")[:15]
    display = CommitteeConfusionDisplay.from_estimator(model, X, y, share=0.1)
    assert (
        display.counts.tolist()
        == confusion_matrix(y[asked], model.predict(X[asked]), labels=[0, 1, 2]).tolist()
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LabelCurveDisplay({}), "LabelCurveDisplay: curves must be a dict"),
        (lambda: LabelCurveDisplay({"a": [1]}), r"LabelCurveDisplay: curves\['a'\] must be a pair"),
        (
            lambda: LabelCurveDisplay({"a": ([10, 5], [0.5, 0.5])}),
            r"LabelCurveDisplay: labels of curves\['a'\] must be ascending",
        ),
        (
            lambda: LabelCurveDisplay({"a": ([5, 10], [[0.5, 0.5], [0.5]])}),
            r"LabelCurveDisplay: errors of curves\['a'\] must be 2 numbers",
        ),
        (
            lambda: LabelCurveDisplay({"a": ([5, 10], [0.5])}),
            r"LabelCurveDisplay: errors of curves\['a'\] must be 2 .*; got shape \(1,\)",
        ),
        (
            lambda: LabelCurveDisplay({"a": ([5], [0.5])}, {"a": 0.5}),
            "LabelCurveDisplay: baselines must have other names",
        ),
        (
            lambda: LabelCurveDisplay.from_learners({"a": history((5, None))}),
            r"LabelCurveDisplay: learners\['a'\] must have been run with validation",
        ),
        (lambda: UtilityDisplay({"a": []}), r"UtilityDisplay: utilities\['a'\] must be a list"),
        (lambda: UtilityDisplay({"a": [-1]}), r"UtilityDisplay: utilities\['a'\] must .* non-neg"),
        (lambda: UtilityDisplay({"a": [np.nan]}), r"UtilityDisplay: utilities\['a'\] must be"),
        (
            lambda: UtilityDisplay({"a": [1]}, "odd"),
            "UtilityDisplay: scale must be one of 'linear'",
        ),
        (
            lambda: UtilityDisplay({"a": [1]}, bins=0),
            "UtilityDisplay: bins must be an integer >= 1",
        ),
        (
            lambda: CommitteeConfusionDisplay([[1, 2]], ["a", "b"]),
            r"CommitteeConfusionDisplay: counts must be 2 rows of 2 .*; got shape \(1, 2\)",
        ),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        make()


def test_labels_and_shares_of_a_confusion_are_checked():
    X, y = load_iris(return_X_y=True)
    model = gentle().fit(X, y)
    with pytest.raises(ValueError, match="y must hold classes of the model only; got 3"):
        CommitteeConfusionDisplay.from_estimator(model, X[:1], [3])
    with pytest.raises(ValueError, match=r"share must be a finite number in \(0.0, 1.0\]; got 0"):
        CommitteeConfusionDisplay.from_estimator(model, X, share=0)
    for display in (CommitteeConfusionDisplay, UtilityDisplay):
        with pytest.raises(NotFittedError):
            display.from_estimator(gentle(), X)
