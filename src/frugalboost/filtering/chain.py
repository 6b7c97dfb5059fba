"""The trees so far as a few packed forests, so that a new tree costs little to add."""

from __future__ import annotations

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats
from frugalboost.tree import FlatTree
from frugalboost.tree.flat import pack


class Chain:
    """Packed forests of 2^a, 2^b, ... trees with a > b > ..., as the binary digits of their number.

    Packing all trees anew for each round would take longer than a round. Here a tree is packed
    once for each power of two, and scores are sums tree by tree, as `Ensemble.decision` adds them:
    a score that is brought up to date is the score that was made afresh, bit for bit.
    """

    def __init__(self) -> None:
        self._parts: list[tuple[native.Forest, list[FlatTree], list[float]]] = []
        self.n_trees = 0

    def append(self, tree: FlatTree, step: float) -> None:
        trees, steps = [tree], [step]
        while self._parts and len(self._parts[-1][1]) <= len(trees):
            _, earlier, earlier_steps = self._parts.pop()
            trees, steps = earlier + trees, earlier_steps + steps
        self._parts.append((pack(trees, steps), trees, steps))
        self.n_trees += 1

    def advance(self, X: AnyArray, seen: AnyArray, scores: Floats, n_threads: int = 1) -> None:
        """Add to the scores what the trees say that a row has not seen; in place.

        `seen` is int32: how many trees a row's score holds already.
        """
        begin = 0
        for forest, trees, _ in self._parts:
            end = begin + len(trees)
            first = np.clip(seen - begin, 0, len(trees)).astype(np.int32)
            if not (first == len(trees)).all():
                forest.add_from(X, first, n_threads, scores)
            begin = end
        seen[:] = self.n_trees
