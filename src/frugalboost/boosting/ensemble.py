"""A weighted sum of trees."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats
from frugalboost.data.large_integers import large_thresholds
from frugalboost.tree import FlatTree
from frugalboost.tree.flat import pack


@dataclass
class Ensemble:
    """Trees and steps; the decision is ``baseline + sum of step * value``.

    Attributes
    ----------
    n_features, n_outputs : int
    baseline : float
        Decision before any tree.
    trees : list of FlatTree
    steps : list of float
    restarts : list of bool
        Whether the weights were made uniform again before each tree.
    """

    n_features: int
    n_outputs: int
    baseline: float = 0.0
    trees: list[FlatTree] = field(default_factory=list)
    steps: list[float] = field(default_factory=list)
    restarts: list[bool] = field(default_factory=list)
    _forest: native.Forest | None = field(default=None, repr=False, compare=False)
    _narrow: native.Forest | None = field(default=None, repr=False, compare=False)
    _used: AnyArray | None = field(default=None, repr=False, compare=False)
    _large: dict[int, Floats] | None = field(default=None, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.trees)

    def append(self, tree: FlatTree, step: float, *, restarted: bool) -> None:
        self.trees.append(tree)
        self.steps.append(step)
        self.restarts.append(restarted)
        self._forest = self._narrow = self._used = self._large = None

    def copy(self) -> Ensemble:
        """A copy that can grow by itself; trees are shared, as nothing changes them."""
        return self.head(len(self))

    def head(self, n: int) -> Ensemble:
        """The first n trees."""
        return Ensemble(
            self.n_features,
            self.n_outputs,
            self.baseline,
            self.trees[:n],
            self.steps[:n],
            self.restarts[:n],
        )

    @property
    def forest(self) -> native.Forest:
        """The trees packed to read matrices of all features; made when first needed."""
        if self._forest is None:
            self._forest = pack(self.trees, self.steps)
        return self._forest

    @property
    def narrow_forest(self) -> native.Forest:
        """The trees packed to read matrices of the used features; made when first needed."""
        if self._narrow is None:
            self._narrow = pack(self.trees, self.steps, self.used_features)
        return self._narrow

    @property
    def used_features(self) -> AnyArray:
        """Features that some tree splits on, ascending; found when first needed."""
        if self._used is None:
            used = np.unique(np.concatenate([tree.feature for tree in self.trees]))
            self._used = used[used >= 0]
        return self._used

    @property
    def large_thresholds(self) -> dict[int, Floats]:
        """Thresholds that integers may be rounded to, by feature; found when first needed."""
        if self._large is None:
            none: list[AnyArray] = [np.empty(0)]
            features = np.concatenate(none + [tree.feature for tree in self.trees])
            thresholds = np.concatenate(none + [tree.threshold for tree in self.trees])
            self._large = large_thresholds(features, thresholds)
        return self._large

    # The methods below take a matrix of numbers or codes, of any type and strides that the core
    # reads: of all features, or of the used ones only, which is told by its width.

    def decision(self, X: AnyArray, n_threads: int = 1) -> Floats:
        """Decision (n, n_outputs)."""
        return self._forest_for(X).predict(X, 0, len(self), self.baseline, n_threads)

    def staged_decision(self, X: AnyArray, n_threads: int = 1) -> Iterator[Floats]:
        """Decision after each tree; every array is fresh, the last equals `decision`."""
        forest = self._forest_for(X)
        sums = np.full((len(X), self.n_outputs), self.baseline)
        for t in range(len(self)):
            forest.add(X, t, t + 1, n_threads, sums)
            yield sums.copy()

    def apply(self, X: AnyArray, n_threads: int = 1) -> AnyArray:
        """Leaf (as node number) of each row in each tree, (n, n_trees)."""
        return self._forest_for(X).apply(X, 0, len(self), n_threads)

    def _forest_for(self, X: AnyArray) -> native.Forest:
        return self.forest if X.shape[1] == self.n_features else self.narrow_forest

    def importances(self) -> Floats:
        """Share of the gain that each feature brought, trees weighted by their steps.

        Zeros when no tree splits.
        """
        total = np.zeros(self.n_features)
        for tree, step in zip(self.trees, self.steps, strict=True):
            gain = tree.gain_by_feature()
            if gain.sum() > 0:
                total += abs(step) * gain / gain.sum()
        return total / total.sum() if total.sum() > 0 else total

    def digest(self, extra: bytes = b"") -> str:
        """SHA-256 of the trees, their steps and the baseline."""
        state = hashlib.sha256(extra)
        state.update(repr((self.n_features, self.n_outputs, self.baseline, self.steps)).encode())
        for tree in self.trees:
            for name, array in tree.arrays().items():
                state.update(name.encode())
                state.update(str((array.dtype, array.shape)).encode())
                state.update(np.ascontiguousarray(array).tobytes())
        return state.hexdigest()

    def __getstate__(self) -> dict[str, Any]:
        state = {**self.__dict__, "_forest": None, "_used": None}
        state.pop("_large", None)
        state.pop("_narrow", None)  # None by default, and models saved before it have none
        return state
