"""What the ensemble pruning reproduction does on one split."""

from __future__ import annotations

import numpy as np
import pytest

import frugalboost as fb
from frugalboost.datasets import make_expf
from frugalboost.pruning import Material, WeightedVotes, choose_sets
from frugalboost.reproduce.ensemble_pruning.domains import split_off
from frugalboost.reproduce.ensemble_pruning.experiment import FULL, Plan
from frugalboost.reproduce.ensemble_pruning.splits import (
    MeanKappa,
    Options,
    boosted,
    by_many_rows,
    first_member,
    kappa_of_better,
    prune_split,
    rows_of,
)
from frugalboost.reproduce.ensemble_pruning.variants import PAPER, VARIANTS
from frugalboost.reproduce.sources import Source

ROUNDS = 6


@pytest.fixture(scope="module")
def source():
    X, y = make_expf(160, random_state=3)
    return Source("expf", X[:80], y[:80], X[80:], y[80:])


def options(variant, seed=0):
    return Options(ROUNDS, seed, VARIANTS[variant], n_jobs=1)


def random_votes(seed, n_members=8, n_rows=40, n_classes=3):
    random = np.random.default_rng(seed)
    votes = random.integers(0, n_classes, (n_members, n_rows))
    return WeightedVotes.from_arrays(votes, random.random(n_members), n_classes), votes


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_runs_and_has_all_results(source, variant):
    result = prune_split(source, options(variant))
    assert ("bagged" in result) is (variant == PAPER)
    paper = prune_split(source, options(PAPER))
    assert set(paper) - set(result) <= {"bagged"}
    assert paper["errors"].keys() == result["errors"].keys()
    assert all(len(line) in (1, 5) for line in result["errors"].values())


@pytest.mark.parametrize("variant", VARIANTS)
def test_only_samples_depend_on_a_seed(source, variant):
    X, y = source.X_train, source.y_train
    scores = [boosted(source, options(variant, seed), X, y).predict_proba(X) for seed in (0, 1)]
    assert np.array_equal(*scores) is not VARIANTS[variant].resample


def test_unpruned_trees_are_larger(source):
    X, y = source.X_train, source.y_train
    first = {name: boosted(source, options(name), X, y).estimators_[0] for name in VARIANTS}
    nodes = {name: len(tree.threshold) for name, tree in first.items()}
    assert nodes["c45"] < nodes["unpruned"]
    assert nodes["weighted"] < nodes["weighted_unpruned"]


def test_an_ensemble_of_one_member_can_be_pruned_by_nothing():
    X = np.arange(40.0).reshape(-1, 1)
    y = (X[:, 0] > 20).astype(int)
    source = Source("one", X[::2], y[::2], X[1::2], y[1::2])
    result = prune_split(source, options("weighted"))
    assert (result["n_members"], result["hull_size"]) == (1, 1)
    assert set(map(tuple, result["errors"].values())) == {(0.05,), (0.05,) * 5}
    assert result["kept_kappa"]["kappa"] == [1.0] * 5


def test_kappa_chooses_among_the_better_half_first():
    votes, codes = random_votes(seed=1)
    truth = np.random.default_rng(2).integers(0, 3, votes.n_rows)
    errors = (codes != truth).mean(axis=1)
    order = kappa_of_better(Material(votes, truth), errors)
    assert sorted(order) == list(range(8))
    assert set(order[:4]) == set(np.argsort(errors, kind="stable")[:4])
    half = np.sort(order[:4])
    part = WeightedVotes.from_arrays(codes[half], votes.weights[half], 3)
    chosen = choose_sets("kappa", Material(part, truth), 4)[-1]
    assert half[chosen].tolist() == order[:4].tolist()


def test_mean_kappa_is_that_of_the_pairs():
    votes = WeightedVotes.from_arrays([[0, 0, 1, 1], [0, 1, 1, 1], [1, 1, 0, 0]], None, 2)
    mean = MeanKappa(votes)
    assert mean(np.array([0, 1])) == pytest.approx(0.5)
    assert mean(np.array([0, 1, 2])) == pytest.approx((0.5 - 1.0 - 0.5) / 3)
    assert mean(np.array([2])) == 1.0


def test_every_test_row_is_tested_once_by_members_that_the_other_half_chose():
    votes, codes = random_votes(seed=4)
    truth = codes[3].copy()  # one member is always right, and alone best
    truth[:4] = (truth[:4] + 1) % 3
    errors = by_many_rows(votes, truth)
    assert errors["reduce_error_many_auto"] == [0.1]
    # Eight members: all are kept at the last level, whatever a half prefers.
    wrong = [
        np.mean(vote_of(rows_of(votes, rows)) != truth[rows])
        for rows in (np.arange(40) % 2 == half for half in (0, 1))
    ]
    assert errors["reduce_error_many"][-1] == pytest.approx(np.mean(wrong))


def test_the_first_member_is_compared_with_all_others(source):
    result = first_member(source, options(PAPER))
    X, y = source.X_train, source.y_train
    fit, held = split_off(y, 0.15, 0)
    model = boosted(source, options(PAPER), X[fit], y[fit])
    codes = model.classes_[fb.analysis.member_ballots(model, X[held]).votes]
    wrong = [int(np.sum(member != y[held])) for member in codes]
    assert result == {
        "first_is_best": wrong[0] == min(wrong),
        "better": sum(each < wrong[0] for each in wrong),
    }


def vote_of(votes):
    heaviest = np.zeros((votes.n_rows, votes.n_classes))
    for member, weight in zip(votes.votes, votes.weights, strict=True):
        heaviest[np.arange(votes.n_rows), member] += weight
    return heaviest.argmax(axis=1)


def test_letters_are_split_less_often():
    plan = Plan(repeats=3, variant_repeats=2, letter_variant_splits=4)
    counts = {
        (name, of): len(plan.places(name, of))
        for name in ("glass", "letters")
        for of in (PAPER, "weighted")
    }
    assert counts == {
        ("glass", PAPER): 30,
        ("glass", "weighted"): 20,
        ("letters", PAPER): 10,
        ("letters", "weighted"): 4,
    }
    assert FULL.places("glass", "weighted")[0] == FULL.places("glass", PAPER)[0]
