"""A pruned ensemble is a smaller one of the same kind."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from pruning_models import (
    EQUAL_VOTES,
    N_MEMBERS,
    NAMES,
    OWN,
    WITHOUT_ROUNDS,
    ensembles,
    fitted,
    other_rows,
    training_rows,
)
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.metrics import log_loss

from frugalboost import (
    BaggedTreesClassifier,
    BoostedTreesClassifier,
    BoostedTreesRegressor,
    C45Classifier,
    OneAgainstAllClassifier,
    PrunedEnsembleClassifier,
    TandemBoostClassifier,
    digest,
    prune_ensemble,
)
from frugalboost.pruning import METHODS

pytestmark = pytest.mark.filterwarnings(
    "ignore:FilterBoostClassifier. the target error was not reached"
)

every_ensemble = pytest.mark.parametrize("name", NAMES)
every_method = pytest.mark.parametrize("method", METHODS)


def lacks_weights(name, method):
    """Then it is an error, which has a test below."""
    return method == "kl" and name in WITHOUT_ROUNDS


def n_members(model):
    return len(model.estimators_)


@pytest.mark.parametrize(
    ("name", "method"),
    [(name, method) for name in NAMES for method in METHODS if not lacks_weights(name, method)],
)
def test_every_method_prunes_every_ensemble(name, method):
    model = fitted(name)
    pruned = prune_ensemble(model, *training_rows(), method, 6)
    assert type(pruned) is type(model)
    if method != "hull":
        assert n_members(pruned) == 6
    assert pruned.members_.tolist() == sorted(set(pruned.members_.tolist()))
    X, y = other_rows()
    assert pruned.score(X, y) > 0.5
    assert pruned.predict_proba(X).shape == (len(X), 5)
    assert n_members(model) == N_MEMBERS


@every_ensemble
def test_members_are_those_of_the_whole(name):
    model = fitted(name)
    pruned = prune_ensemble(model, *other_rows(), "reduce_error", 5)
    for at, member in zip(pruned.members_, pruned.estimators_, strict=True):
        assert member is model.estimators_[at]


@every_ensemble
def test_pruning_to_all_members_changes_nothing(name):
    model = fitted(name)
    pruned = prune_ensemble(model, *other_rows(), "kappa", n_members(model))
    X, _ = other_rows()
    assert pruned.predict_proba(X).tolist() == model.predict_proba(X).tolist()
    if name in OWN:
        assert digest(pruned) == digest(model)


@every_ensemble
def test_pickles_shrink_and_come_back(name):
    model = fitted(name)
    pruned = prune_ensemble(model, *other_rows(), "kappa", 5)
    stored = pickle.dumps(pruned)
    X, _ = other_rows()
    assert pickle.loads(stored).predict(X).tolist() == pruned.predict(X).tolist()
    # A third of the members, and what every model has besides.
    assert len(stored) < 0.6 * len(pickle.dumps(model))


@pytest.mark.parametrize("name", OWN)
def test_a_pruned_model_is_a_model(name):
    model = fitted(name)
    pruned = prune_ensemble(model, *other_rows(), "reduce_error", 5)
    X, y = other_rows()
    assert digest(pruned) != digest(model)
    assert digest(pruned) == digest(prune_ensemble(model, *other_rows(), "reduce_error", 5))
    stages = list(pruned.staged_predict(X))
    assert len(stages) == 5
    assert stages[-1].tolist() == pruned.predict(X).tolist()
    if name != "bagged_c45":  # whose rows with missing values are in several leaves
        assert pruned.apply(X).shape == (len(X), 5)
    assert pruned.estimator_errors_.tolist() == model.estimator_errors_[pruned.members_].tolist()
    assert pruned.estimator_weights_.tolist() == model.estimator_weights_[pruned.members_].tolist()
    assert len(pruned.ledger_) == pruned.n_estimators_ == 5
    assert pruned.feature_importances_.sum() == pytest.approx(1.0)
    again = prune_ensemble(pruned, X, y, "early_stopping", 2)
    assert again.members_.tolist() == [0, 1]


def test_a_pruned_model_can_be_fitted_again():
    pruned = prune_ensemble(fitted("real"), *other_rows(), "kappa", 4)
    assert n_members(clone(pruned).fit(*training_rows())) == 4


def test_what_was_said_of_the_whole_is_not_said_of_some():
    forest = RandomForestClassifier(30, oob_score=True, max_samples=0.5, random_state=0)
    forest.fit(*training_rows())
    assert not hasattr(prune_ensemble(forest, *other_rows(), "kappa", 4), "oob_score_")
    assert not hasattr(
        prune_ensemble(fitted("filter"), *other_rows(), n_estimators=4), "certificate_"
    )
    assert hasattr(forest, "oob_score_")
    assert hasattr(fitted("filter"), "certificate_")


def test_bagging_remembers_its_rows_and_features():
    model = fitted("Bagging")
    pruned = prune_ensemble(model, *other_rows(), "kappa", 4)
    for name in ("estimators_samples_", "estimators_features_"):
        kept, whole = getattr(pruned, name), getattr(model, name)
        assert [a.tolist() for a in kept] == [whole[at].tolist() for at in pruned.members_]


def test_reduce_error_has_few_errors_on_its_rows():
    X, y = other_rows()
    for name in ("adaboost", "forest"):
        errors = {
            method: 1 - prune_ensemble(fitted(name), X, y, method, 5).score(X, y)
            for method in ("reduce_error", "early_stopping", "kappa")
        }
        assert errors["reduce_error"] == min(errors.values())


def test_auto_keeps_as_few_as_have_the_lowest_error():
    X, y = other_rows()
    model = fitted("adaboost")
    errors = [
        1 - prune_ensemble(model, X, y, "reduce_error", n).score(X, y)
        for n in range(1, 9)  # up to half of the members
    ]
    best = prune_ensemble(model, X, y, "reduce_error", "auto")
    assert n_members(best) == 1 + int(np.argmin(errors))


def test_the_hull_does_not_look_at_the_number():
    model = fitted("adaboost_m1")
    chosen = [
        prune_ensemble(model, *training_rows(), "hull", n).members_.tolist()
        for n in (1, 20, 1000, "auto")
    ]
    assert chosen[0] == chosen[1] == chosen[2] == chosen[3]


@pytest.mark.parametrize("name", ["adaboost", "real", "logit", "AdaBoost"])
def test_new_weights_lower_the_loss(name):
    X, y = other_rows()
    half = len(y) // 2
    plain = prune_ensemble(fitted(name), X[:half], y[:half], "kappa", 6)
    weighed = prune_ensemble(fitted(name), X[:half], y[:half], "kappa", 6, reweight=True)
    assert weighed.members_.tolist() == plain.members_.tolist()
    assert (weighed.estimator_weights_ >= 0).all()
    losses = [log_loss(y[half:], model.predict_proba(X[half:])) for model in (plain, weighed)]
    if name in OWN:  # scikit-learn's does not depend on the sum of the weights
        assert losses[1] < losses[0]
    errors = [1 - model.score(X[:half], y[:half]) for model in (plain, weighed)]
    assert errors[1] <= errors[0]


def test_kl_begins_with_the_first_round():
    for name in ("adaboost", "real", "AdaBoost"):
        assert prune_ensemble(fitted(name), *training_rows(), "kl", 3).members_[0] == 0


@pytest.mark.parametrize("name", WITHOUT_ROUNDS)
def test_kl_says_when_there_are_no_rounds(name):
    kind = type(fitted(name)).__name__
    with pytest.raises(ValueError, match=f"^prune_ensemble: 'kl' needs .* which a {kind} does not"):
        prune_ensemble(fitted(name), *training_rows(), "kl", 3)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"n_estimators": 0}, ValueError, "n_estimators must be an integer from 1 to 15; got 0"),
        ({"n_estimators": 16}, ValueError, "n_estimators must be an integer from 1 to 15; got 16"),
        ({"n_estimators": 2.0}, TypeError, "n_estimators must be an integer from 1 to 15; got 2.0"),
        ({"n_estimators": "all"}, ValueError, "n_estimators must be one of 'auto'; got 'all'"),
        ({"method": "best"}, ValueError, "method must be one of 'early_stopping', 'hull'"),
        ({"max_sweeps": -1}, ValueError, "max_sweeps must be an integer >= 0; got -1"),
        ({"reweight": 1}, TypeError, "reweight must be True or False; got 1"),
    ],
)
def test_bad_parameters(options, error, message):
    with pytest.raises(error, match=f"^prune_ensemble: {message}"):
        prune_ensemble(fitted("adaboost"), *other_rows(), **{"n_estimators": 3, **options})


@pytest.mark.parametrize("name", EQUAL_VOTES)
def test_members_without_weights_get_none(name):
    with pytest.raises(ValueError, match=r"reweight must be False for a .*, whose members have no"):
        prune_ensemble(fitted(name), *other_rows(), n_estimators=3, reweight=True)


@pytest.mark.parametrize("name", ["adaboost", "forest"])
@pytest.mark.parametrize("method", ["hull", "reduce_error"])
def test_a_single_class_says_nothing_about_errors(name, method):
    X, y = other_rows()
    only = y == "v"
    with pytest.raises(
        ValueError, match=f"at least two classes for method '{method}'; got 1 class"
    ):
        prune_ensemble(fitted(name), X[only], y[only], method, 3)
    assert n_members(prune_ensemble(fitted(name), X[only], y[only], "kappa", 3)) == 3


@pytest.mark.parametrize("name", ["adaboost", "forest", "AdaBoost"])
def test_labels_that_the_ensemble_does_not_know(name):
    X, y = other_rows()
    y = np.where(np.arange(len(y)) == 7, "?", y)
    with pytest.raises(ValueError, match=r"classes of the ensemble, \['v', .*; got '\?'"):
        prune_ensemble(fitted(name), X, y, n_estimators=3)


@every_ensemble
def test_an_unfitted_ensemble(name):
    with pytest.raises(ValueError, match="not fitted yet"):
        prune_ensemble(ensembles()[name], *other_rows(), n_estimators=3)


@pytest.mark.parametrize("model", [KMeans(), BoostedTreesClassifier, 3, None])
def test_no_ensemble(model):
    with pytest.raises(
        TypeError, match=r"^prune_ensemble: ensemble must be a fitted classifier of"
    ):
        prune_ensemble(model, *other_rows())


def test_targets_and_several_outputs():
    X, _ = training_rows()
    regressor = BoostedTreesRegressor(n_estimators=3).fit(X, X[:, 0])
    with pytest.raises(TypeError, match="ensemble must be a classifier"):
        prune_ensemble(regressor, X, X[:, 0], n_estimators=2)
    forest = RandomForestClassifier(3).fit(X, (X[:, :2] > 3).astype(int))
    with pytest.raises(ValueError, match="ensemble must have one output; got one with 2"):
        prune_ensemble(forest, X, X[:, 0] > 3, n_estimators=2)


def test_as_many_labels_as_rows():
    X, y = other_rows()
    with pytest.raises(ValueError, match=f"y must have one entry for each of the {len(X)} rows"):
        prune_ensemble(fitted("adaboost"), X, y[:-1], n_estimators=3)


def test_an_ensemble_of_one_member():
    for model in (
        BoostedTreesClassifier("adaboost", n_estimators=1),
        BaggingClassifier(n_estimators=1),
    ):
        pruned = prune_ensemble(model.fit(*training_rows()), *other_rows(), n_estimators=1)
        assert pruned.members_.tolist() == [0]


@pytest.mark.parametrize("n_estimators", [{}, {"n_estimators": 5}])
@pytest.mark.parametrize(
    "model", [C45Classifier(), BoostedTreesClassifier("adaboost", n_estimators=1)]
)
def test_one_tree_cannot_be_pruned(model, n_estimators):
    message = f"at least two trees to be pruned; got a {type(model).__name__} of one tree"
    with pytest.raises(ValueError, match=f"^prune_ensemble: ensemble must have {message}"):
        prune_ensemble(clone(model).fit(*training_rows()), *other_rows(), **n_estimators)


def test_the_default_number_is_twenty_and_not_for_smaller_ensembles():
    X, y = training_rows()
    whole = BaggedTreesClassifier(22, max_depth=1, random_state=0).fit(X, y)
    assert n_members(prune_ensemble(whole, X, y)) == 20
    message = "n_estimators must be given, as an integer from 1 to 15 or 'auto', for an ensemble"
    with pytest.raises(ValueError, match=f"^prune_ensemble: {message} .* by default; got None"):
        prune_ensemble(fitted("bagged"), X, y)


def test_what_holds_ensembles_is_none():
    X, y = np.arange(40.0)[:, np.newaxis], np.arange(40) % 3
    stumps = BoostedTreesClassifier("gentle", n_estimators=3, max_depth=1)
    committees = OneAgainstAllClassifier(stumps).fit(X, y)
    with pytest.raises(TypeError, match=r"got a OneAgainstAllClassifier, whose estimators_ are"):
        prune_ensemble(committees, X, y, n_estimators=1)
    tandem = TandemBoostClassifier(target_error=0.3, random_state=0).fit(X, X[:, 0] > 20)
    with pytest.raises(TypeError, match=r"got a TandemBoostClassifier, whose estimators_ are ens"):
        prune_ensemble(tandem, X, X[:, 0] > 20, n_estimators=1)
    pruned = PrunedEnsembleClassifier(stumps, n_estimators=2, random_state=0).fit(X, y)
    with pytest.raises(TypeError, match=r"got a PrunedEnsembleClassifier: use its ensemble_"):
        prune_ensemble(pruned, X, y, n_estimators=1)
