"""A fitted tree as parallel arrays: no bins, no training data, nothing but the model."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats

ARRAYS = (
    "feature",
    "threshold",
    "left",
    "right",
    "missing_left",
    "category_start",
    "n_categories",
    "category_words",
    "value",
    "gain",
    "n_samples",
)
"""Names of a tree's arrays, in the order in which they are digested."""


@dataclass(frozen=True, eq=False, repr=False)
class FlatTree:
    """A tree whose node 0 is the root and whose children come after their parent.

    Attributes
    ----------
    feature : (n_nodes,) int32
        Feature that the node splits on, -1 at a leaf.
    threshold : (n_nodes,) float64
        Numeric splits: ``x <= threshold`` goes left. NaN elsewhere.
    left, right : (n_nodes,) int32
        Children, -1 at a leaf.
    missing_left : (n_nodes,) uint8
        Whether NaN and categories unknown to the node go left.
    category_start, n_categories : (n_nodes,) int32
        Categorical splits: the set that goes left is the first `n_categories` bits from word
        `category_start` of `category_words`; -1 and 0 elsewhere.
    category_words : (n_words,) uint64
    value : (n_nodes, n_outputs) float64
        What a leaf says, before the step; 0 at inner nodes.
    gain : (n_nodes,) float64
        Loss the split saved, as a share of the tree's total weight.
    n_samples : (n_nodes,) int64
        Training rows in the node.
    n_features : int
    """

    feature: AnyArray
    threshold: Floats
    left: AnyArray
    right: AnyArray
    missing_left: AnyArray
    category_start: AnyArray
    n_categories: AnyArray
    category_words: AnyArray
    value: Floats
    gain: Floats
    n_samples: AnyArray
    n_features: int

    def __post_init__(self) -> None:
        for name in ARRAYS:
            getattr(self, name).setflags(write=False)

    @classmethod
    def of_views(cls, arrays: dict[str, AnyArray], n_features: int) -> FlatTree:
        """A tree of arrays that nobody can write to: they need not be asked one by one."""
        tree = object.__new__(cls)
        tree.__dict__.update(arrays, n_features=n_features)
        return tree

    def arrays(self) -> dict[str, AnyArray]:
        """The arrays by name, in a fixed order."""
        return {name: getattr(self, name) for name in ARRAYS}

    @property
    def n_nodes(self) -> int:
        return len(self.feature)

    @property
    def is_leaf(self) -> AnyArray:
        return np.asarray(self.feature < 0)

    @property
    def n_leaves(self) -> int:
        return int(self.is_leaf.sum())

    @property
    def leaf_number(self) -> AnyArray:
        """Number of each node among the leaves, in order; of no meaning at inner nodes."""
        return np.cumsum(self.is_leaf, dtype=np.int32) - 1

    @property
    def n_outputs(self) -> int:
        return int(self.value.shape[1])

    @property
    def depth(self) -> int:
        """Splits on the longest path."""
        depth = np.zeros(self.n_nodes, dtype=np.int64)
        for node in np.flatnonzero(~self.is_leaf):
            depth[[self.left[node], self.right[node]]] = depth[node] + 1
        return int(depth.max())

    def apply(self, X: AnyArray, n_threads: int = 1) -> AnyArray:
        """Node that each row of an encoded matrix ends in."""
        return pack([self], [1.0]).apply(X, 0, 1, n_threads)[:, 0]

    def predict(self, X: AnyArray, n_threads: int = 1) -> Floats:
        """Value of the leaf that each row of an encoded matrix ends in, (n, n_outputs)."""
        return pack([self], [1.0]).predict(X, 0, 1, 0.0, n_threads)

    def gain_by_feature(self) -> Floats:
        """Gain summed over the nodes that split on each feature."""
        inner = ~self.is_leaf
        total = np.bincount(self.feature[inner], self.gain[inner], minlength=self.n_features)
        return np.asarray(total, dtype=np.float64)

    def __repr__(self) -> str:
        return f"FlatTree(n_leaves={self.n_leaves}, depth={self.depth})"

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, value)
        self.__post_init__()


def pack(
    trees: list[FlatTree], steps: list[float], features: AnyArray | None = None
) -> native.Forest:
    """Put trees one after the other for the compiled predictor, steps multiplied in.

    With `features`, ascending and holding all that the trees use, the predictor reads matrices
    of these columns only.
    """
    sizes = [tree.n_nodes for tree in trees]
    words = np.cumsum([0, *(len(tree.category_words) for tree in trees)])
    starts = [
        np.where(tree.category_start < 0, -1, tree.category_start + shift)
        for tree, shift in zip(trees, words, strict=False)
    ]
    joined = {
        name: np.concatenate([getattr(tree, name) for tree in trees])
        for name in (
            "threshold",
            "left",
            "right",
            "missing_left",
            "n_categories",
            "category_words",
        )
    }
    feature = np.concatenate([tree.feature for tree in trees])
    n_features = trees[0].n_features
    if features is not None:
        feature = np.where(feature < 0, -1, np.searchsorted(features, feature)).astype(np.int32)
        n_features = len(features)
    return native.Forest(
        feature=feature,
        roots=np.cumsum([0, *sizes], dtype=np.int64),
        category_start=np.concatenate(starts).astype(np.int32),
        values=np.concatenate([step * tree.value for tree, step in zip(trees, steps, strict=True)]),
        n_features=n_features,
        **joined,
    )
