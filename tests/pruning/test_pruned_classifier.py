"""An ensemble that is pruned as soon as it is fitted."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from pruning_models import EQUAL_VOTES, N_MEMBERS, NAMES, ensembles, other_rows, training_rows
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from frugalboost import (
    BinnedDataset,
    BoostedTreesClassifier,
    C45Classifier,
    PrunedEnsembleClassifier,
    digest,
    load,
    prune_ensemble,
    save,
)
from frugalboost.pruning.fitting import split_rows

pytestmark = [
    pytest.mark.filterwarnings("ignore:FilterBoostClassifier. the target error was not reached"),
    pytest.mark.thorough,
]


def real(n_estimators=N_MEMBERS):
    return BoostedTreesClassifier("real", n_estimators=n_estimators, max_depth=4)


def pruned_real(**options):
    return PrunedEnsembleClassifier(real(), **{"random_state": 0, **options})


@pytest.mark.parametrize("name", NAMES)
def test_every_ensemble_is_fitted_and_pruned(name):
    model = PrunedEnsembleClassifier(ensembles()[name], n_estimators=5, random_state=0)
    model.fit(*training_rows())
    X, y = other_rows()
    assert model.n_estimators_ == len(model.ensemble_.estimators_) == 5
    assert model.score(X, y) > 0.6
    assert model.predict_proba(X).argmax(axis=1).tolist() == [
        list("vwxyz").index(label) for label in model.predict(X)
    ]


@pytest.mark.parametrize("method", ["early_stopping", "kl", "kappa", "kappa_backfitting", "hull"])
def test_methods_that_need_no_rows_of_their_own_use_all(method):
    X, y = training_rows()
    model = pruned_real(method=method, n_estimators=4).fit(X, y)
    assert model.curve_ is None
    expected = prune_ensemble(real().fit(X, y), X, y, method, 4)
    assert digest(model) == digest(expected)


def test_reduce_error_holds_rows_out():
    X, y = training_rows()
    model = pruned_real(n_estimators=4).fit(X, y)
    codes = np.unique(y, return_inverse=True)[1]
    kept, held = split_rows(codes, 0.15, 0)
    whole = real().fit(X[kept], y[kept])
    assert digest(model) == digest(prune_ensemble(whole, X[held], y[held], "reduce_error", 4))
    assert model.curve_.n_estimators.tolist() == [1, 2, 3, 4]
    assert model.curve_.n_members == N_MEMBERS
    assert model.curve_.errors[-1] == pytest.approx(1 - model.score(X[held], y[held]))
    assert model.curve_.whole_error == pytest.approx(1 - whole.score(X[held], y[held]))


@pytest.mark.parametrize("method", ["early_stopping", "kappa", "reduce_error"])
def test_auto_takes_the_amount_from_rows_held_out(method):
    model = pruned_real(method=method).fit(*training_rows())
    assert model.n_estimators_ == model.curve_.best
    assert model.curve_.errors[model.curve_.best_place] == model.curve_.errors.min()
    assert len(model.curve_.errors) == (8 if method == "reduce_error" else N_MEMBERS)


@pytest.mark.parametrize("method", ["kappa", "reduce_error"])
def test_auto_takes_the_amount_from_folds(method):
    X, y = training_rows()
    folds = StratifiedKFold(3)
    model = pruned_real(method=method, cv=folds).fit(X, y)
    assert model.n_estimators_ == model.curve_.best
    assert len(model.curve_.errors) == (8 if method == "reduce_error" else N_MEMBERS)
    assert digest(model) == digest(
        pruned_real(method=method, n_estimators=model.curve_.best).fit(X, y)
    )
    if method == "kappa":  # no rows are held out besides the fold
        errors = []
        for train, test in folds.split(X, y):
            whole = real().fit(X[train], y[train])
            kept = prune_ensemble(whole, X[train], y[train], method, 5)
            errors.append(1 - kept.score(X[test], y[test]))
        assert model.curve_.errors[4] == pytest.approx(np.mean(errors))


def test_folds_may_be_a_number_and_are_not_needed_for_a_given_size():
    X, y = training_rows()
    assert pruned_real(method="kappa", cv=2).fit(X, y).curve_ is not None
    assert pruned_real(method="kappa", cv=2, n_estimators=3).fit(X, y).curve_ is None


def test_new_weights_are_found_on_the_rows_held_out():
    X, y = training_rows()
    model = pruned_real(method="kappa", n_estimators=5, reweight=True).fit(X, y)
    kept, held = split_rows(np.unique(y, return_inverse=True)[1], 0.15, 0)
    whole = real().fit(X[kept], y[kept])
    weights = model.ensemble_.estimator_weights_ / whole.estimator_weights_[model.members_]
    assert len(set(weights.round(6))) > 1
    assert len(held) == 60


def test_all_members_stay_where_boosting_ends_early():
    X = np.repeat([[0.0], [1.0]], 20, axis=0)
    model = PrunedEnsembleClassifier(
        BoostedTreesClassifier("adaboost", n_estimators=20), "kappa", n_estimators=10
    )
    assert model.fit(X, X[:, 0]).n_estimators_ == 1


def test_same_seed_same_model():
    digests = {digest(pruned_real(random_state=seed).fit(*training_rows())) for seed in (3, 3, 4)}
    assert len(digests) == 2


@pytest.mark.parametrize("make", [int, np.random.RandomState])
def test_the_seed_is_also_that_of_an_ensemble_without_one(make):
    drawing = clone(real()).set_params(sample_fraction=0.5)
    models = [
        PrunedEnsembleClassifier(drawing, n_estimators=5, random_state=make(seed))
        for seed in (3, 3, 4)
    ]
    digests = [digest(model.fit(*training_rows())) for model in models]
    assert digests[0] == digests[1] != digests[2]
    assert drawing.random_state is None


def test_an_ensemble_with_a_seed_keeps_it():
    drawing = clone(real()).set_params(sample_fraction=0.5, random_state=7)
    model = PrunedEnsembleClassifier(drawing, "kappa", 5, random_state=3).fit(*training_rows())
    whole = clone(drawing).fit(*training_rows())
    assert digest(model) == digest(prune_ensemble(whole, *training_rows(), "kappa", 5))


def test_a_file_keeps_the_curve(tmp_path):
    model = pruned_real().fit(*training_rows())
    save(model, tmp_path / "model.fboost")
    again = load(tmp_path / "model.fboost")
    assert digest(again) == digest(model)
    assert again.members_.tolist() == model.members_.tolist()
    assert again.curve_.errors.tolist() == model.curve_.errors.tolist()
    assert again.curve_.n_estimators.tolist() == model.curve_.n_estimators.tolist()
    assert again.curve_.whole_error == model.curve_.whole_error
    assert again.curve_.n_members == model.curve_.n_members
    assert again.estimator.get_params() == model.estimator.get_params()


def test_ensembles_of_others_are_not_for_our_files(tmp_path):
    model = PrunedEnsembleClassifier(RandomForestClassifier(6, random_state=0), "kappa", 3)
    model.fit(*training_rows())
    with pytest.raises(
        TypeError, match=r"save: model must be one of .* got RandomForestClassifier"
    ):
        save(model, tmp_path / "model.fboost")
    assert list(tmp_path.iterdir()) == []


def test_pickles_predicts_in_stages_and_has_what_its_ensemble_has():
    X, _ = other_rows()
    model = pruned_real(n_estimators=4).fit(*training_rows())
    again = pickle.loads(pickle.dumps(model))
    assert digest(again) == digest(model) == digest(model.ensemble_)
    assert [stage.tolist() for stage in again.staged_predict(X)][-1] == model.predict(X).tolist()
    assert len(list(model.staged_predict_proba(X))) == 4
    assert model.decision_function(X).shape == (len(X), 5)
    assert model.predict_log_proba(X).shape == (len(X), 5)
    assert model.classes_.tolist() == list("vwxyz")
    assert not hasattr(model, "transform")


def test_methods_that_the_ensemble_lacks():
    forest = PrunedEnsembleClassifier(RandomForestClassifier(5), n_estimators=3)
    assert not hasattr(forest, "decision_function")
    forest.fit(*training_rows())
    assert not hasattr(forest, "staged_predict")
    with pytest.raises(
        TypeError, match="digest: model must hold an ensemble of frugalboost; got one"
    ):
        digest(forest)


def test_members_that_only_vote():
    model = PrunedEnsembleClassifier(
        BaggingClassifier(Perceptron(), n_estimators=8), n_estimators=3
    )
    assert model.fit(*training_rows()).score(*other_rows()) > 0.8


def test_the_default_ensemble():
    model = PrunedEnsembleClassifier(n_estimators=5, random_state=0).fit(*training_rows())
    whole = BoostedTreesClassifier()
    named = PrunedEnsembleClassifier(whole, n_estimators=5, random_state=0).fit(*training_rows())
    assert digest(model) == digest(named)
    assert type(model.ensemble_) is BoostedTreesClassifier


@pytest.mark.parametrize(
    "convert", [sparse.csr_array, pd.DataFrame, np.ndarray.tolist], ids=lambda kind: kind.__name__
)
def test_tables_of_other_kinds(convert):
    X, y = training_rows()
    plain = pruned_real(n_estimators=4).fit(X, y)
    other = pruned_real(n_estimators=4).fit(convert(X), y)
    assert digest(other) == digest(plain)
    assert other.n_features_in_ == 64


def test_categories_and_missing_values():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {"kind": pd.Categorical(rng.choice(list("abc"), 200)), "size": rng.normal(size=200)}
    )
    table.loc[::5, "size"] = np.nan
    y = (table["kind"] == "b").to_numpy() ^ (rng.random(200) < 0.1)
    for method in ("kl", "reduce_error", "kappa"):
        model = pruned_real(method=method, n_estimators=3).fit(table, y)
        assert model.score(table, y) > 0.8
        assert model.feature_names_in_.tolist() == ["kind", "size"]


def test_searches_of_parameters_see_both():
    grid = {"n_estimators": [2, 6], "estimator__max_depth": [1, 4]}
    search = GridSearchCV(pruned_real(), grid, cv=2).fit(*training_rows())
    assert search.best_params_["estimator__max_depth"] == 4
    kept = search.best_params_["n_estimators"]
    assert search.best_estimator_.n_estimators_ == kept
    scores = search.cv_results_["mean_test_score"].reshape(2, 2)  # by depth, then number
    assert (scores[1] > scores[0]).all()


def test_fitting_leaves_the_estimator_alone():
    whole = real()
    model = clone(PrunedEnsembleClassifier(whole, n_estimators=3)).fit(*training_rows())
    assert not hasattr(whole, "classes_")
    assert model.estimator.n_estimators == N_MEMBERS


@pytest.mark.parametrize(
    ("counts", "fraction"),
    [((50, 50), 0.15), ((90, 9, 1), 0.3), ((3, 2, 2, 1), 0.5), ((1, 2), 0.9)],
)
def test_every_class_has_a_row_to_fit(counts, fraction):
    codes = np.repeat(np.arange(len(counts)), counts)
    for seed in range(10):
        kept, held = split_rows(codes, fraction, seed)
        assert sorted([*kept, *held]) == list(range(len(codes)))
        assert set(codes[kept]) == set(codes)
        assert len(held) > 0


def test_no_row_to_prune_by():
    with pytest.raises(
        ValueError, match=r"a row to prune by besides one of each class.*; got 2 rows"
    ):
        pruned_real().fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"method": "best"}, ValueError, "method must be one of"),
        ({"n_estimators": 0}, ValueError, "n_estimators must be an integer from 1 to 15; got 0"),
        ({"n_estimators": 16}, ValueError, "n_estimators must be an integer from 1 to 15; got 16"),
        ({"n_estimators": "all"}, ValueError, "n_estimators must be one of 'auto'; got 'all'"),
        ({"pruning_fraction": 1.0}, ValueError, r"pruning_fraction must be a finite number in \(0"),
        ({"reweight": None}, TypeError, "reweight must be True or False; got None"),
        ({"verbose": -1}, ValueError, "verbose must be an integer >= 0; got -1"),
        ({"max_sweeps": -1}, ValueError, "max_sweeps must be an integer >= 0"),
        ({"estimator": LogisticRegression()}, TypeError, "ensemble must be a fitted classifier of"),
    ],
)
def test_bad_parameters(options, error, message):
    model = PrunedEnsembleClassifier(**{"estimator": real(), **options})
    with pytest.raises(error, match=f"^PrunedEnsembleClassifier: {message}"):
        model.fit(*training_rows())
    assert not hasattr(model, "ensemble_")


@pytest.mark.parametrize("name", EQUAL_VOTES)
def test_equal_votes_are_not_reweighted_and_no_row_is_read(name):
    estimator = ensembles()[name]
    message = f"reweight must be False for a {type(estimator).__name__}, whose members have no"
    with pytest.raises(ValueError, match=f"^PrunedEnsembleClassifier: {message}"):
        PrunedEnsembleClassifier(estimator, reweight=True).fit(None, None)


def test_the_rule_of_an_earlier_fit_does_not_decide_on_new_weights():
    X, y = training_rows()
    estimator = C45Classifier(ensemble="bagging", n_estimators=3, random_state=0).fit(X, y)
    estimator.set_params(ensemble="adaboost_m1")
    pruned = PrunedEnsembleClassifier(estimator, n_estimators=2, reweight=True, random_state=0)
    assert pruned.fit(X, y).n_estimators_ == 2
    estimator.fit(X, y).set_params(ensemble="bagging")
    with pytest.raises(ValueError, match="reweight must be False for a C45Classifier"):
        pruned.fit(None, None)


def test_binned_rows_cannot_be_pruned_by():
    X, y = training_rows()
    with pytest.raises(TypeError, match="X must hold raw values; got a BinnedDataset"):
        pruned_real().fit(BinnedDataset.from_data(X), y)


def some_weights(n, *, zeros=False):
    weights = np.random.default_rng(3).uniform(0.1, 5.0, size=n)
    if zeros:
        weights[::4] = 0.0
    return weights


@pytest.mark.parametrize("method", ["early_stopping", "kl", "kappa", "kappa_backfitting", "hull"])
@pytest.mark.parametrize("name", ["real", "AdaBoost"])
def test_weights_are_those_of_the_fit(method, name):
    """And of its rounds, which "kl" follows."""
    X, y = training_rows()
    weights = some_weights(len(y))
    whole = ensembles()[name]
    model = PrunedEnsembleClassifier(whole, method, 4, random_state=0).fit(X, y, weights)
    fitted = clone(whole).fit(X, y, sample_weight=weights)
    expected = prune_ensemble(fitted, X, y, method, 4, sample_weight=weights)
    assert model.members_.tolist() == expected.members_.tolist()
    assert np.array_equal(model.predict_proba(X), expected.predict_proba(X))
    other = PrunedEnsembleClassifier(whole, method, 4, random_state=0).fit(X, y)
    assert not np.array_equal(model.predict_proba(X), other.predict_proba(X))


def test_rows_that_are_held_out_keep_their_weights_aside():
    X, y = training_rows()
    weights = some_weights(len(y))
    model = pruned_real(n_estimators=4).fit(X, y, weights)
    kept, held = split_rows(np.unique(y, return_inverse=True)[1], 0.15, 0)
    whole = real().set_params(random_state=0).fit(X[kept], y[kept], weights[kept])
    expected = prune_ensemble(whole, X[held], y[held], "reduce_error", 4)
    assert digest(model) == digest(expected)


@pytest.mark.parametrize("options", [{}, {"method": "kl", "cv": 2}, {"reweight": True}])
def test_a_row_of_weight_zero_is_no_row(options):
    X, y = training_rows()
    weights = some_weights(len(y), zeros=True)
    y = np.where(np.arange(len(y)) == 0, "none else", y)  # a class that does not count
    is_there = weights > 0
    with_zeros = pruned_real(**options).fit(X, y, weights)
    without = pruned_real(**options).fit(X[is_there], y[is_there], weights[is_there])
    assert digest(with_zeros) == digest(without)
    assert with_zeros.classes_.tolist() == list("vwxyz")


def test_weights_of_one_are_no_weights():
    X, y = training_rows()
    assert digest(pruned_real().fit(X, y, np.ones(len(y)))) == digest(pruned_real().fit(X, y))


@pytest.mark.parametrize("weights", [[1.0], [-1.0] * 400, [0.0] * 400, [np.nan] * 400])
def test_bad_weights(weights):
    with pytest.raises(ValueError, match=r"^PrunedEnsembleClassifier: sample_weight must be one"):
        pruned_real().fit(*training_rows(), weights)


def test_an_ensemble_that_takes_no_weights():
    model = PrunedEnsembleClassifier(ensembles()["filter"])
    message = "sample_weight must be None for an estimator whose fit takes none, such as FilterBoos"
    with pytest.raises(ValueError, match=f"^PrunedEnsembleClassifier: {message}"):
        model.fit(*training_rows(), np.ones(400))


def test_weights_are_routed_through_grids_and_pipelines():
    X, y = training_rows()
    weights = some_weights(len(y))
    with config_context(enable_metadata_routing=True):
        model = pruned_real(n_estimators=4).set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=True)
        pipeline = make_pipeline(FunctionTransformer(), model)
        grid = {"prunedensembleclassifier__method": ["kappa"]}
        search = GridSearchCV(pipeline, grid, cv=2).fit(X, y, sample_weight=weights)
    expected = pruned_real(n_estimators=4, method="kappa").fit(X, y, weights)
    assert digest(search.best_estimator_[-1]) == digest(expected)
    assert digest(expected) != digest(pruned_real(n_estimators=4, method="kappa").fit(X, y))


def test_bars_are_shown_when_asked_for(monkeypatch, capsys):
    pytest.importorskip("rich")
    monkeypatch.setenv("FORCE_COLOR", "1")  # as at a terminal
    X, y = training_rows()
    loud = pruned_real(reweight=True, verbose=1).fit(X, y)
    shown = capsys.readouterr()
    assert shown.out == ""
    for title in ("predicting with each member", "choosing by reduce_error", "finding new weights"):
        assert title in shown.err
    assert digest(loud) == digest(pruned_real(reweight=True).fit(X, y))
    assert capsys.readouterr() == ("", "")


def test_a_value_that_is_no_number_is_refused_in_any_row():
    """Also in one that is held out, in a column that no tree uses."""
    X = np.column_stack([np.arange(40.0), np.ones(40)]).astype(object)
    for row in range(len(X)):
        bad = X.copy()
        bad[row, 1] = {}
        with pytest.raises(TypeError, match="column 1 of X must be numeric"):
            pruned_real().fit(bad, np.arange(40) > 19)
