"""How to grow a tree: parameters, checked once, then the compiled core."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from frugalboost import native
from frugalboost._typing import AnyArray, Floats, Ints, Rows
from frugalboost.data import BinnedDataset
from frugalboost.tree.fixed_point import (
    AnyProblem,
    GrowingProblem,
    LogitProblem,
    RealProblem,
    ResidualProblem,
)
from frugalboost.tree.flat import FlatTree, NodeArena

CRITERIA = native.CRITERIA
"""In the order of their numbers in the core."""

SEARCHES = native.SEARCHES
"""In the order of their numbers in the core; ``"auto"`` chooses among them."""

NO_DEPTH_LIMIT = 2**30


@dataclass(frozen=True)
class TreePlan:
    """Parameters of a tree, all valid.

    Attributes
    ----------
    criterion : one of `CRITERIA`
    search : one of `SEARCHES` or ``"auto"``
    max_depth : int or None
    max_leaf_nodes : int or None
        None grows depth first, a number grows best first.
    min_samples_leaf : int
    quick_mass, quick_steps : the quick search's first share of the weight and number of subsets
    n_threads : int
    confidence : float or None
        For pessimistic pruning; None: trees are not pruned by the rows they grew on.
    """

    criterion: str
    search: str = "auto"
    max_depth: int | None = 1
    max_leaf_nodes: int | None = None
    min_samples_leaf: int = 1
    quick_mass: float = 0.9
    quick_steps: int = 20
    n_threads: int = 1
    confidence: float | None = None

    @property
    def depth_limit(self) -> int:
        """`max_depth` as the core takes it."""
        return NO_DEPTH_LIMIT if self.max_depth is None else self.max_depth


@dataclass(eq=False, slots=True)
class GrownTree:
    """A tree without values, as the core grew it.

    Attributes
    ----------
    nodes : its nodes, and what they cost to grow, in the core
    sums : (n_leaves, channels) exact sums over the rows of each leaf that the tree grew on
    sums_of_all : the same over all rows of each leaf, None if the tree grew on all
    """

    nodes: native.GrownNodes
    sums: Ints
    sums_of_all: Ints | None
    _grower: native.Grower

    @classmethod
    def of(cls, nodes: native.GrownNodes, grower: native.Grower) -> GrownTree:
        return cls(nodes, nodes.leaf_sums(), nodes.leaf_sums_of_all(), grower)

    @property
    def leaf_of_row(self) -> AnyArray:
        """Number of each row's leaf, counting leaves only.

        A new array; only available until the same search grows its next tree.
        """
        return self._grower.leaf_of_row()

    def raise_weights(self, problem: GrowingProblem, rise: Floats) -> None:
        """Raise the log weights of the rows by leaf and label."""
        self._grower.advance(problem.native, rise)

    def move_decisions(self, problem: LogitProblem, values: Floats) -> None:
        """Add the value of its leaf to each row's decision, `values` being (n_leaves, V)."""
        self._grower.move(problem.native, values)

    def lower_residuals(self, problem: ResidualProblem, values: Floats) -> None:
        """Subtract the value of its leaf from each row's residual, `values` being (n_leaves,)."""
        self._grower.lower(problem.native, values)


class TreeGrower:
    """Grows trees of one plan on one data set, one per call.

    Attributes
    ----------
    read_share : float, share of the table's cells that an exhaustive search reads
    """

    def __init__(self, dataset: BinnedDataset, plan: TreePlan) -> None:
        self._dataset = dataset
        self._plan = plan
        self._grower_of: tuple[str, native.Grower] | None = None
        self._features = np.arange(dataset.n_features, dtype=np.uint32)
        self._arena = NodeArena(dataset.n_features)
        # Now, with as many threads as the plan allows: the first query makes the core store the
        # columns by rows.
        self.read_share = dataset.columns.read_share(plan.n_threads)

    def grow(
        self, problem: AnyProblem, rows: Rows | None, search: str, features: Rows | None = None
    ) -> GrownTree:
        """Grow a tree on `rows` and `features`; None stands for all of them.

        The pruning searches need the rows heaviest first; features are ascending.
        """
        grower = self._grower(search)
        if features is None:
            features = self._features
        if isinstance(problem, RealProblem):
            return GrownTree.of(problem.grown_by(grower, features, rows), grower)
        if isinstance(problem, GrowingProblem) and rows is None:
            return GrownTree.of(problem.grown_by(grower, features), grower)
        labels = problem.labels
        nodes = grower.grow(
            layout=native.LAYOUTS.index(problem.scale.layout),
            n_outputs=problem.scale.n_outputs,
            labels=None if labels is None else labels.astype(np.uint32, copy=False),
            weights=problem.weights,
            mass=problem.mass,
            rows=rows,
            features=features,
        )
        return GrownTree.of(nodes, grower)

    def finish(self, grown: GrownTree, values: Floats) -> FlatTree:
        """Return the tree with the leaf values `values`, its thresholds in the data's units."""
        return self._arena.finish(grown.nodes, values)

    def _grower(self, search: str) -> native.Grower:
        # Only one is kept: each has arrays as long as the table, and searches rarely change.
        if self._grower_of is None or self._grower_of[0] != search:
            plan = self._plan
            self._grower_of = None
            grower = native.Grower(
                self._dataset.columns,
                cuts=self._dataset.cuts,
                cut_offsets=self._dataset.cut_offsets,
                criterion=CRITERIA.index(plan.criterion),
                search=SEARCHES.index(search),
                max_depth=plan.depth_limit,
                max_leaf_nodes=plan.max_leaf_nodes or 0,
                min_samples_leaf=plan.min_samples_leaf,
                quick_mass=plan.quick_mass,
                quick_steps=plan.quick_steps,
                n_threads=plan.n_threads,
            )
            self._grower_of = search, grower
        return self._grower_of[1]
