"""A tree of C4.5, release 8 (Quinlan 1993): any number of branches, cases in several of them.

`c45_splits` chooses the tests, `c45_pruning` prunes; here trees grow and classify.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from frugalboost.reference.c45_splits import SLACK, Attribute, Cases, Split, SplitFinder
from frugalboost.reference.losses import add_up


@dataclass
class C45Node:
    """A leaf, unless it has branches.

    Attributes
    ----------
    by_class : weights of its cases; an empty leaf has none
    label : the class that it names
    errors : of the subtree, on the cases that it grew on; after pruning the expected ones
    split : the test, and `branches` those below
    """

    by_class: list[float]
    label: int
    errors: float
    split: Split | None = None
    branches: list[C45Node] = field(default_factory=list)

    @property
    def n_cases(self) -> float:
        return add_up(self.by_class)

    def cut(self, errors: float) -> None:
        """Make it a leaf."""
        self.split, self.branches, self.errors = None, [], errors

    def replace_by(self, other: C45Node) -> None:
        self.__dict__.update(other.__dict__)

    def as_tuple(self) -> tuple[object, ...]:
        """The tree as nested tuples, to compare with ``==``."""
        if self.split is None:
            return (self.label, *self.by_class)
        test = self.split.attribute, None if math.isnan(self.split.cut) else self.split.cut
        return (test, *(branch.as_tuple() for branch in self.branches))


def branch_of(split: Split, attributes: Sequence[Attribute], row: int) -> int | None:
    """The branch a case belongs to; None: unknown."""
    attribute = attributes[split.attribute]
    value = attribute.values[row]
    if math.isnan(value):
        return None
    return int(value) if attribute.n_categories else int(value > split.cut)


def divide(split: Split, attributes: Sequence[Attribute], cases: Cases) -> list[Cases]:
    """The cases of each branch; one of unknown value goes to all of them, in shares.

    A branch has the share of its known cases. One without any gets no case at all.
    """
    sides = [branch_of(split, attributes, row) for row, _ in cases]
    n_branches = attributes[split.attribute].n_categories or 2
    known = [0.0] * n_branches
    for side, (_, weight) in zip(sides, cases, strict=True):
        if side is not None:
            known[side] += weight
    total = add_up(known)
    return [
        [
            (row, weight if side == branch else weight * (known[branch] / total))
            for side, (row, weight) in zip(sides, cases, strict=True)
            if side == branch or (side is None and branch in sides)
        ]
        for branch in range(n_branches)
    ]


@dataclass(frozen=True)
class C45Grower:
    """Grows a tree and leaves pruning to others."""

    finder: SplitFinder

    def grow(self, cases: Cases, tested: frozenset[int] = frozenset()) -> C45Node:
        """A tree for these cases; `tested` are categorical attributes that are used up."""
        node = self.leaf(cases)
        n = add_up(weight for _, weight in cases)
        if node.by_class[node.label] == n or n < 2 * self.finder.min_cases:
            return node
        split = self.finder.best(cases, tested)
        if split is None:
            return node
        as_leaf = node.errors
        attributes = self.finder.attributes
        if attributes[split.attribute].n_categories:
            tested |= {split.attribute}
        node.split = split
        for part in divide(split, attributes, cases):
            empty = C45Node([0.0] * self.finder.n_classes, node.label, 0.0)
            node.branches.append(self.grow(part, tested) if part else empty)
        node.errors = add_up(branch.errors for branch in node.branches)
        if node.errors >= as_leaf - SLACK:  # no worse off with a leaf
            node.cut(as_leaf)
        return node

    def leaf(self, cases: Cases) -> C45Node:
        """It names the most frequent class, ties to the lowest."""
        by_class = [0.0] * self.finder.n_classes
        for row, weight in cases:
            by_class[self.finder.labels[row]] += weight
        label = by_class.index(max(by_class))
        return C45Node(by_class, label, add_up(weight for _, weight in cases) - by_class[label])


def shares(node: C45Node, attributes: Sequence[Attribute], row: int) -> list[float]:
    """How probable each class is: those of the leaf, or a mixture of several."""
    found = [0.0] * len(node.by_class)
    _add_shares(node, attributes, row, 1.0, found)
    return found


def _add_shares(
    node: C45Node, attributes: Sequence[Attribute], row: int, weight: float, found: list[float]
) -> None:
    if node.split is None:
        n = node.n_cases
        if n > 0:
            for k, cases in enumerate(node.by_class):
                found[k] += weight * cases / n
        else:
            found[node.label] += weight
        return
    side = branch_of(node.split, attributes, row)
    if side is not None:
        _add_shares(node.branches[side], attributes, row, weight, found)
        return
    for branch in node.branches:
        _add_shares(branch, attributes, row, weight * branch.n_cases / node.n_cases, found)
