"""What a certificate says, and when there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from filterboost_helpers import small_model, sums_of_digits
from sklearn.exceptions import ConvergenceWarning

from frugalboost.datasets import make_majority
from frugalboost.filtering.stopping import most_rounds
from frugalboost.streams import ArrayOracle

# All inputs there are, so that errors are exact; many times, as short tables take longer to draw.
X = np.tile([[float(i >> k & 1) for k in range(7)] for i in range(128)], (40, 1))
Y = (X[:, :3].sum(axis=1) > 1).astype(int)
CERTIFIED = {"mode": "certified", "target_error": 0.2, "max_rounds": 100, "sample_constant": 100}


def test_a_certificate_that_holds():
    model = small_model(**CERTIFIED).fit(X, Y)
    found = model.certificate_
    edges = model.ledger_.column("edge")
    assert found.holds
    assert found.stop_reason == model.stop_reason_ == "target"
    assert (found.target_error, found.failure_probability, found.edge_tolerance) == (0.2, 0.05, 0.5)
    assert found.rounds == len(model.estimators_) == len(edges)
    assert found.examples == model.n_examples_ > model.ledger_.column("examples").sum()
    assert found.smallest_edge == np.abs(edges).min()
    assert found.rounds_bound == bound_by_hand(2 * math.log(2), found.smallest_edge)
    assert found.rounds <= found.rounds_bound
    assert model.score(X, Y) >= 0.8  # all inputs are in X, so that is the true error


def bound_by_hand(budget, edge):
    return budget / (0.2 * (1 - 2 * math.sqrt(0.25 - edge * edge)))


def test_madaboost_has_a_bound_of_its_own():
    found = small_model(rule="mada", **CERTIFIED).fit(X, Y).certificate_
    assert found.holds
    assert found.rounds_bound == bound_by_hand(1.0, found.smallest_edge)
    assert found.rounds <= found.rounds_bound


def test_more_classes_have_more_to_learn():
    table = np.tile(np.arange(3.0)[:, None], (2_000, 1))
    found = small_model(**CERTIFIED, max_depth=2).fit(table, table[:, 0]).certificate_
    assert found.holds
    assert found.rounds_bound == bound_by_hand(2 * math.log(3), found.smallest_edge)


@pytest.mark.parametrize("rule", ["log", "mada"])
@pytest.mark.parametrize("sure", [False, True])
def test_promises_are_kept(rule, sure):
    """On all inputs there are, with seeds enough that a false one would show."""
    for seed in range(3):
        model = small_model(rule=rule, confidence_rated=sure, random_state=seed, **CERTIFIED)
        assert model.fit(X, Y).certificate_.holds
        assert model.score(X, Y) >= 0.8


@pytest.mark.parametrize(
    ("reason", "options"),
    [("rounds", {"max_rounds": 1}), ("examples", {"max_examples": 6_000})],
)
def test_a_target_that_is_not_reached_is_told(reason, options):
    model = small_model(**{**CERTIFIED, "target_error": 0.01, **options})
    with pytest.warns(ConvergenceWarning, match=rf"target error was not reached \({reason}\)"):
        model.fit(X, Y)
    assert model.stop_reason_ == model.certificate_.stop_reason == reason
    assert not model.certificate_.holds
    # A warning that is an error does not cost the model.
    with pytest.raises(ConvergenceWarning):
        model.fit_stream(ArrayOracle(X, Y, replace=True, random_state=0))
    assert model.certificate_.rounds == len(model.estimators_) > 0


@pytest.mark.parametrize("mode", ["practical", "certified"])
@pytest.mark.parametrize("most", [1_000, 1_001, 2_345])
@pytest.mark.filterwarnings("ignore:FilterBoostClassifier. the target error was not reached")
def test_no_more_examples_than_allowed(mode, most):
    table, _ = sums_of_digits(2_000)
    labels = (table[:, 0] > 2) ^ (np.arange(2_000) % 20 == 0)
    options = {"mode": mode, "max_examples": most, "max_rounds": 10**6}
    model = small_model(edge_tolerance=0.9, **options).fit(table, labels)
    assert model.stop_reason_ == "examples"
    assert model.n_examples_ == model.certificate_.examples == most
    assert model.ledger_.column("examples").sum() <= most


def test_label_noise_bounds_what_can_be_certified():
    """The acceptance rate cannot fall below the noise, nor the bound below twice the noise."""
    noise = 0.1
    table, labels = make_majority(4_000, n_features=7, n_relevant=3, noise=noise, random_state=0)
    options = {"max_rounds": 60, "sample_constant": 150, "random_state": 1}
    practical = small_model(target_error=0.05, **options).fit(table, labels)
    assert practical.stop_reason_ == "rounds"
    assert practical.score(table, labels) > 1 - noise - 0.03  # the best there is
    bounds = practical.ledger_.column("error_bound")
    assert bounds[-20:].mean() > 2 * noise
    clean = small_model(target_error=0.05, **options).fit(table, table[:, :3].sum(axis=1) > 1.5)
    assert clean.stop_reason_ == "target"


def test_no_edge_no_model(monkeypatch):
    """A weak learner that cannot be told from chance: said so, after examples that are bounded."""
    monkeypatch.setattr("frugalboost.filtering.weak_learner.SMALLEST_EDGE", 0.05)
    table = np.zeros((4_000, 1))
    model = small_model(**CERTIFIED, edge_tolerance=0.9)
    with pytest.raises(
        ValueError, match=r"first tree could not be distinguished from chance with [0-9]+ ex"
    ):
        model.fit(table, np.arange(4_000) % 2)
    assert not hasattr(model, "certificate_")


def test_the_bound_of_theorem_3():
    assert most_rounds(0.1, 0.5) == pytest.approx(2 * math.log(2) / 0.1)
    assert most_rounds(0.1, 0.0) == math.inf
    assert most_rounds(0.1, -0.25) == most_rounds(0.1, 0.25)
