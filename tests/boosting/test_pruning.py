"""Rows held out from a tree prune it: the tree that is left is the best of all prunings."""

from __future__ import annotations

import numpy as np
import pytest

from frugalboost import BinnedDataset, BoostedTreesClassifier
from frugalboost.boosting.sampling import Subset, SubsetPlan, Subsets
from frugalboost.boosting.state import TrainingData, make_state
from frugalboost.rules import RULES, make_rule
from frugalboost.tree import FixedProblem, Scale, TreeGrower, TreePlan
from held_out_pruning import prune_with

N_ROWS = 300


def table(n_classes, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, 5)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 4] = rng.integers(6, size=N_ROWS)
    y = np.searchsorted(np.linspace(-0.5, 0.5, n_classes - 1), np.nan_to_num(X[:, 0]))
    return X, np.where(rng.random(N_ROWS) < 0.3, rng.integers(n_classes, size=N_ROWS), y)


def first_subset(dataset, y, rule, plan):
    problem = make_state(TrainingData(dataset, y, np.ones(N_ROWS)), rule, 0.0).problem()
    return problem, Subsets(plan, dataset).next(problem)


def arrays(tree):
    """All but the gains, to compare with ``==``."""
    found = {name: array.tolist() for name, array in tree.arrays().items()}
    found["threshold"] = np.nan_to_num(tree.threshold, nan=-99.0).tolist()
    return found


# Votes on several classes are pruned by pairs, which `prune_with` has no counts of.
@pytest.mark.parametrize(
    ("rule", "n_classes"),
    [
        *((rule, 2) for rule in ("adaboost", "mh", "real", "log", "real_log", "mada")),
        *((rule, 3) for rule in ("adaboost", "real", "real_log")),
    ],
)
def test_the_first_tree_is_pruned_with_the_rows_held_out(rule, n_classes):
    X, y = table(n_classes)
    dataset = BinnedDataset.from_data(X, categorical_features=[4])
    model = BoostedTreesClassifier(
        rule, n_estimators=1, max_depth=7, pruning_fraction=0.4, random_state=2
    ).fit(dataset, y)
    seed = tuple(np.random.RandomState(2).randint(2**31, size=4).tolist())
    rule = make_rule(rule, n_classes)
    problem, subset = first_subset(dataset, y, rule, SubsetPlan(pruning_fraction=0.4, seed=seed))
    grower = TreeGrower(dataset, TreePlan(criterion=rule.criteria[0], max_depth=7))
    grown = grower.grow(problem, subset.rows, "exhaustive")
    whole = grower.finish(grown, np.zeros((len(grown.sums), rule.n_outputs)))
    leaf = grown.leaf_of_row
    counts = np.zeros((len(grown.sums), n_classes), dtype=np.int64)
    np.add.at(counts, (leaf[subset.rows], y[subset.rows]), 1)
    encoded = dataset.schema.encode(X)[subset.held]
    pruned = prune_with(
        whole,
        encoded,
        y[subset.held],
        np.ones(len(subset.held), dtype=np.int64),
        counts,
        lambda sums: says(rule, sums),
        loss="exponential" if rule.name in ("real", "real_log") else "error",
    )
    assert 1 < pruned.n_leaves < whole.n_leaves
    tree = model.estimators_[0]
    assert tree.value == pytest.approx(pruned.value, rel=1e-9)
    for name, array in arrays(pruned).items():
        assert name == "value" or arrays(tree)[name] == array


def says(rule, sums):
    """What leaves with these counts say: the heaviest class as a code, or half the log odds."""
    if rule.name not in ("real", "real_log"):
        codes = np.where(np.eye(rule.n_classes, dtype=bool), 1.0, -1 / (rule.n_classes - 1))
        code = codes[sums.argmax(axis=1)]
        return code if rule.n_classes > 2 else code[:, 1:]
    plus = sums[:, 1:] if rule.n_classes == 2 else sums
    minus = sums.sum(axis=1, keepdims=True) - plus
    return np.log((plus + 0.5) / (minus + 0.5)) / 2


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_pruned_models_have_fewer_leaves_and_say_what_growing_rows_say(rule, n_classes):
    X, y = table(n_classes)
    options = {"n_estimators": 6, "max_depth": 7, "random_state": 0}
    pruned = BoostedTreesClassifier(rule, pruning_fraction=1 / 3, **options).fit(X, y)
    whole = BoostedTreesClassifier(rule, **options).fit(X, y)
    assert pruned.ledger_.n_leaves.mean() < 0.7 * whole.ledger_.n_leaves.mean()
    assert [tree.n_leaves for tree in pruned.estimators_] == pruned.ledger_.n_leaves.tolist()
    assert {int(tree.n_samples[0]) for tree in pruned.estimators_} == {N_ROWS - 100}


@pytest.mark.parametrize("fraction", [0.001, 0.3, 0.999])
@pytest.mark.parametrize("options", [{}, {"sample_fraction": 0.5}, {"resample": 30}])
def test_rows_are_held_out_or_grown_on(fraction, options):
    dataset = BinnedDataset.from_data(np.arange(40.0)[:, np.newaxis])
    mass = np.arange(1, 41)
    labels = (np.arange(40) % 2).astype(np.uint32)
    problem = FixedProblem(Scale("classes", 2, (0, 0)), mass[:, np.newaxis], mass, labels)
    subset = next_subset(SubsetPlan(pruning_fraction=fraction, **options), dataset, problem)
    without = next_subset(SubsetPlan(feature_fraction=0.9, **options), dataset, problem)
    both = np.sort(np.concatenate([subset.rows, subset.held]))
    assert len(subset.rows) > 0
    assert len(subset.held) == np.clip(round(fraction * len(both)), 1, len(both) - 1)
    assert len(np.unique(both)) == len(both)
    if not options:
        assert both.tolist() == list(range(40))
        assert without.held is None


def next_subset(plan: SubsetPlan, dataset, problem) -> Subset:
    return Subsets(plan, dataset).next(problem)


def test_a_single_row_is_needed_to_grow_on():
    model = BoostedTreesClassifier("adaboost", pruning_fraction=0.5, resample=1, n_estimators=3)
    assert len(model.fit(np.zeros((2, 1)), [0, 1]).estimators_) == 1
