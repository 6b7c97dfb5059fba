"""Growing a tree on binned columns, through the compiled core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats, Ints, Rows
from frugalboost.data import BinnedDataset
from frugalboost.tree.fixed_point import FixedProblem
from frugalboost.tree.flat import FlatTree
from frugalboost.tree.plan import CRITERIA, SEARCHES, TreePlan

_LAYOUTS = {"classes": 0, "votes": 1, "real": 2}


@dataclass(frozen=True)
class GrownTree:
    """A tree without values: what the core found, and what it took.

    Attributes
    ----------
    leaf_of_row : (n,) number of the row's leaf, counting leaves only; -1 for rows left out
    sums : (n_leaves, channels) exact sums over the rows of each leaf
    assessments, reads, full : int
    """

    nodes: dict[str, AnyArray]
    leaf_nodes: Ints
    leaf_of_row: AnyArray
    sums: Ints
    assessments: int
    reads: int
    full: int

    def with_values(self, values: Floats, dataset: BinnedDataset) -> FlatTree:
        """Return the finished tree, its thresholds in the units of the data."""
        nodes = self.nodes
        value = np.zeros((len(nodes["feature"]), values.shape[1]))
        value[self.leaf_nodes] = values
        return FlatTree(
            feature=nodes["feature"],
            threshold=real_thresholds(nodes, dataset),
            left=nodes["left"],
            right=nodes["right"],
            missing_left=nodes["missing_left"],
            category_start=nodes["category_start"],
            n_categories=np.where(
                nodes["category_start"] < 0, 0, dataset.n_bins[nodes["feature"]]
            ).astype(np.int32),
            category_words=nodes["category_words"],
            value=value,
            gain=nodes["gain"],
            n_samples=nodes["n_samples"],
            n_features=dataset.n_features,
        )


def real_thresholds(nodes: dict[str, AnyArray], dataset: BinnedDataset) -> Floats:
    """Feature value below which each node sends rows left; NaN at leaves and for categories."""
    thresholds = np.full(len(nodes["feature"]), np.nan)
    for node in np.flatnonzero(nodes["bin"] >= 0):
        cuts = dataset.thresholds[nodes["feature"][node]]
        last = nodes["bin"][node]
        # Past the last cut: every value goes left, only missing values go right.
        thresholds[node] = cuts[last] if last < len(cuts) else np.inf
    return thresholds


class TreeGrower:
    """Grows trees of one plan on one data set, one call a tree."""

    def __init__(self, dataset: BinnedDataset, plan: TreePlan) -> None:
        self._dataset = dataset
        self._plan = plan
        self._growers: dict[str, native.Grower] = {}
        self._features = np.arange(dataset.n_features, dtype=np.uint32)

    def grow(self, problem: FixedProblem, rows: Rows, search: str) -> GrownTree:
        """Grow a tree on `rows`, which the pruning searches want heaviest first."""
        found = self._grower(search).grow(
            layout=_LAYOUTS[problem.layout],
            n_outputs=problem.n_outputs,
            labels=problem.labels,
            weights=problem.weights,
            mass=problem.mass,
            rows=rows,
            features=self._features,
        )
        return read_tree(found, problem)

    def _grower(self, search: str) -> native.Grower:
        if search not in self._growers:
            plan = self._plan
            self._growers[search] = native.Grower(
                self._dataset.columns,
                criterion=CRITERIA.index(plan.criterion),
                search=SEARCHES.index(search),
                max_depth=plan.depth_limit,
                max_leaf_nodes=plan.max_leaf_nodes or 0,
                min_samples_leaf=plan.min_samples_leaf,
                quick_mass=plan.quick_mass,
                quick_steps=plan.quick_steps,
                n_threads=plan.n_threads,
            )
        return self._growers[search]


def read_tree(found: dict[str, Any], problem: FixedProblem) -> GrownTree:
    """Sort what the core returns into a `GrownTree`."""
    is_leaf = found["feature"] < 0
    leaf_nodes = np.flatnonzero(is_leaf)
    total = max(float(problem.mass.sum()), 1.0)
    names = (
        "feature",
        "bin",
        "left",
        "right",
        "missing_left",
        "category_start",
        "category_words",
        "n_samples",
    )
    return GrownTree(
        nodes={**{name: found[name] for name in names}, "gain": found["gain"] / total},
        leaf_nodes=leaf_nodes,
        leaf_of_row=found["leaf_of_row"],
        sums=found["sums"][leaf_nodes],
        assessments=found["assessments"],
        reads=found["reads"],
        full=found["full"],
    )
