"""An ensemble as a handful of arrays, and back: what files hold."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.boosting.ensemble import Ensemble
from frugalboost.tree.flat import ARRAYS, FlatTree

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
    """The ensemble that `to_arrays` took apart, bit for bit; see `check_arrays` for files."""
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
