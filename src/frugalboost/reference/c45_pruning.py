"""How C4.5, release 8, prunes: a subtree gives way to a leaf or to its largest branch.

Quinlan 1993, chapter 4. Where the book speaks of the upper limit of a binomial distribution, the
program has the formulas of `extra_errors`, and a simpler tree may be a tenth of an error worse.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from frugalboost.reference.c45 import C45Node, divide
from frugalboost.reference.c45_splits import Attribute, Cases
from frugalboost.reference.losses import add_up

DEVIATIONS = (
    (0.0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.10, 1.28),
    (0.20, 0.84),
    (0.40, 0.25),
    (1.00, 0.00),
)
"""Standard deviations that a normal variable exceeds with these probabilities, by the program."""

WORSE = 0.1
"""Errors that a simpler tree may have more."""


def squared_deviation(confidence: float) -> float:
    """Between two entries of the table by a straight line.

    >>> round(squared_deviation(0.25), 4)  # of 0.6925
    0.4796
    """
    for (low, first), (high, second) in pairwise(DEVIATIONS):
        if confidence <= high:
            deviation = first + (second - first) * (confidence - low) / (high - low)
            return deviation * deviation
    raise ValueError(f"confidence must be at most 1; got {confidence}.")


def extra_errors(n: float, errors: float, confidence: float) -> float:
    """Errors to be expected of a leaf beyond those it made on its n cases.

    >>> round(extra_errors(6.0, 0.0, 0.25), 3), round(extra_errors(16.0, 1.0, 0.25), 3)
    (1.238, 1.507)
    """
    if errors < 1e-6:
        return n * (1 - math.exp(math.log(confidence) / n)) if n > 0 else 0.0
    if errors < 0.9999:  # between none and one by a straight line
        none = n * (1 - math.exp(math.log(confidence) / n))
        return none + errors * (extra_errors(n, 1.0, confidence) - none)
    if errors + 0.5 >= n:
        return 0.67 * (n - errors)
    z2, half_more = squared_deviation(confidence), errors + 0.5
    root = math.sqrt(z2 * (half_more * (1 - half_more / n) + z2 / 4))
    return n * ((half_more + z2 / 2 + root) / (n + z2)) - errors


@dataclass(frozen=True)
class C45Pruner:
    """Prunes trees by the cases that they grew on."""

    attributes: Sequence[Attribute]
    labels: Sequence[int]
    n_classes: int
    confidence: float = 0.25

    def prune(self, node: C45Node, cases: Cases) -> float:
        """Prune a subtree for these cases, and return the errors expected of it.

        The cases may be more than it grew on: a branch that replaces its parent gets all of its
        cases.
        """
        as_leaf = self.update(node, cases)
        if node.split is None:
            node.errors = as_leaf
            return as_leaf
        parts = divide(node.split, self.attributes, cases)
        pairs = [pair for pair in zip(node.branches, parts, strict=True) if pair[1]]
        as_tree = add_up([self.prune(branch, part) for branch, part in pairs])
        largest = self.largest_branch(node, cases)
        as_branch = self.expected_errors(largest, cases)
        if as_leaf <= as_branch + WORSE and as_leaf <= as_tree + WORSE:
            node.cut(as_leaf)
        elif as_branch <= as_tree + WORSE:
            self.prune(largest, cases)
            node.replace_by(largest)
        else:
            node.errors = as_tree
        return node.errors

    def expected_errors(self, node: C45Node, cases: Cases) -> float:
        """Of a subtree for these cases; nothing changes."""
        if node.split is None:
            return self.errors_of_leaf(node.label, cases)[2]
        parts = divide(node.split, self.attributes, cases)
        pairs = zip(node.branches, parts, strict=True)
        return add_up(self.expected_errors(branch, part) for branch, part in pairs if part)

    def update(self, node: C45Node, cases: Cases) -> float:
        """Let the node know its cases; return the errors expected of it as a leaf."""
        node.by_class, node.label, expected = self.errors_of_leaf(node.label, cases)
        return expected

    def errors_of_leaf(self, label: int, cases: Cases) -> tuple[list[float], int, float]:
        """Weights of the classes, the most frequent, ties to the one before, and its errors."""
        by_class = [0.0] * self.n_classes
        for row, weight in cases:
            by_class[self.labels[row]] += weight
        for k, weight in enumerate(by_class):
            label = k if weight > by_class[label] else label
        n = add_up(weight for _, weight in cases)
        errors = n - by_class[label]
        return by_class, label, errors + extra_errors(n, errors, self.confidence)

    def largest_branch(self, node: C45Node, cases: Cases) -> C45Node:
        """By its share of the known cases, the last of several."""
        assert node.split is not None
        known = [case for case in cases if self.is_known(node, case[0])]
        parts = divide(node.split, self.attributes, known)
        sizes = [add_up(weight for _, weight in part) for part in parts]
        place = max(range(len(sizes)), key=lambda branch: (sizes[branch], branch))
        return node.branches[place]

    def is_known(self, node: C45Node, row: int) -> bool:
        assert node.split is not None
        return not math.isnan(self.attributes[node.split.attribute].values[row])
