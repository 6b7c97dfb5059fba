"""The weight order lower bound of AP-Boost (Aziz, Anderton, Aslam 2018, section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from frugalboost._checks import check_choice, names_itself
from frugalboost._typing import AnyArray, Ints
from frugalboost.analysis.exact_sums import ExactWeights
from frugalboost.data import BinnedDataset

LARGEST_TOTAL = 2.0**62


@names_itself
def weight_order_bound(
    dataset: BinnedDataset,
    labels: Any,
    weights: Any,
    rows: Any = None,
    *,
    ties: str = "any",
) -> int:
    r"""Return the fewest assessments with which a search in weight order can find a node's split.

    It bounds every search that assesses each feature on the rows of the node in order of decreasing
    weight and reuses nothing from earlier rounds, for the criterion "error". An assessment examines
    one row on one feature. In the paper's notation,

    .. math::
        LB_{wo} = n + \sum_{k \ne k^*} \min\{m : \forall j \in J_k,\ L_m^j \ge E^*\}

    - The n rows are numbered by decreasing weight, equal weights in the order of `rows`.
    - :math:`J_k` holds the stumps of feature k: every threshold, missing values on either side (for
      a categorical feature every set of categories), any class in either leaf, including the
      stumps that leave one side empty.
    - :math:`L_m^j` is the weight that stump j gets wrong among the first m rows. It can only grow
      with m, and so can its minimum over :math:`J_k`, the feature's lower bound.
    - :math:`E^*` is the least weight that a stump gets wrong on all rows, :math:`k^*` the feature
      that reaches it, the lowest of several, as in training. It must be assessed on all rows, since
      leaves and step need its sums. Every other feature must be shown to be worse or tied.
    - Features with one bin and no missing values are left out: no search assesses them.

    Weights are integers here, so the comparison with :math:`E^*` is exact, even for ties.

    Parameters
    ----------
    dataset : BinnedDataset
    labels : (n_rows,) class codes 0 .. K-1
    weights : (n_rows,) integers of at least 1, with a total below 2**62
    rows : row numbers of the node, None for all rows in their order
    ties : {"any", "lowest"}
        "any" is the paper's bound: a tie is settled as soon as it is known. "lowest" bounds the
        searches of this library, which return the lowest of tied features, so a feature below
        :math:`k^*` must be shown to be worse than it.

    Returns
    -------
    bound : int

    Examples
    --------
    The second feature separates the classes; two heavy rows are enough to show that the first,
    which mixes them, does not.

    >>> data = BinnedDataset.from_data([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> weight_order_bound(data, labels=[0, 1, 0, 1], weights=[5, 5, 1, 1], ties="lowest")
    6
    """
    return int(find_prefixes(dataset, labels, weights, rows, ties).sum())


@names_itself
def weight_order_prefixes(
    dataset: BinnedDataset,
    labels: Any,
    weights: Any,
    rows: Any = None,
    *,
    ties: str = "any",
) -> Ints:
    """Return the terms of `weight_order_bound`: the rows on which to assess each feature.

    Parameters
    ----------
    dataset, labels, weights, rows, ties : as in `weight_order_bound`

    Returns
    -------
    prefixes : (n_features,) numbers of rows, the heaviest first

    Examples
    --------
    >>> data = BinnedDataset.from_data([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> weight_order_prefixes(data, labels=[0, 1, 0, 1], weights=[5, 5, 1, 1], ties="lowest")
    array([2, 4])
    """
    return find_prefixes(dataset, labels, weights, rows, ties)


def find_prefixes(dataset: BinnedDataset, labels: Any, weights: Any, rows: Any, ties: str) -> Ints:
    """Shared by both functions above."""
    check_choice(ties, ("any", "lowest"), name="ties")
    node = Node.from_arrays(dataset, labels, weights, rows)
    features = searched_features(dataset)
    winner, error = find_winner(node, features)
    prefixes = np.zeros(dataset.n_features, dtype=np.int64)
    prefixes[winner] = node.n_rows
    for feature in features[features != winner]:
        # Losses are integers: worse means worse by at least one unit.
        must_be_worse = ties == "lowest" and feature < winner
        prefixes[feature] = node.column(feature).shortest_prefix(error + must_be_worse)
    return prefixes


@dataclass(frozen=True)
class Node:
    """Rows of a node, heaviest first."""

    dataset: BinnedDataset
    order: Ints
    labels: Ints
    masses: Ints
    weights: ExactWeights
    n_classes: int

    @classmethod
    def from_arrays(cls, dataset: BinnedDataset, labels: Any, weights: Any, rows: Any) -> Node:
        codes = check_integers(labels, "labels", dataset.n_rows, low=0)
        masses = check_integers(weights, "weights", dataset.n_rows, low=1)
        if float(masses.sum(dtype=np.float64)) >= LARGEST_TOTAL:
            raise ValueError("weights must have a total below 2**62; got more.")
        n_classes = max(int(codes.max()) + 1, 2)
        if n_classes > 2 and dataset.is_categorical.any():
            # Only for two classes can the best set of categories be found without trying all.
            raise ValueError(
                "dataset must have no categorical features for more than two classes; "
                f"got {int(dataset.is_categorical.sum())} with {n_classes} classes."
            )
        chosen = np.arange(dataset.n_rows) if rows is None else check_rows(rows, dataset.n_rows)
        order = chosen[np.argsort(-masses[chosen], kind="stable")]
        sorted_ = masses[order]
        return cls(dataset, order, codes[order], sorted_, ExactWeights(sorted_), n_classes)

    @property
    def n_rows(self) -> int:
        return len(self.order)

    def column(self, feature: int) -> NodeColumn:
        codes = self.dataset.column_codes(feature)[self.order].astype(np.int64)
        return NodeColumn(self, feature, codes * self.n_classes + self.labels)


@dataclass(frozen=True)
class NodeColumn:
    """One feature at a node; `cells` numbers the pairs of code and label of its rows."""

    node: Node
    feature: int
    cells: Ints

    @property
    def n_bins(self) -> int:
        return int(self.node.dataset.n_bins[self.feature])

    @property
    def n_codes(self) -> int:
        """Number of bins, plus one for missing values if there are any."""
        return self.n_bins + int(self.node.dataset.has_missing[self.feature])

    def sums(self, start: int, stop: int) -> Ints:
        """Weight by code and class of the rows from `start` to `stop`."""
        K = self.node.n_classes
        sums = self.node.weights.by_cell(self.cells, start, stop, self.n_codes * K)
        return sums.reshape(self.n_codes, K)

    def sums_of_parts(self, ends: Ints) -> Ints:
        """Weight by code and class of the rows up to each of `ends`, which ascend."""
        K = self.node.n_classes
        n_cells, stop = self.n_codes * K, int(ends[-1])
        part = np.searchsorted(ends, np.arange(stop), side="right")
        cells = part * n_cells + self.cells[:stop]
        sums = self.node.weights.by_cell(cells, 0, stop, len(ends) * n_cells)
        return sums.reshape(len(ends), self.n_codes, K).cumsum(axis=0)

    def best_loss(self, sums: Ints) -> int:
        """Least weight that a stump gets wrong, among the rows in `sums`."""
        return int(self.best_losses(sums))

    def best_losses(self, sums: Ints) -> Ints:
        """The same for several sets of rows, (..., n_codes, K)."""
        if self.node.dataset.is_categorical[self.feature]:
            # Two classes: the best stump gives each category its heavier class.
            return np.asarray(leaf_losses(sums).sum(axis=-1))
        left = sums[..., : self.n_bins, :].cumsum(axis=-2)
        if sums.shape[-2] > self.n_bins:  # missing values on the right, and on the left
            left = np.concatenate([left, left + sums[..., -1:, :]], axis=-2)
        right = sums.sum(axis=-2, keepdims=True) - left
        return np.asarray((leaf_losses(left) + leaf_losses(right)).min(axis=-1))

    def shortest_prefix(self, loss: int) -> int:
        """Fewest rows on which every stump loses at least `loss`; all rows if no prefix does."""
        if loss <= 0:
            return 0
        # The best loss only grows with the rows, so bisection works. Rows below `few` stay summed:
        # all steps together read each row at most once.
        few, enough = 0, self.node.n_rows
        seen = self.sums(0, 0)
        while enough - few > 1:
            middle = (few + enough) // 2
            more = seen + self.sums(few, middle)
            if self.best_loss(more) >= loss:
                enough = middle
            else:
                few, seen = middle, more
        return enough


def leaf_losses(cells: Ints) -> Ints:
    """Weight outside the heaviest class of each cell, (..., K) to (...)."""
    if cells.shape[-1] == 2:
        return np.minimum(cells[..., 0], cells[..., 1])
    return np.asarray(cells.sum(axis=-1) - cells.max(axis=-1))


def searched_features(dataset: BinnedDataset) -> AnyArray:
    """Features that are not constant; no search assesses the others."""
    return np.flatnonzero(dataset.n_bins + dataset.has_missing > 1)


def find_winner(node: Node, features: AnyArray) -> tuple[int, int]:
    """The feature that training would split on, and its loss on all rows."""
    best: tuple[int, int] | None = None
    for feature in features:
        column = node.column(feature)
        sums = column.sums(0, node.n_rows)
        if np.count_nonzero(sums.sum(axis=1)) < 2:
            continue  # one code: nothing to split
        loss = column.best_loss(sums)
        if best is None or loss < best[1]:
            best = int(feature), loss
    if best is None:
        raise ValueError("rows must differ in some feature; got identical rows.")
    return best


def check_integers(values: Any, name: str, n_rows: int, low: int) -> Ints:
    array = np.asarray(values)
    is_fit = array.dtype.kind in "iu" and array.shape == (n_rows,)
    if not is_fit or array.min() < low:
        got = f"a minimum of {array.min()}" if is_fit else f"{array.dtype} of shape {array.shape}"
        raise ValueError(f"{name} must be {n_rows} integers of at least {low}; got {got}.")
    return array.astype(np.int64)


def check_rows(rows: Any, n_rows: int) -> Ints:
    array = np.asarray(rows)
    chosen = np.unique(array)
    is_fit = array.dtype.kind in "iu" and chosen.shape == array.shape and chosen.size > 0
    if not is_fit or not 0 <= chosen[0] <= chosen[-1] < n_rows:
        raise ValueError(
            f"rows must be one or more different row numbers from 0 to {n_rows - 1}; got {rows!r}."
        )
    return array.astype(np.int64)
