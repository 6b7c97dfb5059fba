"""Random tables, and trees of the readable twin for them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from frugalboost.reference.c45 import C45Grower, C45Node
from frugalboost.reference.c45_pruning import C45Pruner
from frugalboost.reference.c45_splits import Attribute, SplitFinder
from frugalboost.reference.losses import add_up


class Problem(NamedTuple):
    """A table of numbers and codes of categories, labels and weights."""

    X: np.ndarray
    n_categories: list[int]
    labels: np.ndarray
    n_classes: int
    weights: np.ndarray


def problem(seed: int) -> Problem:
    """Ties, missing values, copies, weights of zero and very different ones."""
    random = np.random.default_rng(seed)
    n, n_features = int(random.integers(1, 90)), int(random.integers(1, 6))
    n_classes = int(random.integers(2, 5))
    n_categories = random.choice([0, 0, 2, 3, 5], n_features).tolist()
    n_values = [each or int(random.choice([3, 20, 1000])) for each in n_categories]
    X = np.column_stack([random.integers(0, each, n) for each in n_values]).astype(float)
    X[:, np.array(n_categories) == 0] /= 3
    X[random.random(X.shape) < random.choice([0, 0.1, 0.4])] = np.nan
    labels = (np.nansum(X, 1) * random.choice([1, 2.3])).astype(int) % n_classes
    is_noise = random.random(n) < 0.2
    labels[is_noise] = random.integers(0, n_classes, is_noise.sum())
    kinds = (
        np.ones(n),
        random.integers(0, 4, n).astype(float),
        random.random(n) * 3,
        random.exponential(size=n) ** 3,
    )
    weights = kinds[random.integers(4)]
    weights[0] = weights[0] or 1.0
    return Problem(X, n_categories, labels, n_classes, weights)


class Twin:
    """What the plain Python gives for a problem; rows of no weight are left out."""

    def __init__(self, problem: Problem, min_cases: float = 2.0) -> None:
        self.rows = np.flatnonzero(problem.weights > 0)
        columns = problem.X[self.rows].T.tolist()
        self.attributes = [
            Attribute(*pair) for pair in zip(columns, problem.n_categories, strict=True)
        ]
        self.labels = problem.labels[self.rows].tolist()
        self.n_classes = problem.n_classes
        weights = problem.weights[self.rows].tolist()
        self.cases = list(enumerate(weights))
        self.finder = SplitFinder(
            self.attributes, self.labels, self.n_classes, add_up(weights), min_cases
        )

    def tree(self, confidence: float | None) -> C45Node:
        node = C45Grower(self.finder).grow(self.cases)
        if confidence is not None:
            pruner = C45Pruner(self.attributes, self.labels, self.n_classes, confidence)
            pruner.prune(node, self.cases)
        return node


def as_tuple(tree, node=0):
    """A tree of the core as the twin writes its own."""
    if tree.feature[node] < 0:
        return (int(tree.label[node]), *tree.by_class[node].tolist())
    cut = float(tree.threshold[node])
    test = int(tree.feature[node]), None if math.isnan(cut) else cut
    return (test, *(as_tuple(tree, int(branch)) for branch in tree.branches(node)))
