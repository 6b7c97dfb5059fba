"""Parts of the weight: how much the heaviest rows hold, and what features look like on them."""

from __future__ import annotations

import numpy as np
import pytest
from analysis_helpers import binned, losses_by_trying, nodes
from hypothesis import given, settings
from hypothesis import strategies as st

from frugalboost.analysis import preliminary_errors, probability_among_best, subset_mass

SHARES = [0.0, 0.2, 0.5, 0.9, 1.0]


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=30))
def test_subset_mass_grows_from_nothing_to_all(weights):
    mass = subset_mass(weights, np.linspace(0, 1, 11))
    assert mass[0] == 0
    assert mass[-1] == (1 if sum(weights) else 0)
    assert (np.diff(mass) >= 0).all()
    # Concave: every row is at most as heavy as those before it.
    by_row = subset_mass(weights, np.arange(len(weights) + 1) / len(weights))
    assert (np.diff(by_row, n=2) <= 1e-12).all()


@pytest.mark.thorough
@settings(deadline=None, max_examples=100)
@given(nodes())
def test_errors_are_those_of_trying_every_stump(node):
    X, is_categorical, labels, weights, rows = node
    found = preliminary_errors(binned(X, is_categorical), labels, weights, SHARES, rows)
    masses = np.sort(weights[rows])[::-1]
    seen = [0, *np.cumsum(masses.astype(object))]
    for feature in range(X.shape[1]):
        if len(np.unique(X[:, feature])) == 1 and not np.isnan(X[0, feature]):
            assert np.isnan(found[feature]).all()
            continue
        losses = losses_by_trying(node, feature)
        for share, error in zip(SHARES, found[feature], strict=True):
            m = next(m for m, mass in enumerate(seen) if float(mass) >= share * float(seen[-1]))
            if m == 0:
                assert np.isnan(error)
            else:
                assert error == int(losses[m]) / float(seen[m])


@settings(deadline=None, max_examples=50)
@given(nodes())
def test_proposition_1(node):
    X, is_categorical, labels, weights, rows = node
    found = preliminary_errors(binned(X, is_categorical), labels, weights, SHARES[1:], rows)
    seen = np.cumsum(np.sort(weights[rows])[::-1].astype(float))
    ends = [np.searchsorted(seen, share * seen[-1]) for share in SHARES[1:]]
    product = found * seen[ends]
    finite = product[np.isfinite(product).all(axis=1)]
    assert (np.diff(finite, axis=1) >= -1e-9 * seen[-1]).all()


def test_the_best_feature_is_always_among_all():
    tables = [np.random.default_rng(seed).random((5, 3)) for seed in range(20)]
    assert probability_among_best(tables, k=5).tolist() == [1.0, 1.0, 1.0]
    first, second = (probability_among_best(tables, k) for k in (1, 2))
    assert first[-1] == 1.0
    assert (first <= second).all()


@pytest.mark.parametrize("shares", [[], [0.5, 0.4], [-0.1], [1.1], [np.nan], [[0.5]]])
def test_bad_shares_are_refused(shares):
    with pytest.raises(ValueError, match="subset_mass: shares must be ascending numbers"):
        subset_mass([1, 2], shares)
