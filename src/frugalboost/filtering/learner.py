"""The weak learner: a tree on the accepted examples, which all weigh the same."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from frugalboost._typing import AnyArray, Bools, Floats
from frugalboost.data import BinnedDataset
from frugalboost.filtering.filter import Sample
from frugalboost.native import GrownNodes
from frugalboost.rules import TreeProblem
from frugalboost.rules.held_out import exponential_of_pairs
from frugalboost.rules.real import SMOOTHING
from frugalboost.tree import FixedPoint, FixedProblem, FlatTree, TreeGrower, TreePlan
from frugalboost.tree.flat import ARRAYS
from frugalboost.tree.recode import recode_categories
from frugalboost.tree.reduced_error import collapse, cut_nodes, sums_by_node
from frugalboost.tree.sums import class_sums


@dataclass(frozen=True)
class WeakLearner:
    """Grows a tree, and prunes it with the last share of the examples if asked.

    Attributes
    ----------
    plan : TreePlan
    n_classes : int
    confidence_rated : bool
        Leaves say half the log odds of their examples; otherwise they name a class: -1 or +1 for
        two classes, else 1 for the class and 0 for the others.
    pruning_fraction : float or None
    max_bins : int
    is_categorical : mask of the features
    """

    plan: TreePlan
    n_classes: int
    confidence_rated: bool
    pruning_fraction: float | None
    max_bins: int
    is_categorical: Bools

    def fit(self, sample: Sample) -> tuple[FlatTree, GrownNodes]:
        """The tree, and the nodes it was made of, which know what growing it took."""
        n_grow = len(sample) - self._n_pruning(len(sample))
        dataset = self._binned(sample.X[:n_grow])
        problem = self._problem(sample, n_grow)
        grower = TreeGrower(dataset, self.plan)
        grown = grower.grow(problem, None, "exhaustive")
        sums = problem.scale.numbers(grown.sums)
        tree = grower.finish(grown, self.says(*plus_and_minus(sums)))
        tree = recode_categories(tree, dataset.categories)
        if n_grow < len(sample):
            tree = self._prune(tree, sums, sample, n_grow)
        return alone(tree), grown.nodes

    def _n_pruning(self, n: int) -> int:
        return 0 if self.pruning_fraction is None else min(n - 1, round(self.pruning_fraction * n))

    def _binned(self, X: AnyArray) -> BinnedDataset:
        return BinnedDataset.from_data(
            X,
            max_bins=self.max_bins,
            categorical_features=self.is_categorical if self.is_categorical.any() else None,
            n_jobs=self.plan.n_threads,
        )

    def _problem(self, sample: Sample, n: int) -> FixedProblem:
        labels = sample.labels[:n]
        if self.n_classes == 2:
            problem = TreeProblem("classes", np.ones(n))
        else:
            # An example asks two questions: is it its label (yes), is it its rival (no)?
            weights = np.zeros((n, self.n_classes))
            weights[np.arange(n), labels] = weights[np.arange(n), sample.rivals[:n]] = 1.0
            problem = TreeProblem("votes", weights)
        return FixedPoint().convert(problem, labels.astype(np.uint32), self.n_classes)

    def says(self, plus: Floats, minus: Floats) -> Floats:
        """What nodes say, (n_nodes, n_outputs), from their examples for and against each class.

        Smoothing is half an example on either side, as in batch boosting, and a tie names the
        first class.
        """
        if self.confidence_rated:
            log_odds = np.log(plus + SMOOTHING) - np.log(minus + SMOOTHING)
            return np.asarray(log_odds / (2 if self.n_classes == 2 else 4))
        if self.n_classes == 2:
            return np.where(plus > minus, 1.0, -1.0)
        named = (plus - minus).argmax(axis=1)
        return np.asarray(np.eye(self.n_classes)[named])

    def _prune(self, tree: FlatTree, sums: Floats, sample: Sample, n_grow: int) -> FlatTree:
        """Reduced-error pruning: a node becomes a leaf where that loses nothing on the rest."""
        plus, minus = (sums_by_node(tree.left, tree.right, part) for part in plus_and_minus(sums))
        says = self.says(plus, minus)
        held = Sample(sample.X[n_grow:], sample.labels[n_grow:], sample.rivals[n_grow:])
        losses = self._losses(tree, says, held)
        whole = replace(tree, value=says)
        return collapse(whole, cut_nodes(tree.left, tree.right, losses))

    def _losses(self, tree: FlatTree, says: Floats, held: Sample) -> Floats:
        """Loss of the held-out examples in each node if it were a leaf."""
        number = np.cumsum(tree.is_leaf) - 1
        leaf = number[tree.apply(held.X)]
        ones, shape = np.ones(len(held)), (tree.n_leaves, self.n_classes)
        plus, minus = (
            sums_by_node(tree.left, tree.right, class_sums(leaf, names, ones, shape))
            for names in (held.labels, held.rivals)
        )
        return node_losses(says, plus, minus, self.confidence_rated)


def alone(tree: FlatTree) -> FlatTree:
    """The tree in memory of its own: growers keep room for several beside it, eight times this."""
    return replace(tree, **{name: getattr(tree, name).copy() for name in ARRAYS})


def plus_and_minus(sums: Floats) -> tuple[Floats, Floats]:
    """Examples for and against, (n, 1) for two classes (the second one's), else (n, K).

    Votes are rounded up to one unit of fixed point where there is none: rounded here, as all
    weights are whole numbers.
    """
    if sums.ndim == 2:
        return np.round(sums[:, 1:]), np.round(sums[:, :1])
    return np.round(sums[:, 1]), np.round(sums[:, 0] - sums[:, 1])


def node_losses(says: Floats, plus: Floats, minus: Floats, confidence_rated: bool) -> Floats:
    """Errors, or exponential loss, of examples for (`plus`) and against (`minus`) each class.

    Both are (n_nodes, K). A class named in vain costs one where it is the rival, and half where
    it is neither: so the loss is ``(1 - d) / 2`` summed over the examples, the error for two
    classes.
    """
    if says.shape[1] == 1:
        says = np.hstack([-says, says])
        half = 2.0
    else:
        half = 1.0
    if confidence_rated:
        # Of exp(-d) <= (exp(-2 v_y) + exp(2 v_r)) / 2, by classes; the same for two classes.
        v = says / half * 2
        return exponential_of_pairs(v, minus, plus)
    n = plus.sum(axis=1)
    return np.asarray((n - ((plus - minus) * says / half).sum(axis=1)) / 2)
