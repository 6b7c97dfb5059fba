"""What holds for the methods on arrays: sizes, theorems, conventions, and errors."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from pruning_helpers import as_lists, real_material, tiny_ensembles

from frugalboost.pruning import (
    METHODS,
    Material,
    PruningCurve,
    RealVotes,
    WeightedVotes,
    choose_sets,
    errors_of,
    make_counter,
)
from frugalboost.pruning.collect import collect
from frugalboost.pruning.divergence import kl_order
from frugalboost.pruning.hull import may_be_corner
from frugalboost.pruning.reweight import reweight, targets

every_method = pytest.mark.parametrize("method", METHODS)


def noisy_material(n_members=12, n_rows=60, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(n_classes, size=n_rows)
    votes = np.where(
        rng.random((n_members, n_rows)) < 0.6,
        labels,
        rng.integers(n_classes, size=(n_members, n_rows)),
    )
    ballots = WeightedVotes.from_arrays(votes, rng.random(n_members), n_classes)
    return Material(ballots, labels, rng.random((n_members, n_rows)))


@every_method
def test_sets_are_of_each_size_and_without_repetition(method):
    sets = as_lists(choose_sets(method, noisy_material(), 7))
    assert all(len(set(members)) == len(members) for members in sets)
    if method != "hull":
        assert [len(members) for members in sets] == [1, 2, 3, 4, 5, 6, 7]


@every_method
def test_one_member_is_all_there_is_to_keep(method):
    material = Material(
        WeightedVotes.from_arrays([[0, 1]], None), np.array([0, 1]), np.ones((1, 2))
    )
    assert as_lists(choose_sets(method, material, 1)) == [[0]]


@every_method
def test_equal_members_are_kept_in_their_order(method):
    votes = [[0, 1, 1]] * 4
    material = Material(
        WeightedVotes.from_arrays(votes, None), np.array([0, 1, 0]), np.ones((4, 3))
    )
    expected = [[0, 1, 2, 3]] if method == "hull" else [[0], [0, 1], [0, 1, 2]]
    assert as_lists(choose_sets(method, material, 3)) == expected


@every_method
def test_members_that_all_say_one_class_agree_fully(method):
    votes = [[1, 1, 1]] * 3
    material = Material(
        WeightedVotes.from_arrays(votes, None), np.array([0, 1, 0]), np.ones((3, 3))
    )
    assert as_lists(choose_sets(method, material, 2))[-1][:2] == [0, 1]


@every_method
@pytest.mark.parametrize("n_kept", [0, -1, 13])
def test_a_size_that_is_none(method, n_kept):
    with pytest.raises(
        ValueError, match=rf"n_estimators must be an integer from 1 to 12; got {n_kept}"
    ):
        choose_sets(method, noisy_material(), n_kept)


def test_kl_needs_distributions():
    material = noisy_material()
    with pytest.raises(ValueError, match="method must not be 'kl' for an ensemble without"):
        choose_sets("kl", Material(material.ballots, material.labels), 2)


@settings(deadline=None, max_examples=60)
@given(tiny_ensembles(max_members=6))
def test_theorem_no_set_does_better_than_the_best_and_backfitting_never_worse_than_a_greedy_one(
    ensemble,
):
    material = ensemble.material()
    n = ensemble.n_members
    fitted = choose_sets("reduce_error", material, n)
    greedy = choose_sets("reduce_error", material, n, max_sweeps=0)

    def errors(sets):
        return errors_of(make_counter(material.ballots, material.labels), sets)

    best = [
        errors([np.array(s) for s in combinations(range(n), size + 1)]).min() for size in range(n)
    ]
    assert (errors(fitted) >= best).all()
    assert errors(fitted)[0] == best[0]
    for size in (1, 2):
        if size < n:  # one step from the same set
            assert errors(fitted)[size] <= errors(greedy)[size]


def test_backfitting_can_do_better_than_greed():
    found = []
    for seed in range(30):
        material = noisy_material(seed=seed, n_rows=30)
        for sweeps in (0, 100):
            sets = choose_sets("reduce_error", material, 5, max_sweeps=sweeps)
            found.append(errors_of(make_counter(material.ballots, material.labels), sets)[-1])
    greedy, fitted = np.array(found).reshape(-1, 2).T
    assert fitted.mean() < greedy.mean()


def test_kappa_backfitting_has_no_larger_sum_of_kappas_than_a_greedy_set():
    for seed in range(10):
        material = noisy_material(seed=seed)
        sums = []
        for sweeps in (0, 100):
            members = choose_sets("kappa_backfitting", material, 5, max_sweeps=sweeps)[-1]
            sums.append(sum_of_kappas(material.ballots.votes, members))
        assert sums[1] <= sums[0] + 1e-12


def sum_of_kappas(votes, members):
    from sklearn.metrics import cohen_kappa_score

    return sum(cohen_kappa_score(votes[i], votes[j]) for i, j in combinations(members.tolist(), 2))


def test_members_added_and_removed_leave_no_trace():
    material = noisy_material()
    counter = make_counter(material.ballots, material.labels)
    before = counter.costs().tolist()
    for member in (3, 5, 7):
        counter.add(member)
    for member in (5, 3, 7):
        counter.remove(member)
    assert counter.costs().tolist() == before


def test_costs_are_the_errors_with_one_more_member():
    rng = np.random.default_rng(3)
    votes = noisy_material(n_members=9, n_rows=400)
    scores = rng.normal(size=(9, 400, 4)) * rng.random((9, 1, 1)) ** 3
    for material in (votes, real_material(scores, rng.integers(4, size=400))):
        counter = make_counter(material.ballots, material.labels)
        for member in (1, 4):
            counter.add(member)
        costs = counter.costs().tolist()
        for member in (0, 2, 8):
            counter.add(member)
            assert counter.n_wrong() == costs[member]
            counter.remove(member)


def test_many_rows_are_counted_as_few():
    material = noisy_material(n_rows=70)
    many = Material(
        WeightedVotes.from_arrays(np.tile(material.ballots.votes, 11), material.ballots.weights),
        np.tile(material.labels, 11),
    )
    for method in ("kappa", "hull", "reduce_error", "kappa_backfitting"):
        sets = [as_lists(choose_sets(method, each, 6)) for each in (material, many)]
        assert sets[0] == sets[1]


def test_the_sieve_before_exact_arithmetic_keeps_every_corner():
    from scipy.spatial import ConvexHull

    rng = np.random.default_rng(0)
    for _ in range(20):
        cloud = rng.normal(size=(300, 2)) * 0.2
        sieved = may_be_corner(*cloud.T)
        assert sieved[ConvexHull(cloud).vertices].all()
        assert sieved.sum() < 200


def test_weights_of_zero_and_below_are_counted_as_they_are():
    labels = np.array([0, 1, 1])
    ballots = WeightedVotes.from_arrays([[1, 0, 0], [0, 1, 1], [0, 1, 0]], [-1.0, 0.0, 0.5])
    counter = make_counter(ballots, labels)
    # Against a wrong answer is right; a vote of no weight leaves the lowest class.
    assert counter.costs().tolist() == [0, 2, 1]


def test_real_votes_name_the_highest_class():
    assert RealVotes.from_array([[[0.0, 1.0], [2.0, 2.0]]]).votes.tolist() == [[1, 0]]


def test_collecting_finds_votes_and_falls_back_to_scores():
    vote, other = np.array([[0.0, 3.0, 0.0], [3.0, 0.0, 0.0]]), np.array([[1.0, 2.0, 3.0]] * 2)
    votes = collect([vote, 2 * vote - 1], 2)
    assert isinstance(votes, WeightedVotes)
    assert votes.votes.tolist() == [[1, 0], [1, 0]]
    assert votes.weights.tolist() == [3.0, 6.0]
    scores = collect([vote, other], 2)
    assert isinstance(scores, RealVotes)
    assert scores.scores.tolist() == [vote.tolist(), other.tolist()]


def test_curve_prefers_fewer_members():
    curve = PruningCurve(np.array([2, 5, 9]), np.array([0.3, 0.1, 0.1]), 0.1, 10)
    assert (curve.best, curve.best_place) == (5, 1)


def test_new_weights_trust_those_who_are_right():
    rng = np.random.default_rng(0)
    labels = rng.integers(2, size=300)
    right = np.where(rng.random(300) < 0.9, labels, 1 - labels)
    ballots = WeightedVotes.from_arrays([right, rng.integers(2, size=300), 1 - labels], None)
    factors = reweight(ballots, labels, np.arange(3))
    assert factors[0] > 2 * factors[1]
    assert factors[2] == 0.0


def test_new_weights_of_perfect_members_are_finite():
    labels = np.array([0, 1, 1, 0])
    factors = reweight(WeightedVotes.from_arrays([labels, labels], None), labels, np.arange(2))
    assert factors[0] == pytest.approx(factors[1])
    # As sure together as the targets are: (4 + 1) / (4 + 2).
    assert 1 / (1 + np.exp(-factors.sum())) == pytest.approx(5 / 6, abs=1e-3)
    assert targets(labels, 2).sum(axis=1).tolist() == [1.0] * 4


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: WeightedVotes.from_arrays([0, 1], None), "votes must be class codes"),
        (lambda: WeightedVotes.from_arrays([[0.5]], None), "votes must be class codes"),
        (lambda: WeightedVotes.from_arrays([[-1]], None), "votes must be class codes"),
        (lambda: WeightedVotes.from_arrays([[0]], [np.nan]), "weights must be a finite number"),
        (lambda: WeightedVotes.from_arrays([[0]], [1, 2]), "weights must be a finite number"),
        (lambda: WeightedVotes.from_arrays([[3]], None, 2), "n_classes must be an integer >= 4"),
        (lambda: RealVotes.from_array([[1.0]]), "scores must be finite numbers of shape"),
        (lambda: RealVotes.from_array([[[np.inf, 0.0]]]), "scores must be finite numbers of shape"),
        (lambda: kl_order([[1.0, -1.0]], 1), "distributions must be finite numbers >= 0"),
        (lambda: kl_order([[0.0, 0.0]], 1), "not all zero for any member"),
        (
            lambda: make_counter(WeightedVotes.from_arrays([[0, 1]], None), [0, 2]),
            "labels must be a class code from 0 to 1 for each of the 2 rows",
        ),
        (
            lambda: choose_sets("best", noisy_material(), 2),
            "method must be one of 'early_stopping'",
        ),
    ],
)
def test_bad_arrays(make, message):
    with pytest.raises(ValueError, match=message):
        make()
