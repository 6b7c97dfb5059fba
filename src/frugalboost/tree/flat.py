"""A fitted tree as parallel arrays: no bins, no training data, nothing but the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Bools, Floats


def recode_categories(tree: FlatTree, categories: Sequence[AnyArray | None]) -> FlatTree:
    """Rewrite the sets of a tree, grown on a table of codes, in terms of those codes.

    Parameters
    ----------
    tree : FlatTree
        Its sets hold positions in `categories`.
    categories : one array for each feature, None where it is numeric
        The codes that occur in the rows it grew on. Other codes go where missing values go, like
        any category unknown to a node.
    """
    if not len(tree.category_words):
        return tree
    start = np.full(tree.n_nodes, -1, dtype=np.int32)
    size = np.zeros(tree.n_nodes, dtype=np.int32)
    words: list[AnyArray] = []
    n_words = 0
    for node in np.flatnonzero(tree.category_start >= 0).tolist():
        known = categories[tree.feature[node]]
        assert known is not None
        goes_left = recoded(members(tree, node), known.astype(np.int64), tree.missing_left[node])
        packed = pack_bits(goes_left)
        start[node], size[node] = n_words, len(goes_left)
        words.append(packed)
        n_words += len(packed)
    return replace(
        tree, category_start=start, n_categories=size, category_words=np.concatenate(words)
    )


def recoded(goes_left: Bools, known: AnyArray, missing_left: bool) -> Bools:
    """Whether each code up to the largest known one goes left.

    >>> recoded(np.array([True, False]), np.array([1, 3]), missing_left=False)
    array([False,  True, False, False])
    """
    is_left = np.full(int(known.max()) + 1, bool(missing_left))
    is_left[known[: len(goes_left)]] = goes_left[: len(known)]
    return is_left


def members(tree: FlatTree, node: int) -> Bools:
    """Whether each position of a node's set goes left."""
    n, first = int(tree.n_categories[node]), int(tree.category_start[node])
    words = tree.category_words[first : first + (n + 63) // 64]
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")
    return bits[:n].astype(bool)


def pack_bits(bits: Bools) -> AnyArray:
    """The inverse of `members`: 64 bits per word."""
    padded = np.zeros(-(-len(bits) // 64) * 64, dtype=bool)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)


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
"""Names of a tree's arrays, in the order in which they enter the digest."""


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
        Value of a leaf, before the step; 0 at inner nodes.
    gain : (n_nodes,) float64
        Reduction of the loss by the split, as a share of the tree's total weight.
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
        """A tree of arrays that are already read-only: none of them needs to be made so."""
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
        """Number of each node among the leaves, in order; meaningless at inner nodes."""
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
    """Join trees for the compiled predictor, steps multiplied in.

    With `features`, ascending and including all that the trees use, the predictor reads matrices
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


FIRST_TREES = 8
"""How many trees of the first one's size fit the first table; each table is twice the last."""

LARGEST_TABLE = 16384
"""Most nodes of a table, unless a single tree has more: a model of few trees should not keep much
memory that it does not use."""


class NodeArena:
    """Stores trees side by side in shared arrays.

    A tree of a few leaves has eleven arrays of a few numbers. Making them one by one takes longer
    than growing the tree on a small table; slicing existing arrays takes a tenth of that.
    """

    def __init__(self, n_features: int) -> None:
        self._n_features = n_features
        self._table: native.NodeTable | None = None
        self._by_node: list[tuple[str, AnyArray]] = []
        self._sizes = (0, 0)

    def finish(self, nodes: native.GrownNodes, values: Floats) -> FlatTree:
        """Return the tree with the leaf values `values`, (n_leaves, n_outputs)."""
        place = None if self._table is None else nodes.add_to(self._table, values)
        if place is None:
            self._table = self._next_table(nodes, values.shape[1])
            views = self._table.views()
            for view in views.values():
                view.setflags(write=False)  # which makes every slice read-only, too
            self._words = views.pop("category_words")
            self._by_node = list(views.items())
            place = nodes.add_to(self._table, values)
            assert place is not None  # the table was made to hold at least this tree
        node, word = place
        return self._tree(slice(node, node + nodes.n_nodes), slice(word, word + nodes.n_words))

    def _next_table(self, nodes: native.GrownNodes, n_outputs: int) -> native.NodeTable:
        needed = (nodes.n_nodes, nodes.n_words)
        self._sizes = (
            next_size(needed[0], self._sizes[0]),
            next_size(needed[1], self._sizes[1]),
        )
        return native.NodeTable(*self._sizes, n_outputs)

    def _tree(self, rows: slice, words: slice) -> FlatTree:
        arrays = {name: array[rows] for name, array in self._by_node}
        return FlatTree.of_views({**arrays, "category_words": self._words[words]}, self._n_features)


def next_size(needed: int, last: int) -> int:
    """Size of a table with room for `needed` or more, after one of size `last`.

    >>> next_size(15, 0), next_size(15, 120), next_size(15, 16384), next_size(50000, 16384)
    (120, 240, 16384, 50000)
    """
    return max(needed, min(max(FIRST_TREES * needed, 2 * last), LARGEST_TABLE))
