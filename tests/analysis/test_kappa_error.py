"""What members say, the kappa-error diagram, and the weights of the rounds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits, load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import Perceptron
from sklearn.metrics import cohen_kappa_score
from sklearn.tree import DecisionTreeClassifier

from frugalboost import BoostedTreesClassifier, FilterBoostClassifier
from frugalboost.analysis import (
    KappaError,
    fitted_rounds,
    kappa_error,
    member_ballots,
    round_weights,
)
from frugalboost.data import BinnedDataset
from frugalboost.pruning import RealVotes, WeightedVotes, errors_of, make_counter
from frugalboost.pruning.reweight import scores_of
from frugalboost.reference import ensemble_pruning as twin
from frugalboost.rules import RULES


def digits(n_classes=4, n_rows=300):
    X, y = load_digits(return_X_y=True)
    few = y < n_classes
    return X[few][:n_rows], y[few][:n_rows]


OTHERS = [
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=9, random_state=0),
    BaggingClassifier(n_estimators=9, max_features=0.5, max_samples=0.1, random_state=0),
    BaggingClassifier(Perceptron(), n_estimators=9, random_state=0),
    RandomForestClassifier(9, max_depth=3, random_state=0),
    ExtraTreesClassifier(9, random_state=0),
]


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("rule", RULES)
def test_sums_of_what_members_say_are_the_model(rule, n_classes):
    X, y = digits(n_classes)
    model = BoostedTreesClassifier(rule, n_estimators=7, max_depth=3).fit(X[:150], y[:150])
    ballots = member_ballots(model, X)
    sums = scores_of(ballots, np.arange(len(ballots))).sum(axis=0)
    decision = model.decision_function(X)
    if n_classes == 2:
        decision = np.stack([np.zeros(len(X)), decision], axis=1)
    # What is added to all classes decides nothing.
    expected = decision - decision[:, :1]
    assert (sums - sums[:, :1]).ravel().tolist() == pytest.approx(expected.ravel(), abs=1e-5)
    if rule in ("adaboost", "adaboost_m1"):
        assert isinstance(ballots, WeightedVotes)


@pytest.mark.parametrize("model", OTHERS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_sums_of_what_others_members_say_are_their_ensemble(model, n_classes):
    X, y = digits(n_classes)
    labels = np.array(list("abcd"))[y]
    model.fit(X[:150], labels[:150])
    ballots = member_ballots(model, X)
    errors = errors_of(make_counter(ballots, y), [np.arange(len(ballots))])
    # Members of a forest average probabilities, of which float sums may tie otherwise.
    assert errors[0] == pytest.approx(1 - model.score(X, labels), abs=1.5 / len(y))


def test_a_member_of_rule_real_votes_for_its_highest_leaf_value():
    X, y = digits()
    model = BoostedTreesClassifier("real", n_estimators=3, max_depth=2).fit(X, y)
    ballots = member_ballots(model, X)
    assert isinstance(ballots, RealVotes)
    first = next(iter(model.staged_predict(X)))
    assert ballots.votes[0].tolist() == first.tolist()


def test_tables_with_names_are_read_without_a_warning():
    X, y = load_iris(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(5, random_state=0).fit(X, y)
    assert len(member_ballots(forest, X)) == 5
    with pytest.raises(ValueError, match="feature names should match"):
        member_ballots(forest, pd.DataFrame(X.to_numpy(), columns=list("abcd")))


def test_the_diagram_is_the_textbook_one():
    X, y = digits()
    model = BoostedTreesClassifier("adaboost_m1", n_estimators=6, max_depth=3).fit(X, y)
    found = kappa_error(model, X, y)
    votes = member_ballots(model, X).votes
    for (i, j), kappa, error in zip(found.pairs, found.kappa, found.error, strict=True):
        assert kappa == pytest.approx(cohen_kappa_score(votes[i], votes[j]), abs=1e-12)
        assert error == pytest.approx(((votes[i] != y).mean() + (votes[j] != y).mean()) / 2)
    assert found.member_errors.tolist() == [(vote != y).mean() for vote in votes]
    expected = twin.hull_pruning(votes[:, :100].tolist(), y[:100].tolist())
    assert kappa_error(model, X[:100], y[:100]).hull_members.tolist() == expected


def test_a_diagram_needs_two_members():
    with pytest.raises(ValueError, match="an ensemble must have at least two members"):
        KappaError.from_votes([[0, 1]], [0, 1])


def test_bagging_is_less_diverse_than_boosting():
    X, y = digits(10, 1000)
    kappas = [
        kappa_error(model.fit(X, y), X, y).kappa.mean()
        for model in (
            BoostedTreesClassifier("adaboost_m1", n_estimators=10, max_depth=6, resample=True),
            BaggingClassifier(DecisionTreeClassifier(max_depth=6), n_estimators=10, random_state=0),
        )
    ]
    assert kappas[0] < kappas[1] - 0.1


@pytest.mark.parametrize("rule", ["adaboost", "adaboost_m1", "gentle"])
def test_weights_of_the_rounds_are_those_of_the_fit(rule):
    X, y = digits()
    model = BoostedTreesClassifier(rule, n_estimators=6, max_depth=2).fit(X, y)
    weights = round_weights(model, X, y)
    if rule != "gentle":
        for found in fitted_rounds(model, BinnedDataset.from_data(X), X, y):
            expected = found.weights / found.weights.sum()
            assert weights[found.number - 1].tolist() == pytest.approx(expected.tolist())
    assert weights.sum(axis=1).tolist() == pytest.approx([1.0] * 6)
    assert weights[0].tolist() == pytest.approx([1 / len(y)] * len(y))


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_weights_of_rounds(rule):
    X, y = digits()
    model = BoostedTreesClassifier(rule, n_estimators=4, max_depth=2).fit(X, y)
    weights = round_weights(model, X, y)
    assert weights.shape == (4, len(y))
    assert (weights >= 0).all()
    assert (weights[0] != weights[3]).any()


def test_discrete_weights_follow_the_errors():
    X, y = digits(2)
    model = BoostedTreesClassifier("adaboost", n_estimators=5, max_depth=1).fit(X, y)
    weights = round_weights(model, X, y)
    votes = member_ballots(model, X).votes
    for before, after, vote, error in zip(
        weights, weights[1:], votes, model.estimator_errors_, strict=False
    ):
        assert before[vote != y].sum() == pytest.approx(error)
        assert after[vote != y].sum() == pytest.approx(0.5)


def test_weights_of_samme_are_found_again():
    X, y = digits()
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=6, random_state=0)
    model.fit(X, y)
    weights = round_weights(model, X, y)
    votes = member_ballots(model, X).votes
    found = [weight[vote != y].sum() for weight, vote in zip(weights, votes, strict=True)]
    assert found == pytest.approx(model.estimator_errors_.tolist())


@pytest.mark.filterwarnings("ignore:FilterBoostClassifier. the target error was not reached")
@pytest.mark.parametrize(
    "model",
    [*OTHERS[1:], FilterBoostClassifier(max_rounds=4)],
    ids=lambda model: type(model).__name__,
)
def test_ensembles_without_rounds_over_the_rows_say_so(model):
    X, y = digits()
    name = type(model).__name__
    with pytest.raises(
        ValueError, match=f"'kl' needs the distributions of the rounds.* which a {name}"
    ):
        round_weights(model.fit(X, y), X, y)
