"""AdaBoost, SAMME and AdaBoost.M1: codes, steps, the growing form, restart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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

from frugalboost.rules import Action, AdaBoost, AdaBoostM1, LeafSums, make_rule
from frugalboost.rules.codes import ClassTally, code_margin

every_number_of_classes = pytest.mark.parametrize("n_classes", N_CLASSES)
both_rules = pytest.mark.parametrize("name", ["adaboost", "adaboost_m1"])


def judge(name, sums, n_rows, *, is_first=False, is_fresh=False, learning_rate=1.0):
    sums = np.array(sums, dtype=float)
    rule = make_rule(name, sums.shape[1], learning_rate)
    return rule.judge(LeafSums(sums, n_rows), is_first, is_fresh)


def as_vectors(decision):
    return np.column_stack([-decision, decision]) if decision.ndim == 1 else decision


@every_number_of_classes
def test_the_margin_is_the_inner_product_with_the_code(n_classes):
    rng = np.random.default_rng(1)
    labels = random_labels(rng, 20, n_classes)
    decision = rng.normal(size=20) if n_classes == 2 else rng.normal(size=(20, n_classes))
    codes = np.where(np.arange(n_classes) == labels[:, np.newaxis], 1.0, -1 / (n_classes - 1))
    expected = (codes * as_vectors(decision)).sum(axis=1) / n_classes
    assert code_margin(decision, labels) == pytest.approx(expected, rel=1e-12)


@every_number_of_classes
@pytest.mark.parametrize("seed", range(5))
def test_the_step_minimises_the_exponential_loss_along_the_tree(n_classes, seed):
    booster = played("adaboost", n_classes, seed, n_rounds=4, learning_rate=1.0)
    check_step_minimises_the_loss(booster, 100 + seed, largest=50)


@every_number_of_classes
def test_the_step_is_the_textbook_alpha_times_its_factor(n_classes):
    rng = np.random.default_rng(2)
    sums = rng.random((4, n_classes))
    error = 1 - sums.max(axis=1).sum() / sums.sum()
    alpha = np.log((1 - error) / error) + np.log(n_classes - 1)  # Zhu et al., algorithm SAMME
    expected = (n_classes - 1) ** 2 / n_classes * alpha
    assert judge("adaboost", sums, 50).step == pytest.approx(expected, rel=1e-12)
    assert judge("adaboost", sums, 50, learning_rate=0.25).step == pytest.approx(expected / 4)
    assert judge("adaboost", sums, 50).error == pytest.approx(error, rel=1e-12)


@both_rules
@every_number_of_classes
def test_the_growing_form_gives_the_weights_of_the_loss(name, n_classes):
    """Up to one common factor, ``exp(deficit)`` is the loss of the decision in each row."""
    booster = played(name, n_classes, n_rounds=20)
    weights = booster.problem().weights
    margin = code_margin(booster.decision, booster.labels)
    margin *= (n_classes - 1) if name == "adaboost_m1" else 1
    ratio = weights / (booster.sample_weight * np.exp(-margin))
    assert ratio == pytest.approx(np.full(len(ratio), ratio[0]), rel=1e-9)


@both_rules
@every_number_of_classes
def test_rows_that_were_right_keep_their_weights_to_the_bit(name, n_classes):
    rng = np.random.default_rng(3)
    labels = random_labels(rng, 200, n_classes)
    booster = Booster(make_rule(name, n_classes, learning_rate=1.0), labels)
    booster.state += 240.0  # the same in all rows: no change, but the band ends soon
    before = booster.problem().weights
    n_moves = 0
    for _ in range(300):
        leaf_of_row = compact(informative_leaves(rng, labels))
        verdict = booster.judge(leaf_of_row)
        booster.keep(verdict, leaf_of_row)
        after = booster.problem().weights
        wrong = code_margin(verdict.values[leaf_of_row].squeeze(), labels) < 0
        if (after[~wrong] == before[~wrong]).all():
            assert (after[wrong] > before[wrong]).all() or verdict.step == 0
        else:
            n_moves += 1
        before = after
    assert 1 <= n_moves == booster.state.max() // 256


@both_rules
def test_a_leaf_names_its_heaviest_class_and_the_lowest_on_ties(name):
    values = judge(name, [[1, 2, 1], [2, 2, 1], [0, 0, 5], [0, 3, 3]], 20).values
    assert (values.argmax(axis=1) == [1, 0, 2, 1]).all()
    values = judge(name, [[1, 2], [2, 2], [5, 0]], 20).values
    assert (np.sign(values[:, 0]) == [1, -1, -1]).all()


@every_number_of_classes
def test_leaves_of_m1_are_centred_one_hot_votes(n_classes):
    sums = np.eye(n_classes) * 2 + 0.1
    values = judge("adaboost_m1", sums, 30).values
    expected = np.eye(n_classes) - 1 / n_classes
    expected = expected[:, 1:] if n_classes == 2 else expected
    assert values == pytest.approx(expected, abs=1e-15)


@both_rules
@every_number_of_classes
def test_a_perfect_tree_ends_with_the_step_of_half_an_example_wrong(name, n_classes):
    verdict = judge(name, np.eye(n_classes) * 3, 10)
    assert verdict.action is Action.KEEP_AND_STOP
    assert verdict.error == 0
    almost = np.eye(n_classes) * 3
    almost[0, 1] = 3 * n_classes / 19  # wrong / total = 1 / 20
    assert judge(name, almost, 10).step == pytest.approx(verdict.step, rel=1e-12)
    assert judge(name, almost, 10).action is Action.KEEP


@every_number_of_classes
@pytest.mark.parametrize("is_first", [True, False])
def test_a_tree_no_better_than_chance_ends_the_boosting(n_classes, is_first):
    chance = np.full((3, n_classes), 0.1) * [[1], [2], [3]]
    verdict = judge("adaboost", chance, 30, is_first=is_first)
    assert verdict.action is (Action.KEEP_AND_STOP if is_first else Action.DROP_AND_STOP)
    assert verdict.step == 0
    chance[0, 0] += 1e-6
    verdict = judge("adaboost", chance, 30, is_first=is_first)
    assert verdict.action is Action.KEEP
    assert verdict.step > 0


@pytest.mark.parametrize("n_rows", [7, 101, 1003])
def test_a_constant_column_is_worth_one_tree(n_rows):
    """The second tree is at chance but for rounding; that must be seen as chance."""
    labels = (np.arange(n_rows) % 3 == 0).astype(int)
    sample_weight = np.random.default_rng(n_rows).uniform(0.9, 1.1, n_rows)
    booster = Booster(AdaBoost(2, 1.0), labels, sample_weight)
    actions = booster.run([np.zeros(n_rows, dtype=int)] * 9)
    assert actions == [Action.KEEP, Action.DROP_AND_STOP]


# AdaBoost.M1


@pytest.mark.parametrize("seed", range(3))
def test_m1_is_the_algorithm_of_table_1(seed):
    """Distribution, vote weights and vote of the paper, written as the paper has them."""
    rng = np.random.default_rng(seed)
    labels = random_labels(rng, 80, 4)
    booster = Booster(AdaBoostM1(4, 1.0), labels)
    distribution = np.full(80, 1 / 80)
    votes = np.zeros((80, 4))
    for _ in range(12):
        leaf_of_row = compact(informative_leaves(rng, labels, n_leaves=9))
        weights = booster.problem().weights
        assert weights / weights.sum() == pytest.approx(distribution, rel=1e-9)
        verdict = booster.judge(leaf_of_row)
        sums = leaf_sums(booster.problem(), leaf_of_row, labels, 4).sums
        said = sums.argmax(axis=1)[leaf_of_row]
        error = distribution[said != labels].sum()
        if error >= 0.5:
            continue
        beta = error / (1 - error)
        distribution = distribution * np.where(said == labels, beta, 1.0)
        distribution /= distribution.sum()
        votes[np.arange(80), said] += np.log(1 / beta)
        assert verdict.step == pytest.approx(np.log(1 / beta), rel=1e-9)
        booster.keep(verdict, leaf_of_row)
    assert booster.n_kept >= 3
    centred = votes - votes.mean(axis=1, keepdims=True)
    assert booster.decision == pytest.approx(centred, abs=1e-9)


def test_m1_restarts_above_one_half_but_not_from_a_fresh_state():
    bad = [[4, 3, 3.1]]  # error 0.604: better than chance, no use to M1
    verdict = judge("adaboost_m1", bad, 10)
    assert verdict.action is Action.DROP_AND_RESTART
    assert verdict.error == pytest.approx(6.1 / 10.1)
    assert judge("adaboost_m1", bad, 10, is_fresh=True).action is Action.DROP_AND_STOP
    first = judge("adaboost_m1", bad, 10, is_first=True, is_fresh=True)
    assert (first.action, first.step) == (Action.KEEP_AND_STOP, 0.0)


def test_m1_treats_an_error_of_exactly_one_half_as_useless():
    assert judge("adaboost_m1", [[2, 1, 1]], 4).action is Action.DROP_AND_RESTART
    assert judge("adaboost_m1", [[2.01, 1, 1]], 4).action is Action.KEEP


def test_m1_restarts_and_goes_on():
    labels = np.array([0, 0, 0, 1])
    booster = Booster(AdaBoostM1(2, 1.0), labels)
    actions = booster.run([np.zeros(4, dtype=int)] * 6)
    # One of four is wrong; then it weighs as much as the three, which is useless; then again.
    assert actions == [Action.KEEP, Action.DROP_AND_RESTART] * 3
    assert booster.n_kept == 3
    assert booster.decision == pytest.approx(np.full(4, -1.5 * np.log(3)))


@given(seed=st.integers(0, 1000))
@settings(deadline=None, max_examples=25)
def test_with_two_classes_m1_is_adaboost(seed):
    rng = np.random.default_rng(seed)
    labels = random_labels(rng, 30, 2)
    one, other = Booster(AdaBoost(2, 1.0), labels), Booster(AdaBoostM1(2, 1.0), labels)
    for _ in range(8):
        leaf_of_row = informative_leaves(rng, labels)
        one.play(leaf_of_row)
        other.play(leaf_of_row)
    assert (one.state == other.state).all()
    assert (one.decision == other.decision).all()
    assert one.loss() == other.loss()
    assert (one.rule.probabilities(one.decision) == other.rule.probabilities(other.decision)).all()


def test_codes_sum_to_zero():
    codes = ClassTally.from_leaves(LeafSums(np.eye(5), n_rows=5)).codes
    assert codes.sum(axis=1) == pytest.approx(np.zeros(5), abs=1e-15)
