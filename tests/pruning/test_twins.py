"""Every method on arrays makes the choices of the plain one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pruning_helpers import as_lists, real_material, tiny_ensembles, tiny_scores
from sklearn.metrics import cohen_kappa_score

from frugalboost.pruning import Material, WeightedVotes, choose_sets, errors_of, make_counter
from frugalboost.pruning.divergence import kl_order
from frugalboost.pruning.kappa import PairTable
from frugalboost.reference import ensemble_pruning as twin

thorough = settings(deadline=None, max_examples=50)


def sizes_of(ensemble):
    return range(1, ensemble.n_members + 1)


@thorough
@given(tiny_ensembles())
def test_early_stopping(ensemble):
    sets = choose_sets("early_stopping", ensemble.material(), ensemble.n_members)
    expected = [twin.early_stopping(ensemble.n_members, size) for size in sizes_of(ensemble)]
    assert as_lists(sets) == expected


@thorough
@given(tiny_ensembles(max_members=5))
def test_kappa_of_every_pair(ensemble):
    table = PairTable.from_votes(np.array(ensemble.votes), ensemble.n_classes)
    exact = [
        Fraction(int(a), int(b)) for a, b in zip(table.numerators, table.denominators, strict=True)
    ]
    pairs = list(zip(table.first.tolist(), table.second.tolist(), strict=True))
    assert exact == [twin.kappa_of(ensemble.votes, pair) for pair in pairs]
    assert table.kappa.tolist() == [float(value) for value in exact]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_kappa_is_the_textbook_one():
    rng = np.random.default_rng(0)
    votes = rng.integers(4, size=(6, 50))
    table = PairTable.from_votes(votes, 4)
    expected = [
        cohen_kappa_score(votes[i], votes[j])
        for i, j in zip(table.first, table.second, strict=True)
    ]
    assert table.kappa.tolist() == pytest.approx(expected, abs=1e-12)


@thorough
@given(tiny_ensembles())
def test_kappa(ensemble):
    sets = choose_sets("kappa", ensemble.material(), ensemble.n_members)
    assert as_lists(sets) == [twin.kappa_pruning(ensemble.votes, n) for n in sizes_of(ensemble)]


@thorough
@given(tiny_ensembles(max_members=6))
def test_hull(ensemble):
    sets = choose_sets("hull", ensemble.material(), 1)
    assert as_lists(sets) == [twin.hull_pruning(ensemble.votes, ensemble.labels)]


@thorough
@given(tiny_ensembles(), st.integers(0, 2))
def test_kappa_backfitting(ensemble, max_sweeps):
    for sweeps in (max_sweeps, 100):
        sets = choose_sets(
            "kappa_backfitting", ensemble.material(), ensemble.n_members, max_sweeps=sweeps
        )
        expected = [twin.kappa_backfitting(ensemble.votes, n, sweeps) for n in sizes_of(ensemble)]
        assert as_lists(sets) == expected


@thorough
@given(tiny_ensembles(), st.integers(0, 2))
def test_reduce_error(ensemble, max_sweeps):
    says = twin.weighted(ensemble.votes, ensemble.weights, ensemble.n_classes)
    for sweeps in (max_sweeps, 100):
        sets = choose_sets(
            "reduce_error", ensemble.material(), ensemble.n_members, max_sweeps=sweeps
        )
        expected = [
            twin.reduce_error_pruning(says, ensemble.labels, n, sweeps) for n in sizes_of(ensemble)
        ]
        assert as_lists(sets) == expected


@thorough
@given(tiny_scores())
def test_reduce_error_of_members_that_say_how_sure_they_are(problem):
    scores, labels = problem
    says = [[[Fraction(x) for x in row] for row in member] for member in scores.tolist()]
    sets = choose_sets("reduce_error", real_material(scores, labels), len(scores))
    expected = [
        twin.reduce_error_pruning(says, labels.tolist(), n) for n in range(1, len(scores) + 1)
    ]
    assert as_lists(sets) == expected


@thorough
@given(tiny_ensembles())
def test_errors_of_sets(ensemble):
    says = twin.weighted(ensemble.votes, ensemble.weights, ensemble.n_classes)
    material = ensemble.material()
    sets = [*choose_sets("reduce_error", material, ensemble.n_members), np.array([0])]
    errors = errors_of(make_counter(material.ballots, material.labels), sets)
    n_rows = len(ensemble.labels)
    expected = [twin.n_wrong(says, ensemble.labels, members) / n_rows for members in sets]
    assert errors.tolist() == expected


@st.composite
def dyadic_distributions(draw):
    """Powers of two that sum to one: their logarithms, so all sums, are exact."""
    n_rows = draw(st.integers(1, 6))
    members = []
    for _ in range(draw(st.integers(1, 6))):
        parts = [1.0]
        while len(parts) < n_rows:
            parts.sort()
            half = parts.pop(draw(st.integers(0, len(parts) - 1))) / 2
            parts += [half, half]
        members.append(draw(st.permutations(parts)))
    if draw(st.booleans()):
        members.append(draw(st.sampled_from(members)))
    if draw(st.booleans()) and n_rows > 1:  # a row without weight
        members[-1] = [0.0, *members[-1][1:]]
        members[-1][-1] = 1.0 - sum(members[-1][:-1])
    return members


@thorough
@given(dyadic_distributions())
def test_kl(distributions):
    logs_are_exact = all(np.log2(p) % 1 == 0 for row in distributions for p in row if p > 0)
    sizes = range(1, len(distributions) + 1)
    if logs_are_exact:
        found = kl_order(distributions, len(distributions)).tolist()
        assert [found[:n] for n in sizes] == [twin.kl_pruning(distributions, n) for n in sizes]


@thorough
@given(
    st.integers(2, 6).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(any), min_size=1, max_size=6
        )
    )
)
def test_kl_of_any_weights_adds_no_less_than_the_twin(weights):
    shares = [[w / sum(row) for w in row] for row in weights]
    order = kl_order(weights, len(weights)).tolist()
    assert sorted(order) == list(range(len(weights)))
    assert order[0] == 0
    for size in range(1, len(order)):

        def increase(new, old=tuple(order[:size])):
            pairs = [sorted((new, each)) for each in old]
            return sum(twin.kl_divergence(shares[i], shares[j]) for i, j in pairs)

        best = max(increase(t) for t in twin.outside(order[:size], len(order)))
        assert increase(order[size]) >= best - 1e-9 or best == increase(order[size])


def test_choices_do_not_depend_on_the_storage_of_votes():
    rng = np.random.default_rng(1)
    votes, labels = rng.integers(3, size=(12, 40)), rng.integers(3, size=40)
    for method in ("kappa", "hull", "reduce_error", "kappa_backfitting"):
        chosen = {
            str(as_lists(choose_sets(method, Material(ballots, labels), 6)))
            for ballots in (
                WeightedVotes.from_arrays(votes, None),
                WeightedVotes.from_arrays(np.asfortranarray(votes), np.full(12, 0.1)),
                WeightedVotes.from_arrays(votes.astype(np.uint8), np.full(12, 7.0), 300),
            )
        }
        assert len(chosen) == 1
