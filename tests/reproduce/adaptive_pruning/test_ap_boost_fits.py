"""Fits that count constant features, that are timed, and that try other steps."""

from __future__ import annotations

import numpy as np
import pytest

import frugalboost as fb
from frugalboost.reproduce.adaptive_pruning.fits import (
    count_constants,
    repeated,
    seconds_of,
    with_constants,
    work_by_steps,
)
from frugalboost.reproduce.adaptive_pruning.lemmas import (
    bounds_hold,
    lemma_1_holds,
    lemma_2_holds,
    try_lemmas,
)
from frugalboost.reproduce.fits import make_model
from frugalboost.reproduce.sources import Source

N_ROWS = 60


@pytest.fixture
def source():
    """Four features, two of them constant, the first among them."""
    random = np.random.default_rng(0)
    X = random.integers(0, 5, (N_ROWS, 4)).astype(np.float64)
    X[:, [0, 2]] = 7.0, 0.0
    y = np.where(X[:, 1] + random.normal(0, 2, N_ROWS) > 2, 1, -1)
    return Source("tiny", X, y, X[:10], y[:10])


@pytest.mark.parametrize("search", ["exhaustive", "ap_boost", "adaptive", "quick"])
def test_constant_features_are_assessed_and_never_chosen(source, search):
    assert count_constants(source.binned) == 2
    counting = with_constants(source)
    assert count_constants(counting.binned) == 0
    model, other = (
        make_model(2, 30, search=search).fit(each.binned, each.y_train)
        for each in (source, counting)
    )
    assert fb.digest(model) == fb.digest(other)
    assert (2 * model.ledger_.full == other.ledger_.full).all()
    assert (model.ledger_.assessments < other.ledger_.assessments).all()
    if search != "exhaustive":  # as any other feature, one is left when it cannot win any more
        assert other.ledger_.share < 1


def test_the_source_itself_stays_as_it_is(source):
    with_constants(source)
    assert source.binned.n_bins.tolist()[::2] == [1, 1]


def test_repeated_rows_take_the_same_steps_with_more_reads(source):
    twice = repeated(source, 2)
    counts = [
        seconds_of(each, ("ap_boost", "quick"), 1, 2, 10)["assessments"] for each in (source, twice)
    ]
    # The first of two equal rows may already be enough, and one row at least is shown.
    for search in ("ap_boost", "quick"):
        assert counts[0][search] < counts[1][search] <= 2 * counts[0][search]


def test_the_fastest_of_several_fits_is_kept(source):
    taken = seconds_of(source, ("quick", "adaptive"), 3, 1, 5)
    assert taken["rounds"] == 5
    assert list(taken["seconds"]) == ["quick", "adaptive"]
    assert all(seconds > 0 for seconds in taken["seconds"].values())


def test_one_batch_leaves_little_to_save(source):
    work = work_by_steps(source, make_model(2, 30), (1, 20))
    assert work["shares"]["20"] < work["shares"]["1"] <= 1
    assert [len(each) for each in work["by_round"].values()] == [30, 30]
    assert sum(work["by_round"]["20"]) < sum(work["by_round"]["1"])


def test_the_lemmas_are_tried_on_leaves_that_can_break_them():
    tried = try_lemmas(200)
    assert [tried[name] for name in ("lemma 1", "lemma 2", "bounds")] == [0, 0, 0]
    assert 0 < tried["upper is infinite"] < 200
    assert lemma_2_holds(1.0, 2.0, 3.0, 4.0)
    seen, unseen = np.array([[2.0, 1.0]]), np.array([[1.0, 1.0]])
    assert lemma_1_holds(seen, unseen)
    assert bounds_hold(seen, unseen)
