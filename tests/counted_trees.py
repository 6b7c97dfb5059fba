"""Small trees that know how many training rows each node had, and rows to send through them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st

from frugalboost.reference import CountedTree
from frugalboost.tree import FlatTree

N_FEATURES = 4
N_CATEGORIES = 3
CATEGORICAL = 3
"""Feature 3 holds codes from 0 to 2; its splits name the codes that go left."""

VALUES = (-np.inf, -1.0, 0.0, 0.5, 2.0, np.inf, np.nan)
CODES = (0.0, 1.0, 2.0, np.nan)

RowTree: TypeAlias = tuple[CountedTree, Callable[[int], bool]]


@st.composite
def flat_trees(draw: st.DrawFn, n_outputs: int = 1, most_inner: int = 7) -> FlatTree:
    """Trees with repeated features on a path, categories and very uneven counts."""
    n_inner = draw(st.integers(0, most_inner))
    n_nodes = 2 * n_inner + 1
    arrays = {
        "feature": np.full(n_nodes, -1, np.int32),
        "threshold": np.full(n_nodes, np.nan),
        "left": np.full(n_nodes, -1, np.int32),
        "right": np.full(n_nodes, -1, np.int32),
        "missing_left": np.zeros(n_nodes, np.uint8),
        "category_start": np.full(n_nodes, -1, np.int32),
        "n_categories": np.zeros(n_nodes, np.int32),
        "gain": np.zeros(n_nodes),
    }
    words: list[int] = []
    leaves = [0]
    for made in range(n_inner):
        node = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        arrays["feature"][node] = feature = draw(st.integers(0, N_FEATURES - 1))
        arrays["missing_left"][node] = draw(st.booleans())
        arrays["left"][node], arrays["right"][node] = 2 * made + 1, 2 * made + 2
        leaves += [2 * made + 1, 2 * made + 2]
        if feature == CATEGORICAL:
            arrays["category_start"][node], arrays["n_categories"][node] = len(words), N_CATEGORIES
            words.append(draw(st.integers(0, 2**N_CATEGORIES - 1)))
        else:
            arrays["threshold"][node] = draw(st.sampled_from([-1.0, 0.0, 0.25, 1.0]))
    counts = st.one_of(st.integers(1, 5), st.integers(1, 10**9))
    said = st.floats(-100, 100, allow_subnormal=False)
    value = draw(st.lists(said, min_size=n_nodes * n_outputs, max_size=n_nodes * n_outputs))
    return FlatTree(
        **arrays,
        category_words=np.array(words, dtype=np.uint64),
        value=np.array(value).reshape(n_nodes, n_outputs) * (arrays["feature"] < 0)[:, np.newaxis],
        n_samples=np.array(draw(st.lists(counts, min_size=n_nodes, max_size=n_nodes)), np.int64),
        n_features=N_FEATURES,
    )


def rows() -> st.SearchStrategy[np.ndarray]:
    numbers = st.lists(st.sampled_from(VALUES), min_size=3, max_size=3)
    return st.tuples(numbers, st.sampled_from(CODES)).map(lambda row: np.array([*row[0], row[1]]))


def side_of(tree: FlatTree, row: np.ndarray) -> Callable[[int], bool]:
    """Which way the row goes at a node, step by step as the attributes of `FlatTree` say."""

    def goes_left(node: int) -> bool:
        x = row[tree.feature[node]]
        if np.isnan(x):
            return bool(tree.missing_left[node])
        if tree.category_start[node] < 0:
            return bool(x <= tree.threshold[node])
        return bool(int(tree.category_words[tree.category_start[node]]) >> int(x) & 1)

    return goes_left


def counted(tree: FlatTree, output: int = 0) -> CountedTree:
    columns = (tree.feature, tree.left, tree.right, tree.n_samples, tree.value[:, output])
    return CountedTree(*(column.tolist() for column in columns))


@st.composite
def row_trees(draw: st.DrawFn) -> RowTree:
    tree = draw(flat_trees())
    return counted(tree), side_of(tree, draw(rows()))
