"""AdaBoost.MH, confidence-rated AdaBoost, AdaBoost-LOG of both kinds, MadaBoost: rules on pairs."""

from __future__ import annotations

import numpy as np
import pytest
from rule_helpers import (
    N_CLASSES,
    Booster,
    check_step_minimises_the_loss,
    compact,
    informative_leaves,
    leaf_sums,
    played,
    random_labels,
)
from scipy.optimize import minimize_scalar

from frugalboost.rules import Action, LeafSums, make_rule
from frugalboost.rules.pairs import PairSums, pair_margins
from frugalboost.rules.real import SMOOTHING

every_number_of_classes = pytest.mark.parametrize("n_classes", N_CLASSES)
voting_rules = pytest.mark.parametrize("name", ["mh", "log", "mada"])
odds_rules = pytest.mark.parametrize("name", ["real", "real_log"])
pair_rules = pytest.mark.parametrize("name", ["mh", "real", "log", "real_log", "mada"])


def as_leaves(minus, plus, n_rows, n_classes):
    """Leaf sums in the layout that this number of classes has."""
    minus, plus = np.array(minus, dtype=float), np.array(plus, dtype=float)
    if n_classes == 2:
        return LeafSums(np.column_stack([minus, plus]), n_rows)
    shape = (len(minus), n_classes)
    minus = np.broadcast_to(minus[:, np.newaxis], shape)
    plus = np.broadcast_to(plus[:, np.newaxis], shape)
    return LeafSums(np.stack([minus + plus, plus], axis=1), n_rows)


def judge(name, n_classes, minus, plus, n_rows=16, is_first=False, learning_rate=1.0):
    rule = make_rule(name, n_classes, learning_rate)
    return rule.judge(as_leaves(minus, plus, n_rows, n_classes), is_first, False)


@pytest.mark.parametrize("seed", range(5))
def test_with_two_classes_mh_is_adaboost_to_the_bit(seed):
    rng = np.random.default_rng(seed)
    labels = random_labels(rng, 50, 2)
    one = Booster(make_rule("adaboost", 2, 1.0), labels)
    other = Booster(make_rule("mh", 2, 1.0), labels)
    for _ in range(30):
        leaf_of_row = informative_leaves(rng, labels)
        assert one.play(leaf_of_row).step == other.play(leaf_of_row).step
        assert (one.problem().weights == other.problem().weights).all()
    assert (one.decision == other.decision).all()


@every_number_of_classes
@pytest.mark.parametrize("seed", range(4))
def test_the_step_of_mh_minimises_the_exponential_loss_along_the_votes(n_classes, seed):
    booster = played("mh", n_classes, seed, n_rounds=4, learning_rate=1.0)
    check_step_minimises_the_loss(booster, 50 + seed, largest=20)


@every_number_of_classes
def test_the_growing_form_of_mh_gives_the_weights_of_the_loss(n_classes):
    booster = played("mh", n_classes, n_rounds=20)
    weights = booster.problem().weights
    sample_weight = booster.sample_weight.reshape((-1,) + (1,) * (weights.ndim - 1))
    margin = pair_margins(booster.decision, booster.labels)
    ratio = (weights / (sample_weight * np.exp(-margin))).ravel()
    assert ratio == pytest.approx(np.full(len(ratio), ratio[0]), rel=1e-9)


@pytest.mark.parametrize("name", ["log", "mada"])
@every_number_of_classes
def test_the_step_of_log_and_mada_minimises_their_bound(name, n_classes):
    """Collins et al.: with weights w the loss falls by at least sum w (1 - exp(-step * y h))."""
    booster = played(name, n_classes, n_rounds=3, learning_rate=1.0)
    leaf_of_row = compact(informative_leaves(np.random.default_rng(9), booster.labels))
    verdict = booster.judge(leaf_of_row)
    said = verdict.values[leaf_of_row].reshape(booster.decision.shape)
    agreement = pair_margins(said, booster.labels)
    weights = booster.problem().weights

    def bound(step):
        return (weights * np.exp(-step * agreement)).sum() / weights.sum()

    best = minimize_scalar(bound, bounds=(0, 20), method="bounded")
    assert verdict.step == pytest.approx(best.x, abs=1e-4)
    assert bound(verdict.step) < 0.999
    before = booster.loss()
    booster.keep(verdict, leaf_of_row)
    assert booster.loss() < before


@odds_rules
@every_number_of_classes
def test_a_real_leaf_minimises_the_normaliser_when_smoothing_vanishes(name, n_classes):
    booster = played(name, n_classes)
    leaf_of_row = compact(informative_leaves(np.random.default_rng(9), booster.labels))
    sums = leaf_sums(booster.problem(), leaf_of_row, booster.labels, n_classes).sums
    leaves = LeafSums(sums, n_rows=10**15)  # the smoothing is a share of one row
    pairs = PairSums.from_leaves(leaves)
    verdict = booster.rule.judge(leaves, False, False)
    normaliser = 0.0
    for leaf, k in np.ndindex(pairs.plus.shape):
        plus, minus = pairs.plus[leaf, k], pairs.minus[leaf, k]
        if min(plus, minus) < 1e-6:
            continue
        best = minimize_scalar(lambda v, p=plus, m=minus: p * np.exp(-v) + m * np.exp(v))
        assert verdict.values[leaf, k] == pytest.approx(best.x, abs=1e-5)
        normaliser += best.fun
    assert normaliser > 0
    assert verdict.error == pytest.approx(normaliser / pairs.total, rel=1e-5)


@odds_rules
@every_number_of_classes
def test_smoothing_bounds_a_pure_leaf_and_leaves_a_large_one_alone(name, n_classes):
    n_pairs = 1000 * (1 if n_classes == 2 else n_classes)
    pure = judge(name, n_classes, [1.0, 0.0], [0.0, 1.0], n_rows=1000)
    largest = np.log(n_pairs / SMOOTHING / (2 if n_classes == 2 else 2 * n_classes) + 1) / 2
    assert np.abs(pure.values).max() == pytest.approx(largest, rel=1e-9)
    mixed = judge(name, n_classes, [1.0], [3.0], n_rows=1000)
    assert mixed.values[0, 0] == pytest.approx(np.log(3) / 2, rel=2e-3)


@every_number_of_classes
def test_real_lowers_its_loss_by_the_normaliser(n_classes):
    booster = played("real", n_classes, n_rounds=0, n_rows=4000, learning_rate=1.0)
    leaf_of_row = informative_leaves(np.random.default_rng(9), booster.labels)
    before = booster.loss()
    verdict = booster.play(leaf_of_row)
    assert booster.loss() / before == pytest.approx(verdict.error, rel=1e-3)


@every_number_of_classes
@pytest.mark.parametrize("seed", range(4))
def test_real_log_lowers_its_loss_by_at_least_its_bound(n_classes, seed):
    """Collins et al.: a tree f lowers the loss by at least sum w (1 - exp(-Y f))."""
    booster = played("real_log", n_classes, seed, n_rounds=3, n_rows=400, learning_rate=1.0)
    leaf_of_row = compact(informative_leaves(np.random.default_rng(9), booster.labels))
    margin = pair_margins(booster.decision, booster.labels)
    share = booster.sample_weight / booster.sample_weight.sum() / (margin.size // len(margin))
    weights = (share * (1 / (1 + np.exp(margin))).T).T  # in the units of the loss
    before = booster.loss()
    verdict = booster.judge(leaf_of_row)
    said = pair_margins(verdict.values[leaf_of_row].reshape(margin.shape), booster.labels)
    booster.keep(verdict, leaf_of_row)
    fall = before - booster.loss()
    assert fall >= (weights * (1 - np.exp(-said))).sum() > 0
    # What the bound promises without smoothing: 1 - Z of the weight.
    assert fall >= 0.95 * (1 - verdict.error) * weights.sum()


@voting_rules
@every_number_of_classes
def test_votes_are_signs_and_a_tie_is_a_no(name, n_classes):
    verdict = judge(name, n_classes, minus=[1, 2, 2], plus=[2, 1, 2])
    expected = np.array([[1.0], [-1.0], [-1.0]])
    assert (verdict.values == expected).all()
    assert verdict.values.shape == (3, 1 if n_classes == 2 else n_classes)
    assert verdict.error == pytest.approx(0.4)
    assert verdict.step == pytest.approx(np.log(1.5) / 2)
    assert judge(name, n_classes, [1, 2], [2, 1], learning_rate=0.5).step == pytest.approx(
        np.log(2) / 4
    )


@pair_rules
@every_number_of_classes
def test_a_perfect_tree_is_kept_with_a_finite_step_and_ends_the_boosting(name, n_classes):
    verdict = judge(name, n_classes, minus=[0, 4], plus=[4, 0])
    assert verdict.action is Action.KEEP_AND_STOP
    assert verdict.error == 0
    assert np.isfinite(verdict.values).all()
    assert 0 < verdict.step < 10
    assert judge(name, n_classes, minus=[0.1, 4], plus=[4, 0]).action is Action.KEEP
    shrunken = judge(name, n_classes, minus=[0, 4], plus=[4, 0], learning_rate=0.5)
    goes_on = name in ("real", "real_log")  # their leaves are finite by smoothing, not by stopping
    assert shrunken.action is (Action.KEEP if goes_on else Action.KEEP_AND_STOP)


@odds_rules
@every_number_of_classes
def test_a_weight_of_two_smooths_like_a_repeated_row(name, n_classes):
    rule = make_rule(name, n_classes, 1.0)
    once = as_leaves([0.0, 2.0], [2.0, 1.0], 30, n_classes)
    weighted = LeafSums(once.sums, n_rows=15, n_examples=30.0)
    assert (
        rule.judge(weighted, False, False).values == rule.judge(once, False, False).values
    ).all()
    fewer = LeafSums(once.sums, n_rows=15)
    assert (rule.judge(fewer, False, False).values != rule.judge(once, False, False).values).all()


@voting_rules
@every_number_of_classes
def test_the_step_of_a_perfect_tree_is_that_of_half_a_pair_wrong(name, n_classes):
    n_pairs = 10 if n_classes == 2 else 10 * n_classes
    perfect = judge(name, n_classes, [0, 1], [1, 0], n_rows=10)
    wrong = 2 / (2 * n_pairs - 1)
    almost = judge(name, n_classes, [wrong, 1], [1, 0], n_rows=10)
    assert almost.step == pytest.approx(perfect.step, rel=1e-12)


@pair_rules
@every_number_of_classes
@pytest.mark.parametrize("is_first", [True, False])
def test_undecided_leaves_end_the_boosting(name, n_classes, is_first):
    verdict = judge(name, n_classes, minus=[0.3, 7], plus=[0.3, 7], is_first=is_first)
    assert verdict.action is (Action.KEEP_AND_STOP if is_first else Action.DROP_AND_STOP)
    assert verdict.step == 0
    assert verdict.error == pytest.approx(1.0 if name in ("real", "real_log") else 0.5)
    better = judge(name, n_classes, minus=[0.3, 7], plus=[0.300001, 7], is_first=is_first)
    assert better.action is Action.KEEP
    assert better.step > 0


@pair_rules
def test_the_three_weights_differ_where_they_should(name):
    rule = make_rule(name, 2, 1.0)
    scores = np.array([-2.0, 0.0, 2.0])
    weights = rule.problem(scores, np.array([1, 1, 1]), np.ones(3)).weights
    expected = {
        "mh": np.exp(scores),  # its state is the log weight itself
        "real": np.exp(-scores),
        "log": 1 / (1 + np.exp(scores)),
        "real_log": 1 / (1 + np.exp(scores)),
        "mada": np.minimum(1, np.exp(-scores)),
    }
    assert weights == pytest.approx(expected[name], rel=1e-12)
