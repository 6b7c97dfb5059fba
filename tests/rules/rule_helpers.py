"""A boosting loop in miniature: trees are given as leaf numbers, sums are taken in floats."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from frugalboost.rules import RULES, Action, L2Boost, LeafSums, Rule, TreeProblem, make_rule

N_CLASSES = (2, 3, 5)

EVERY_RULE = [(name, K) for name in RULES for K in N_CLASSES]


def each_rule(pairs):
    return pytest.mark.parametrize(("name", "n_classes"), pairs)


every_classifier_rule = each_rule(EVERY_RULE)


def compact(leaf_of_row):
    """Number the leaves that hold rows from 0."""
    return np.unique(leaf_of_row, return_inverse=True)[1]


def leaf_sums(problem: TreeProblem, leaf_of_row, labels, n_classes: int) -> LeafSums:
    n_leaves = leaf_of_row.max() + 1
    if problem.layout == "classes":
        sums = np.zeros((n_leaves, n_classes))
        np.add.at(sums, (leaf_of_row, labels), problem.weights)
        return LeafSums(sums, len(labels))
    second = problem.numerators
    if problem.layout == "votes":
        second = problem.weights * (np.arange(n_classes) == labels[:, np.newaxis])
    sums = np.zeros((n_leaves, 2, problem.weights.shape[1]))
    np.add.at(sums[:, 0], leaf_of_row, problem.weights)
    np.add.at(sums[:, 1], leaf_of_row, second)
    return LeafSums(sums, len(labels))


class Booster:
    """Plays rounds with given partitions; keeps the state and the decision side by side."""

    def __init__(self, rule: Rule, labels, sample_weight=None):
        self.rule = rule
        self.labels = labels
        self.sample_weight = np.ones(len(labels)) if sample_weight is None else sample_weight
        self.state = rule.start(len(labels))
        shape = (len(labels),) if rule.n_outputs == 1 else (len(labels), rule.n_outputs)
        self.decision = np.zeros(shape)
        self.n_kept = 0
        self.is_fresh = True

    def problem(self) -> TreeProblem:
        return self.rule.problem(self.state, self.labels, self.sample_weight)

    def judge(self, leaf_of_row):
        sums = leaf_sums(self.problem(), leaf_of_row, self.labels, self.rule.n_classes)
        return self.rule.judge(sums, self.n_kept == 0, self.is_fresh)

    def keep(self, verdict, leaf_of_row):
        self.rule.advance(self.state, verdict, leaf_of_row, self.labels)
        self.decision += (verdict.step * verdict.values)[leaf_of_row].reshape(self.decision.shape)
        self.n_kept += 1
        self.is_fresh = False

    def play(self, leaf_of_row):
        """One round, keeping the tree whatever the verdict."""
        leaf_of_row = compact(leaf_of_row)
        verdict = self.judge(leaf_of_row)
        self.keep(verdict, leaf_of_row)
        return verdict

    def run(self, partitions: Iterable) -> list[Action]:
        """Rounds as the library plays them: stop, drop and restart when told to."""
        actions = []
        for leaf_of_row in partitions:
            leaf_of_row = compact(leaf_of_row)
            verdict = self.judge(leaf_of_row)
            actions.append(verdict.action)
            if verdict.action in (Action.KEEP, Action.KEEP_AND_STOP):
                self.keep(verdict, leaf_of_row)
            if verdict.action is Action.DROP_AND_RESTART:
                self.state, self.is_fresh = self.rule.start(len(self.labels)), True
            if verdict.action in (Action.KEEP_AND_STOP, Action.DROP_AND_STOP):
                break
        return actions

    def loss(self, decision=None) -> float:
        decision = self.decision if decision is None else decision
        return self.rule.loss(self.labels, decision, self.sample_weight)


def random_labels(rng, n_rows: int, n_classes: int):
    """Labels in which every class occurs."""
    labels = rng.integers(n_classes, size=n_rows)
    labels[:n_classes] = np.arange(n_classes)
    return labels


def informative_leaves(rng, labels, n_leaves: int = 6):
    """A partition that knows something of the labels, never all."""
    noisy = rng.random(len(labels)) < 0.4
    leaves = np.where(noisy, rng.integers(n_leaves, size=len(labels)), labels % n_leaves)
    leaves[:2] = 0  # labels 0 and 1 share a leaf, so that no tree is perfect
    return leaves


def played(
    name: str,
    n_classes: int,
    seed: int = 0,
    n_rows: int = 60,
    n_rounds: int = 5,
    learning_rate: float = 0.5,
) -> Booster:
    """A booster in the middle of its work, with uneven sample weights."""
    rng = np.random.default_rng(seed)
    labels = random_labels(rng, n_rows, n_classes)
    sample_weight = rng.uniform(0.5, 3.0, size=n_rows)
    booster = Booster(make_rule(name, n_classes, learning_rate), labels, sample_weight)
    for _ in range(n_rounds):
        booster.play(informative_leaves(rng, labels))
    return booster


def make_regression(rng, n_rows: int = 50) -> Booster:
    return Booster(L2Boost(1, 0.5), rng.normal(size=n_rows), rng.uniform(0.5, 3.0, size=n_rows))


def check_step_minimises_the_loss(booster, seed, largest):
    """Of all steps from 0 to `largest` along a tree that tells something."""
    leaf_of_row = compact(informative_leaves(np.random.default_rng(seed), booster.labels))
    verdict = booster.judge(leaf_of_row)
    said = verdict.values[leaf_of_row].reshape(booster.decision.shape)
    best = minimize_scalar(
        lambda step: booster.loss(booster.decision + step * said),
        bounds=(0, largest),
        method="bounded",
    )
    assert verdict.step == pytest.approx(best.x, abs=1e-4)
    assert verdict.step > 0.01
