"""Bagging: every tree has one vote, and no tree changes a weight."""

from __future__ import annotations

import numpy as np
import pytest
from rule_helpers import N_CLASSES, Booster, compact, informative_leaves, random_labels

from frugalboost.rules import RULES, Action, LeafSums, make_rule

every_number_of_classes = pytest.mark.parametrize("n_classes", N_CLASSES)


@every_number_of_classes
def test_every_tree_is_kept_with_one_vote_and_changes_no_weight(n_classes):
    rng = np.random.default_rng(0)
    labels = random_labels(rng, 60, n_classes)
    weights = rng.uniform(0.5, 2.0, 60)
    booster = Booster(make_rule("bagging", n_classes), labels, weights)
    perfect, useless = compact(labels), np.zeros(60, dtype=int)
    partitions = [perfect, useless, *(compact(informative_leaves(rng, labels)) for _ in range(8))]
    for leaf_of_row in partitions:
        verdict = booster.judge(leaf_of_row)
        assert (verdict.action, verdict.step) == (Action.KEEP, 1.0)
        assert not booster.rule.rise(verdict).any()
        booster.keep(verdict, leaf_of_row)
        assert (booster.problem().weights == weights).all()


@every_number_of_classes
def test_probabilities_of_the_mean_vote_are_shares(n_classes):
    rule = make_rule("bagging", n_classes)
    named = np.array([0, 1, n_classes - 1, 1, 0])
    sums = np.eye(n_classes)[named] * 3 + 0.1
    votes = rule.judge(LeafSums(sums, 20), is_first=False, is_fresh=True).values
    mean = votes.mean(axis=0, keepdims=True)
    shares = np.bincount(named, minlength=n_classes) / 5
    found = rule.probabilities(mean[:, 0] if n_classes == 2 else mean)
    assert found == pytest.approx(shares[np.newaxis], abs=1e-12)


@every_number_of_classes
def test_the_loss_is_the_weight_of_wrong_votes(n_classes):
    rule = make_rule("bagging", n_classes)
    labels, weights = np.array([0, 1, 0, 1]), np.array([1.0, 2.0, 4.0, 8.0])
    said = np.array([0, 1, 1, 0])
    decision = 2.0 * said - 1 if n_classes == 2 else np.eye(n_classes)[said]
    assert rule.loss(labels, decision, weights) == 12 / 15


def test_it_is_no_rule_of_boosting():
    assert "bagging" not in RULES
