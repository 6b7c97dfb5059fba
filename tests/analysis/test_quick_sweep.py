"""The sweep is what fitting by hand gives, cell by cell."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from frugalboost import BinnedDataset, BoostedTreesClassifier, BoostedTreesRegressor
from frugalboost.analysis import QuickSweep, quick_sweep

MASSES, STEPS = [0.4, 0.75, 1.0], [1, 7]


@pytest.fixture(scope="module", name="cancer")
def table():
    return load_breast_cancer(return_X_y=True)


def by_hand(kind, X, y, options, sample_weight=None):
    shares, costs = [], []
    for mass in MASSES:
        for steps in STEPS:
            model = kind(**options, search="quick", quick_mass=mass, quick_steps=steps)
            entries = model.fit(X, y, sample_weight=sample_weight).ledger_.entries
            shares.append(sum(e.assessments for e in entries) / sum(e.full for e in entries))
            operations = sum(e.assessments + e.scans for e in entries)
            costs.append(operations / sum(e.full + e.full_scans for e in entries))
    return [np.reshape(each, (len(MASSES), len(STEPS))).tolist() for each in (shares, costs)]


@pytest.mark.parametrize("binned", [False, True])
def test_each_cell_is_a_fit(cancer, binned):
    X, y = cancer
    options = {"rule": "adaboost", "n_estimators": 5, "max_depth": 2}
    model = BoostedTreesClassifier(**options, search="exhaustive", quick_steps=3)
    sweep = quick_sweep(model, BinnedDataset.from_data(X) if binned else X, y, MASSES, STEPS)
    assert sweep.masses.tolist() == MASSES
    assert sweep.steps.tolist() == STEPS
    assert [sweep.shares.tolist(), sweep.costs.tolist()] == by_hand(
        BoostedTreesClassifier, X, y, options
    )
    assert sweep.with_bounds.shares.tolist() == sweep.costs.tolist() != sweep.shares.tolist()
    assert len(np.unique(sweep.shares)) > len(MASSES)  # the numbers make a difference


def test_sample_weights_count(cancer):
    X, y = cancer
    weight = np.random.default_rng(0).uniform(0.1, 9.0, len(y))
    options = {"rule": "adaboost", "n_estimators": 3, "max_depth": 1}
    sweep = quick_sweep(BoostedTreesClassifier(**options), X, y, MASSES, STEPS, weight)
    assert sweep.shares.tolist() == by_hand(BoostedTreesClassifier, X, y, options, weight)[0]
    assert sweep.shares.tolist() != by_hand(BoostedTreesClassifier, X, y, options)[0]


def test_regressors_can_be_swept():
    X, y = load_diabetes(return_X_y=True)
    options = {"n_estimators": 3, "max_depth": 2}
    sweep = quick_sweep(BoostedTreesRegressor(**options), X, y, MASSES, STEPS)
    assert sweep.shares.tolist() == by_hand(BoostedTreesRegressor, X, y, options)[0]


def test_the_model_stays_as_it_is(cancer):
    model = BoostedTreesClassifier("adaboost", n_estimators=2, max_depth=1)
    before = model.get_params()
    quick_sweep(model, *cancer, [0.5], [2])
    assert model.get_params() == before
    assert not hasattr(model, "ledger_")


def test_every_fit_is_reported(cancer):
    seen = []
    model = BoostedTreesClassifier("adaboost", n_estimators=1, max_depth=1)
    sweep = quick_sweep(
        model, *cancer, iter(MASSES), np.array(STEPS), on_fit=lambda *pair: seen.append(pair)
    )
    assert seen == [(mass, steps) for mass in MASSES for steps in STEPS]
    assert sweep.shares.shape == (3, 2)


def test_costs_that_are_not_known_cannot_be_asked_for():
    sweep = QuickSweep(np.array([0.5]), np.array([1]), np.array([[0.5]]))
    with pytest.raises(ValueError, match="costs must be known; got None"):
        _ = sweep.with_bounds


def test_best_is_the_first_of_the_cheapest():
    shares = np.array([[0.5, 0.25, 0.3], [0.25, 0.9, 0.25]])
    sweep = QuickSweep(np.array([0.5, 0.9]), np.array([1, 5, 20]), shares)
    assert sweep.best == (0.5, 5)
    assert [type(number) for number in sweep.best] == [float, int]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"masses": []}, r"masses must be one or more shares above 0 and at most 1; got \[\]"),
        ({"masses": 0.9}, "masses must be one or more shares .*; got 0.9"),
        ({"masses": [0.9, 0.0]}, r"each of masses must be a finite number in \(0.0, 1.0\]; got 0"),
        ({"masses": [1.1]}, r"each of masses must be a finite number in .*; got 1.1"),
        ({"masses": ["much"]}, "each of masses must be a finite number in .*; got 'much'"),
        ({"steps": []}, "steps must be one or more integers from 1 to 10000; got"),
        ({"steps": 20}, "steps must be one or more integers .*; got 20"),
        ({"steps": [0]}, "each of steps must be an integer from 1 to 10000; got 0"),
        ({"steps": [2.5]}, "each of steps must be an integer from 1 to 10000; got 2.5"),
        ({"model": AdaBoostClassifier()}, "model must be an estimator with the parameters search"),
        ({"model": DecisionTreeClassifier}, "model must be an estimator with the parameters"),
        ({"model": None}, "model must be an estimator .*; got None"),
    ],
)
def test_bad_arguments_are_named_before_anything_is_fitted(options, message):
    given = {"model": BoostedTreesClassifier(), "masses": [0.9], "steps": [20], **options}
    with pytest.raises((ValueError, TypeError), match=f"^quick_sweep: {message}"):
        quick_sweep(X=None, y=None, **given)
