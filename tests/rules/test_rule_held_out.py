"""What held-out rows lose at a node, beside the same row by row."""

from __future__ import annotations

import numpy as np
import pytest
from rule_helpers import N_CLASSES, compact, informative_leaves, leaf_sums, played

from frugalboost.rules import RULES, LeafSums, make_rule
from frugalboost.rules.pairs import pair_margins

NAMING = ("adaboost", "adaboost_m1")
VOTING = ("mh", "log", "mada")
ODDS = ("real", "real_log")
SQUARES = ("gentle", "logit")
every_rule = pytest.mark.parametrize("name", RULES)
every_number_of_classes = pytest.mark.parametrize("n_classes", N_CLASSES)


class Split:
    """A round's rows, every third of them held out from its tree."""

    def __init__(self, name, n_classes, seed=0):
        self.booster = booster = played(name, n_classes, seed, n_rows=120, n_rounds=2)
        self.leaf = compact(informative_leaves(np.random.default_rng(seed), booster.labels, 4))
        self.problem = booster.problem()
        self.is_held = np.arange(120) % 3 == 0
        growing, held = self.sums(~self.is_held), self.sums(self.is_held)
        everyone = growing + held
        self.leaves = LeafSums(everyone, 120, grown=growing)
        total = everyone.sum() if everyone.ndim == 2 else everyone[:, 0].sum()
        self.losses = booster.rule.held_out_loss(growing, held, total / 120)
        self.values = booster.rule.judge(self.leaves, False, False).values

    def sums(self, rows):
        leaf = np.append(self.leaf[rows], self.leaf.max())  # every leaf has a place
        weights, numerators = self.problem.weights, self.problem.numerators
        chosen = self.problem._replace(
            weights=np.append(weights[rows], 0 * weights[:1], axis=0),
            numerators=None
            if numerators is None
            else np.append(numerators[rows], 0 * numerators[:1], axis=0),
        )
        labels = np.append(self.booster.labels[rows], 0)
        return leaf_sums(chosen, leaf, labels, self.booster.rule.n_classes).sums

    def by_leaf(self, of_row):
        """Sum over the held-out rows of each leaf."""
        return np.bincount(self.leaf[self.is_held], of_row[self.is_held], len(self.losses))


def test_every_rule_is_in_one_of_the_tests_below():
    assert set(RULES) == {*NAMING, *VOTING, *ODDS, *SQUARES}


@pytest.mark.parametrize("name", NAMING)
@every_number_of_classes
def test_rules_that_name_a_class_lose_the_rows_of_others(name, n_classes):
    split = Split(name, n_classes)
    said = split.values[split.leaf]
    named = (said[:, 0] > 0).astype(int) if n_classes == 2 else said.argmax(axis=1)
    wrong = split.problem.weights * (named != split.booster.labels)
    assert split.losses == pytest.approx(split.by_leaf(wrong))


@pytest.mark.parametrize("name", VOTING)
@every_number_of_classes
def test_rules_that_vote_lose_wrong_pairs(name, n_classes):
    split = Split(name, n_classes)
    said = split.values[split.leaf].reshape(split.booster.decision.shape)
    wrong = split.problem.weights * (pair_margins(said, split.booster.labels) < 0)
    assert split.losses == pytest.approx(split.by_leaf(wrong.reshape(120, -1).sum(axis=1)))


@pytest.mark.parametrize("name", ODDS)
@every_number_of_classes
def test_confidence_rated_rules_lose_exponentially(name, n_classes):
    split = Split(name, n_classes)
    said = split.values[split.leaf].reshape(split.booster.decision.shape)
    lost = split.problem.weights * np.exp(-pair_margins(said, split.booster.labels))
    assert split.losses == pytest.approx(split.by_leaf(lost.reshape(120, -1).sum(axis=1)))


@pytest.mark.parametrize("name", SQUARES)
@every_number_of_classes
@pytest.mark.parametrize("seed", range(3))
def test_newton_rules_lose_squares_but_for_what_no_leaf_changes(name, n_classes, seed):
    split = Split(name, n_classes, seed)
    if name == "logit":
        weight = split.problem.weights
        response = split.problem.numerators / weight
        growing = split.leaves.grown
        said = growing[:, 1] / (growing[:, 0] + 4 * (n_classes - 1) / n_classes**2)
        said = np.clip(said, -4, 4)[split.leaf]
    else:
        weight = split.problem.weights[:, np.newaxis]
        response = np.eye(n_classes)[split.booster.labels]
        grown = split.leaves.grown
        said = (grown / grown.sum(axis=1, keepdims=True))[split.leaf]
    squares = (weight * (response - said) ** 2).sum(axis=1)
    constant = (weight * response**2).sum(axis=1)
    assert split.losses == pytest.approx(split.by_leaf(squares - constant))


@every_rule
@every_number_of_classes
def test_no_rows_lose_nothing(name, n_classes):
    split = Split(name, n_classes)
    nothing = np.zeros_like(split.leaves.grown)
    lost = split.booster.rule.held_out_loss(split.leaves.grown, nothing, 1.0)
    assert not lost.any()


@pytest.mark.parametrize("name", [*NAMING, *VOTING])
def test_errors_of_integers_are_exact(name):
    """Beyond 2^53 floats would round, and ties would no longer be ties."""
    rule = make_rule(name, 2)
    losses = rule.held_out_loss(np.array([[5, 1]]), np.array([[2**60, 2**59 + 1]]), 1.0)
    assert losses.tolist() == [2**59 + 1]
