"""A weighted sum of trees, as an object and as the arrays stored in files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats, Ints
from frugalboost.data.tables import large_thresholds
from frugalboost.tree.flat import ARRAYS, FlatTree, pack

BY_NODE = {
    "feature": "int32",
    "threshold": "float64",
    "left": "int32",
    "right": "int32",
    "missing_left": "uint8",
    "category_start": "int32",
    "n_categories": "int32",
    "gain": "float64",
    "n_samples": "int64",
}
BY_TREE = {"steps": "float64", "restarts": "bool"}
OFFSETS = ("node_offsets", "word_offsets")

MOST_NODES = 1 << 30
"""The core's limit on the nodes of a forest."""

MOST_CATEGORIES = 1 << 16


def check_arrays(arrays: dict[str, AnyArray]) -> None:
    """Raise a ValueError unless `from_arrays` can make a working ensemble of them.

    The core walks from node to node unchecked: children must exist, come after their parent and
    have no other, and features and words must exist.
    """
    for name in OFFSETS:
        _check(arrays, name, "int64", 1)
    _check(arrays, "shape", "int64", 1, length=2)
    _check(arrays, "baseline", "float64", 1, length=1)
    n_features, n_outputs = arrays["shape"].tolist()
    _require(0 <= n_features < 1 << 31 and n_outputs >= 1, "its trees have an impossible shape")
    _require(bool(np.isfinite(arrays["baseline"]).all()), "its baseline is not finite")
    n_trees = len(arrays["node_offsets"]) - 1
    for name, dtype in BY_TREE.items():
        _check(arrays, name, dtype, 1, length=n_trees)
    _require(bool(np.isfinite(arrays["steps"]).all()), "a step is not finite")
    if n_trees == 0:
        return
    _check(arrays, "feature", BY_NODE["feature"], 1)
    n_nodes = len(arrays["feature"])
    for name, dtype in BY_NODE.items():
        _check(arrays, name, dtype, 1, length=n_nodes)
    _check(arrays, "value", "float64", 2, length=n_nodes)
    _require(arrays["value"].shape[1] == n_outputs, "its leaves hold too few or too many numbers")
    _check(arrays, "category_words", "uint64", 1)
    _check_offsets(arrays["node_offsets"], n_nodes, least=1)
    _check_offsets(arrays["word_offsets"], len(arrays["category_words"]), least=0)
    _require(len(arrays["word_offsets"]) == n_trees + 1, "its word offsets do not match its trees")
    _check_nodes(arrays, n_features)


def _check(
    arrays: dict[str, AnyArray], name: str, dtype: str, ndim: int, length: int | None = None
) -> None:
    array = arrays.get(name)
    _require(
        array is not None
        and array.dtype == dtype
        and array.ndim == ndim
        and (length is None or len(array) == length),
        f"its array {name!r} is missing or has the wrong type",
    )


def _check_offsets(offsets: Ints, end: int, least: int) -> None:
    """Require offsets from 0 to `end` in steps of at least `least`."""
    is_whole = len(offsets) > 0 and offsets[0] == 0 and offsets[-1] == end
    # No difference can wrap round once both ends and the order are known to be right.
    rises = bool((offsets[1:] >= offsets[:-1]).all())
    _require(
        is_whole and rises and bool((np.diff(offsets) >= least).all()),
        "its trees have wrong offsets",
    )


def _check_nodes(arrays: dict[str, AnyArray], n_features: int) -> None:
    offsets, feature = arrays["node_offsets"], arrays["feature"]
    _require(len(feature) < MOST_NODES, "it has too many nodes")
    sizes = np.diff(offsets)
    inner = np.flatnonzero(feature >= 0)
    _require(
        bool((feature >= -1).all() and (feature < n_features).all()), "a feature does not exist"
    )
    begin = np.repeat(offsets[:-1], sizes)[inner]
    end = np.repeat(offsets[1:], sizes)[inner]
    children = [begin + arrays[side][inner] for side in ("left", "right")]
    _require(
        all(bool(((child > inner) & (child < end)).all()) for child in children),
        "a node's child does not come after it in its tree",
    )
    n_parents = np.bincount(np.concatenate(children), minlength=len(feature))
    n_parents[offsets[:-1]] += 1  # roots need none
    _require(bool((n_parents == 1).all()), "a node has no parent, or two")
    _require(bool(np.isfinite(arrays["value"]).all()), "a leaf value is not finite")
    _require(bool(np.isfinite(arrays["gain"]).all()), "a gain is not finite")
    _check_splits(arrays, inner)


def _check_splits(arrays: dict[str, AnyArray], inner: Ints) -> None:
    start, count = arrays["category_start"][inner], arrays["n_categories"][inner]
    is_numeric = start < 0
    _require(not np.isnan(arrays["threshold"][inner][is_numeric]).any(), "a split has no threshold")
    _require(
        bool(((count >= 0) & (count < MOST_CATEGORIES)).all()), "a split has too many categories"
    )
    n_words = np.repeat(np.diff(arrays["word_offsets"]), np.diff(arrays["node_offsets"]))[inner]
    last = start.astype(np.int64) + (count + 63) // 64
    _require(bool((is_numeric | (last <= n_words)).all()), "a split's categories do not exist")


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise ValueError(reason)


NAMES = (*ARRAYS, "node_offsets", "word_offsets", "steps", "restarts", "shape", "baseline")


def to_arrays(ensemble: Ensemble) -> dict[str, AnyArray]:
    """Trees one after the other, with the offsets of their nodes and words."""
    trees = ensemble.trees
    joined = {
        name: np.concatenate([getattr(tree, name) for tree in trees]) for name in ARRAYS if trees
    }
    return {
        **joined,
        "node_offsets": np.cumsum([0, *(tree.n_nodes for tree in trees)], dtype=np.int64),
        "word_offsets": np.cumsum([0, *(len(t.category_words) for t in trees)], dtype=np.int64),
        "steps": np.array(ensemble.steps, dtype=np.float64),
        "restarts": np.array(ensemble.restarts, dtype=bool),
        "shape": np.array([ensemble.n_features, ensemble.n_outputs], dtype=np.int64),
        "baseline": np.array([ensemble.baseline]),
    }


def from_arrays(arrays: dict[str, AnyArray]) -> Ensemble:
    """Rebuild the ensemble from `to_arrays`, bit for bit; see `check_arrays` for files."""
    n_features, n_outputs = arrays["shape"].tolist()
    nodes = list(pairwise(arrays["node_offsets"].tolist()))
    words = list(pairwise(arrays["word_offsets"].tolist()))
    # Slices of a few large arrays: a thousand trees have eleven thousand small ones.
    whole = {name: arrays[name].copy() for name in ARRAYS if nodes}
    for array in whole.values():
        array.setflags(write=False)
    by_node = [(name, array) for name, array in whole.items() if name != "category_words"]
    trees = []
    for (first, last), (word, next_word) in zip(nodes, words, strict=True):
        parts = {name: array[first:last] for name, array in by_node}
        parts["category_words"] = whole["category_words"][word:next_word]
        trees.append(FlatTree.of_views(parts, n_features))
    steps, restarts = arrays["steps"].tolist(), arrays["restarts"].tolist()
    baseline = float(arrays["baseline"][0])
    return Ensemble(n_features, n_outputs, baseline, trees, steps, restarts)


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
        Whether the weights were reset to uniform before each tree.
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
        """A copy that can grow independently; trees are shared, as nothing modifies them."""
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
        """The trees packed to read matrices of all features; built on first use."""
        if self._forest is None:
            self._forest = pack(self.trees, self.steps)
        return self._forest

    @property
    def narrow_forest(self) -> native.Forest:
        """The trees packed to read matrices of the used features; built on first use."""
        if self._narrow is None:
            self._narrow = pack(self.trees, self.steps, self.used_features)
        return self._narrow

    @property
    def used_features(self) -> AnyArray:
        """Features that some tree splits on, ascending; computed on first use."""
        if self._used is None:
            used = np.unique(np.concatenate([tree.feature for tree in self.trees]))
            self._used = used[used >= 0]
        return self._used

    @property
    def large_thresholds(self) -> dict[int, Floats]:
        """Thresholds that integers may be rounded to, by feature; computed on first use."""
        if self._large is None:
            none: list[AnyArray] = [np.empty(0)]
            features = np.concatenate(none + [tree.feature for tree in self.trees])
            thresholds = np.concatenate(none + [tree.threshold for tree in self.trees])
            self._large = large_thresholds(features, thresholds)
        return self._large

    # The methods below take a matrix of numbers or codes, of any type and strides that the core
    # reads: of all features, or of the used ones only; its width tells which.

    def decision(self, X: AnyArray, n_threads: int = 1) -> Floats:
        """Decision (n, n_outputs)."""
        return self._forest_for(X).predict(X, 0, len(self), self.baseline, n_threads)

    def staged_decision(self, X: AnyArray, n_threads: int = 1) -> Iterator[Floats]:
        """Decision after each tree; every array is new, and the last equals `decision`."""
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
        """Each feature's share of the gain, with trees weighted by their steps.

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
        state.pop("_narrow", None)  # None by default, and models saved before it existed have none
        return state


def as_rule_sees(decision: Floats) -> Floats:
    """(n, 1) as (n,): rules take a single output without its axis."""
    return decision[:, 0] if decision.shape[1] == 1 else decision
