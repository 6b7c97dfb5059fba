"""Trees that vote for classes, with weights."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.c45.tree import C45Tree
from frugalboost.data.tables import large_thresholds
from frugalboost.rules import LeafSums, Rule


def values_of_classes(rule: Rule) -> Floats:
    """What a vote for each class adds to the decision, (K, V), before the step."""
    sums = np.eye(rule.n_classes)
    return rule.judge(LeafSums(sums, rule.n_classes), is_first=True, is_fresh=True).values


@dataclass
class C45Committee:
    """The decision is the sum of step times the value of the class that a tree votes for.

    Attributes
    ----------
    values : (K, V), of the classes
    trees : list of C45Tree
    steps : list of float
    restarts : list of bool
        Whether the weights were reset before each tree.
    is_single : bool
        One tree, whose leaves tell the shares of the classes; a vote would lose them.
    """

    values: Floats
    is_single: bool = False
    trees: list[C45Tree] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    restarts: list[bool] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.trees)

    def append(self, tree: C45Tree, step: float, *, restarted: bool) -> None:
        self.trees.append(tree)
        self.steps.append(step)
        self.restarts.append(restarted)

    def take(self, places: Sequence[int], factors: Sequence[float]) -> C45Committee:
        """These members, with their steps multiplied by the factors."""
        kept = C45Committee(self.values, self.is_single)
        for place, factor in zip(places, factors, strict=True):
            kept.append(
                self.trees[place], self.steps[place] * factor, restarted=self.restarts[place]
            )
        return kept

    def scores(self, X: AnyArray) -> Iterator[Floats]:
        """What each member adds to the decision, (n, V)."""
        for tree, step in zip(self.trees, self.steps, strict=True):
            yield (step * self.values)[tree.votes(X)]

    def staged_decision(self, X: AnyArray) -> Iterator[Floats]:
        """Decision (n, V) after each member; every array is new."""
        sums = np.zeros((len(X), self.values.shape[1]))
        for score in self.scores(X):
            sums = sums + score
            yield sums

    def large_thresholds(self) -> dict[int, Floats]:
        """Thresholds that integers may be rounded to, by feature."""
        features = np.concatenate([tree.feature for tree in self.trees])
        thresholds = np.concatenate([tree.threshold for tree in self.trees])
        return large_thresholds(features, thresholds)

    def importances(self, n_features: int) -> Floats:
        """Each feature's share of the bits saved, with trees weighted by their steps."""
        total = np.zeros(n_features)
        for tree, step in zip(self.trees, self.steps, strict=True):
            gain = tree.gain_by_feature(n_features)
            if gain.sum() > 0:
                total += abs(step) * gain / gain.sum()
        return total / total.sum() if total.sum() > 0 else total

    def digest(self, extra: bytes = b"") -> str:
        """SHA-256 of the trees and their steps."""
        state = hashlib.sha256(extra)
        state.update(repr(self.steps).encode())
        for tree in self.trees:
            for name, array in tree.arrays().items():
                state.update(repr((name, array.dtype, array.shape)).encode())
                state.update(np.ascontiguousarray(array).tobytes())
        return state.hexdigest()
