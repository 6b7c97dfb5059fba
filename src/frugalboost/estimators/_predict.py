"""Predictions for tables of any kind, read in blocks of bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray, Floats
from frugalboost.boosting import Ensemble
from frugalboost.data import Schema
from frugalboost.tree import FlatTree


def decide(ensemble: Ensemble, schema: Schema, X: Any, n_threads: int, owner: str) -> Floats:
    """Decision (n, n_outputs) for a user's table."""
    blocks = schema.iter_blocks(X, ensemble.used_features.tolist(), owner)
    return np.concatenate([ensemble.decision(block, n_threads) for _, block in blocks])


def decide_in_stages(
    ensemble: Ensemble, schema: Schema, X: Any, n_threads: int, owner: str
) -> Iterator[Floats]:
    """Decision after each tree."""
    blocks = [block for _, block in schema.iter_blocks(X, ensemble.used_features.tolist(), owner)]
    for parts in zip(*(ensemble.staged_decision(b, n_threads) for b in blocks), strict=True):
        yield np.concatenate(parts)


def find_leaves(ensemble: Ensemble, schema: Schema, X: Any, n_threads: int, owner: str) -> AnyArray:
    """Node that each row ends in, (n, n_trees)."""
    blocks = schema.iter_blocks(X, ensemble.used_features.tolist(), owner)
    return np.concatenate([ensemble.apply(block, n_threads) for _, block in blocks])


def tree_values(tree: FlatTree, schema: Schema, X: Any, n_threads: int, owner: str) -> Floats:
    """What one tree says about each row."""
    single = Ensemble(tree.n_features, tree.n_outputs)
    single.append(tree, 1.0, restarted=False)
    return decide(single, schema, X, n_threads, owner)
