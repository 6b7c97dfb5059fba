"""What any search must assess, round by round: figures 1 and 2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from frugalboost.analysis import FittedRound, exact_bound, fitted_rounds, weight_order_bound
from frugalboost.reproduce.jobs import Result
from frugalboost.reproduce.sources import Source


def weight_order_totals(source: Source, model: Any, every: int) -> Result:
    """The weight order bound of every so many rounds, all nodes of a tree together."""
    bounds: Result = {"rounds": [], "weight_order": []}
    for each in rounds_of(source, model, every):
        of_nodes = [
            weight_order_bound(source.binned, source.codes, each.weights, rows)
            for rows in each.nodes
        ]
        bounds["rounds"].append(each.number)
        bounds["weight_order"].append(sum(of_nodes))
    return bounds


def exact_bounds(source: Source, model: Any, every: int) -> Result:
    """Exact and weight order bounds of every so many rounds of stumps.

    The relaxation of the exact bound is enough: it holds, and `upper` says how far off it may be.
    """
    bounds: Result = {"rounds": [], "exact": [], "upper": [], "weight_order": [], "seconds": []}
    for each in rounds_of(source, model, every):
        node = source.binned, source.codes, each.weights, each.nodes[0]
        exact = exact_bound(*node, integer=False)
        bounds["rounds"].append(each.number)
        bounds["exact"].append(exact.bound)
        bounds["upper"].append(exact.upper)
        bounds["seconds"].append(exact.seconds)
        bounds["weight_order"].append(weight_order_bound(*node))
    return bounds


def rounds_of(source: Source, model: Any, every: int) -> Iterator[FittedRound]:
    """The first round and every so many."""
    fitted = model.fit(source.binned, source.y_train)
    numbers = [1, *range(every, len(fitted.ledger_) + 1, every)]
    return fitted_rounds(fitted, source.binned, source.X_train, source.y_train, numbers)
