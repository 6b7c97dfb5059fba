"""Hands the small problems of `strategies` to the compiled core."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from frugalboost import native
from frugalboost.reference import Column, Node
from frugalboost.tree import CRITERIA, SEARCHES
from strategies import TinyProblem

STORAGES = native.STORAGES


def make_columns(columns: Sequence[Column], storages: Sequence[str]) -> native.Columns:
    """Columns stored as asked; the default of a sparse column is its most frequent code."""
    dense8 = [c.codes for c, s in zip(columns, storages, strict=True) if s == "dense8"]
    dense16 = [c.codes for c, s in zip(columns, storages, strict=True) if s == "dense16"]
    sparse = [c.codes for c, s in zip(columns, storages, strict=True) if s == "sparse"]
    defaults = [np.bincount(codes).argmax() for codes in sparse]
    entries = [np.flatnonzero(c != d) for c, d in zip(sparse, defaults, strict=True)]
    codes = [c[e] for c, e in zip(sparse, entries, strict=True)]
    n_rows = len(columns[0].codes)
    slots = [storages[:f].count(s) for f, s in enumerate(storages)]
    return native.Columns(
        n_rows=n_rows,
        dense8=np.array(dense8, dtype=np.uint8).reshape(len(dense8), n_rows),
        dense16=np.array(dense16, dtype=np.uint16).reshape(len(dense16), n_rows),
        sparse_indptr=np.cumsum([0, *map(len, entries)], dtype=np.int64),
        sparse_rows=np.concatenate([*entries, []]).astype(np.uint32),
        sparse_codes=np.concatenate([*codes, []]).astype(np.uint16),
        sparse_default=np.array(defaults, dtype=np.uint16),
        storage=np.array([STORAGES.index(s) for s in storages], dtype=np.int8),
        slot=np.array(slots, dtype=np.int32),
        n_bins=np.array([c.n_bins for c in columns], dtype=np.int32),
        has_missing=np.array([c.has_missing for c in columns]),
        is_categorical=np.array([c.is_categorical for c in columns]),
    )


def grow(
    problem: TinyProblem,
    storages: Sequence[str],
    search: str,
    *,
    max_depth: int = 3,
    max_leaf_nodes: int | None = None,
    n_threads: int = 1,
    criterion: str | None = None,
) -> dict[str, Any]:
    """Grow a tree in the core; rows heaviest first."""
    rows = problem.rows()
    mass = np.empty(len(rows), dtype=np.int64)
    mass[rows.index] = rows.masses
    weights = problem.weights.reshape(len(rows), -1)
    if problem.layout == "real":
        weights = np.hstack([weights, problem.numerators])
    columns = make_columns(problem.columns, list(storages))
    grower = native.Grower(
        columns,
        **no_cuts(len(problem.columns)),
        criterion=CRITERIA.index(criterion or problem.criterion),
        search=SEARCHES.index(search),
        max_depth=max_depth,
        max_leaf_nodes=max_leaf_nodes or 0,
        min_samples_leaf=problem.min_samples_leaf,
        quick_mass=0.9,
        quick_steps=20,
        n_threads=n_threads,
    )
    tree = grower.grow(
        layout=("classes", "votes", "real").index(problem.layout),
        n_outputs=problem.n_outputs,
        labels=None if problem.layout == "real" else problem.labels.astype(np.uint32),
        weights=np.ascontiguousarray(weights),
        mass=mass,
        rows=rows.index.astype(np.uint32),
        features=np.arange(len(problem.columns), dtype=np.uint32),
    )
    names = ("assessments", "reads", "full", "scans", "full_scans")
    counts = {name: getattr(tree, name) for name in names}
    return {**tree.arrays(), **counts, "leaf_of_row": grower.leaf_of_row()}


def no_cuts(n_features: int) -> dict[str, Any]:
    """Thresholds for a grower whose trees are read by their bins."""
    return {"cuts": np.empty(0), "cut_offsets": np.zeros(n_features + 1, dtype=np.int64)}


def as_nested(tree: dict[str, Any], problem: TinyProblem, node: int = 0) -> tuple[Any, ...]:
    """The tree as `nested_reference` writes it."""
    if tree["feature"][node] < 0:
        number = np.count_nonzero(tree["feature"][:node] < 0)
        rows = np.flatnonzero(tree["leaf_of_row"] == number)
        return (tuple(tree["sums"][node].tolist()), tuple(rows.tolist()))
    left, right = tree["left"][node], tree["right"][node]
    feature = int(tree["feature"][node])
    is_categorical = problem.columns[feature].is_categorical
    return (
        feature,
        None if is_categorical else int(tree["bin"][node]),
        as_nested(tree, problem, left),
        as_nested(tree, problem, right),
    )


def nested_reference(node: Node, problem: TinyProblem) -> tuple[Any, ...]:
    """Features, bins, exact sums and rows: with them equal, the trees are the same."""
    if node.stump is None or node.left is None or node.right is None:
        cell = node.rows.cell[:-1] if problem.layout == "real" else node.rows.cell
        return (tuple(cell), tuple(sorted(node.rows.index.tolist())))
    return (
        node.stump.feature,
        node.stump.bin,
        nested_reference(node.left, problem),
        nested_reference(node.right, problem),
    )
