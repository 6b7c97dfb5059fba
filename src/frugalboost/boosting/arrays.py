"""An ensemble as a handful of arrays, and back: what files hold."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.boosting.ensemble import Ensemble
from frugalboost.tree.flat import ARRAYS, FlatTree


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
    """The ensemble that `to_arrays` took apart, bit for bit."""
    n_features, n_outputs = arrays["shape"].tolist()
    ensemble = Ensemble(n_features, n_outputs, float(arrays["baseline"][0]))
    nodes = list(pairwise(arrays["node_offsets"].tolist()))
    words = list(pairwise(arrays["word_offsets"].tolist()))
    steps, restarts = arrays["steps"].tolist(), arrays["restarts"].tolist()
    for node, word, step, restarted in zip(nodes, words, steps, restarts, strict=True):
        parts = {
            name: arrays[name][slice(*(word if name == "category_words" else node))].copy()
            for name in ARRAYS
        }
        ensemble.append(FlatTree(**parts, n_features=n_features), step, restarted=restarted)
    return ensemble
