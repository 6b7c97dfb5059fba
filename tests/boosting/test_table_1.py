"""AdaBoost.M1 with resampling is Table 1 of the ensemble pruning paper: trees and votes."""

from __future__ import annotations

import numpy as np
import pytest
from boosting_helpers import noisy_table
from nested_trees import as_columns, named_class, nested, nested_reference

from frugalboost import BinnedDataset, BoostedTreesClassifier, digest
from frugalboost.boosted.boosted_trees import find_binned_leaves
from frugalboost.boosting import Ensemble, TrainingData
from frugalboost.boosting.sampling import draw_copies
from frugalboost.boosting.state import make_state
from frugalboost.reference import TreeGrower, gain_ratio
from frugalboost.reference.adaboost_m1 import adaboost_m1
from frugalboost.rules import Action, AdaBoostM1, LeafSums, Verdict

pytestmark = pytest.mark.thorough

T = 12
OPTIONS = {
    "stumps": {"max_depth": 1, "min_samples_leaf": 1},
    "shallow": {"max_depth": 2, "min_samples_leaf": 1},
    "unlimited": {"max_depth": None, "min_samples_leaf": 2},
}


def make_problem(seed, n_classes, n_rows=30):
    rng = np.random.default_rng(seed)
    X = rng.integers(5, size=(n_rows, 4)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.where(np.nan_to_num(X[:, 0]) > 1, 0, rng.integers(n_classes, size=n_rows))
    y[:n_classes] = np.arange(n_classes)
    return BinnedDataset.from_data(X, categorical_features=[3]), X, y


class Samples:
    """The samples that a fit has drawn: by its seed, the trial, the attempt and its weights.

    The twin's weights must be the same but for rounding, of which one unit can change a sample.
    """

    def __init__(self, model, dataset, y):
        self.seed = np.random.RandomState(model.random_state).randint(2**31, size=4).tolist()
        self.rule = AdaBoostM1(len(model.classes_), 1.0)
        self.state = make_state(TrainingData(dataset, y, np.ones(len(y))), self.rule, 0.0)
        self.trees = iter(zip(model.estimators_, model.estimator_weights_, strict=True))
        self.dataset, self.n_kept = dataset, 0

    def __call__(self, trial, attempt, weights):
        if trial > self.n_kept:
            tree, step = next(self.trees)
            verdict = Verdict(tree.value[tree.is_leaf], step, 0.0, Action.KEEP)
            nodes = find_binned_leaves(single(tree, step), self.dataset, 1)[:, 0]
            self.state.replay(tree, nodes, verdict)
            self.n_kept += 1
        if attempt > 0:
            self.state.restart()
        mass = self.state.problem().mass
        assert mass / mass.sum() == pytest.approx(weights / weights.sum(), rel=1e-9)
        random = np.random.default_rng([*self.seed, trial, attempt])
        copies = np.zeros(len(mass), dtype=np.int64)
        rows, times = draw_copies(random, mass, len(mass))
        copies[rows] = times
        return copies


def single(tree, step):
    ensemble = Ensemble(tree.n_features, tree.n_outputs)
    ensemble.append(tree, step, restarted=False)
    return ensemble


def both(seed, n_classes, name, n_trials=T):
    """A model and the rounds of the twin."""
    dataset, X, y = make_problem(seed, n_classes)
    options = OPTIONS[name]
    model = BoostedTreesClassifier(
        "adaboost_m1",
        resample=True,
        criterion="gain_ratio",
        n_estimators=n_trials,
        random_state=seed,
        max_leaf_nodes=None,
        **options,
    ).fit(dataset, y)
    columns = as_columns(dataset)
    grower = TreeGrower(columns, gain_ratio, **options)
    rounds = adaboost_m1(columns, y, n_classes, n_trials, Samples(model, dataset, y), grower)
    return model, rounds, dataset, X, y


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(6))
def test_trees_and_votes_are_those_of_table_1(seed, n_classes, name):
    model, rounds, dataset, X, y = both(seed, n_classes, name)
    assert len(model.estimators_) == len(rounds) > 0
    votes = np.zeros((len(y), n_classes))
    for tree, step, error, expected in zip(
        model.estimators_, model.estimator_weights_, model.estimator_errors_, rounds, strict=True
    ):
        says = iter(expected.leaf_classes)
        assert nested(tree, named_class) == nested_reference(expected.tree, dataset, says)
        assert step == pytest.approx(expected.step, rel=1e-9, abs=1e-12)
        assert error == pytest.approx(expected.error, abs=1e-9)
        votes[np.arange(len(y)), expected.said] += expected.step
    is_close = np.sort(votes, axis=1)[:, -1] - np.sort(votes, axis=1)[:, -2] < 1e-9
    said = model.classes_[votes.argmax(axis=1)]
    assert (model.predict(X)[~is_close] == said[~is_close]).all()


def test_the_runs_above_restart():
    """Or they would say nothing about it."""
    restarts = [
        sum(both(seed, n_classes, "stumps")[0]._ensemble.restarts)
        for seed in range(6)
        for n_classes in (3, 5)
    ]
    assert sum(restarts) >= 5


def test_t_trials_give_t_trees_also_where_some_are_perfect():
    """The distribution stays as it was, so the next sample is another of the same."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] > 0).astype(int)
    model = BoostedTreesClassifier(
        "adaboost_m1", resample=True, max_depth=2, n_estimators=20, random_state=0
    ).fit(X, y)
    assert len(model.estimators_) == 20
    perfect = model.estimator_errors_ == 0
    assert perfect.any()
    assert model.estimator_weights_[perfect] == pytest.approx(np.log(2 * 60 - 1))


def test_a_fit_that_goes_on_after_restarts_is_an_unbroken_one():
    X, y = noisy_table(60, n_classes=4, seed=3)
    options = {"resample": True, "max_depth": 2, "random_state": 1, "criterion": "gain_ratio"}
    for n_before in (1, 3, 7):
        model = BoostedTreesClassifier(
            "adaboost_m1", n_estimators=n_before, warm_start=True, **options
        ).fit(X, y)
        model.set_params(n_estimators=10).fit(X, y)
        whole = BoostedTreesClassifier("adaboost_m1", n_estimators=10, **options).fit(X, y)
        assert digest(model) == digest(whole)


def judge(sums, **options):
    sums = np.array(sums, dtype=float)
    leaves = LeafSums(sums, 10, grown=sums, is_drawn=True)
    return AdaBoostM1(sums.shape[1], 1.0).judge(
        leaves, **{"is_first": False, "is_fresh": False, **options}
    )


def test_one_half_is_a_vote_that_weighs_nothing():
    for is_fresh in (False, True):
        verdict = judge([[2, 1, 1]], is_fresh=is_fresh)
        assert (verdict.action, verdict.step, verdict.error) == (Action.KEEP, 0.0, 0.5)


def test_above_one_half_restarts_but_not_from_the_first_weights():
    assert judge([[2, 1.01, 1]]).action is Action.DROP_AND_RESTART
    assert judge([[2, 1.01, 1]], is_fresh=True).action is Action.DROP_AND_STOP
    assert judge([[2, 1.01, 1]], is_first=True, is_fresh=True).action is Action.KEEP_AND_STOP


def test_no_error_is_not_the_end():
    verdict = judge([[3, 0, 0], [0, 4, 0]])
    assert (verdict.action, verdict.step) == (Action.KEEP, pytest.approx(np.log(19)))
