"""Category sets of a tree in other codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from frugalboost._typing import AnyArray, Bools
from frugalboost.tree.flat import FlatTree


def recode_categories(tree: FlatTree, categories: Sequence[AnyArray | None]) -> FlatTree:
    """Say the sets of a tree, grown on a table of codes, in those codes.

    Parameters
    ----------
    tree : FlatTree
        Its sets hold positions in `categories`.
    categories : one array for each feature, None where it is numeric
        The codes that the growing rows held. Other codes go where missing values go, as any
        category does that a node does not know.
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
    found = np.full(int(known.max()) + 1, bool(missing_left))
    found[known[: len(goes_left)]] = goes_left[: len(known)]
    return found


def members(tree: FlatTree, node: int) -> Bools:
    """Whether each position of a node's set goes left."""
    n, first = int(tree.n_categories[node]), int(tree.category_start[node])
    words = tree.category_words[first : first + (n + 63) // 64]
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")
    return bits[:n].astype(bool)


def pack_bits(bits: Bools) -> AnyArray:
    """The opposite: 64 bits a word."""
    padded = np.zeros(-(-len(bits) // 64) * 64, dtype=bool)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)
