"""Callbacks of scikit-learn, from 1.9 on: they are told of each fit and of each of its rounds."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import frugalboost as fb

callback = pytest.importorskip("sklearn.callback")

X, y = load_breast_cancer(return_X_y=True)
X, y = X[::3], y[::3]
TARGETS = X[:, 0]

FIVE = {
    "boosted": fb.BoostedTreesClassifier(n_estimators=5, max_depth=2),
    "bagged": fb.BaggedTreesClassifier(n_estimators=5, random_state=0),
    "gamble": fb.GambleClassifier(n_estimators=5, learning_rate=0.3),
    "committee": fb.GambleClassifier(Ridge(), n_estimators=5, learning_rate=0.3, random_state=0),
    "filter": fb.FilterBoostClassifier(
        max_rounds=5, max_depth=1, sample_constant=30, random_state=0
    ),
}
"""Estimators of five rounds."""


class Recorder:
    """Keeps what it is told; stops after some rounds if asked."""

    def __init__(self, stop_after=None):
        self.events, self.rounds, self.stop_after = [], [], stop_after

    def setup(self, estimator, context):
        self.events.append("setup")

    def on_fit_task_begin(self, estimator, context, *, X=None):
        self.events.append(f"begin {context.task_name}")

    def on_fit_task_end(
        self, estimator, context, *, X=None, y=None, fitted_estimator=None, metadata=None
    ):
        self.events.append(f"end {context.task_name}")
        if context.task_name == "round":
            self.rounds.append((X, y, fitted_estimator, metadata))
        return len(self.rounds) == self.stop_after

    def teardown(self, estimator, context):
        self.events.append("teardown")


class Failing(Recorder):
    def on_fit_task_end(self, estimator, context):
        raise RuntimeError("this callback fails")


def staged(model):
    return list(model.staged_predict(X))


@pytest.mark.parametrize("name", FIVE)
def test_a_fit_and_its_rounds_begin_and_end_in_order(name):
    recorder = Recorder()
    clone(FIVE[name]).set_callbacks(recorder).fit(X, y)
    rounds = ["begin round", "end round"] * 5
    assert recorder.events == ["setup", "begin fit", *rounds, "end fit", "teardown"]


@pytest.mark.parametrize("name", FIVE)
def test_the_model_so_far_predicts_as_the_stages_of_the_final_one(name):
    recorder = Recorder()
    model = clone(FIVE[name]).set_callbacks(recorder).fit(X, y)
    for (rows, labels, so_far, _), stage in zip(recorder.rounds, staged(model), strict=True):
        assert np.array_equal(rows, X)
        assert np.array_equal(labels, y)
        assert np.array_equal(so_far.predict(rows), stage)
    sizes = [so_far.n_estimators_ for *_, so_far, _ in recorder.rounds]
    assert sizes == [1, 2, 3, 4, 5]
    assert [len(so_far.ledger_) for *_, so_far, _ in recorder.rounds] == sizes


@pytest.mark.parametrize("name", FIVE)
def test_callbacks_do_not_change_the_model(name):
    plain = clone(FIVE[name]).fit(X, y)
    watched = clone(FIVE[name]).set_callbacks(Recorder()).fit(X, y)
    assert np.array_equal(plain.decision_function(X), watched.decision_function(X))
    assert set(vars(watched)) - set(vars(plain)) == {"_skl_callbacks"}


@pytest.mark.parametrize("name", FIVE)
def test_a_callback_can_stop_a_fit(name):
    model = clone(FIVE[name]).set_callbacks(Recorder(stop_after=2)).fit(X, y)
    assert model.n_estimators_ == len(model.ledger_) == 2
    whole = staged(clone(FIVE[name]).fit(X, y))
    assert np.array_equal(model.predict(X), whole[1])


def test_filterboost_says_that_a_callback_stopped_it():
    model = clone(FIVE["filter"]).set_callbacks(Recorder(stop_after=2)).fit(X, y)
    assert model.stop_reason_ == "callback"


@pytest.mark.parametrize("name", FIVE)
def test_a_callback_that_fails_leaves_the_estimator_as_it_was_and_is_torn_down(name):
    failing = Failing()
    model = clone(FIVE[name]).fit(X, y).set_callbacks(failing)
    before = dict(vars(model))
    with pytest.raises(RuntimeError, match="this callback fails"):
        model.fit(X[:50], y[:50])
    assert vars(model) == before
    assert failing.events[-1] == "teardown"


def test_the_rounds_of_a_regressor():
    recorder = Recorder()
    model = fb.BoostedTreesRegressor(n_estimators=3, max_depth=2).set_callbacks(recorder)
    model.fit(X, TARGETS)
    ends = [so_far.predict(X) for _, _, so_far, _ in recorder.rounds]
    assert all(np.array_equal(*pair) for pair in zip(ends, staged(model), strict=True))
    assert np.array_equal(recorder.rounds[0][1], TARGETS)


def test_labels_and_weights_are_those_of_the_user():
    names = np.array(["sick", "well"])[y]
    weights = np.linspace(0.5, 2.0, len(y))
    recorder = Recorder()
    fb.BoostedTreesClassifier(n_estimators=2).set_callbacks(recorder).fit(X, names, weights)
    _, labels, so_far, metadata = recorder.rounds[0]
    assert labels.tolist() == names.tolist()
    assert metadata["sample_weight"].tolist() == weights.tolist()
    assert set(so_far.predict(X)) <= {"sick", "well"}


def test_going_on_counts_the_new_rounds_alone():
    model = fb.BoostedTreesClassifier(n_estimators=3, max_depth=2, warm_start=True).fit(X, y)
    recorder = Recorder()
    model.set_params(n_estimators=5).set_callbacks(recorder).fit(X, y)
    assert [so_far.n_estimators_ for *_, so_far, _ in recorder.rounds] == [4, 5]


def test_a_rule_that_ends_by_itself_closes_its_last_round():
    recorder = Recorder()
    model = fb.BoostedTreesClassifier("adaboost", max_depth=3, n_estimators=50)
    model.set_callbacks(recorder).fit([[0.0], [1.0], [2.0]], [0, 0, 1])
    assert model.n_estimators_ < 50
    assert recorder.events.count("begin round") == recorder.events.count("end round")
    assert recorder.events[-2:] == ["end fit", "teardown"]


def test_a_binned_dataset_is_not_shown():
    recorder = Recorder()
    data = fb.BinnedDataset.from_data(X)
    fb.BoostedTreesClassifier(n_estimators=2).set_callbacks(recorder).fit(data, y)
    assert [rows for rows, *_ in recorder.rounds] == [None, None]


def test_scikit_learns_monitor_has_a_score_for_every_round():
    monitor = callback.ScoringMonitor(scoring="accuracy")
    model = fb.BoostedTreesClassifier(n_estimators=4, max_depth=1).set_callbacks(monitor).fit(X, y)
    rows = [row for row in monitor.get_logs().data if row["task_name"] == "round"]
    accuracies = [float((labels == y).mean()) for labels in model.staged_predict(X)]
    assert [row["accuracy"] for row in rows] == accuracies


def test_scikit_learns_progress_bar_reaches_the_rounds_of_a_grid_search(capsys):
    pytest.importorskip("rich")
    bar = callback.ProgressBar(max_propagation_depth=None)
    pipeline = make_pipeline(StandardScaler(), fb.BoostedTreesClassifier(n_estimators=3))
    grid = {"boostedtreesclassifier__max_depth": [1, 2]}
    search = GridSearchCV(pipeline, grid, cv=2).set_callbacks(bar).fit(X, y)
    assert search.best_params_["boostedtreesclassifier__max_depth"] in (1, 2)
    assert "BoostedTreesClassifier" in capsys.readouterr().out


class Propagated(Recorder):
    max_propagation_depth = None


def test_committees_for_each_class_are_tasks():
    flowers, kinds = load_iris(return_X_y=True)
    recorder = Propagated()
    stumps = fb.BoostedTreesClassifier("gentle", n_estimators=2, max_depth=1)
    plain = fb.OneAgainstAllClassifier(stumps).fit(flowers, kinds)
    watched = fb.OneAgainstAllClassifier(stumps).set_callbacks(recorder).fit(flowers, kinds)
    assert fb.digest(watched) == fb.digest(plain)
    assert recorder.events.count("end round") == 3 * 2
    assert recorder.events[0] == "setup"
    assert recorder.events[-2:] == ["end fit", "teardown"]


def pruned(**options):
    defaults = {"estimator": FIVE["boosted"], "n_estimators": 2, "random_state": 0}
    return fb.PrunedEnsembleClassifier(**{**defaults, **options})


def test_an_ensemble_and_the_choice_of_its_members_are_tasks():
    recorder = Recorder()
    model = pruned().set_callbacks(recorder).fit(X, y)
    steps = ["begin ensemble", "end ensemble", "begin choice", "end choice"]
    assert recorder.events == ["setup", "begin fit", *steps, "end fit", "teardown"]
    assert fb.digest(model) == fb.digest(pruned().fit(X, y))
    assert set(vars(model)) - set(vars(pruned().fit(X, y))) == {"_skl_callbacks"}


def test_a_callback_that_goes_on_reaches_the_rounds_of_an_ensemble_that_is_pruned():
    recorder = Propagated()
    model = pruned().set_callbacks(recorder).fit(X, y)
    # The task "ensemble" is the ensemble's own task "fit".
    steps = ["begin fit", *["begin round", "end round"] * 5, "end fit"]
    choice = ["begin choice", "end choice"]
    assert recorder.events == ["setup", "begin fit", *steps, *choice, "end fit", "teardown"]
    assert not hasattr(model.ensemble_, "_skl_callbacks")
    assert fb.digest(model) == fb.digest(pruned().fit(X, y))


def test_every_fold_of_an_ensemble_that_is_pruned_is_two_tasks():
    recorder = Propagated()
    pruned(n_estimators="auto", method="kappa", cv=3).set_callbacks(recorder).fit(X, y)
    assert recorder.events.count("end choice") == 4
    assert recorder.events.count("end round") == 4 * 5


def test_an_ensemble_without_callbacks_is_one_task():
    recorder = Propagated()
    forest = RandomForestClassifier(5, random_state=0)
    pruned(estimator=forest).set_callbacks(recorder).fit(X, y)
    assert recorder.events.count("end ensemble") == 1


class LastOfAll(Recorder):
    """Keeps what a hook is given at the end of a fit."""

    def on_fit_task_end(
        self, estimator, context, *, X=None, y=None, fitted_estimator=None, metadata=None
    ):
        if context.task_name == "fit":
            self.given = (X, y, fitted_estimator, metadata)


def test_the_end_of_a_fit_with_pruning_has_the_pruned_ensemble():
    last, weights = LastOfAll(), np.linspace(0.5, 2.0, len(y))
    model = pruned().set_callbacks(last).fit(X, y, weights)
    rows, labels, fitted, metadata = last.given
    assert np.array_equal(rows, X)
    assert np.array_equal(labels, y)
    assert metadata["sample_weight"].tolist() == weights.tolist()
    assert fb.digest(fitted) == fb.digest(model)


def test_a_callback_can_stop_the_rounds_of_an_ensemble_that_is_pruned():
    model = pruned(method="early_stopping", n_estimators=4)
    model.set_callbacks(Propagated(stop_after=3)).fit(X, y)
    assert model.n_estimators_ == 3


def test_a_callback_that_fails_leaves_a_pruned_ensemble_as_it_was():
    failing = Failing()
    model = pruned().fit(X, y).set_callbacks(failing)
    before = dict(vars(model))
    with pytest.raises(RuntimeError, match="this callback fails"):
        model.fit(X[:50, :3], y[:50])
    assert vars(model) == before
    assert failing.events[-1] == "teardown"


@pytest.mark.parametrize("name", ["boosted", "filter"])
def test_an_estimator_with_callbacks_can_be_pickled_and_cloned(name):
    model = clone(FIVE[name]).set_callbacks(Recorder()).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert fb.digest(again) == fb.digest(model)
    assert fb.digest(clone(model).fit(X, y)) == fb.digest(model)
