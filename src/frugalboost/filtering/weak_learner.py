"""One round's tree, and its edge by adaptive sampling from the filter or by weighted examples."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from frugalboost._typing import AnyArray, Bools, Floats
from frugalboost.data import BinnedDataset, bin_table
from frugalboost.filtering.filter import Filter, FilterRule, Sample, draw_rivals, rival_shares
from frugalboost.filtering.scored_stream import Examples
from frugalboost.filtering.stopping import Stopped, most_edge_examples
from frugalboost.native import GrownNodes
from frugalboost.rules import TreeProblem
from frugalboost.rules.base import perfect_log_odds
from frugalboost.rules.held_out import exponential_of_pairs
from frugalboost.rules.real import SMOOTHING
from frugalboost.tree import FixedPoint, FixedProblem, FlatTree, TreeGrower, TreePlan
from frugalboost.tree.fixed_point import class_sums
from frugalboost.tree.flat import ARRAYS, recode_categories
from frugalboost.tree.reduced_error import collapse, cut_nodes, sums_by_node


@dataclass(frozen=True)
class WeakLearner:
    """Grows a tree, and prunes it with the last share of the examples if requested.

    Attributes
    ----------
    plan : TreePlan
    n_classes : int
    confidence_rated : bool
        Leaves give half the log odds of their examples; otherwise they name a class: -1 or +1 for
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
        """Return the tree, and the nodes it was made from, which record what growing it took."""
        n_grow = len(sample) - self._n_pruning(len(sample))
        unit = mean_weight(sample.weights, n_grow)
        dataset = self._binned(sample.X[:n_grow])
        problem = self._problem(sample, n_grow)
        grower = TreeGrower(dataset, self.plan)
        grown = grower.grow(problem, None, "exhaustive")
        sums = problem.scale.numbers(grown.sums)
        if sample.weights is None:
            # Fixed point holds one unit where there are no votes; whole numbers lose it.
            sums = np.round(sums)
        tree = grower.finish(grown, self.says(*plus_and_minus(sums), unit))
        tree = recode_categories(tree, dataset.categories)
        if n_grow < len(sample):
            tree = self._prune(tree, sums, sample, n_grow, unit)
        return alone(tree), grown.nodes

    def _n_pruning(self, n: int) -> int:
        return 0 if self.pruning_fraction is None else min(n - 1, round(self.pruning_fraction * n))

    def _binned(self, X: AnyArray) -> BinnedDataset:
        return bin_table(
            X,
            max_bins=self.max_bins,
            categorical_features=self.is_categorical if self.is_categorical.any() else None,
            n_jobs=self.plan.n_threads,
        )

    def _problem(self, sample: Sample, n: int) -> FixedProblem:
        labels = sample.labels[:n]
        each = np.ones(n) if sample.weights is None else sample.weights[:n]
        if self.n_classes == 2:
            problem = TreeProblem("classes", each)
        else:
            # An example poses two questions: is it its label (yes), is it its rival (no)?
            weights = np.zeros((n, self.n_classes))
            weights[np.arange(n), labels] = weights[np.arange(n), sample.rivals[:n]] = each
            problem = TreeProblem("votes", weights)
        return FixedPoint().convert(problem, labels.astype(np.uint32), self.n_classes)

    def says(self, plus: Floats, minus: Floats, unit: float = 1.0) -> Floats:
        """Return node values, (n_nodes, n_outputs), from the weight for and against each class.

        Smoothing is half an example, whose mean weight is `unit`, on either side, as in batch
        boosting, and a tie names the first class.
        """
        if self.confidence_rated:
            smoothing = SMOOTHING * unit
            log_odds = np.log(plus + smoothing) - np.log(minus + smoothing)
            return np.asarray(log_odds / (2 if self.n_classes == 2 else 4))
        if self.n_classes == 2:
            return np.where(plus > minus, 1.0, -1.0)
        named = (plus - minus).argmax(axis=1)
        return np.asarray(np.eye(self.n_classes)[named])

    def _prune(
        self, tree: FlatTree, sums: Floats, sample: Sample, n_grow: int, unit: float
    ) -> FlatTree:
        """Reduced-error pruning: a node becomes a leaf where that loses nothing on the rest."""
        plus, minus = (sums_by_node(tree.left, tree.right, part) for part in plus_and_minus(sums))
        says = self.says(plus, minus, unit)
        losses = self._losses(tree, says, sample.cut(n_grow, len(sample)))
        whole = replace(tree, value=says)
        return collapse(whole, cut_nodes(tree.left, tree.right, losses))

    def _losses(self, tree: FlatTree, says: Floats, held: Sample) -> Floats:
        """Return the loss of the held-out examples in each node if it were a leaf."""
        number = np.cumsum(tree.is_leaf) - 1
        leaf = number[tree.apply(held.X)]
        each = np.ones(len(held)) if held.weights is None else held.weights
        shape = (tree.n_leaves, self.n_classes)
        plus, minus = (
            sums_by_node(tree.left, tree.right, class_sums(leaf, names, each, shape))
            for names in (held.labels, held.rivals)
        )
        return node_losses(says, plus, minus, self.confidence_rated)


def alone(tree: FlatTree) -> FlatTree:
    """Return the tree in its own memory: a grower's holds room for several, eight times as much."""
    return replace(tree, **{name: getattr(tree, name).copy() for name in ARRAYS})


def plus_and_minus(sums: Floats) -> tuple[Floats, Floats]:
    """Weight for and against, (n, 1) for two classes (the second one's), else (n, K)."""
    if sums.ndim == 2:
        return sums[:, 1:], sums[:, :1]
    return sums[:, 1], sums[:, 0] - sums[:, 1]


def mean_weight(weights: Floats | None, n: int) -> float:
    """Mean of the first n weights; examples without weights weigh 1."""
    return 1.0 if weights is None else max(float(weights[:n].mean()), TINY)


TINY = 1e-300
"""Weights of huge margins underflow, and nothing can be smoothed by zero."""


def node_losses(says: Floats, plus: Floats, minus: Floats, confidence_rated: bool) -> Floats:
    """Errors, or exponential loss, of examples for (`plus`) and against (`minus`) each class.

    Both are (n_nodes, K). A class named wrongly costs one if it is the rival, and half if it is
    neither: so the loss is ``(1 - d) / 2`` summed over the examples, the error for two
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


def largest_difference(tree: FlatTree) -> float:
    """Return the largest difference between a leaf's values for two classes."""
    says = tree.value[tree.is_leaf]
    if says.shape[1] == 1:
        return float(np.abs(says).max())
    return float((says.max(axis=1) - says.min(axis=1)).max())


def adaptive_step(tree: FlatTree, filter_: Filter, confidence: float, tolerance: float) -> Edge:
    """getEdge for confidences, of the tree divided by its largest difference, so that ``|d| <= 1``.

    ``exp(-a d)`` lies below the line through its ends, so the exponential loss is at most that of
    a tree without confidences of the same mean difference, and lemmas 1 and 2 hold with that edge.
    """
    largest = largest_difference(tree)
    if largest == 0:
        return Edge(0.0, 0.0, 0)
    edge, n = adaptive_mean(tree, filter_, confidence, tolerance, scale=1 / largest)
    return Edge(edge, step_for(edge) / largest, n)


def weighted_step(tree: FlatTree, examples: Examples, rule: FilterRule) -> tuple[Edge, float]:
    """Return the step that minimises the exponential loss of weighted examples of the oracle.

    It comes with the edge, and with the mean weight, which estimates the acceptance rate.
    """
    n = len(examples)
    weights = rule.accept(examples.scores, examples.labels)
    rivals = draw_rivals(examples.scores, examples.labels, examples.coins)
    d = differences(tree.predict(examples.X), examples.labels, rivals)
    total, largest = float(weights.sum()), largest_difference(tree)
    if total == 0:  # weights of huge margins underflow
        return Edge(0.0, 0.0, n), 0.0
    edge = float((weights * d).sum()) / (2 * total * largest) if largest else 0.0
    return Edge(edge, best_step(weights / total, d), n), total / n


LARGEST_FACTOR = 2.0
"""By which confidences are multiplied: a sample on which a tree makes no error has no best step."""


def best_step(shares: Floats, d: Floats) -> float:
    """Return the a in [0, `LARGEST_FACTOR`] that minimises ``sum of shares * exp(-a d)``.

    >>> round(best_step(np.array([0.75, 0.25]), np.array([1.0, -1.0])), 4)  # 1/2 ln 3
    0.5493
    """

    def slope(a: float) -> float:
        return float((shares * d * np.exp(-a * d)).sum())

    if slope(0.0) <= 0:
        return 0.0
    if slope(LARGEST_FACTOR) >= 0:
        return LARGEST_FACTOR
    return float(brentq(slope, 0.0, LARGEST_FACTOR))


BLOCK = 256
"""Least number of examples that adaptive sampling requests; it uses only those it needs."""


SMALLEST_EDGE = 0.005
"""Adaptive sampling gives up after as many examples as an edge of this size would need: without
an edge it would go on for ever."""


class Edge(NamedTuple):
    """An estimate: the edge, the step that follows from it, and examples used for it."""

    edge: float
    step: float
    n: int


def differences(says: Floats, labels: AnyArray, rivals: AnyArray) -> Floats:
    """Return the values for the labels minus those for the rivals.

    >>> differences(np.array([[1.0], [-1.0]]), np.array([1, 1]), np.array([0, 0]))
    array([ 1., -1.])
    >>> differences(np.array([[0.0, 1.0, 0.0]]), np.array([2]), np.array([1]))
    array([-1.])
    """
    if says.shape[1] == 1:
        return np.where(labels == 1, says[:, 0], -says[:, 0])
    row = np.arange(len(says))
    return np.asarray(says[row, labels] - says[row, rivals])


def step_for(edge: float) -> float:
    """Figure 1's ``alpha = 1/2 ln((1/2 + edge) / (1/2 - edge))``.

    >>> round(step_for(0.25), 4)
    0.5493
    """
    return math.atanh(2 * edge)


def required_deviation(n: Floats, confidence: float, tolerance: float) -> Floats:
    """Where adaptive sampling stops: ``sqrt(ln(n (n + 1) / delta) / (2 n)) (1 + 1 / tau)``."""
    deviation = np.sqrt(np.log(n * (n + 1) / confidence) / (2 * n))
    return np.asarray(deviation * (1 + 1 / tolerance))


def adaptive_edge(tree: FlatTree, filter_: Filter, confidence: float, tolerance: float) -> Edge:
    """Figure 1's getEdge for a tree that names classes, with the step that follows."""
    edge, n = adaptive_mean(tree, filter_, confidence, tolerance)
    return Edge(edge, step_for(edge), n)


def adaptive_mean(
    tree: FlatTree, filter_: Filter, confidence: float, tolerance: float, scale: float = 1.0
) -> tuple[float, int]:
    """Nonmonotonic adaptive sampling of half the mean difference, then divided by ``1 + tau``.

    Draws from the filter until the mean deviates from chance clearly enough: with probability
    ``1 - confidence`` it is then within the relative tolerance of the edge. Returns the edge and
    the number of examples.
    """
    total, n = 0.0, 0
    most = most_edge_examples(SMALLEST_EDGE, confidence, tolerance)
    while True:
        sample = filter_.look(max(BLOCK, n // 4))
        d = scale * differences(tree.predict(sample.X), sample.labels, sample.rivals)
        sums = np.cumsum(np.append(total, d))[1:]  # one by one, whatever the blocks
        count = n + np.arange(1.0, len(d) + 1)
        deviation = np.abs(sums / (2 * count))
        enough = np.flatnonzero(deviation >= required_deviation(count, confidence, tolerance))
        taken = int(enough[0]) + 1 if len(enough) else len(d)
        filter_.use(taken)
        total, n = float(sums[taken - 1]), n + taken
        if len(enough):
            return total / (2 * n) / (1 + tolerance), n
        if n > most:
            raise Stopped("edge")


def weighted_edge(tree: FlatTree, examples: Examples, rule: FilterRule) -> tuple[Edge, float]:
    """Section 3's estimate: examples of the oracle, weighted rather than filtered.

    Returns the edge and the mean weight, which estimates the filter's acceptance rate.
    """
    n = len(examples)
    weights = rule.accept(examples.scores, examples.labels)
    shares = votes(tree.predict(examples.X), examples.scores, examples.labels)
    right, wrong = (float((weights * share).sum()) for share in shares)
    total = float(weights.sum())
    edge = (right - wrong) / (2 * total) if total else 0.0  # weights of huge margins underflow
    return Edge(edge, bounded_log_odds(right, wrong, n) / 2, n), total / n


def votes(says: Floats, scores: Floats, labels: AnyArray) -> tuple[Floats, Floats]:
    """Return how much of an example's weight a class-naming hypothesis gets right and wrong.

    With more than two classes, a wrong class counts by its share among the rivals.
    """
    named = (says[:, 0] > 0).astype(np.int64) if says.shape[1] == 1 else says.argmax(axis=1)
    is_right = named == labels
    shares = rival_shares(scores, labels)[np.arange(len(labels)), named]
    return is_right.astype(np.float64), np.where(is_right, 0.0, shares)


def bounded_log_odds(right: float, wrong: float, n: int) -> float:
    """``ln(right / wrong)``, no further from 0 than with half an example in n wrong.

    >>> bounded_log_odds(3.0, 1.0, 100) == math.log(3.0)
    True
    >>> bounded_log_odds(3.0, 0.0, 100) == perfect_log_odds(100)
    True
    """
    most = perfect_log_odds(n)
    if wrong <= 0 or right <= 0:
        return 0.0 if right == wrong else math.copysign(most, right - wrong)
    return min(max(math.log(right) - math.log(wrong), -most), most)
