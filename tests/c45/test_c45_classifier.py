"""C45Classifier: one tree as in the book, ensembles as in the paper, and what goes with them."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from c45_tables import as_tuple
from numpy.testing import assert_array_equal
from sklearn.base import clone

from frugalboost import BinnedDataset, C45Classifier, PrunedEnsembleClassifier, digest, save
from frugalboost import prune_ensemble as prune
from frugalboost.analysis import kappa_error, member_ballots, round_weights
from frugalboost.c45.tree import C45Tree
from frugalboost.cli.inspect import describe_model
from frugalboost.cli.prune import check_prunable
from frugalboost.datasets import make_waveform
from frugalboost.export import to_onnx
from frugalboost.plots import MarginsDisplay, TreeDisplay

pytestmark = pytest.mark.thorough

BOOSTED = [
    {"ensemble": "adaboost_m1"},
    {"ensemble": "adaboost_m1", "resample": False},
]
ENSEMBLES = [*BOOSTED, {"ensemble": "bagging"}]
ALL = [{}, *ENSEMBLES]

RANDOM = np.random.default_rng(1)
X = RANDOM.normal(size=(120, 4)).round(1)
X[:, 1] = RANDOM.integers(0, 4, 120)
X[RANDOM.random(X.shape) < 0.1] = np.nan
CODES = (np.nan_to_num(X[:, 0]) > 0).astype(int) + (np.nan_to_num(X[:, 2]) > 0.5)
CODES[:25] = RANDOM.integers(0, 3, 25)
WORDS = np.array(["no", "maybe", "yes"])[CODES]


def model(**options):
    return C45Classifier(n_estimators=8, categorical_features=[1], random_state=0, **options)


def golf():
    """The book's days as a data frame; the outlook of an overcast one is unknown."""
    outlook = ["sunny"] * 5 + [None] + ["overcast"] * 3 + ["rain"] * 5
    humidity = [70, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96]
    windy = [1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0]
    y = np.array(["play", "stay", "stay", "stay", "play", *["play"] * 4, "stay", "stay"])
    days = pd.DataFrame(
        {
            "outlook": pd.Categorical(outlook, categories=["sunny", "overcast", "rain"]),
            "humidity": humidity,
            "windy": pd.Categorical([bool(each) for each in windy]),
        }
    )
    return days, np.append(y, ["play"] * 3)


def test_the_book_with_a_data_frame():
    """To play has 44 % where humidity is unknown, as chapter 3 has it."""
    days, y = golf()
    fitted = C45Classifier().fit(days, y)
    assert fitted.estimators_[0].n_leaves == 5
    day = days[:1].assign(humidity=math.nan)
    assert fitted.predict_proba(day)[0] == pytest.approx([0.44, 0.56], abs=5e-3)
    assert fitted.predict(day)[0] == "stay"
    known = days["outlook"].notna()
    assert fitted.score(days[known], y[known]) == 1.0


def test_a_category_that_was_not_seen_is_a_missing_value():
    days, y = golf()
    fitted = C45Classifier().fit(days, y)
    foggy, unknown = (
        days[:1].assign(outlook=pd.Categorical([each], ["sunny", "overcast", "rain", "fog"]))
        for each in ("fog", None)
    )
    assert_array_equal(fitted.predict_proba(foggy), fitted.predict_proba(unknown))


@pytest.mark.parametrize("options", ALL, ids=str)
def test_the_same_seed_gives_the_same_model(options):
    first, again = (model(**options).fit(X, WORDS) for _ in range(2))
    assert digest(first) == digest(again)
    other = model(**options).set_params(random_state=1).fit(X, WORDS)
    draws = "ensemble" in options and options.get("resample", True)
    assert (digest(other) != digest(first)) == draws
    assert digest(pickle.loads(pickle.dumps(first))) == digest(first)


@pytest.mark.parametrize("options", ALL, ids=str)
@pytest.mark.parametrize("labels", [WORDS, CODES > 0], ids=["three", "two"])
def test_predictions_are_the_largest_of_the_probabilities(options, labels):
    fitted = model(**options).fit(X, labels)
    shares = fitted.predict_proba(X)
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(X)))
    assert_array_equal(fitted.classes_[shares.argmax(axis=1)], fitted.predict(X))
    *_, last = fitted.staged_predict(X)
    assert options == {} or (last == fitted.predict(X)).all()
    assert len(list(fitted.staged_predict(X))) == fitted.n_estimators_ == len(fitted.ledger_)
    assert fitted.feature_importances_.sum() == pytest.approx(1.0)


def votes_of(fitted, table):
    return np.array([tree.votes(fitted._matrix(table)) for tree in fitted.estimators_])


@pytest.mark.parametrize("options", BOOSTED, ids=str)
def test_weights_and_votes_are_those_of_table_1(options):
    """Recomputed from what the trees say."""
    fitted = model(**options).fit(X, CODES)
    weights = np.full(len(X), 1 / len(X))
    for vote, step, error, told in zip(
        votes_of(fitted, X),
        fitted.estimator_weights_,
        fitted.estimator_errors_,
        round_weights(fitted, X, CODES),
        strict=True,
    ):
        assert told == pytest.approx(weights, rel=1e-6)
        wrong = vote != CODES
        assert error == pytest.approx(weights[wrong].sum(), rel=1e-6)
        assert step == pytest.approx(math.log((1 - error) / error), rel=1e-6)
        weights = weights * np.where(wrong, (1 - error) / error, 1.0)
        weights /= weights.sum()


@pytest.mark.parametrize("options", ENSEMBLES, ids=str)
def test_ballots_add_up_to_the_predictions(options):
    fitted = model(**options).fit(X, WORDS)
    ballots = member_ballots(fitted, X)
    assert_array_equal(ballots.votes, votes_of(fitted, X))
    assert ballots.weights == pytest.approx(fitted.estimator_weights_)
    sums = sum(
        weight * (vote[:, np.newaxis] == np.arange(3))
        for vote, weight in zip(ballots.votes, ballots.weights, strict=True)
    )
    assert_array_equal(fitted.classes_[sums.argmax(axis=1)], fitted.predict(X))


def test_trees_of_weighted_boosting_are_single_trees_of_those_weights():
    fitted = model(ensemble="adaboost_m1", resample=False).fit(X, CODES)
    for tree, weights in zip(fitted.estimators_, round_weights(fitted, X, CODES), strict=True):
        alone = model().fit(X, CODES, weights * len(X)).estimators_[0]
        assert_array_equal(alone.feature, tree.feature)
        assert alone.by_class == pytest.approx(tree.by_class, rel=1e-6)


def test_copies_are_cases():
    """Two copies of a row are two cases, enough for a branch."""
    table = np.array([[0.0], [0.0], [1.0], [1.0]])
    labels = [0, 0, 1, 1]
    assert C45Classifier().fit(table, labels).estimators_[0].n_leaves == 2
    assert C45Classifier().fit(table[1:3], labels[1:3]).estimators_[0].n_leaves == 1
    doubled = C45Classifier().fit(table[1:3], labels[1:3], [2.0, 2.0])
    assert doubled.estimators_[0].n_leaves == 2


def test_a_weight_counts_as_so_many_cases():
    repeats = np.random.default_rng(0).integers(0, 4, len(X))
    table = np.nan_to_num(X)  # shares of cases are not exact
    weighted = model().fit(table, WORDS, repeats.astype(float))
    repeated = model().fit(np.repeat(table, repeats, 0), np.repeat(WORDS, repeats))
    assert as_tuple(weighted.estimators_[0]) == as_tuple(repeated.estimators_[0])
    small = model().fit(X, WORDS, np.full(len(X), 2.0**-9))
    assert digest(small) == digest(model().fit(X, WORDS))


@pytest.mark.parametrize("options", ENSEMBLES, ids=str)
def test_ensembles_gain_on_one_tree(options):
    table, labels = make_waveform(2300, random_state=0)
    train, test = slice(300), slice(300, None)
    one = C45Classifier().fit(table[train], labels[train]).score(table[test], labels[test])
    many = C45Classifier(n_estimators=25, random_state=0, **options)
    assert many.fit(table[train], labels[train]).score(table[test], labels[test]) > one + 0.05


@pytest.mark.parametrize("method", ["kappa", "kl", "reduce_error", "hull", "early_stopping"])
def test_ensembles_can_be_pruned(method):
    fitted = model(ensemble="adaboost_m1").fit(X, WORDS)
    small = prune(fitted, X, WORDS, method, n_estimators=3)
    assert 1 < small.n_estimators_ == len(small.members_) < 8
    for tree, place in zip(small.estimators_, small.members_, strict=True):
        assert tree is fitted.estimators_[place]
    assert_array_equal(small.estimator_errors_, fitted.estimator_errors_[small.members_])
    assert len(fitted.estimators_) == 8


def test_new_weights_multiply_the_old_ones():
    fitted = model(ensemble="adaboost_m1").fit(X, WORDS)
    small = prune(fitted, X, WORDS, n_estimators=3, reweight=True)
    assert not np.isin(small.estimator_weights_, fitted.estimator_weights_).any()
    assert_array_equal(small.predict(X).shape, WORDS.shape)


def test_an_ensemble_that_prunes_itself():
    whole = model(ensemble="adaboost_m1")
    fitted = PrunedEnsembleClassifier(whole, n_estimators=3, random_state=0).fit(X, WORDS)
    assert len(fitted.estimators_) == 3
    assert fitted.score(X, WORDS) > 0.7


def test_kappa_and_error_of_pairs():
    fitted = model(ensemble="bagging").fit(X, WORDS)
    errors = (votes_of(fitted, X) != np.searchsorted(fitted.classes_, WORDS)).mean(axis=1)
    assert_array_equal(kappa_error(fitted, X, WORDS).member_errors, errors)


def test_a_smaller_confidence_leaves_smaller_trees():
    table, labels = make_waveform(300, random_state=0)
    labels[:100] = np.arange(100) % 3  # nothing can be learned of these
    sizes = [
        C45Classifier(**options).fit(table, labels).ledger_.n_leaves[0]
        for options in ({"pruning": None}, {"confidence": 0.25}, {"confidence": 0.001})
    ]
    assert sizes[0] >= sizes[1] > sizes[2]


def test_what_needs_two_branches_says_so():
    fitted = model(ensemble="adaboost_m1").fit(X, WORDS)
    message = "must be made of trees with two branches; got a C45Classifier"
    with pytest.raises(TypeError, match=message):
        TreeDisplay.from_estimator(fitted)
    with pytest.raises(TypeError, match=message):
        MarginsDisplay.from_estimator(fitted, X, WORDS)
    with pytest.raises(TypeError, match=r"^to_onnx: model must be one of .*; got C45Classifier"):
        to_onnx(fitted)


def test_the_commands_know_its_files(tmp_path):
    fitted = model(ensemble="bagging").fit(X, WORDS)
    save(fitted, tmp_path / "model.fboost")
    told = describe_model(tmp_path / "model.fboost")
    assert (told["kind"], told["rule"], told["trees"]) == ("C45Classifier", "bagging", 8)
    assert told["leaves"] == sum(tree.n_leaves for tree in fitted.estimators_)
    assert told["depth"] == max(tree.depth for tree in fitted.estimators_)
    check_prunable(fitted)


def test_depth_and_stages():
    fitted = model().fit(X, WORDS)
    (tree,) = fitted.estimators_
    assert tree.depth < tree.n_leaves == (tree.feature < 0).sum()
    assert repr(tree) == f"C45Tree(n_leaves={tree.n_leaves}, depth={tree.depth})"
    boosted = model(ensemble="bagging").fit(X, WORDS)
    for shares, named in zip(
        boosted.staged_predict_proba(X), boosted.staged_predict(X), strict=True
    ):
        assert_array_equal(boosted.classes_[shares.argmax(axis=1)], named)


def test_sparse_tables():
    from scipy import sparse

    table = np.nan_to_num(X).round(0)
    fitted = C45Classifier().fit(table, WORDS)
    again = C45Classifier().fit(sparse.csr_matrix(table), WORDS)
    assert digest(again) == digest(fitted)
    assert_array_equal(again.predict(sparse.csc_matrix(table)), fitted.predict(table))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ensemble": "boosting"}, "ensemble must be None, 'adaboost_m1' or 'bagging'; got 'boo"),
        ({"n_estimators": 0}, "n_estimators must be an integer >= 1; got 0"),
        ({"min_cases": 0}, "min_cases must be an integer >= 1; got 0"),
        ({"pruning": "optimistic"}, "pruning must be None or 'pessimistic'; got 'optimistic'"),
        ({"confidence": 0.0}, r"confidence must be a finite number in \(0.0, 0.5\]; got 0.0"),
        ({"resample": 3}, "resample must be"),
    ],
)
def test_errors_say_what_is_wrong(options, message):
    with pytest.raises((TypeError, ValueError), match=f"^C45Classifier: {message}"):
        C45Classifier(**options).fit(X, WORDS)


def test_bins_are_refused():
    with pytest.raises(TypeError, match=r"^C45Classifier: X must hold raw values; got a Binned"):
        C45Classifier().fit(BinnedDataset.from_data(X), WORDS)


def test_a_failed_fit_leaves_the_model_as_it_was():
    fitted = model().fit(X, WORDS)
    before = digest(fitted)
    with pytest.raises(ValueError, match="two classes"):
        fitted.fit(X, np.zeros(len(X)))
    assert digest(fitted) == before
    assert clone(fitted).get_params() == fitted.get_params()


def small_tree():
    """The root, with branches 1 and 2 by a threshold."""
    return {
        "feature": np.array([0, -1, -1], np.int32),
        "threshold": np.array([0.5, np.nan, np.nan]),
        "label": np.array([0, 0, 1], np.int32),
        "by_class": np.array([[2.0, 1.0], [2.0, 0.0], [0.0, 1.0]]),
        "child_offset": np.array([0, 2, 2, 2], np.int64),
        "children": np.array([1, 2], np.int32),
    }


@pytest.mark.parametrize(
    ("name", "broken", "message"),
    [
        ("feature", [1, -1, -1], "too few features"),
        ("feature", [-1, -1, -1], "leaves none"),
        ("feature", [0, 0, -1], "inner nodes must have children"),
        ("label", [0, 0, 2], "labels must be classes"),
        ("label", [0, 0, -1], "labels must be classes"),
        ("child_offset", [0, 2, 1, 2], "must not fall"),
        ("child_offset", [0, 2, 2, 3], "must fit children"),
        ("child_offset", [1, 2, 2, 2], "must fit children"),
        ("children", [1, 3], "later nodes"),
        ("children", [1, -1], "later nodes"),
        ("children", [0, 2], "later nodes"),
        ("children", [1, 1], "one parent"),
    ],
)
def test_arrays_that_are_no_tree_are_refused(name, broken, message):
    arrays = small_tree()
    rows = np.zeros((1, 1))
    assert C45Tree(**arrays).shares(rows).tolist() == [[1.0, 0.0]]
    arrays = small_tree()
    arrays[name] = np.array(broken, arrays[name].dtype)
    with pytest.raises(ValueError, match=message):
        C45Tree(**arrays).shares(rows)


def test_a_tree_from_a_pickle_cannot_be_written_to():
    tree = pickle.loads(pickle.dumps(C45Tree(**small_tree())))
    assert not any(array.flags.writeable for array in tree.arrays().values())
