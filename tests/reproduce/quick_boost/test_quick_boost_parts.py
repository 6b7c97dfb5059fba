"""The parts of the Quick Boost reproduction, on tables small enough to check."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from frugalboost import BoostedTreesClassifier, digest
from frugalboost.analysis import preliminary_errors, quick_sweep
from frugalboost.reproduce.fits import make_model
from frugalboost.reproduce.quick_boost.curves import cost_curve, slow_model
from frugalboost.reproduce.quick_boost.faulty import faulty_curve, faulty_ensemble
from frugalboost.reproduce.quick_boost.findings import sweep_of
from frugalboost.reproduce.quick_boost.preliminary import SHARES, Look, preliminary_looks
from frugalboost.reproduce.quick_boost.schedules import MASSES, STEPS, schedule_costs
from frugalboost.reproduce.quick_boost.weights import (
    as_units,
    followed_weights,
    order_kept,
    rows_that_hold,
    weight_of_rows,
)
from frugalboost.reproduce.sources import Source

ROUNDS = 8


@pytest.fixture(scope="module")
def source():
    random = np.random.default_rng(3)
    X = random.integers(0, 12, (160, 9)).astype(float)
    y = (X[:, 0] + X[:, 1] + random.normal(0, 4, 160) > 11).astype(int)
    return Source.from_rows("tiny", X, y, 120)


def exact(source):
    return make_model(1, ROUNDS, n_jobs=1).fit(source.binned, source.y_train)


@pytest.mark.parametrize(("share", "n_kept"), [(1.0, 1), (0.3, 9)])
def test_faulty_training_is_exact_if_it_sees_all_weight_or_keeps_all_features(
    source, share, n_kept
):
    ensemble, booster = faulty_ensemble(source, share, n_kept, ROUNDS, n_threads=1, check_every=2)
    assert ensemble.digest() == exact(source)._ensemble.digest()
    assert booster.n_right == booster.n_checked == ROUNDS // 2


def test_faulty_training_goes_wrong(source):
    curve = faulty_curve(source, 0.3, 1, ROUNDS, n_threads=1)
    right = cost_curve(source, make_model(1, ROUNDS, n_jobs=1))
    assert curve["share_right"] < 1
    assert curve["train_loss"][-1] > right["train_loss"][-1]
    assert curve["rounds"] == right["rounds"]


@pytest.mark.parametrize("n_kept", [1, 3])
def test_the_features_kept_are_those_with_the_least_preliminary_errors(source, n_kept):
    # In the first round all rows weigh the same, so the first half of them is the subset.
    ones = np.ones(len(source.y_train), dtype=np.int64)
    errors = preliminary_errors(source.binned, source.codes, ones, [0.5, 1.0])
    kept = np.argsort(errors[:, 0], kind="stable")[:n_kept]
    chosen = kept[errors[kept, 1].argmin()]
    ensemble, _ = faulty_ensemble(source, 0.5, n_kept, 1, n_threads=1, check_every=1)
    assert ensemble.trees[0].feature[0] == chosen


@pytest.mark.thorough
def test_schedules_cost_what_fits_with_them_cost(source):
    swept = schedule_costs(source, 2, ROUNDS, n_threads=1)
    model = make_model(2, ROUNDS, n_jobs=1)
    expected = quick_sweep(model, source.binned, source.y_train, MASSES, STEPS)
    assert list(swept["runs"]) == [str(ROUNDS)]  # fewer than the shortest run: every round counts
    length = str(ROUNDS)
    assert sweep_of(swept, length, code=0.0).shares.tolist() == expected.shares.tolist()
    assert sweep_of(swept, length, code=1.0).shares.tolist() == expected.costs.tolist()


def test_a_look_holds_the_losses_of_the_subsets(source):
    weights = np.random.default_rng(0).integers(1, 50, len(source.y_train))
    look = Look.at(source, 1, weights)
    expected = preliminary_errors(source.binned, source.codes, weights, SHARES)
    assert look.errors.tolist() == expected.tolist()
    assert look.n_broken == 0
    assert replace(look, losses=look.losses[:, ::-1]).n_broken > 0
    final = sorted(expected[:, -1])
    assert look.lead == final[min(10, len(final)) - 1] - final[0] > 0


def test_a_look_compares_with_as_much_weight_of_rows_drawn_at_random(source):
    weights = np.random.default_rng(0).integers(1, 50, len(source.y_train))
    heaviest_first = np.argsort(-weights, kind="stable")
    ahead = set()
    for number in range(20):
        drawn = heaviest_first[np.random.default_rng(number).permutation(len(weights))]
        n = int(np.flatnonzero(weights[drawn].cumsum() >= 0.75 * weights.sum())[0]) + 1
        part = preliminary_errors(source.binned, source.codes, weights, [1.0], rows=drawn[:n])[:, 0]
        look = Look.at(source, number, weights)
        best = part[look.losses[:, -1].argmin()]
        assert look.n_ahead == (part < best).sum()
        ahead.add(look.n_ahead)
    assert len(ahead) > 1  # it depends on the draw


def test_looks_compare_every_feature_on_every_subset(source):
    looks = preliminary_looks(source, ROUNDS, n_jobs=1)
    assert list(looks["stages"]) == [f"1 to {ROUNDS}"]
    stage = looks["stages"][f"1 to {ROUNDS}"]
    assert looks["n_compared"] == stage["n_rounds"] * 9 * (len(SHARES) - 1)
    assert looks["n_broken"] == 0
    for line in stage["probabilities"].values():
        assert line[-1] == 1.0
    assert stage["drift"][-1] == stage["rank"][-1] == 0.0
    assert stage["drift"][0] > 0


def test_logitboost_weighs_rows_by_their_uncertainty(source):
    numbers = [2, 5]
    found = list(followed_weights(source, "logit", 1, numbers, n_jobs=1))
    model = BoostedTreesClassifier("logit", max_depth=1, n_estimators=5, learning_rate=1.0)
    staged = list(model.fit(source.binned, source.y_train).staged_predict_proba(source.X_train))
    for number, weights in zip(numbers, found, strict=True):
        certain = staged[number - 1][:, 1]
        assert weights.tolist() == as_units(certain * staged[number - 1][:, 0]).tolist()
        undecided = np.abs(certain - 0.5).argmin()
        assert weights[undecided] == weights.max()


def test_half_of_equal_rows_hold_half_of_the_weight():
    assert rows_that_hold(np.ones(10, dtype=np.int64), 0.5) == 0.5
    assert rows_that_hold(np.array([1, 100, 1, 1]), 0.9) == 0.25


def test_weights_gather_in_fewer_rows(source):
    mass = weight_of_rows(source, "adaboost", 1, 40, n_jobs=1)
    assert len(mass["rounds"]) == len(mass["rows"]) == 40
    assert mass["rows"][0] > mass["rows"][-1]
    assert mass["mass"] == mass["early_mass"]  # none of these rounds is late
    assert mass["mass"][-1] == 1.0


def test_rows_keep_their_order_as_long_as_a_tree_is_right_about_all_of_them(source):
    order = order_kept(source, 1, ROUNDS, n_jobs=1)
    assert order["n_rounds"] == ROUNDS - 1
    assert order["n_compared"] == (ROUNDS - 1) * (len(source.y_train) - 2)
    assert order["n_changed"] == 0


def test_both_searches_find_one_model(source):
    quick = make_model(1, ROUNDS, n_jobs=1).set_params(search="quick")
    slow = make_model(1, ROUNDS, n_jobs=1).set_params(search="exhaustive")
    curve, other = cost_curve(source, quick), slow_model(source, slow)
    assert curve["digest"] == other["digest"] == digest(exact(source))
    assert all(q <= s for q, s in zip(curve["quick"], curve["slow"], strict=True))
    assert all(q >= s for q, s in zip(curve["quick_scans"], curve["slow_scans"], strict=True))
