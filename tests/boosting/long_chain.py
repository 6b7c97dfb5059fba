"""A tree whose one long path asks for a new feature at every step."""

from __future__ import annotations

import numpy as np

from frugalboost.boosting import Ensemble
from frugalboost.tree import FlatTree


def chain(n_features: int) -> Ensemble:
    """Node 2i splits on feature i; left is a leaf that says i, right the next step."""
    n = 2 * n_features + 1
    node = np.arange(n)
    is_split = (node % 2 == 0) & (node < n - 1)
    tree = FlatTree(
        feature=np.where(is_split, node // 2, -1).astype(np.int32),
        threshold=np.where(is_split, 0.5, np.nan),
        left=np.where(is_split, node + 1, -1).astype(np.int32),
        right=np.where(is_split, node + 2, -1).astype(np.int32),
        missing_left=np.zeros(n, dtype=np.uint8),
        category_start=np.full(n, -1, dtype=np.int32),
        n_categories=np.zeros(n, dtype=np.int32),
        category_words=np.zeros(0, dtype=np.uint64),
        value=np.where(is_split, 0.0, node / n)[:, np.newaxis],
        gain=np.zeros(n),
        n_samples=np.where(is_split, n_features + 1 - node // 2, 1).astype(np.int64),
        n_features=n_features,
    )
    ensemble = Ensemble(n_features, 1)
    ensemble.append(tree, 1.0, restarted=False)
    return ensemble
