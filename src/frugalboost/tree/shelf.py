"""Grown trees made flat, many of them in a few large arrays."""

from __future__ import annotations

from frugalboost import native
from frugalboost._typing import AnyArray, Floats
from frugalboost.tree.flat import FlatTree

FIRST_TREES = 8
"""Trees of the first one's size that the first table has room for; each table is twice the last."""

LARGEST_TABLE = 16384
"""Nodes from which on tables grow no more, unless a single tree has more: a model of few trees
should not keep much memory that it does not use."""


class TreeShelf:
    """Puts trees side by side.

    A tree of a few leaves has eleven arrays of a few numbers. Made one by one they take longer
    than the tree does to grow on a small table; slices of arrays that are there take a tenth.
    """

    def __init__(self, n_features: int) -> None:
        self._n_features = n_features
        self._table: native.NodeTable | None = None
        self._by_node: list[tuple[str, AnyArray]] = []
        self._sizes = (0, 0)

    def finish(self, nodes: native.GrownNodes, values: Floats) -> FlatTree:
        """Return the tree whose leaves say `values`, (n_leaves, n_outputs)."""
        place = None if self._table is None else nodes.add_to(self._table, values)
        if place is None:
            self._table = self._next_table(nodes, values.shape[1])
            views = self._table.views()
            for view in views.values():
                view.setflags(write=False)  # nor can any slice be written to
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
    """Room for `needed` and more, after a table of size `last`.

    >>> next_size(15, 0), next_size(15, 120), next_size(15, 16384), next_size(50000, 16384)
    (120, 240, 16384, 50000)
    """
    return max(needed, min(max(FIRST_TREES * needed, 2 * last), LARGEST_TABLE))
