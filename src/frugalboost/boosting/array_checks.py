"""Whether arrays from a file are an ensemble: after this nothing in them can lead astray."""

from __future__ import annotations

import numpy as np

from frugalboost._typing import AnyArray, Ints

BY_NODE = {
    "feature": "int32",
    "threshold": "float64",
    "left": "int32",
    "right": "int32",
    "missing_left": "uint8",
    "category_start": "int32",
    "n_categories": "int32",
    "gain": "float64",
    "n_samples": "int64",
}
BY_TREE = {"steps": "float64", "restarts": "bool"}
OFFSETS = ("node_offsets", "word_offsets")

MOST_NODES = 1 << 30
"""Of a forest that the core can hold."""

MOST_CATEGORIES = 1 << 16


def check_arrays(arrays: dict[str, AnyArray]) -> None:
    """Raise a ValueError unless `from_arrays` makes an ensemble of them that predicts.

    The core walks from node to node without asking: children must be there, come after their
    parent and have no other, features and words must exist.
    """
    for name in OFFSETS:
        _check(arrays, name, "int64", 1)
    _check(arrays, "shape", "int64", 1, length=2)
    _check(arrays, "baseline", "float64", 1, length=1)
    n_features, n_outputs = arrays["shape"].tolist()
    _require(0 <= n_features < 1 << 31 and n_outputs >= 1, "its trees have an impossible shape")
    _require(bool(np.isfinite(arrays["baseline"]).all()), "its baseline is not finite")
    n_trees = len(arrays["node_offsets"]) - 1
    for name, dtype in BY_TREE.items():
        _check(arrays, name, dtype, 1, length=n_trees)
    _require(bool(np.isfinite(arrays["steps"]).all()), "a step is not finite")
    if n_trees == 0:
        return
    _check(arrays, "feature", BY_NODE["feature"], 1)
    n_nodes = len(arrays["feature"])
    for name, dtype in BY_NODE.items():
        _check(arrays, name, dtype, 1, length=n_nodes)
    _check(arrays, "value", "float64", 2, length=n_nodes)
    _require(arrays["value"].shape[1] == n_outputs, "its leaves say too few or too many numbers")
    _check(arrays, "category_words", "uint64", 1)
    _check_offsets(arrays["node_offsets"], n_nodes, least=1)
    _check_offsets(arrays["word_offsets"], len(arrays["category_words"]), least=0)
    _require(len(arrays["word_offsets"]) == n_trees + 1, "its trees and their words differ")
    _check_nodes(arrays, n_features)


def _check(
    arrays: dict[str, AnyArray], name: str, dtype: str, ndim: int, length: int | None = None
) -> None:
    array = arrays.get(name)
    _require(
        array is not None
        and array.dtype == dtype
        and array.ndim == ndim
        and (length is None or len(array) == length),
        f"its array {name!r} is missing or has the wrong type",
    )


def _check_offsets(offsets: Ints, end: int, least: int) -> None:
    """From 0 to `end` in steps of at least `least`."""
    is_whole = len(offsets) > 0 and offsets[0] == 0 and offsets[-1] == end
    # No difference can wrap round once both ends and the order are known to be right.
    rises = bool((offsets[1:] >= offsets[:-1]).all())
    _require(
        is_whole and rises and bool((np.diff(offsets) >= least).all()),
        "its trees do not lie one after the other",
    )


def _check_nodes(arrays: dict[str, AnyArray], n_features: int) -> None:
    offsets, feature = arrays["node_offsets"], arrays["feature"]
    _require(len(feature) < MOST_NODES, "it has too many nodes")
    sizes = np.diff(offsets)
    inner = np.flatnonzero(feature >= 0)
    _require(
        bool((feature >= -1).all() and (feature < n_features).all()), "a feature does not exist"
    )
    begin = np.repeat(offsets[:-1], sizes)[inner]
    end = np.repeat(offsets[1:], sizes)[inner]
    children = [begin + arrays[side][inner] for side in ("left", "right")]
    _require(
        all(bool(((child > inner) & (child < end)).all()) for child in children),
        "a node's child is not behind it in its tree",
    )
    n_parents = np.bincount(np.concatenate(children), minlength=len(feature))
    n_parents[offsets[:-1]] += 1  # roots need none
    _require(bool((n_parents == 1).all()), "a node has no parent, or two")
    _require(bool(np.isfinite(arrays["value"]).all()), "a leaf says a number that is not finite")
    _require(bool(np.isfinite(arrays["gain"]).all()), "a gain is not finite")
    _check_splits(arrays, inner)


def _check_splits(arrays: dict[str, AnyArray], inner: Ints) -> None:
    start, count = arrays["category_start"][inner], arrays["n_categories"][inner]
    is_numeric = start < 0
    _require(not np.isnan(arrays["threshold"][inner][is_numeric]).any(), "a split has no threshold")
    _require(
        bool(((count >= 0) & (count < MOST_CATEGORIES)).all()), "a split has too many categories"
    )
    n_words = np.repeat(np.diff(arrays["word_offsets"]), np.diff(arrays["node_offsets"]))[inner]
    last = start.astype(np.int64) + (count + 63) // 64
    _require(bool((is_numeric | (last <= n_words)).all()), "a split's categories do not exist")


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise ValueError(reason)
