"""Choosing members tells how far it is, and chooses the same whether or not anyone listens."""

from __future__ import annotations

import numpy as np
import pytest

from frugalboost.pruning import METHODS, Material, WeightedVotes, choose_sets
from frugalboost.pruning.backfitting import backfit
from frugalboost.pruning.reweight import reweight

N_MEMBERS = 12


def material(seed=0, n_rows=80, n_classes=3):
    rng = np.random.default_rng(seed)
    labels = rng.integers(n_classes, size=n_rows)
    is_right = rng.random((N_MEMBERS, n_rows)) < 0.6
    votes = np.where(is_right, labels, rng.integers(n_classes, size=(N_MEMBERS, n_rows)))
    ballots = WeightedVotes.from_arrays(votes, rng.random(N_MEMBERS), n_classes)
    return Material(ballots, labels, rng.random((N_MEMBERS, n_rows)))


def is_rising(shares):
    return shares == sorted(shares) and shares[0] >= 0 and shares[-1] <= 1


@pytest.mark.parametrize("method", METHODS)
def test_every_method_tells_its_share_up_to_the_end(method):
    shares = []
    sets = choose_sets(method, material(), 8, on_share=shares.append)
    assert is_rising(shares)
    assert shares[-1] == 1.0
    ignore_progress = choose_sets(method, material(), 8)
    assert [each.tolist() for each in sets] == [each.tolist() for each in ignore_progress]


@pytest.mark.parametrize("method", ["kl", "kappa", "hull", "reduce_error", "kappa_backfitting"])
def test_methods_that_take_long_tell_their_share_on_the_way(method):
    shares = []
    choose_sets(method, material(), 8, on_share=shares.append)
    assert any(0.1 < share < 0.5 for share in shares)
    assert any(0.5 < share < 0.9 for share in shares)


class Watched:
    """A set to backfit: its costs are random, and it counts how often it was asked."""

    def __init__(self):
        self.rng, self.n_asked = np.random.default_rng(0), 0

    def add(self, member):
        pass

    def remove(self, member):
        pass

    def costs(self):
        self.n_asked += 1
        return self.rng.integers(100, size=40)


def test_the_share_of_backfitting_follows_the_number_of_tries():
    """Also where sweeps are repeated: a size may take longer, but is never told twice."""
    search, seen = Watched(), []
    backfit(search, [], 30, 1, lambda share: seen.append((share, search.n_asked)))
    shares, asked = (np.array(each) for each in zip(*seen, strict=True))
    assert is_rising(shares.tolist())
    assert np.abs(shares - asked / search.n_asked).max() < 0.1
    again, repeated = Watched(), []
    backfit(again, [], 30, 5, repeated.append)
    assert is_rising(repeated)
    assert again.n_asked > 2 * search.n_asked


def test_new_weights_tell_how_near_they_are_and_are_the_same():
    found = material()
    members, shares = np.arange(N_MEMBERS), []
    heard = reweight(found.ballots, found.labels, members, shares.append)
    assert heard.tolist() == reweight(found.ballots, found.labels, members).tolist()
    assert is_rising(shares)
    assert shares[-1] > 0.5
