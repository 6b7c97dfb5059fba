"""Random flat trees, and a slow walk through them."""

from __future__ import annotations

import numpy as np

from frugalboost.tree import FlatTree

GRID = np.array([-np.inf, -1.5, 0.0, 0.5, 2.0, np.inf])
"""Thresholds and values are drawn from it, so that thresholds are hit exactly."""

N_CATEGORIES = (3, 70)  # one word, and more than one


def random_tree(rng, n_features=4, n_splits=6, n_outputs=1) -> FlatTree:
    """Features 0 and 1 are numeric, 2 and 3 categorical."""
    n_nodes = 2 * n_splits + 1
    arrays = {
        "feature": np.full(n_nodes, -1, dtype=np.int32),
        "threshold": np.full(n_nodes, np.nan),
        "left": np.full(n_nodes, -1, dtype=np.int32),
        "right": np.full(n_nodes, -1, dtype=np.int32),
        "missing_left": np.zeros(n_nodes, dtype=np.uint8),
        "category_start": np.full(n_nodes, -1, dtype=np.int32),
        "n_categories": np.zeros(n_nodes, dtype=np.int32),
    }
    words: list[int] = []
    leaves = [0]
    for split in range(n_splits):
        node = leaves.pop(rng.integers(len(leaves)))
        arrays["left"][node], arrays["right"][node] = children = 2 * split + 1, 2 * split + 2
        leaves += children
        feature = arrays["feature"][node] = rng.integers(n_features)
        arrays["missing_left"][node] = rng.integers(2)
        if feature < 2:
            arrays["threshold"][node] = rng.choice(GRID)
            continue
        arrays["category_start"][node] = len(words)
        arrays["n_categories"][node] = n = N_CATEGORIES[feature - 2]
        for first in range(0, n, 64):
            bits = rng.integers(2, size=min(64, n - first))
            words.append(sum(int(bit) << at for at, bit in enumerate(bits)))
    value = rng.normal(size=(n_nodes, n_outputs))
    value[arrays["feature"] >= 0] = 0.0
    return FlatTree(
        **arrays,
        category_words=np.array(words, dtype=np.uint64),
        value=value,
        gain=rng.random(n_nodes) * (arrays["feature"] >= 0),
        n_samples=rng.integers(1, 99, size=n_nodes),
        n_features=n_features,
    )


def random_rows(rng, n_rows) -> np.ndarray:
    """Values on the thresholds and between, infinities, NaN; codes seen, unseen and beyond."""
    numbers = rng.choice([*GRID, 0.25, 7.0, np.nan], size=(n_rows, 2))
    small = rng.choice([0, 1, 2, 3, 64, 1e6, np.nan], size=n_rows)
    large = rng.choice([*range(70), 70, 127, 128, np.nan], size=n_rows)
    return np.column_stack([numbers, small, large])


def goes_left(tree: FlatTree, node: int, x: float) -> bool:
    """As the attributes of `FlatTree` say."""
    start, n = tree.category_start[node], tree.n_categories[node]
    if np.isnan(x) or (start >= 0 and x >= n):
        return bool(tree.missing_left[node])
    if start < 0:
        return bool(x <= tree.threshold[node])
    word = int(tree.category_words[start + int(x) // 64])
    return bool(word >> (int(x) % 64) & 1)


def walk(tree: FlatTree, row: np.ndarray) -> int:
    """Node that the row ends in."""
    node = 0
    while tree.feature[node] >= 0:
        left = goes_left(tree, node, row[tree.feature[node]])
        node = int(tree.left[node] if left else tree.right[node])
    return node
