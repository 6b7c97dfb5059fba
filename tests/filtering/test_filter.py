"""Figure 1's Filter: what is accepted, when it ends, and what it counts."""

import numpy as np
import pytest
from filtering_helpers import fitted, make_plan, make_problem
from scipy import stats

from frugalboost.data import Schema
from frugalboost.filtering import BatchReader, FilterRule, IncrementalForest, ScoredStream
from frugalboost.filtering.filter import Filter
from frugalboost.filtering.stopping import Stopped, most_rejections
from frugalboost.streams import ArrayOracle

RULE = FilterRule("log", 2)


def tap_of(X, y, n_classes=2, forest=None, seed=0, **options):
    oracle = ArrayOracle(X, y, random_state=1, replace=True)
    reader = BatchReader(Schema.from_data(X, None), np.arange(n_classes))
    n_outputs = 1 if n_classes == 2 else n_classes
    return ScoredStream(oracle, reader, forest or IncrementalForest(), n_outputs, seed, **options)


@pytest.mark.thorough
@pytest.mark.parametrize("n_classes", [2, 3])
def test_accepted_examples_have_the_distribution_of_the_round(n_classes):
    """D_t(x, y) = q_t(x, y) D(x, y) / p_t, row by row of a small table, by chi-square; rivals by
    the share of their class."""
    X, y = make_problem(30, n_classes)
    X = np.c_[np.arange(30.0), X]
    booster, _ = fitted(make_plan(n_classes, max_rounds=6, max_depth=2), X, y)
    stream = tap_of(X, y, n_classes, booster.stream.forest)
    filter_ = Filter(stream, booster.plan.rule, 1e-9, 1e-9)
    sample = filter_.take(20_000)
    scores = booster.ensemble.decision(X)
    q = booster.plan.rule.accept(scores, y)
    observed = np.bincount(sample.X[:, 0].astype(int), minlength=30)
    assert stats.chisquare(observed, 20_000 * q / q.sum()).pvalue > 1e-3
    assert (sample.labels == y[sample.X[:, 0].astype(int)]).all()
    # The acceptance rate is p_t.
    assert stats.binomtest(20_000, filter_.n_drawn, q.mean()).pvalue > 1e-3
    odds = np.exp(scores)
    for row in np.argsort(-observed)[:5]:
        rivals = sample.rivals[sample.X[:, 0] == row]
        if n_classes == 2:
            assert (rivals == 1 - y[row]).all()
        else:
            expected = np.where(np.arange(n_classes) == y[row], 0, odds[row])
            counts = np.bincount(rivals, minlength=n_classes)
            keep = expected > 0
            shares = expected[keep] / expected.sum()
            assert counts[~keep].sum() == 0
            assert stats.chisquare(counts[keep], counts.sum() * shares).pvalue > 1e-3


def by_hand(stream, rule, n):
    """The places of the next accepted examples among those drawn."""
    seen = stream.take(n)
    return np.flatnonzero(seen.coins < rule.accept(seen.scores, seen.labels)), seen


def test_looks_lose_nothing():
    """Whatever is looked at and used, the accepted examples come in order, each once."""
    X, y = make_problem(200)
    random = np.random.default_rng(0)
    accepted, seen = by_hand(tap_of(X, y), RULE, 4_000)
    stream = tap_of(X, y)
    filter_ = Filter(stream, RULE, 0.01, 1e-6)
    found = 0
    while found < 1_500:
        sample = filter_.look(int(random.integers(1, 60)))
        n = int(random.integers(0, len(sample) + 1))
        filter_.use(n)
        rows = accepted[found : found + len(sample)]
        assert (seen.X[rows] == sample.X).all()
        assert (sample.labels == seen.labels[rows]).all()
        found += n
        if n:
            assert stream.n_used == filter_.n_drawn == accepted[found - 1] + 1
        assert filter_.n_calls == found
    taken = filter_.take(100)
    assert (seen.X[accepted[found : found + 100]] == taken.X).all()
    assert filter_.n_calls == found + 100
    # Examples for the edge follow the last accepted one.
    assert (seen.X[accepted[found + 99] + 1 :][:50] == stream.take(50).X).all()


@pytest.mark.parametrize("n_accepted", [0, 1, 7])
@pytest.mark.parametrize("chunk_bytes", [1, 1 << 20])
def test_the_limit_of_rejections_is_met_exactly(n_accepted, chunk_bytes):
    """In the r-th call of the round: r counts the calls for training and for the edge alike."""
    X, y = np.arange(40.0)[:, None], (np.arange(40) >= 20).astype(int)
    booster, _ = fitted(make_plan(max_rounds=1, sample_constant=400), X, y)
    booster.stream.forest.append(booster.ensemble.trees[0], 40.0)  # all examples are well known now
    stream = tap_of(X, y, forest=booster.stream.forest, chunk_bytes=chunk_bytes)
    filter_ = Filter(stream, RULE, 0.01, 0.05)
    filter_.n_calls = n_accepted  # so many calls have come back
    (limit,) = most_rejections(np.array([n_accepted + 1]), 0.01, 0.05).tolist()
    with pytest.raises(Stopped) as stopped:
        filter_.take(5)
    assert stopped.value.reason == "target"
    assert filter_.n_drawn == stream.n_used == limit
    assert filter_.n_calls == n_accepted


def test_a_call_one_short_of_the_limit_goes_on():
    """Coins decide: the longest wait among many calls sets a limit that just allows it."""
    X, y = make_problem(200)
    accepted, _ = by_hand(tap_of(X, y), RULE, 3_000)
    waits = np.diff(accepted, prepend=-1) - 1
    calls = np.arange(1, len(waits) + 1)

    def reached(target):
        return np.flatnonzero(waits >= most_rejections(calls, 0.01, target))

    targets = np.linspace(0.3, 0.999999, 4_000)
    stops = [target for target in targets if len(reached(target))]
    for target in (stops or targets[-1:])[:3]:
        filter_ = Filter(tap_of(X, y), RULE, 0.01, target)
        ends = reached(target)
        first = int(ends[0]) if len(ends) else len(waits)
        assert len(filter_.take(first)) == first
        if len(ends):
            with pytest.raises(Stopped):
                filter_.take(1)
            limit = int(most_rejections(np.array([first + 1]), 0.01, target)[0])
            assert filter_.n_drawn == accepted[first - 1] + 1 + limit


def test_limits_beyond_any_integer_end_nothing():
    found = most_rejections(np.array([1, 10**9]), 1e-300, 1e-300)
    assert (found > 2**61).all()


def test_max_examples_and_the_end_of_the_oracle():
    X, y = make_problem(50)
    stream = tap_of(X, y, max_examples=70)
    assert len(stream.take(70)) == 70
    with pytest.raises(Stopped, match="examples"):
        stream.take(1)
    assert stream.n_used == 70
    oracle = ArrayOracle(X, y, recycle=False)
    stream = ScoredStream(oracle, stream.reader, IncrementalForest(), 1, 0)
    with pytest.raises(Stopped, match="stream"):
        Filter(stream, RULE, 0.01, 0.1).take(51)
    assert stream.n_used == 50


def test_coins_have_their_place():
    X, y = make_problem(50)
    whole = tap_of(X, y).take(500).coins
    later = tap_of(X, y)
    later.skip_coins(123)
    assert (later.take(377).coins == whole[123:]).all()
