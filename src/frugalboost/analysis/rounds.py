"""The weights in the rounds of a fitted model, and the rows of the nodes that were split."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from frugalboost._checks import names_itself
from frugalboost._typing import AnyArray, Ints
from frugalboost.boosted.boosted_trees import TableClassifier
from frugalboost.boosting.state import TrainingData, replayed
from frugalboost.data import BinnedDataset
from frugalboost.tree import FlatTree


class FittedRound(NamedTuple):
    """What a tree was grown on.

    Attributes
    ----------
    number : int, counted from 1
    weights : (n_rows,) integers, as `weight_order_bound` and `exact_bound` take them
    nodes : list of arrays, the row numbers of each node that was split

    Examples
    --------
    >>> import numpy as np
    >>> fitted_round = FittedRound(1, np.array([3, 1, 1]), [np.array([0, 1, 2])])
    >>> fitted_round.number, len(fitted_round.nodes), int(fitted_round.weights.sum())
    (1, 1, 5)
    """

    number: int
    weights: Ints
    nodes: list[Ints]


@names_itself
def fitted_rounds(
    model: Any,
    dataset: BinnedDataset,
    X: Any,
    y: Any,
    numbers: Iterable[int] | None = None,
    sample_weight: Any = None,
) -> Iterator[FittedRound]:
    """Follow a fitted classifier round by round.

    Parameters
    ----------
    model : BoostedTreesClassifier
        With a rule that has one weight per row: "adaboost", "adaboost_m1" or "gentle", or for two
        classes any but "logit"; fitted to all rows, without heuristics.
    dataset : BinnedDataset of the training rows
    X : table of the training rows, as `model.apply` takes it
    y, sample_weight : as in the fit
    numbers : rounds to yield, counted from 1 and ascending; None: all

    Yields
    ------
    FittedRound

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from frugalboost import BoostedTreesClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> data = BinnedDataset.from_data(X)
    >>> model = BoostedTreesClassifier("adaboost", max_depth=2, n_estimators=5).fit(data, y)
    >>> [len(each.nodes) for each in fitted_rounds(model, data, X, y, numbers=[1, 5])]
    [3, 3]
    """
    check_boosted_trees(model)
    trees = model.estimators_
    wanted = check_numbers(numbers, len(trees))
    rule = model._rule
    if rule.layout != "classes":
        raise ValueError(
            f"model must have a rule with one weight per row; got {rule.name!r} with "
            f"{rule.n_classes} classes."
        )
    leaves = model.apply(X)
    codes = np.searchsorted(model.classes_, np.asarray(y))
    weight = np.ones(len(codes)) if sample_weight is None else np.asarray(sample_weight, float)
    data = TrainingData(dataset, codes, weight)
    for index, state in enumerate(replayed(model, data, leaves)):
        if index + 1 in wanted:
            rows = rows_of_nodes(trees[index], leaves[:, index])
            yield FittedRound(index + 1, state.problem().mass.copy(), rows)


def check_boosted_trees(model: Any) -> None:
    """Refuse models whose rounds cannot be followed, as those of C4.5's trees."""
    if not isinstance(model, TableClassifier):
        raise TypeError(
            "model must be a fitted BoostedTreesClassifier, BaggedTreesClassifier or "
            f"GambleClassifier, whose rounds can be followed; got a {type(model).__name__}."
        )


def check_numbers(numbers: Iterable[int] | None, n_rounds: int) -> set[int]:
    every_round = set(range(1, n_rounds + 1))
    wanted = every_round if numbers is None else {int(number) for number in numbers}
    if not wanted <= every_round:
        raise ValueError(
            f"numbers must be rounds from 1 to {n_rounds}, the trees of the model; "
            f"got {sorted(wanted - every_round)}."
        )
    return wanted


def rows_of_nodes(tree: FlatTree, leaf_of_row: AnyArray) -> list[Ints]:
    """Rows that reach each node with a split, in the order of the nodes."""
    at_leaf = np.argsort(leaf_of_row, kind="stable")
    ends = np.searchsorted(leaf_of_row[at_leaf], np.arange(tree.n_nodes + 1))
    rows: dict[int, Ints] = {}
    for node in reversed(range(tree.n_nodes)):  # children come after their parent
        if tree.feature[node] < 0:
            rows[node] = at_leaf[ends[node] : ends[node + 1]]
        else:
            both = rows[int(tree.left[node])], rows[int(tree.right[node])]
            rows[node] = np.sort(np.concatenate(both))
    return [rows[node].astype(np.int64) for node in np.flatnonzero(tree.feature >= 0).tolist()]
